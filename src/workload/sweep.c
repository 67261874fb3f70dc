/* SPDX-License-Identifier: GPL-2.0-only */
#include "workload/sweep.h"

#include "base/check.h"
#include "workload/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct collector {
	struct arena *arena;
	const char *text; /* the argument, for messages */
	uint32_t most, count;
	const char **value;
	struct err *err;
};

static bool fail(struct collector *c, const char *what)
{
	char shown[WORD_SHOWN];

	return err_set_at(c->err, "sweep", 0, 0, "'%s' %s", word_show(c->text, shown), what);
}

static bool too_many(struct collector *c)
{
	char shown[WORD_SHOWN];

	return err_set_at(c->err, "sweep", 0, 0, "'%s' has more than %u values",
			  word_show(c->text, shown), c->most);
}

static bool collect(struct collector *c, const char *value)
{
	char shown[WORD_SHOWN], what[100];

	for (uint32_t i = 0; i < c->count; i++) {
		if (strcmp(c->value[i], value))
			continue;
		snprintf(what, sizeof(what), "has '%s' twice", word_show(value, shown));
		return fail(c, what);
	}
	if (c->count == c->most)
		return too_many(c);
	c->value[c->count++] = value;
	return true;
}

static bool is_range(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && text[digits] == '.' && text[digits + 1] == '.';
}

/* Cuts "A..B:S" into its numbers. */
static bool split_range(struct arena *arena, const char *text, uint64_t *from, uint64_t *to,
			uint64_t *step)
{
	char *first = arena_strdup(arena, text), *last, *colon;

	last = strstr(first, "..");
	*last = '\0';
	last += 2;
	colon = strchr(last, ':');
	*step = 1;
	if (colon)
		*colon = '\0';
	return word_number(first, from) && word_number(last, to) &&
	       (!colon || word_number(colon + 1, step));
}

static bool collect_range(struct collector *c, const char *text)
{
	uint64_t from, to, step;

	if (!split_range(c->arena, text, &from, &to, &step))
		return fail(c, "is no range (allowed: FIRST..LAST or FIRST..LAST:STEP)");
	if (!step)
		return fail(c, "has step 0 (allowed: at least 1)");
	if (from > to)
		return fail(c, "runs backwards (allowed: the smaller number first)");
	if ((to - from) / step >= c->most)
		return too_many(c);
	for (uint64_t i = 0; i <= (to - from) / step; i++)
		if (!collect(c,
			     arena_printf(c->arena, "%llu", (unsigned long long)(from + i * step))))
			return false;
	return true;
}

static bool collect_list(struct collector *c, const char *text)
{
	char *list = arena_strdup(c->arena, text + 1), *next = list;
	size_t length = strlen(list);

	if (!length || list[length - 1] != '}')
		return fail(c, "has no closing brace (allowed: '{2,4,8}')");
	list[length - 1] = '\0';
	if (strpbrk(list, "{}"))
		return fail(c, "has braces within braces");
	while (next) {
		char *word = strsep(&next, ",");

		if (!*word)
			return fail(c, "has an empty value (allowed: '{2,4,8}')");
		if (!(is_range(word) ? collect_range : collect)(c, word))
			return false;
	}
	return true;
}

/* Where the value of "--name=value" or "-xvalue" begins; 0 when the argument is no such thing. */
static size_t value_start(const char *text)
{
	const char *equals = strchr(text, '=');

	if (text[0] != '-')
		return 0;
	if (text[1] == '-')
		return equals ? (size_t)(equals - text) + 1 : 0;
	return isalpha((unsigned char)text[1]) ? 2 : 0;
}

static void finish(struct collector *c, struct sweep *sweep, size_t start)
{
	const char **argument = ARENA_ARRAY(c->arena, const char *, c->count);
	size_t key = start > 2 ? start - 1 : start;

	for (uint32_t i = 0; i < c->count; i++)
		argument[i] = arena_printf(c->arena, "%.*s%s", (int)start, c->text, c->value[i]);
	sweep->nr_values = c->count;
	sweep->argument = argument;
	sweep->value = c->value;
	sweep->key = start ? arena_printf(c->arena, "%.*s", (int)key, c->text) : NULL;
}

bool sweep_parse(struct arena *arena, const char *text, uint32_t most, struct sweep *sweep,
		 struct err *err)
{
	struct collector c = { .arena = arena, .text = text, .most = most, .err = err };
	size_t start = value_start(text);
	const char *value = text + start;

	CHECK(most);
	*sweep = (struct sweep){ .swept = value[0] == '{' || is_range(value) };
	c.value = ARENA_ARRAY(arena, const char *, sweep->swept ? most : 1);
	if (!sweep->swept)
		c.value[c.count++] = value;
	else if (!(value[0] == '{' ? collect_list : collect_range)(&c, value))
		return false;
	finish(&c, sweep, start);
	return true;
}
