/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything about kernels but the script kernel/build, which a small one stands in for: its image
 * is the text of kernel/sched/core.c, and a tree with a file `broken` fails.
 */
#include "kernel/cache.h"
#include "kernel/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char stand_in[] =
	"#!/bin/sh\n"
	"tree=$1 dir=$2 kind=$3 config=$4; shift 4\n"
	"mkdir -p $dir/src/build/schedlab && touch $dir/src/build/schedlab/fragment\n"
	"[ ! -e $tree/slow ] || { touch $tree/started; sleep 60 & wait; }\n"
	"[ ! -e $tree/broken ] || exit 1\n"
	"[ -e $dir/src/build/object ] && echo taken > $dir/head-start\n"
	"echo $dir > $dir/src/build/object\n"
	"cat $tree/kernel/sched/core.c \"$@\" > $dir/new/image; touch $dir/new/image.blocks\n"
	"echo 6.99.1 > $dir/new/release; echo 'cc 1' > $dir/new/compiler; echo +HZ > "
	"$dir/new/options\n";

struct fixture {
	struct arena arena;
	char folder[64];
	FILE *out;
	struct err err;
};

__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...)
{
	char command[1000];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	FILE *script;

	arena_init(&f->arena);
	strcpy(f->folder, "/tmp/schedlab-kernel-XXXXXX");
	if (!mkdtemp(f->folder) || chdir(f->folder))
		return -1;
	shell("mkdir -p data/kernel tree/kernel/sched && echo one > tree/kernel/sched/core.c");
	script = fopen("data/kernel/build", "w");
	if (!script || fputs(stand_in, script) < 0 || fclose(script))
		return -1;
	chmod("data/kernel/build", 0755);
	setenv("XDG_CACHE_HOME", f->folder, 1);
	setenv("SCHEDLAB_DATA", arena_printf(&f->arena, "%s/data", f->folder), 1);
	f->out = fopen("out", "w+");
	*state = f;
	return f->out ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	fclose(f->out);
	arena_release(&f->arena);
	if (chdir("/"))
		return -1;
	shell("rm -rf %s", f->folder);
	free(f);
	return 0;
}

static bool build_from(struct fixture *f, const char *source, const char *name, const char *patch)
{
	struct kernel_request request = { .name = name,
					  .source = source,
					  .patch = &patch,
					  .nr_patches = patch ? 1 : 0,
					  .out = f->out };

	f->err = (struct err){ 0 };
	return kernel_build(&f->arena, &request, &f->err);
}

static bool build(struct fixture *f, const char *name)
{
	return build_from(f, "tree", name, NULL);
}

static struct kernel_record find(struct fixture *f, const char *name)
{
	struct kernel_record record;

	assert_true(kernel_find(&f->arena, name, &record, &f->err));
	return record;
}

static void built_kernel_is_found_with_what_it_was_built_from(void **state)
{
	struct fixture *f = *state;
	struct kernel_record record;

	shell("echo two > my.patch");
	assert_true(build_from(f, "tree", "mine", "my.patch"));
	record = find(f, "mine");
	assert_string_equal(record.release, "6.99.1");
	assert_string_equal(record.source, arena_printf(&f->arena, "%s/tree", f->folder));
	assert_int_equal(record.nr_patches, 1);
	assert_string_equal(record.patch[0], "my.patch");
	assert_string_equal(record.options, "+HZ");
	assert_true(record.counted);
	assert_int_equal(record.image_bytes, strlen("one\ntwo\n"));
}

static void record_tells_compiler_options_and_patch_text(void **state)
{
	struct fixture *f = *state;

	shell("echo two > my.patch");
	assert_true(build_from(f, "tree", "mine", "my.patch"));
	shell("cd schedlab/kernels/mine/out && cp record.json before && "
	      "grep -q '\"compiler\": \"cc 1\"' before && grep -q '\"options\": \"+HZ\"' before");
	shell("echo three > my.patch");
	assert_true(build_from(f, "tree", "mine", "my.patch"));
	shell("grep -A1 patch_hashes schedlab/kernels/mine/out/record.json > hash && "
	      "grep -q '[0-9a-f]\\{32\\}' hash");
}

static void equal_images_have_equal_hashes_under_any_name(void **state)
{
	struct fixture *f = *state;
	struct kernel_record a, b, c;

	assert_true(build(f, "a") && build(f, "b"));
	shell("echo other > tree/kernel/sched/core.c");
	assert_true(build(f, "c"));
	a = find(f, "a"), b = find(f, "b"), c = find(f, "c");
	assert_string_equal(a.hash, b.hash);
	assert_string_not_equal(a.hash, c.hash);
}

static void kernels_are_listed_by_name_and_strangers_are_not(void **state)
{
	struct fixture *f = *state;
	struct kernel_record *all;
	uint32_t count;

	assert_true(build(f, "b") && build(f, "c") && build(f, "a"));
	shell("mkdir -p schedlab/kernels/half/src/build && touch schedlab/kernels/file");
	all = kernel_list(&f->arena, &count, &f->err);
	assert_non_null(all);
	assert_int_equal(count, 3);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(all[i].name[0], "abc"[i]);
}

