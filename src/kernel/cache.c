/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/cache.h"

#include "kernel/record.h"
#include "kernel/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_KERNELS = 1000, MAX_NAME = 64, MAX_OPEN = 32 };

const char *cache_root(struct arena *arena, struct err *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache)
		return arena_printf(arena, "%s/schedlab/kernels", cache);
	if (home && *home)
		return arena_printf(arena, "%s/.cache/schedlab/kernels", home);
	err_set(err, "neither XDG_CACHE_HOME nor HOME says where kernels are kept");
	return NULL;
}

bool cache_good_name(const char *name, struct err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	size_t length = strlen(name);

	if (length && length <= MAX_NAME && strspn(name, allowed) == length && *name != '.' &&
	    *name != '-')
		return true;
	return err_set(err,
		       "'%s' cannot name a kernel (allowed: up to %d letters, digits and . _ - "
		       "beginning with a letter or digit)",
		       name, MAX_NAME);
}

bool cache_make_dir(struct arena *arena, const char *path, struct err *err)
{
	char *part = arena_strdup(arena, path);

	for (char *slash = part + 1; *part; slash++) {
		char last = *slash;

		if (last && last != '/')
			continue;
		*slash = '\0';
		if (mkdir(part, 0777) && errno != EEXIST)
			return err_set(err, "cannot make the folder %s: %s", part, strerror(errno));
		if (!last)
			break;
		*slash = '/';
	}
	return true;
}

static int remove_one(const char *path, const struct stat *stat, int kind, struct FTW *ftw)
{
	return remove(path);
}

bool cache_remove_tree(const char *path, struct err *err)
{
	if (access(path, F_OK) || !nftw(path, remove_one, MAX_OPEN, FTW_DEPTH | FTW_PHYS))
		return true;
	return err_set(err, "cannot remove %s: %s", path, strerror(errno));
}

/* Beside `path`, hidden: no kernel can have that name. */
static const char *lock_file(struct arena *arena, const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	return arena_printf(arena, "%.*s.%s.lock", (int)(name - path), path, name);
}

static bool take_lock(int fd, const char *path, FILE *out)
{
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return true;
	if (errno != EWOULDBLOCK)
		return false;
	fprintf(out, "  waiting for another build that uses %s\n", path);
	fflush(out);
	return !flock(fd, LOCK_EX);
}

int cache_lock(struct arena *arena, const char *path, FILE *out, struct err *err)
{
	const char *file = lock_file(arena, path);
	struct stat ours, there;
	int fd;

	for (;;) {
		fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0 || !take_lock(fd, path, out))
			break;
		/* Who had it may have removed the file: then nobody else will see our lock. */
		if (!fstat(fd, &ours) && !stat(file, &there) && ours.st_ino == there.st_ino)
			return fd;
		close(fd);
	}
	err_set(err, "cannot lock %s: %s", file, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void cache_unlock(struct arena *arena, const char *path, int lock)
{
	if (access(path, F_OK))
		unlink(lock_file(arena, path));
	close(lock);
}

const char *cache_first_line(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[PATH_MAX] = "";

	if (file && !fgets(line, sizeof(line), file))
		*line = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return arena_strdup(arena, line);
}

/* Into its place among the `count` before it, by name. */
static void insert_last(struct kernel_record *record, uint32_t count)
{
	struct kernel_record last = record[count];

	for (; count && strcmp(record[count - 1].name, last.name) > 0; count--)
		record[count] = record[count - 1];
	record[count] = last;
}

struct kernel_record *kernel_list(struct arena *arena, uint32_t *count, struct err *err)
{
	struct kernel_record *record = ARENA_ARRAY(arena, struct kernel_record, MAX_KERNELS + 1);
	const char *root = cache_root(arena, err);
	DIR *dir = root ? opendir(root) : NULL;
	struct dirent *entry;

	*count = 0;
	if (!root)
		return NULL;
	if (!dir && errno != ENOENT) {
		err_set(err, "cannot read %s: %s", root, strerror(errno));
		return NULL;
	}
	while (dir && (entry = readdir(dir)) && *count <= MAX_KERNELS) {
		const char *name = arena_strdup(arena, entry->d_name);
		struct err none = { 0 };

		if (*name != '.' && record_read(arena, arena_printf(arena, "%s/%s", root, name),
						name, &record[*count], &none))
			insert_last(record, (*count)++);
	}
	if (dir)
		closedir(dir);
	if (*count <= MAX_KERNELS)
		return record;
	err_set(err, "%s holds more kernels than can be listed (allowed: up to %d)", root,
		MAX_KERNELS);
	return NULL;
}

static bool no_kernel(struct arena *arena, const char *name, struct err *err)
{
	uint32_t count;
	struct kernel_record *all = kernel_list(arena, &count, err);
	const char **names;
	char near[200];

	if (!all)
		return false;
	names = ARENA_ARRAY(arena, const char *, count + 1);
	for (uint32_t i = 0; i < count; i++)
		names[i] = all[i].name;
	err_near(near, sizeof(near), name, names, count);
	return err_set(err,
		       "there is no kernel '%s'%s; 'schedlab kernel build TREE --name %s' makes it",
		       name, near, name);
}

bool kernel_find(struct arena *arena, const char *name, struct kernel_record *record,
		 struct err *err)
{
	const char *root = cache_root(arena, err), *dir;

	if (!root || !cache_good_name(name, err))
		return false;
	dir = arena_printf(arena, "%s/%s", root, name);
	if (access(arena_printf(arena, "%s/out/record.json", dir), F_OK))
		return no_kernel(arena, name, err);
	return record_read(arena, dir, name, record, err);
}

bool kernel_remove(struct arena *arena, const char *name, struct err *err)
{
	const char *root = cache_root(arena, err), *dir;
	bool removed;
	int lock;

	if (!root || !cache_good_name(name, err))
		return false;
	dir = arena_printf(arena, "%s/%s", root, name);
	if (access(dir, F_OK))
		return no_kernel(arena, name, err);
	lock = cache_lock(arena, dir, stderr, err);
	if (lock < 0)
		return false;
	removed = cache_remove_tree(dir, err);
	cache_unlock(arena, dir, lock);
	return removed && tree_prune(arena, err);
}
