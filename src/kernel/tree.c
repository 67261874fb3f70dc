/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/tree.h"

#include "kernel/cache.h"
#include "kernel/process.h"

#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool note_use(struct arena *arena, const char *dir, const char *tree, struct err *err)
{
	const char *path = arena_printf(arena, "%s/tree", dir);
	FILE *file = fopen(path, "w");
	bool good = file && fprintf(file, "%s\n", tree) > 0;

	if (file && fclose(file))
		good = false;
	return good || err_set(err, "cannot write %s: %s", path, strerror(errno));
}

/* Into `fresh`, which nobody looks at yet. Of what tar complains about the first line is shown. */
static bool unpack(struct arena *arena, const char *tarball, const char *fresh, FILE *out,
		   struct err *err)
{
	static const char script[] = "set -o pipefail; tar -xf \"$1\" -C \"$2\" "
				     "--strip-components=1 2>&1 | sed -n '1s/^/  /p' >&2";
	const char *argv[] = { "bash", "-c", script, "bash", tarball, fresh, NULL };

	fprintf(out, "  unpacking %s\n", tarball);
	if (!cache_remove_tree(fresh, err) || !cache_make_dir(arena, fresh, err))
		return false;
	if (!process_run(argv, out, err))
		return err_set(err, "cannot unpack %s", tarball);
	return access(arena_printf(arena, "%s/kernel/sched/core.c", fresh), F_OK) == 0 ||
	       err_set(err, "%s holds no kernel tree: kernel/sched/core.c is missing", tarball);
}

static bool have_unpacked(struct arena *arena, const char *tarball, const char *tree, FILE *out,
			  struct err *err)
{
	const char *fresh = arena_printf(arena, "%s.new", tree);
	struct err none = { 0 };

	if (access(tree, F_OK) == 0)
		return true;
	if (unpack(arena, tarball, fresh, out, err) &&
	    (!rename(fresh, tree) ||
	     err_set(err, "cannot make the folder %s: %s", tree, strerror(errno))))
		return true;
	cache_remove_tree(fresh, &none);
	return false;
}

static const char *tree_of_tarball(struct arena *arena, const struct kernel_request *request,
				   const char *path, const struct stat *stat, const char *dir,
				   struct err *err)
{
	const char *root = cache_root(arena, err), *tree;
	uint64_t key = hash_bytes(HASH_START, path, strlen(path));
	bool good;
	int lock;

	key = hash_u64(hash_u64(key, (uint64_t)stat->st_size), (uint64_t)stat->st_mtime);
	if (!root || !cache_make_dir(arena, arena_printf(arena, "%s/.trees", root), err))
		return NULL;
	tree = arena_printf(arena, "%s/.trees/%016llx", root, (unsigned long long)key);
	lock = cache_lock(arena, tree, request->out, err);
	if (lock < 0)
		return NULL;
	good = have_unpacked(arena, path, tree, request->out, err) &&
	       note_use(arena, dir, tree, err);
	cache_unlock(arena, tree, lock);
	return good ? tree : NULL;
}

const char *tree_find(struct arena *arena, const struct kernel_request *request, const char *dir,
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
		return note_use(arena, dir, path, err) ? arena_strdup(arena, path) : NULL;
	return tree_of_tarball(arena, request, arena_strdup(arena, path), &st, dir, err);
}

/* Also when a kernel does not say what it uses. */
static bool is_used(struct arena *arena, const char *root, const char *tree)
{
	DIR *dir = opendir(root);
	struct dirent *entry;
	bool used = !dir;

	while (!used && (entry = readdir(dir))) {
		const char *name;

		if (*entry->d_name == '.')
			continue;
		name = cache_first_line(arena,
					arena_printf(arena, "%s/%s/tree", root, entry->d_name));
		used = !*name || strcmp(name, tree) == 0;
	}
	if (dir)
		closedir(dir);
	return used;
}

static bool prune_one(struct arena *arena, const char *root, const char *tree, struct err *err)
{
	int lock = cache_lock(arena, tree, stderr, err);
	bool good;

	if (lock < 0)
		return false;
	good = is_used(arena, root, tree) || cache_remove_tree(tree, err);
	cache_unlock(arena, tree, lock);
	return good;
}

bool tree_prune(struct arena *arena, struct err *err)
{
	const char *root = cache_root(arena, err), *trees;
	struct dirent *entry;
	bool good = true;
	DIR *dir;

	if (!root)
		return false;
	trees = arena_printf(arena, "%s/.trees", root);
	dir = opendir(trees);
	while (dir && good && (entry = readdir(dir)))
		if (!strchr(entry->d_name, '.'))
			good = prune_one(arena, root,
					 arena_printf(arena, "%s/%s", trees, entry->d_name), err);
	if (dir)
		closedir(dir);
	return good;
}