static void failed_build_leaves_the_kernel_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct kernel_record before, after;

	assert_true(build(f, "mine"));
	before = find(f, "mine");
	shell("touch tree/broken; echo other > tree/kernel/sched/core.c");
	assert_false(build(f, "mine"));
	assert_string_equal(f->err.what, "the kernel 'mine' was not built");
	after = find(f, "mine");
	assert_string_equal(before.hash, after.hash);
}

static void failed_first_build_is_no_kernel(void **state)
{
	struct fixture *f = *state;
	struct kernel_record record;

	shell("touch tree/broken");
	assert_false(build(f, "mine"));
	f->err = (struct err){ 0 };
	assert_false(kernel_find(&f->arena, "mine", &record, &f->err));
	assert_non_null(strstr(f->err.what, "there is no kernel 'mine'"));
}

static void new_kernel_starts_from_the_objects_of_its_sibling(void **state)
{
	struct fixture *f = *state;

	assert_true(build(f, "first") && build(f, "second"));
	assert_int_equal(access("schedlab/kernels/first/head-start", F_OK), -1);
	assert_int_equal(access("schedlab/kernels/second/head-start", F_OK), 0);
}

static void interrupted_build_ends_its_commands_and_says_so(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child;

	shell("touch tree/slow");
	child = fork();
	if (child == 0) {
		bool built = build(f, "mine");

		_exit(!built && strstr(f->err.what, "interrupted") ? 0 : 1);
	}
	while (access("tree/started", F_OK))
		usleep(1000);
	kill(child, SIGINT);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void tarball_is_unpacked_once_and_goes_with_its_last_kernel(void **state)
{
	struct fixture *f = *state;

	shell("tar -cf tree.tar tree");
	assert_true(build_from(f, "tree.tar", "a", NULL) && build_from(f, "tree.tar", "b", NULL));
	fflush(f->out);
	shell("test $(grep -c unpacking out) = 1");
	assert_true(kernel_remove(&f->arena, "a", &f->err));
	shell("ls schedlab/kernels/.trees/*/kernel/sched/core.c > listed");
	assert_true(kernel_remove(&f->arena, "b", &f->err));
	shell("test -z \"$(ls -A schedlab/kernels/.trees)\"");
}

static void what_is_no_tarball_of_a_kernel_leaves_nothing(void **state)
{
	struct fixture *f = *state;

	shell("echo text > text.tar; mkdir -p x/y && touch x/y/z && tar -cf other.tar x");
	assert_false(build_from(f, "text.tar", "a", NULL));
	assert_non_null(strstr(f->err.what, "cannot unpack"));
	assert_false(build_from(f, "other.tar", "a", NULL));
	assert_non_null(strstr(f->err.what, "holds no kernel tree"));
	shell("test \"$(ls -A schedlab/kernels)\" = .trees");
	shell("test -z \"$(ls -A schedlab/kernels/.trees)\"");
}

static void names_that_would_leave_the_folder_are_refused(void **state)
{
	static const char *const bad[] = { "", "..", "a/b", ".trees", "-q", "ä" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(build(f, bad[i]));
		assert_non_null(strstr(f->err.what, "cannot name a kernel"));
	}
	assert_true(build(f, "v6.12-rc1_x"));
}

static void kernel_that_is_not_there_is_answered_by_near_ones(void **state)
{
	struct fixture *f = *state;
	struct kernel_record record;

	assert_true(build(f, "v6.12"));
	assert_false(kernel_find(&f->arena, "v6.11", &record, &f->err));
	assert_non_null(strstr(f->err.what, "did you mean v6.12?"));
	f->err = (struct err){ 0 };
	assert_false(kernel_remove(&f->arena, "v6.13", &f->err));
	assert_non_null(strstr(f->err.what, "did you mean v6.12?"));
}

static void lock_is_free_again_after_its_holder(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(&f->arena, "%s/thing", f->folder);
	int first = cache_lock(&f->arena, path, f->out, &f->err), status;
	pid_t child;

	assert_true(first >= 0);
	child = fork();
	if (child == 0) {
		struct err err = { 0 };

		close(first);
		_exit(cache_lock(&f->arena, path, f->out, &err) >= 0 ? 0 : 1);
	}
	while (system("grep -q waiting out"))
		usleep(1000);
	cache_unlock(&f->arena, path, first);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(built_kernel_is_found_with_what_it_was_built_from),
		WITH_FOLDER(record_tells_compiler_options_and_patch_text),
		WITH_FOLDER(equal_images_have_equal_hashes_under_any_name),
		WITH_FOLDER(kernels_are_listed_by_name_and_strangers_are_not),
		WITH_FOLDER(failed_build_leaves_the_kernel_as_it_was),
		WITH_FOLDER(failed_first_build_is_no_kernel),
		WITH_FOLDER(new_kernel_starts_from_the_objects_of_its_sibling),
		WITH_FOLDER(interrupted_build_ends_its_commands_and_says_so),
		WITH_FOLDER(tarball_is_unpacked_once_and_goes_with_its_last_kernel),
		WITH_FOLDER(what_is_no_tarball_of_a_kernel_leaves_nothing),
		WITH_FOLDER(names_that_would_leave_the_folder_are_refused),
		WITH_FOLDER(kernel_that_is_not_there_is_answered_by_near_ones),
		WITH_FOLDER(lock_is_free_again_after_its_holder),
	};

	return cmocka_run_group_tests_name("kernel build", tests, NULL, NULL);
}
