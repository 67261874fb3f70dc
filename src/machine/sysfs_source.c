/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One table of paths serves both directions: a dump looks its paths up in it, a tree is asked for
 * each of its rows.
 */
#include "machine/sysfs_source.h"

#include "base/check.h"
#include "machine/archive.h"
#include "machine/file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { PATH_BYTES = 4608, NAME_BYTES = 96 };

/* '#' in a path stands for a number below `count`; its slots are `stride` apart. */
struct path_row {
	const char *path;
	int slot, count, stride;
};

static const struct path_row cpu_paths[] = {
	{ "topology/core_cpus_list", CPU_CORE_LIST, 0, 0 },
	{ "topology/core_cpus", CPU_CORE_MASK, 0, 0 },
	{ "topology/thread_siblings_list", CPU_THREAD_LIST, 0, 0 },
	{ "topology/thread_siblings", CPU_THREAD_MASK, 0, 0 },
	{ "topology/cluster_cpus_list", CPU_CLUSTER_LIST, 0, 0 },
	{ "topology/cluster_cpus", CPU_CLUSTER_MASK, 0, 0 },
	{ "topology/die_cpus_list", CPU_DIE_LIST, 0, 0 },
	{ "topology/die_cpus", CPU_DIE_MASK, 0, 0 },
	{ "topology/package_cpus_list", CPU_PACKAGE_LIST, 0, 0 },
	{ "topology/package_cpus", CPU_PACKAGE_MASK, 0, 0 },
	{ "topology/core_siblings_list", CPU_SIBLINGS_LIST, 0, 0 },
	{ "topology/core_siblings", CPU_SIBLINGS_MASK, 0, 0 },
	{ "topology/physical_package_id", CPU_PACKAGE_ID, 0, 0 },
	{ "cpu_capacity", CPU_CAPACITY, 0, 0 },
	{ "cpufreq/base_frequency", CPU_BASE_KHZ, 0, 0 },
	{ "cpufreq/cpuinfo_max_freq", CPU_MAX_KHZ, 0, 0 },
	{ "cache/index#/shared_cpu_list", CPU_CACHE + CACHE_LIST, SYSFS_CACHES, 5 },
	{ "cache/index#/shared_cpu_map", CPU_CACHE + CACHE_MASK, SYSFS_CACHES, 5 },
	{ "cache/index#/level", CPU_CACHE + CACHE_LEVEL, SYSFS_CACHES, 5 },
	{ "cache/index#/type", CPU_CACHE + CACHE_TYPE, SYSFS_CACHES, 5 },
	{ "cache/index#/size", CPU_CACHE + CACHE_SIZE, SYSFS_CACHES, 5 },
	{ "cpuidle/state#/name", CPU_IDLE + IDLE_NAME, SYSFS_IDLE_STATES, 3 },
	{ "cpuidle/state#/latency", CPU_IDLE + IDLE_LATENCY, SYSFS_IDLE_STATES, 3 },
	{ "cpuidle/state#/residency", CPU_IDLE + IDLE_RESIDENCY, SYSFS_IDLE_STATES, 3 },
};

/* Under cpu/cpufreq/policyN, to which cpuN/cpufreq is a link that dumps and archives do not follow.
 */
static const struct path_row policy_paths[] = {
	{ "base_frequency", CPU_BASE_KHZ, 0, 0 },
	{ "cpuinfo_max_freq", CPU_MAX_KHZ, 0, 0 },
};

static const struct path_row node_paths[] = {
	{ "cpulist", NODE_LIST, 0, 0 },
	{ "cpumap", NODE_MASK, 0, 0 },
	{ "distance", NODE_DISTANCE, 0, 0 },
};

/* A kind of numbered directory. */
static const struct kind {
	const char *prefix, *folder;
	const struct path_row *rows;
	size_t nr_rows;
	int nr_slots;
	uint32_t limit;
} cpu_kind = { "cpu", "cpu", cpu_paths, COUNT(cpu_paths), NR_CPU_SLOTS, MACHINE_MAX_CPUS },
  policy_kind = { "policy",	"cpufreq",	 policy_paths, COUNT(policy_paths),
		  NR_CPU_SLOTS, MACHINE_MAX_CPUS },
  node_kind = { "node", "node", node_paths, COUNT(node_paths), NR_NODE_SLOTS, MACHINE_MAX_NODES };

