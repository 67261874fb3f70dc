/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A build: the tree (a tarball is unpacked once), a head start from a finished sibling, the script
 * kernel/build in a process group of its own, and the change of `out`.
 */
#include "kernel/cache.h"
#include "kernel/record.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 64, EXCHANGE = 2 /* RENAME_EXCHANGE */ };

/* The group of the command that runs, for the handler of an interrupt. */
static volatile sig_atomic_t command_group;
static volatile sig_atomic_t interrupted;

static void pass_on(int number)
{
	interrupted = number;
	if (command_group)
		kill(-command_group, SIGTERM);
}

/* Runs a command to its end; interrupts end it and all its children. */
static bool run_command(const char *const *argv, FILE *out, struct err *err)
{
	struct sigaction action = { .sa_handler = pass_on }, old_int, old_term;
	int status = -1;
	pid_t child;

	fflush(out);
	sigaction(SIGINT, &action, &old_int);
	sigaction(SIGTERM, &action, &old_term);
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		if (dup2(fileno(out), STDOUT_FILENO) >= 0)
			execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (child > 0) {
		setpgid(child, child);
		command_group = child;
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		command_group = 0;
	}
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGTERM, &old_term, NULL);
	if (interrupted)
		return err_set(err, "interrupted; what is finished is as it was before, and the "
				    "next build goes on with what was compiled");
	if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return err_set(err, "cannot run %s", argv[0]);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the script ---- */

static const char *script_below(struct arena *arena, const char *folder)
{
	const char *path = arena_printf(arena, "%s/kernel/build", folder);

	return access(path, X_OK) ? NULL : path;
}

/* Installed beside the program, or in the folder that the program was built from. */
static const char *find_script(struct arena *arena, struct err *err)
{
	const char *given = getenv("SCHEDLAB_DATA"), *script = NULL;
	char self[PATH_MAX] = "";
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (given)
		script = script_below(arena, given);
	while (!script && length > 0 && self[length] != '/')
		self[length--] = '\0';
	if (!script && length > 0)
		script = script_below(arena, arena_printf(arena, "%s../share/schedlab", self));
	if (!script)
		script = script_below(arena, SCHEDLAB_SOURCE_ROOT);
	if (!script)
		err_set(err, "kernel/build is missing: schedlab is not installed completely");
	return script;
}

/* ---- the tree ---- */

static const char *tree_of_tarball(struct arena *arena, const struct kernel_request *request,
				   const char *path, const struct stat *stat, struct err *err)
{
	const char *root = cache_root(arena, err), *tree, *fresh;
	uint64_t key = hash_bytes(HASH_START, path, strlen(path));
	int lock;
	bool good;

	key = hash_u64(hash_u64(key, (uint64_t)stat->st_size), (uint64_t)stat->st_mtime);
	if (!root || !cache_make_dir(arena, arena_printf(arena, "%s/.trees", root), err))
		return NULL;
	tree = arena_printf(arena, "%s/.trees/%016llx", root, (unsigned long long)key);
	lock = cache_lock(arena, tree, request->out, err);
	if (lock < 0)
		return NULL;
	good = access(tree, F_OK) == 0;
	if (!good) {
		fresh = arena_printf(arena, "%s.new", tree);
		const char *argv[] = {
			"tar", "-xf", path, "-C", fresh, "--strip-components=1", NULL
		};

		fprintf(request->out, "  unpacking %s\n", path);
		good = cache_remove_tree(fresh, err) && cache_make_dir(arena, fresh, err) &&
		       (run_command(argv, request->out, err) ||
			err_set(err, "%s is no tarball that can be unpacked", path));
		good = good && !rename(fresh, tree);
	}
	close(lock);
	return good ? tree : NULL;
}

static const char *find_tree(struct arena *arena, const struct kernel_request *request,
			     struct err *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (!realpath(request->source, path) || stat(path, &st)) {
		err_set(err, "cannot read the kernel tree %s: %s", request->source,
			strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st.st_mode))
		return arena_strdup(arena, path);
	return tree_of_tarball(arena, request, arena_strdup(arena, path), &st, err);
}

/* ---- a head start ---- */

/* The finished kernel of the same tree, configuration and kind with the fewest patches, or NULL. */
static const struct kernel_record *find_sibling(const struct kernel_record *all, uint32_t count,
						const struct kernel_request *request)
{
	const char *config = request->config ? request->config : "";
	const struct kernel_record *best = NULL;

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(all[i].source, request->source) == 0 &&
		    strcmp(all[i].config, config) == 0 && all[i].counted != request->bare &&
		    (!best || all[i].nr_patches < best->nr_patches))
			best = &all[i];
	return best;
}

