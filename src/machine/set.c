/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "name=value" or "name*factor". Factors are decimal fractions of up to six digits, kept as whole
 * millionths; results round half up.
 */
#include "base/fixed.h"
#include "machine/read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, FRACTION_DIGITS = 6, NAME_BYTES = 96, MAX_NAMES = NR_COSTS + 16 };
enum { DISTANCE_LOCAL = 10, LINE_NS_MAX = 1000000 };

static const uint64_t IDLE_NS_MAX = 10000000000ull;
static const char set_source[] = "--set";

struct assignment {
	char name[NAME_BYTES];
	bool factor;
	uint64_t value;	  /* of a factor: millionths */
	const char *text; /* as typed after '=' or '*' */
};

/* Digits, and for a factor perhaps a fraction, into whole units or millionths. */
static bool parse_value(const char *text, bool factor, uint64_t *value)
{
	const char *at = text;
	uint64_t n = 0;
	int fraction = -1;

	for (; *at; at++) {
		if (*at == '.' && factor && fraction < 0 && at > text) {
			fraction = 0;
			continue;
		}
		if (!isdigit((unsigned char)*at) || n > UINT64_MAX / 10 / MILLION - 1)
			return false;
		if (fraction >= FRACTION_DIGITS)
			return false;
		n = n * 10 + (uint64_t)(*at - '0');
		fraction += fraction >= 0;
	}
	for (int i = fraction < 0 ? 0 : fraction; factor && i < FRACTION_DIGITS; i++)
		n *= 10;
	*value = n;
	return at > text && fraction != 0;
}

static bool parse(const char *text, struct assignment *a, struct err *err)
{
	size_t length = strcspn(text, "=*");

	if (!text[length] || !length)
		return err_set(err, "'%.80s' changes nothing (allowed: name=value or name*factor)",
			       text);
	if (length >= sizeof(a->name))
		return err_set(err, "the name in '%.80s' is too long", text);
	memcpy(a->name, text, length);
	a->name[length] = '\0';
	a->factor = text[length] == '*';
	a->text = text + length + 1;
	if (parse_value(a->text, a->factor, &a->value))
		return true;
	return err_set(err, "%s: found '%.40s' (allowed: %s)", a->name, a->text,
		       a->factor ? "a factor such as 2 or 0.5" : "a whole number");
}

static bool apply(const struct assignment *a, uint64_t min, uint64_t max, uint64_t *value,
		  struct err *err)
{
	uint64_t n = a->value;

	if (a->factor && (*value && n > UINT64_MAX / *value))
		return err_set(err, "%s: a factor of %s is too large (allowed: up to %llu)",
			       a->name, a->text, (unsigned long long)max);
	if (a->factor)
		n = mul_div_floor(*value, n, MILLION) +
		    (*value * n % MILLION >= MILLION / 2 ? 1 : 0);
	if (n < min || n > max)
		return err_set(err, "%s would be %llu (allowed: %llu to %llu)", a->name,
			       (unsigned long long)n, (unsigned long long)min,
			       (unsigned long long)max);
	*value = n;
	return true;
}

static bool set_value(const struct assignment *a, uint64_t min, uint64_t max,
		      struct cost_value *cost, struct err *err)
{
	if (!apply(a, min, max, &cost->value, err))
		return false;
	cost->source = set_source;
	cost->inherited = false;
	return true;
}

/* ", 12, 20": the distances that occur between nodes of m. */
static void print_distances(const struct machine *m, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t distance = DISTANCE_LOCAL + 1; distance < 256; distance++) {
		bool occurs = false;

		for (uint32_t i = 0; i < m->nr_nodes * m->nr_nodes; i++)
			occurs |= m->distance[i] == distance;
		if (occurs && used < size)
			used += (size_t)snprintf(out + used, size - used, "%s%u", used ? ", " : "",
						 distance);
	}
	if (!used)
		snprintf(out, size, "none, the machine has one node");
}

static bool distance_occurs(const struct machine *m, uint32_t distance)
{
	for (uint32_t i = 0; i < m->nr_nodes * m->nr_nodes; i++)
		if (m->distance[i] == distance)
			return true;
	return false;
}

/* The row of `distance`; a distance of this machine without one gets the interpolated figure. */
static struct distance_cost *distance_row(struct machine *m, uint32_t distance)
{
	struct machine_costs *costs = &m->costs;
	uint64_t line_ns = machine_distance_ns(m, distance);
	uint32_t place = 0;