static struct sysfs_value *slots_of(struct sysfs *fs, const struct kind *kind, uint32_t id)
{
	struct sysfs_value **table = kind == &node_kind ? fs->node : fs->cpu;

	if (!table[id])
		table[id] = ARENA_ARRAY(fs->arena, struct sysfs_value, (size_t)kind->nr_slots);
	return table[id];
}

/* Decimal digits at *at, at most 9 of them. */
static bool take_number(const char **at, uint32_t *value)
{
	const char *c = *at;

	*value = 0;
	while (isdigit((unsigned char)*c) && c - *at < 9)
		*value = *value * 10 + (uint32_t)(*c++ - '0');
	if (c == *at || isdigit((unsigned char)*c))
		return false;
	*at = c;
	return true;
}

/* The slot of `path` (up to `end`) in row, or -1. */
static int match(const struct path_row *row, const char *path, const char *end)
{
	uint32_t number = 0;

	if (!row->count)
		return (size_t)(end - path) == strlen(row->path) &&
				       !memcmp(path, row->path, (size_t)(end - path))
			       ? row->slot
			       : -1;
	for (const char *want = row->path; *want; want++) {
		if (*want == '#') {
			if (!take_number(&path, &number) || number >= (uint32_t)row->count)
				return -1;
		} else if (path == end || *path++ != *want) {
			return -1;
		}
	}
	return path == end ? row->slot + (int)number * row->stride : -1;
}

static void store(struct sysfs *fs, const struct kind *kind, uint32_t id, const char *path,
		  const char *end, struct sysfs_value value)
{
	for (size_t i = 0; i < kind->nr_rows; i++) {
		int slot = match(&kind->rows[i], path, end);

		if (slot >= 0) {
			slots_of(fs, kind, id)[slot] = value;
			return;
		}
	}
}

/* "cpu12/" at path: the number, and what follows in *rest. */
static bool numbered(const struct kind *kind, const char *path, uint32_t *id, const char **rest)
{
	size_t length = strlen(kind->prefix);

	if (strncmp(path, kind->prefix, length))
		return false;
	path += length;
	if (!take_number(&path, id) || *path != '/')
		return false;
	*rest = path + 1;
	return true;
}

enum section { SECTION_NONE, SECTION_CPU, SECTION_NODE, SECTION_KERNEL, SECTION_SKIPPED };

static const struct {
	const char *title;
	enum section section;
} sections[] = {
	{ "cpu lists", SECTION_CPU }, { "topology", SECTION_CPU },  { "cache", SECTION_CPU },
	{ "nodes", SECTION_NODE },    { "kernel", SECTION_KERNEL },
};

static enum section section_of(const char *title)
{
	for (size_t i = 0; i < COUNT(sections); i++)
		if (!strcmp(title, sections[i].title))
			return sections[i].section;
	return SECTION_SKIPPED;
}

/* Lists of cpus or nodes: by the folder before the name, else by the section. */
static void store_list(struct sysfs *fs, enum section section, const char *path, const char *end,
		       struct sysfs_value value)
{
	const struct {
		const char *name;
		enum section section;
		struct sysfs_value *value;
	} lists[] = {
		{ "online", SECTION_CPU, &fs->cpu_online },
		{ "present", SECTION_CPU, &fs->cpu_present },
		{ "online", SECTION_NODE, &fs->node_online },
		{ "possible", SECTION_NODE, &fs->node_possible },
	};
	const char *name = end;

	while (name > path && name[-1] != '/')
		name--;
	if (name - path >= 4 && !strncmp(name - 4, "cpu/", 4))
		section = SECTION_CPU;
	else if (name - path >= 5 && !strncmp(name - 5, "node/", 5))
		section = SECTION_NODE;
	else if (name > path)
		return;
	for (size_t i = 0; i < COUNT(lists); i++)
		if (section == lists[i].section && (size_t)(end - name) == strlen(lists[i].name) &&
		    !memcmp(name, lists[i].name, strlen(lists[i].name)))
			*lists[i].value = value;
}

static const struct kind *const kinds[] = { &cpu_kind, &policy_kind, &node_kind };

static bool beyond(const struct sysfs *fs, const struct kind *kind, uint32_t id, int line,
		   struct err *err)
{
	return err_set_at(err, fs->name, line, line ? 1 : 0, "%s%u is beyond the last id, %u",
			  kind->prefix, id, kind->limit - 1);
}

