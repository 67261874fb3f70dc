/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A build: the tree, a head start from a finished sibling, the script kernel/build in a process
 * group of its own, and the change of `out`.
 */
#include "kernel/cache.h"
#include "kernel/process.h"
#include "kernel/record.h"
#include "kernel/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 64, EXCHANGE = 2 /* RENAME_EXCHANGE */ };

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
	const char *root = cache_root(arena, err), *home, *from;
	const char *to = arena_printf(arena, "%s/src", dir);
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
	home = arena_printf(arena, "%s/%s", root, sibling->name);
	from = arena_printf(arena, "%s/src/build", home);
	if (access(from, F_OK))
		return true;
	/* Whoever has a build folder asks for no sibling's: two builds never wait for each other.
	 */
	lock = cache_lock(arena, home, request->out, err);
	if (lock < 0)
		return false;
	const char *argv[] = { "cp", "-a", "--reflink=auto", from, to, NULL };

	good = cache_make_dir(arena, to, err) &&
	       cache_remove_tree(arena_printf(arena, "%s/build", to), err) &&
	       process_run(argv, request->out, err);
	cache_unlock(arena, home, lock);
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
	return process_run(argv, request->out, err) ||
	       err_set(err, "the kernel '%s' was not built", request->name);
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
	const char *tree = tree_find(arena, request, dir, err);
	const char *fresh = arena_printf(arena, "%s/new", dir);

	if (!tree || !cache_remove_tree(fresh, err))
		return false;
	if (access(arena_printf(arena, "%s/src/build/schedlab/fragment", dir), F_OK) &&
	    !start_from_sibling(arena, request, dir, err))
		return false;
	if (!cache_make_dir(arena, fresh, err) || !run_script(arena, request, tree, dir, err))
		return false;
	return record_write(arena, fresh, request, err) && change_out(arena, dir, err);
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

/* Make takes these for its own, wherever they stand in the name of a folder. */
static bool check_path(const char *path, const char *remedy, struct err *err)
{
	size_t good = strcspn(path, " \t\n:#$%&;'\"`\\()");

	if (!path[good])
		return true;
	return err_set(err, "make cannot build a kernel with '%c' in a folder's name: %s; %s",
		       path[good], path, remedy);
}

static bool check_paths(struct arena *arena, const char *root, struct err *err)
{
	const char *script = find_script(arena, err);

	return script && check_path(script, "schedlab has to be in another folder", err) &&
	       check_path(root, "XDG_CACHE_HOME may name another", err);
}

bool kernel_build(struct arena *arena, const struct kernel_request *request, struct err *err)
{
	struct kernel_request absolute = *request;
	const char *root = cache_root(arena, err), *dir;
	char path[PATH_MAX];
	bool good;
	int lock;

	if (!root || !check_request(request, err) || !check_paths(arena, root, err) ||
	    !cache_make_dir(arena, root, err))
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
	cache_unlock(arena, dir, lock);
	return good;
}
