/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each result is written in one transaction of its own: a crash between two leaves whole rows. The
 * figures of a job are one text: the trace hash, then "name<TAB>unit<TAB>better<TAB>value" lines
 * with values as hexadecimal floats, which come back exactly as they were.
 */
#include "store/store.h"

#include "base/check.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCHEMA_VERSION = 1, PATH_BYTES = 4096, BUSY_MS = 10000, HASH_DIGITS = 16 };

#define OTHERWISE "(use --db FILE for another, --no-db for none)"

struct store {
	sqlite3 *db;
	sqlite3_stmt *get, *put;
	char path[PATH_BYTES];
};

static bool default_path(char *path, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int n;

	if (state && state[0] == '/')
		n = snprintf(path, PATH_BYTES, "%s/schedlab/results.db", state);
	else if (home && home[0])
		n = snprintf(path, PATH_BYTES, "%s/.local/state/schedlab/results.db", home);
	else
		return err_set(err,
			       "neither XDG_STATE_HOME nor HOME says where results go " OTHERWISE);
	return n < PATH_BYTES ? true : err_set(err, "the path of the results file is too long");
}

/* SQLite takes "" and ":memory:" for databases that nobody finds again; here they name files. */
static bool given_path(char *path, const char *given, struct err *err)
{
	int n = snprintf(path, PATH_BYTES, "%s%s", given[0] == ':' ? "./" : "", given);

	if (!given[0])
		return err_set(err, "the name of the results file is empty " OTHERWISE);
	return n < PATH_BYTES ? true : err_set(err, "the path of the results file is too long");
}

static bool make_folders(char *path, struct err *err)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST) {
			err_set_at(err, path, 0, 0,
				   "cannot make the folder for results: %s " OTHERWISE,
				   strerror(errno));
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return true;
}

static bool failed(struct store *store, struct err *err, const char *doing)
{
	return err_set_at(err, store->path, 0, 0, "cannot %s: %s " OTHERWISE, doing,
			  sqlite3_errmsg(store->db));
}

/* A new file has no tables; one with tables of its own belongs to another program. */
static bool is_new(struct store *store)
{
	sqlite3_stmt *count;
	bool empty;

	if (sqlite3_prepare_v2(store->db, "SELECT count(*) FROM sqlite_master WHERE name<>'result'",
			       -1, &count, NULL) != SQLITE_OK)
		return false;
	empty = sqlite3_step(count) == SQLITE_ROW && sqlite3_column_int(count, 0) == 0;
	sqlite3_finalize(count);
	return empty;
}

static bool prepare(struct store *store, struct err *err)
{
	static const char schema[] =
		"CREATE TABLE IF NOT EXISTS result("
		"key_high INTEGER NOT NULL, key_low INTEGER NOT NULL,"
		"machine TEXT, profile TEXT, variant TEXT, command TEXT, seed INTEGER,"
		"figures TEXT NOT NULL,"
		"stored TEXT DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY(key_high, key_low)) WITHOUT "
		"ROWID;";
	static const char get[] = "SELECT figures FROM result WHERE key_high=?1 AND key_low=?2";
	static const char put[] = "INSERT OR REPLACE INTO result(key_high, key_low, machine, "
				  "profile, variant, command, seed, figures) "
				  "VALUES(?1,?2,?3,?4,?5,?6,?7,?8)";
	sqlite3_stmt *version;
	int found;

	sqlite3_busy_timeout(store->db, BUSY_MS);
	if (sqlite3_prepare_v2(store->db, "PRAGMA user_version", -1, &version, NULL) != SQLITE_OK)
		return failed(store, err, "read the results file");
	found = sqlite3_step(version) == SQLITE_ROW ? sqlite3_column_int(version, 0) : -1;
	sqlite3_finalize(version);
	if (found < 0)
		return failed(store, err, "read the results file");
	if (found != 0 && found != SCHEMA_VERSION)
		return err_set_at(
			err, store->path, 0, 0,
			"a results file of version %d; this program writes version %d " OTHERWISE,
			found, SCHEMA_VERSION);
	if (found == 0 && !is_new(store))
		return err_set_at(err, store->path, 0, 0,
				  "a database of another program, or a damaged one " OTHERWISE);
	if (found == 0 &&
	    (sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) != SQLITE_OK ||
	     sqlite3_exec(store->db, schema, NULL, NULL, NULL) != SQLITE_OK ||
	     sqlite3_exec(store->db, "PRAGMA user_version=1", NULL, NULL, NULL) != SQLITE_OK))
		return failed(store, err, "prepare the results file");
	sqlite3_exec(store->db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
	if (sqlite3_db_readonly(store->db, "main"))
		return err_set_at(err, store->path, 0, 0,
				  "the results file is read-only " OTHERWISE);
	if (sqlite3_prepare_v2(store->db, get, -1, &store->get, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(store->db, put, -1, &store->put, NULL) != SQLITE_OK)
		return failed(store, err, "use the results file");
	return true;
}

struct store *store_open(const char *path, struct err *err)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store)
		die("out of memory");
	if (!(path ? given_path(store->path, path, err) : default_path(store->path, err)) ||
	    !make_folders(store->path, err))
		goto fail;
	if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL) != SQLITE_OK) {
		failed(store, err, "open the results file");
		goto fail;
	}
	if (prepare(store, err))
		return store;