/* A value at a path that ends at `end`. */
static bool store_path(struct sysfs *fs, enum section section, const char *path, const char *end,
		       struct sysfs_value value, struct err *err)
{
	const char *rest;
	uint32_t id;

	for (const char *at = path; at < end; at += strcspn(at, "/") + 1) {
		for (size_t i = 0; i < COUNT(kinds); i++) {
			if (!numbered(kinds[i], at, &id, &rest) || rest > end)
				continue;
			if (id >= kinds[i]->limit)
				return beyond(fs, kinds[i], id, value.line, err);
			store(fs, kinds[i], id, rest, end, value);
			return true;
		}
	}
	store_list(fs, section, path, end, value);
	return true;
}

static bool store_line(struct sysfs *fs, enum section section, char *line, int number,
		       struct err *err)
{
	char *colon = strchr(line, ':');
	struct sysfs_value value = { .line = number };

	if (!colon || colon == line)
		return err_set_at(err, fs->name, number, 1,
				  "found '%.60s' (allowed: path:value, or ### title)", line);
	value.text = colon + 1 + strspn(colon + 1, " \t");
	return store_path(fs, section, line, colon, value, err);
}

/* uname's last word as the record names architectures. */
static const struct {
	const char *machine, *arch;
} arches[] = { { "x86_64", "x86_64" }, { "aarch64", "arm64" }, { "ppc64le", "ppc64le" } };

static void find_arch(struct sysfs *fs, const char *line)
{
	const char *word = strrchr(line, ' ');

	for (size_t i = 0; word && i < COUNT(arches); i++)
		if (!strcmp(word + 1, arches[i].machine))
			fs->arch = arches[i].arch;
}

/* What the first lines of /proc/cpuinfo tell; the words are those of one architecture's kernel. */
static void find_cpuinfo_arch(struct sysfs *fs, const char *text)
{
	static const struct {
		const char *words, *arch;
	} signs[] = {
		{ "\nvendor_id\t: ", "x86_64" },	{ "\nCPU architecture: 8", "arm64" },
		{ "\nCPU architecture\t: 8", "arm64" }, { "\nCPU architecture: 7", "arm" },
		{ "\narch       : IA-64", "ia64" },	{ "\ncpu\t\t: POWER", "ppc64le" },
		{ "\ncpu\t\t: Cell", "ppc64" },
	};

	for (size_t i = 0; !fs->arch && i < COUNT(signs); i++)
		if (strstr(text, signs[i].words))
			fs->arch = signs[i].arch;
}

/* The maker and its family, from whole lines. */
static void find_cpuinfo_family(struct sysfs *fs, const char *text)
{
	static const char family[] = "\ncpu family\t: ";
	const char *at = strstr(text, family);

	if (strstr(text, "\nvendor_id\t: AuthenticAMD\n") ||
	    strstr(text, "\nvendor_id\t: HygonGenuine\n"))
		fs->zen_vendor = true;
	if (!at)
		return;
	at += strlen(family);
	if (!take_number(&at, &fs->family) || *at != '\n')
		fs->family = 0;
}

static void use_cpuinfo(struct sysfs *fs, const char *text)
{
	find_cpuinfo_arch(fs, text);
	find_cpuinfo_family(fs, text);
}

/* A line of a dump; false when its path is another. */
static bool use_cpuinfo_line(struct sysfs *fs, const char *line)
{
	const char *colon = strchr(line, ':'), name[] = "proc/cpuinfo";
	size_t length = strlen(name);

	if (!colon || (size_t)(colon - line) < length || strncmp(colon - length, name, length))
		return false;
	use_cpuinfo(fs, arena_printf(fs->arena, "\n%s\n", colon + 1));
	return true;
}

static void init(struct sysfs *fs, struct arena *arena, const char *name)
{
	*fs = (struct sysfs){ .arena = arena, .name = arena_strdup(arena, name) };
}

