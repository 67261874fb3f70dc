/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Always the explicit form: every cpu, every distance, every cost with its source, so that what is
 * read back owes nothing to assumptions or to other machines. One line a cpu, a row, a cost.
 */
#include "base/check.h"
#include "machine/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 sequence at `at`, 0 when it is none. */
static int utf8_length(const unsigned char *at)
{
	int length = at[0] >= 0xc2 && at[0] < 0xe0   ? 2
		     : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
		     : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
						     : 0;

	for (int i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return length;
}

/* Bytes that are no text become '?': names come from file names. */
static void put_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	putc('"', out);
	while (*at) {
		int length = *at < 0x80 ? 1 : utf8_length(at);

		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20)
			fprintf(out, "\\u%04x", *at);
		else if (length)
			fwrite(at, 1, (size_t)length, out);
		else
			putc('?', out);
		at += length ? length : 1;
	}
	putc('"', out);
}

static void put_member(FILE *out, const char *key, const char *text)
{
	fprintf(out, "  \"%s\": ", key);
	put_string(out, text);
	fputs(",\n", out);
}

static void put_cpus(FILE *out, const struct machine *m)
{
	const char *comma = "";

	fputs("  \"cpus\": [", out);
	cpuset_for_each (cpu, &m->present) {
		const struct machine_cpu *c = &m->cpu[cpu];

		fprintf(out, "%s\n    {\"cpu\": %u, \"core\": %u, ", comma, cpu, c->core);
		if (m->has_clusters)
			fprintf(out, "\"cluster\": %u, ", c->cluster);
		fprintf(out, "\"llc\": %u, \"die\": %u, \"package\": %u, \"node\": %u", c->llc,
			c->die, c->package, c->node);
		if (c->capacity != CAPACITY_FULL)
			fprintf(out, ", \"capacity\": %u", c->capacity);
		if (!cpuset_has(&m->online, cpu))
			fputs(", \"online\": false", out);
		putc('}', out);
		comma = ",";
	}
	fputs("\n  ],\n", out);
}

static void put_nodes(FILE *out, const struct machine *m)
{
	const char *comma = "";

	fputs("  \"nodes\": [", out);
	cpuset_for_each (node, &m->nodes) {
		fprintf(out, "%s%u", comma, node);
		comma = ", ";
	}
	fputs("],\n  \"distances\": [", out);
	comma = "";
	cpuset_for_each (from, &m->nodes) {
		const char *inner = "";

		fprintf(out, "%s\n    [", comma);
		cpuset_for_each (to, &m->nodes) {
			fprintf(out, "%s%u", inner, machine_distance(m, from, to));
			inner = ", ";
		}
		putc(']', out);
		comma = ",";
	}
	fputs("\n  ],\n", out);
	if (m->reclaim_distance)
		fprintf(out, "  \"reclaim_distance\": %u,\n", m->reclaim_distance);
}

static void put_cost(FILE *out, const struct cost_value *cost)
{
	fprintf(out, "{\"value\": %" PRIu64 ", \"source\": ", cost->value);
	put_string(out, cost->source);
	fputs(cost->inherited ? ", \"inherited\": true}" : "}", out);
}

static void put_costs(FILE *out, const struct machine_costs *costs)
{
	fputs("  \"costs\": {", out);
	for (int i = 0; i < NR_COSTS; i++) {
		fprintf(out, "%s\n    \"%s\": ", i ? "," : "", cost_name((enum cost)i));
		put_cost(out, &costs->of[i]);
	}
	fputs("\n  },\n  \"line_distance\": {", out);
	for (uint32_t i = 0; i < costs->nr_distances; i++) {
		fprintf(out, "%s\n    \"%u\": ", i ? "," : "", costs->line_distance[i].distance);
		put_cost(out, &costs->line_distance[i].line_ns);
	}
	fputs("\n  },\n", out);
}

static void put_idle(FILE *out, const struct machine_costs *costs)
{
	fputs("  \"idle_states\": {\n    \"source\": ", out);
	put_string(out, costs->idle_source);
	if (costs->idle_inherited)
		fputs(",\n    \"inherited\": true", out);
	fputs(",\n    \"states\": [", out);
	for (uint32_t i = 0; i < costs->nr_idle_states; i++) {
		const struct idle_state *state = &costs->idle_state[i];

		fprintf(out, "%s\n      {\"name\": ", i ? "," : "");
		put_string(out, state->name);
		fprintf(out,
			", \"exit_latency_ns\": %" PRIu64 ", \"target_residency_ns\": %" PRIu64,
			state->exit_latency_ns, state->target_residency_ns);
		fputs(state->polling ? ", \"polling\": true}" : "}", out);
	}
	fputs("\n    ]\n  },\n", out);
}

static void put_assumed(FILE *out, const struct machine *m)
{
	fputs("  \"assumed\": [", out);
	for (uint32_t i = 0; i < m->nr_assumed; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		put_string(out, m->assumed[i]);
	}
	fputs(m->nr_assumed ? "\n  ]\n" : "]\n", out);
}

char *machine_to_json(struct arena *arena, const struct machine *m)
{
	size_t size = 0;
	char *text = NULL, *kept;
	FILE *out = open_memstream(&text, &size);

	CHECK(out);
	fputs("{\n", out);
	put_member(out, "name", m->name);
	put_member(out, "title", m->title);
	put_member(out, "arch", m->arch);
	put_cpus(out, m);
	put_nodes(out, m);
	put_costs(out, &m->costs);
	put_idle(out, &m->costs);
	put_assumed(out, m);
	fputs("}\n", out);
	CHECK(!fclose(out));
	kept = arena_strdup(arena, text);
	free(text);
	return kept;
}