/* Takes the sibling's objects: what patches leave alone need not be compiled again. */
static bool start_from_sibling(struct arena *arena, const struct kernel_request *request,
			       const char *dir, struct err *err)
{
	const char *root = cache_root(arena, err), *from, *to = arena_printf(arena, "%s/src", dir);
	const struct kernel_record *sibling;
	struct kernel_record *all;
	uint32_t count;
	bool good;
	int lock;

	all = kernel_list(arena, &count, err);
	if (!all)
		return false;
	sibling = find_sibling(all, count, request);
	if (!sibling)
		return true;
	from = arena_printf(arena, "%s/%s/src/build", root, sibling->name);
	if (access(from, F_OK))
		return true;
	/* Whoever has a build folder asks for no sibling's: two builds never wait for each other.
	 */
	lock = cache_lock(arena, arena_printf(arena, "%s/%s", root, sibling->name), request->out,
			  err);
	if (lock < 0)
		return false;
	const char *argv[] = { "cp", "-a", "--reflink=auto", from, to, NULL };

	good = cache_make_dir(arena, to, err) &&
	       cache_remove_tree(arena_printf(arena, "%s/build", to), err) &&
	       run_command(argv, request->out, err);
	close(lock);
	return good;
}

/* ---- the build ---- */

static bool run_script(struct arena *arena, const struct kernel_request *request, const char *tree,
		       const char *dir, struct err *err)
{
	const char *argv[MAX_ARGUMENTS + 8], *script = find_script(arena, err);
	const char *own = arena_printf(arena, "%s/.config", tree);
	char path[PATH_MAX];
	uint32_t n = 0;

	if (!script)
		return false;
	argv[n++] = script;
	argv[n++] = tree;
	argv[n++] = dir;
	argv[n++] = request->bare ? "bare" : "counted";
	argv[n++] = request->config ? request->config : access(own, R_OK) ? "-" : own;
	for (uint32_t i = 0; i < request->nr_patches; i++) {
		if (!realpath(request->patch[i], path))
			return err_set(err, "cannot read the patch %s: %s", request->patch[i],
				       strerror(errno));
		argv[n++] = arena_strdup(arena, path);
	}
	argv[n] = NULL;
	return run_command(argv, request->out, err) ||
	       err_set(err, "the kernel '%s' was not built", request->name);
}

static const char *read_release(struct arena *arena, const char *dir, struct err *err)
{
	const char *path = arena_printf(arena, "%s/new/release", dir);
	FILE *file = fopen(path, "r");
	char text[100] = "";

	if (!file || !fgets(text, sizeof(text), file))
		err_set(err, "cannot read %s", path);
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return *text ? arena_strdup(arena, text) : NULL;
}

/* `new` becomes `out` in one step. */
static bool change_out(struct arena *arena, const char *dir, struct err *err)
{
	const char *fresh = arena_printf(arena, "%s/new", dir);
	const char *out = arena_printf(arena, "%s/out", dir);

	if (access(out, F_OK) == 0
		    ? syscall(SYS_renameat2, AT_FDCWD, fresh, AT_FDCWD, out, EXCHANGE)
		    : rename(fresh, out))
		return err_set(err, "cannot replace %s: %s", out, strerror(errno));
	return cache_remove_tree(fresh, err);
}

static bool build_in(struct arena *arena, const struct kernel_request *request, const char *dir,
		     struct err *err)
{
	const char *tree = find_tree(arena, request, err), *release;
	const char *fresh = arena_printf(arena, "%s/new", dir);

	if (!tree || !cache_remove_tree(fresh, err))
		return false;
	if (access(arena_printf(arena, "%s/src/build/schedlab/fragment", dir), F_OK) &&
	    !start_from_sibling(arena, request, dir, err))
		return false;
	if (!cache_make_dir(arena, fresh, err) || !run_script(arena, request, tree, dir, err))
		return false;
	release = read_release(arena, dir, err);
	return release && record_write(arena, fresh, request, release, err) &&
	       change_out(arena, dir, err);
}

static bool check_request(const struct kernel_request *request, struct err *err)
{
	if (!cache_good_name(request->name, err))
		return false;
	if (request->nr_patches > MAX_ARGUMENTS)
		return err_set(err, "%u patches (allowed: up to %d)", request->nr_patches,
			       MAX_ARGUMENTS);
	if (request->config && access(request->config, R_OK))
		return err_set(err, "cannot read the configuration %s: %s", request->config,
			       strerror(errno));
	for (uint32_t i = 0; i < request->nr_patches; i++)
		if (access(request->patch[i], R_OK))
			return err_set(err, "cannot read the patch %s: %s", request->patch[i],
				       strerror(errno));
	if (access(request->source, R_OK))
		return err_set(err, "cannot read the kernel tree %s: %s", request->source,
			       strerror(errno));
	return true;
}

bool kernel_build(struct arena *arena, const struct kernel_request *request, struct err *err)
{
	struct kernel_request absolute = *request;
	const char *root = cache_root(arena, err), *dir;
	char path[PATH_MAX];
	bool good;
	int lock;

	if (!root || !check_request(request, err) || !cache_make_dir(arena, root, err))
		return false;
	if (request->config && realpath(request->config, path))
		absolute.config = arena_strdup(arena, path);
	if (realpath(request->source, path))
		absolute.source = arena_strdup(arena, path);
	dir = arena_printf(arena, "%s/%s", root, request->name);
	lock = cache_lock(arena, dir, request->out, err);
	if (lock < 0)
		return false;
	good = cache_make_dir(arena, dir, err) && build_in(arena, &absolute, dir, err);
	if (!good && access(arena_printf(arena, "%s/src/build/schedlab", dir), F_OK)) {
		struct err none = { 0 };

		cache_remove_tree(dir, &none); /* nothing was compiled: leave no empty folder */
	}
	close(lock);
	return good;
}