bool sysfs_load_dump(struct sysfs *fs, struct arena *arena, const char *path, struct err *err)
{
	enum section section = SECTION_NONE;
	size_t size;
	char *line, *next;
	int number = 0;

	init(fs, arena, path);
	line = file_read(arena, path, &size, err);
	if (!line)
		return false;
	if (memchr(line, '\0', size))
		return err_set_at(err, fs->name, 0, 0, "is not text: it has a NUL byte");
	for (; line; line = next) {
		number++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		for (size_t end = strlen(line); end && isspace((unsigned char)line[end - 1]);)
			line[--end] = '\0';
		if (!strncmp(line, "### ", 4))
			section = section_of(line + 4);
		else if (section == SECTION_KERNEL)
			find_arch(fs, line);
		else if (use_cpuinfo_line(fs, line))
			continue;
		else if (*line && section != SECTION_SKIPPED &&
			 !store_line(fs, section, line, number, err))
			return false;
	}
	return true;
}

/* The file's first line, or no text when it is not there. Values of more than a page are cut. */
static struct sysfs_value read_value(struct arena *arena, const char *path)
{
	struct sysfs_value value = { 0 };
	char text[4096 + 1];
	FILE *in = fopen(path, "re");

	if (!in)
		return value;
	if (fgets(text, sizeof(text), in)) {
		text[strcspn(text, "\n")] = '\0';
		value.text = arena_strdup(arena, text);
	}
	fclose(in);
	return value;
}

static void print_row(const struct path_row *row, int number, char *out, size_t size)
{
	const char *hash = strchr(row->path, '#');

	if (hash)
		snprintf(out, size, "%.*s%d%s", (int)(hash - row->path), row->path, number,
			 hash + 1);
	else
		snprintf(out, size, "%s", row->path);
}

static void read_numbered(struct sysfs *fs, const struct kind *kind, const char *root, uint32_t id)
{
	struct sysfs_value *slots = slots_of(fs, kind, id);
	char path[PATH_BYTES + 2 * NAME_BYTES], name[NAME_BYTES];

	for (size_t i = 0; i < kind->nr_rows; i++) {
		const struct path_row *row = &kind->rows[i];

		for (int number = 0; number < (row->count ? row->count : 1); number++) {
			print_row(row, number, name, sizeof(name));
			snprintf(path, sizeof(path), "%s/%s/%s%u/%s", root, kind->folder,
				 kind->prefix, id, name);
			slots[row->slot + number * row->stride] = read_value(fs->arena, path);
		}
	}
}

static bool read_kind(struct sysfs *fs, const struct kind *kind, const char *root, struct err *err)
{
	char path[PATH_BYTES + NAME_BYTES], name[NAME_BYTES];
	const char *rest;
	struct dirent *entry;
	DIR *dir;
	uint32_t id;
	bool ok = true;

	snprintf(path, sizeof(path), "%s/%s", root, kind->folder);
	dir = opendir(path);
	while (ok && dir && (entry = readdir(dir))) {
		if (snprintf(name, sizeof(name), "%.80s/", entry->d_name) < 0 ||
		    !numbered(kind, name, &id, &rest) || *rest)
			continue;
		if (id < kind->limit)
			read_numbered(fs, kind, root, id);
		else
			ok = beyond(fs, kind, id, 0, err);
	}
	if (dir)
		closedir(dir);
	return ok;
}

/* Where cpu/ is below path; false when it is nowhere known. */
static bool find_root(const char *path, char *root)
{
	static const char *const below[] = { "", "/devices/system", "/sys/devices/system" };
	char probe[PATH_BYTES + NAME_BYTES];
	struct stat st;

	for (size_t i = 0; i < COUNT(below); i++) {
		snprintf(root, PATH_BYTES, "%.4000s%s", path, below[i]);
		snprintf(probe, sizeof(probe), "%s/cpu", root);
		if (!stat(probe, &st) && S_ISDIR(st.st_mode))
			return true;
	}
	return false;
}

/* A copied tree often has /proc beside /sys. */
static void read_cpuinfo(struct sysfs *fs, const char *path)
{
	char name[PATH_BYTES], text[4096 + 1];
	FILE *in;

	snprintf(name, sizeof(name), "%.4000s/proc/cpuinfo", path);
	in = fopen(name, "re");
	if (!in)
		return;
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	use_cpuinfo(fs, text);
	fclose(in);
}