	while (place < costs->nr_distances && costs->line_distance[place].distance < distance)
		place++;
	if (place < costs->nr_distances && costs->line_distance[place].distance == distance)
		return &costs->line_distance[place];
	if (costs->nr_distances == MACHINE_MAX_DISTANCES)
		return NULL;
	memmove(&costs->line_distance[place + 1], &costs->line_distance[place],
		(costs->nr_distances - place) * sizeof(costs->line_distance[0]));
	costs->nr_distances++;
	costs->line_distance[place] = (struct distance_cost){ distance, { .value = line_ns } };
	return &costs->line_distance[place];
}

static bool set_distance(struct machine *m, const struct assignment *a, struct err *err)
{
	const char *number = a->name + strlen("line_distance.");
	char *end, known[160];
	unsigned long distance = strtoul(number, &end, 10);
	struct machine_costs before = m->costs;
	struct distance_cost *row;

	if (!isdigit((unsigned char)*number) || *end || distance > 255 ||
	    !distance_occurs(m, (uint32_t)distance) || distance <= DISTANCE_LOCAL) {
		print_distances(m, known, sizeof(known));
		return err_set(err, "no two nodes are '%.40s' apart (allowed: %s)", number, known);
	}
	row = distance_row(m, (uint32_t)distance);
	if (!row)
		return err_set(err, "%s: there are %d distances already", a->name,
			       MACHINE_MAX_DISTANCES);
	if (set_value(a, 1, LINE_NS_MAX, &row->line_ns, err))
		return true;
	m->costs = before;
	return false;
}

static bool set_idle(struct machine *m, const struct assignment *a, struct err *err)
{
	struct machine_costs before = m->costs;

	for (uint32_t i = 0; i < m->costs.nr_idle_states; i++) {
		struct idle_state *state = &m->costs.idle_state[i];
		size_t length = strlen(state->name);
		const char *field = a->name + strlen("idle.") + length;

		if (strncmp(a->name + strlen("idle."), state->name, length) || *field != '.')
			continue;
		m->costs.idle_source = set_source;
		m->costs.idle_inherited = false;
		if (!strcmp(field, ".exit_latency_ns")
			    ? apply(a, 0, IDLE_NS_MAX, &state->exit_latency_ns, err)
		    : !strcmp(field, ".target_residency_ns")
			    ? apply(a, 0, IDLE_NS_MAX, &state->target_residency_ns, err)
			    : err_set(err,
				      "idle state %s has no '%.40s' (allowed: exit_latency_ns, "
				      "target_residency_ns)",
				      state->name, field + 1)) {
			if (machine_check(m, err))
				return true;
		}
		m->costs = before;
		return false;
	}
	return err_set(err, "'%.60s' names no idle state of this machine", a->name);
}

static bool unknown_name(const struct machine *m, const char *name, struct err *err)
{
	char idle[MACHINE_MAX_IDLE_STATES][NAME_BYTES], near[240];
	const char *names[MAX_NAMES];
	size_t count = 0;

	for (int i = 0; i < NR_COSTS; i++)
		names[count++] = cost_name((enum cost)i);
	names[count++] = "line_distance.";
	for (uint32_t i = 0; i < m->costs.nr_idle_states; i++) {
		snprintf(idle[i], NAME_BYTES, "idle.%.40s.exit_latency_ns",
			 m->costs.idle_state[i].name);
		names[count++] = idle[i];
	}
	err_near(near, sizeof(near), name, names, count);
	return err_set(err, "unknown cost '%.60s'%s", name, near);
}

bool machine_set(struct arena *arena, struct machine *m, const char *text, struct err *err)
{
	struct assignment a;

	if (!parse(text, &a, err))
		return false;
	for (int i = 0; i < NR_COSTS; i++)
		if (!strcmp(a.name, cost_name((enum cost)i)))
			return set_value(&a, cost_min((enum cost)i), cost_max((enum cost)i),
					 &m->costs.of[i], err);
	if (!strncmp(a.name, "line_distance.", strlen("line_distance.")))
		return set_distance(m, &a, err);
	if (!strncmp(a.name, "idle.", strlen("idle.")))
		return set_idle(m, &a, err);
	return unknown_name(m, a.name, err);
}

struct machine *machine_read_changed(struct arena *arena, const char *spec, const char *const *set,
				     uint32_t nr_sets, struct err *err)
{
	struct machine *machine = machine_read(arena, spec, err);

	for (uint32_t i = 0; machine && i < nr_sets; i++) {
		if (!machine_set(arena, machine, set[i], err)) {
			err_locate(err, "--set");
			return NULL;
		}
	}
	return machine;
}