fail:
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_finalize(store->get);
	sqlite3_finalize(store->put);
	sqlite3_close(store->db);
	free(store);
}

void stored_result_print(const struct stored_result *result, FILE *out)
{
	fprintf(out, "%016llx\n", (unsigned long long)result->trace_hash);
	for (uint32_t i = 0; i < result->nr_metrics; i++) {
		const struct stored_metric *metric = &result->metric[i];

		fprintf(out, "%s\t%s\t%s\t%a\n", metric->name, metric->unit, metric->better,
			metric->value);
	}
}

/* The text up to `end` without it; *at moves behind. NULL when it is not there. */
static char *cut(char **at, char end)
{
	char *start = *at, *found = start ? strchr(start, end) : NULL;

	if (!found)
		return NULL;
	*found = '\0';
	*at = found + 1;
	return start;
}

static bool parse_hash(const char *text, uint64_t *hash)
{
	char *end;

	if (!text || strlen(text) != HASH_DIGITS || strspn(text, "0123456789abcdef") != HASH_DIGITS)
		return false;
	*hash = strtoull(text, &end, 16);
	return !*end;
}

static bool parse_metric(char **at, struct stored_metric *metric)
{
	const char *name = cut(at, '\t'), *unit = cut(at, '\t');
	const char *better = cut(at, '\t'), *value = cut(at, '\n');
	char *end;

	if (!name || !unit || !better || !value || !*name || !*value ||
	    isspace((unsigned char)*value))
		return false;
	*metric = (struct stored_metric){ name, unit, better, strtod(value, &end) };
	return !*end && isfinite(metric->value);
}

bool stored_result_parse(struct arena *arena, char *text, struct stored_result *result)
{
	struct stored_metric *metric = ARENA_ARRAY(arena, struct stored_metric, STORE_MAX_METRICS);

	*result = (struct stored_result){ .metric = metric };
	if (!parse_hash(cut(&text, '\n'), &result->trace_hash))
		return false;
	while (*text)
		if (result->nr_metrics == STORE_MAX_METRICS ||
		    !parse_metric(&text, &metric[result->nr_metrics++]))
			return false;
	return result->nr_metrics != 0;
}

bool store_get(struct store *store, const uint64_t key[2], struct arena *arena,
	       struct stored_result *result)
{
	const char *figures = NULL;
	bool found;

	sqlite3_bind_int64(store->get, 1, (sqlite3_int64)key[0]);
	sqlite3_bind_int64(store->get, 2, (sqlite3_int64)key[1]);
	if (sqlite3_step(store->get) == SQLITE_ROW)
		figures = (const char *)sqlite3_column_text(store->get, 0);
	/* A damaged row is one that is not there: the job runs again and replaces it. */
	found = figures && stored_result_parse(arena, arena_strdup(arena, figures), result);
	sqlite3_reset(store->get);
	return found;
}

static char *print_result(const struct stored_result *result, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		die("out of memory");
	stored_result_print(result, out);
	if (fclose(out) != 0)
		die("out of memory");
	return text;
}

bool store_put(struct store *store, const struct stored_job *job,
	       const struct stored_result *result, struct err *err)
{
	sqlite3_stmt *put = store->put;
	size_t size;
	char *figures = print_result(result, &size);
	bool done;

	sqlite3_bind_int64(put, 1, (sqlite3_int64)job->key[0]);
	sqlite3_bind_int64(put, 2, (sqlite3_int64)job->key[1]);
	sqlite3_bind_text(put, 3, job->machine, -1, SQLITE_STATIC);
	sqlite3_bind_text(put, 4, job->profile, -1, SQLITE_STATIC);
	sqlite3_bind_text(put, 5, job->variant, -1, SQLITE_STATIC);
	sqlite3_bind_text(put, 6, job->command, -1, SQLITE_STATIC);
	sqlite3_bind_int64(put, 7, (sqlite3_int64)job->seed);
	sqlite3_bind_text(put, 8, figures, (int)size, SQLITE_STATIC);
	done = sqlite3_step(put) == SQLITE_DONE;
	if (!done)
		failed(store, err, "store a result");
	sqlite3_reset(put);
	sqlite3_clear_bindings(put);
	free(figures);
	return done;
}