bool sysfs_load_tree(struct sysfs *fs, struct arena *arena, const char *path, struct err *err)
{
	char root[PATH_BYTES], name[PATH_BYTES + NAME_BYTES];

	init(fs, arena, path);
	if (!find_root(path, root))
		return err_set_at(err, fs->name, 0, 0,
				  "holds no cpu/, devices/system/cpu/ or "
				  "sys/devices/system/cpu/");
	read_cpuinfo(fs, path);
	snprintf(name, sizeof(name), "%s/cpu/online", root);
	fs->cpu_online = read_value(arena, name);
	snprintf(name, sizeof(name), "%s/cpu/present", root);
	fs->cpu_present = read_value(arena, name);
	snprintf(name, sizeof(name), "%s/node/online", root);
	fs->node_online = read_value(arena, name);
	snprintf(name, sizeof(name), "%s/node/possible", root);
	fs->node_possible = read_value(arena, name);
	return read_kind(fs, &cpu_kind, root, err) && read_kind(fs, &node_kind, root, err);
}

/* What archive_read() hands its members to. */
struct unpacking {
	struct sysfs *fs;
	char *root; /* what stands before devices/system/, NULL: none seen yet */
};

/* Where `words` begin in a path, as whole names; NULL when they are not in it. */
static const char *find_names(const char *path, const char *words)
{
	const char *at = strstr(path, words);

	while (at && at > path && at[-1] != '/')
		at = strstr(at + 1, words);
	return at;
}

static bool same_root(struct unpacking *u, const char *path, size_t length, struct err *err)
{
	if (!u->root)
		u->root = arena_printf(u->fs->arena, "%.*s", (int)length, path);
	return (strlen(u->root) == length && !memcmp(u->root, path, length)) ||
	       err_set_at(err, u->fs->name, 0, 0,
			  "holds more than one /sys: %.60sdevices and %.*sdevices", u->root,
			  length < 60 ? (int)length : 60, path);
}

/* A directory cpuN or nodeN says that there is one, whatever is in it. */
static bool use_dir(struct sysfs *fs, const char *path, struct err *err)
{
	const char *below = arena_printf(fs->arena, "%s/", path), *rest;
	uint32_t id;

	below += strcspn(below, "/") + 1;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (!numbered(kinds[i], below, &id, &rest) || *rest)
			continue;
		if (id >= kinds[i]->limit)
			return beyond(fs, kinds[i], id, 0, err);
		slots_of(fs, kinds[i], id);
	}
	return true;
}

static bool use_member(void *context, const struct archive_member *member, struct err *err)
{
	struct unpacking *u = context;
	const char *system = find_names(member->name, "devices/system/"), *path;
	const char *cpuinfo = find_names(member->name, "proc/cpuinfo");
	struct sysfs_value value = { 0 };
	char *text;

	if (cpuinfo && !cpuinfo[strlen("proc/cpuinfo")])
		use_cpuinfo(u->fs, member->text);
	if (!system)
		return true;
	path = system + strlen("devices/system/");
	if (strncmp(path, "cpu/", 4) && strncmp(path, "node/", 5))
		return true;
	if (!same_root(u, member->name, (size_t)(system - member->name), err))
		return false;
	if (member->is_dir)
		return use_dir(u->fs, path, err);
	if (!member->size)
		return true;
	text = arena_strdup(u->fs->arena, member->text);
	text[strcspn(text, "\n")] = '\0';
	value.text = text;
	return store_path(u->fs, SECTION_NONE, path, path + strlen(path), value, err);
}

bool sysfs_load_archive(struct sysfs *fs, struct arena *arena, const char *path, struct err *err)
{
	struct unpacking u = { .fs = fs };

	init(fs, arena, path);
	if (!archive_read(arena, path, use_member, &u, err))
		return false;
	return u.root || err_set_at(err, fs->name, 0, 0, "holds no devices/system/cpu/");
}

static const char *slot_path(const struct kind *kind, uint32_t id, int slot, char *out, size_t size)
{
	char name[NAME_BYTES];

	for (size_t i = 0; i < kind->nr_rows; i++) {
		const struct path_row *row = &kind->rows[i];

		for (int number = 0; number < (row->count ? row->count : 1); number++) {
			if (row->slot + number * row->stride != slot)
				continue;
			print_row(row, number, name, sizeof(name));
			snprintf(out, size, "%s%u/%s", kind->prefix, id, name);
			return out;
		}
	}
	CHECK(false);
	return out;
}

const char *sysfs_cpu_path(uint32_t cpu, int slot, char *out, size_t size)
{
	return slot_path(&cpu_kind, cpu, slot, out, size);
}

const char *sysfs_node_path(uint32_t node, int slot, char *out, size_t size)
{
	return slot_path(&node_kind, node, slot, out, size);
}
