/* SPDX-License-Identifier: GPL-2.0-only */
/* Machine files: what they may say, where errors are, what damage does. */
#include "machine/json_read.h"

#include "machine_helpers.h"

#include <jansson.h>

static struct machine *read_text(const char *text, struct err *err)
{
	return json_read_machine(&arena, "m.json", "m", text, strlen(text), err);
}

static struct machine *must_parse(const char *text)
{
	struct err err = { 0 };
	struct machine *m = read_text(text, &err);

	if (!m)
		fail_msg("%d:%d: %s", err.line, err.column, err.what);
	return m;
}

/* Refused at that line and column, with these words. */
static void must_refuse_at(const char *text, int line, int column, const char *words)
{
	struct err err = { 0 };

	if (read_text(text, &err))
		fail_msg("was read: %s", text);
	assert_true(err.set);
	assert_string_equal(err.where, "m.json");
	if (err.line != line || err.column != column || !strstr(err.what, words))
		fail_msg("%d:%d: '%s' is not at %d:%d with '%s'", err.line, err.column, err.what,
			 line, column, words);
}

static void a_short_file_is_a_machine(void **state)
{
	struct machine *m = must_parse("{\"topology\": {\"packages\": 2, \"cores_per_node\": 4}}");

	assert_int_equal(m->nr_cpus, 8);
	assert_string_equal(m->name, "m");
	assert_true(assumes(m, "one thread"));
	assert_true(assumes(m, "each package is one node"));
	assert_true(assumes(m, "one LLC"));
	assert_true(assumes(m, "distances are 10 and 20"));
	assert_true(assumes(m, "costs are those of"));
	assert_true(m->costs.of[COST_pipe].inherited);
}

static void numbering_places_threads(void **state)
{
	static const char format[] = "{\"topology\": {\"packages\": 1, \"cores_per_node\": 2, "
				     "\"threads_per_core\": 2, \"numbering\": \"threads-%s\"}}";

	assert_int_equal(machine_tie(must_parse(arena_printf(&arena, format, "last")), 0, 2),
			 TIE_SMT);
	assert_int_equal(machine_tie(must_parse(arena_printf(&arena, format, "adjacent")), 0, 1),
			 TIE_SMT);
}

static void cpus_one_by_one_may_have_holes_and_be_offline(void **state)
{
	struct machine *m =
		must_parse("{\"cpus\": [{\"cpu\": 2, \"core\": 7, \"node\": 4},\n"
			   " {\"cpu\": 5, \"core\": 7, \"node\": 4, \"online\": false},\n"
			   " {\"cpu\": 9, \"core\": 1, \"node\": 1, \"capacity\": 512}],\n"
			   " \"nodes\": [1, 4, 6],\n"
			   " \"distances\": [[10, 20, 30], [21, 10, 31], [32, 22, 10]]}");

	assert_int_equal(m->nr_cpus, 10);
	assert_int_equal(cpuset_weight(&m->present), 3);
	assert_int_equal(cpuset_weight(&m->online), 2);
	assert_false(cpuset_has(&m->online, 5));
	assert_int_equal(m->nr_nodes, 7);
	assert_int_equal(cpuset_weight(&m->nodes), 3);
	assert_true(cpuset_empty(&m->node_cpus[6]));
	assert_int_equal(machine_distance(m, 1, 4), 20);
	assert_int_equal(machine_distance(m, 4, 1), 21);
	assert_int_equal(machine_distance(m, 6, 1), 32);
	assert_int_equal(m->cpu[9].capacity, 512);
	assert_int_equal(machine_tie(m, 2, 5), TIE_SMT);
	assert_int_equal(m->nr_llcs, 2);
}

static void layouts_may_have_memory_only_nodes(void **state)
{
	struct machine *m = must_parse("{\"topology\": {\"packages\": 1, \"cores_per_node\": 2}, "
				       "\"nodes\": [0, 3], \"distances\": [[10, 17], [28, 10]]}");

	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(machine_distance(m, 0, 3), 17);
	assert_int_equal(machine_distance(m, 3, 0), 28);
}

static void costs_keep_value_and_source(void **state)
{
	struct machine *m =
		must_parse("{\"topology\": {\"packages\": 1, \"cores_per_node\": 2}, \"inherit\": "
			   "\"snb-2s\",\n"
			   "\"costs\": {\"line_llc_ns\": {\"value\": 77, \"source\": \"mine\"}},\n"
			   "\"line_distance\": {\"40\": {\"value\": 9, \"source\": \"b\"}, "
			   "\"20\": {\"value\": 5, \"source\": \"a\"}}}");

	assert_int_equal(machine_cost(m, COST_line_llc), 77);
	assert_string_equal(m->costs.of[COST_line_llc].source, "mine");
	assert_false(m->costs.of[COST_line_llc].inherited);
	assert_int_equal(machine_cost(m, COST_line_smt), 9);
	assert_ptr_equal(strstr(m->costs.of[COST_line_smt].source, "snb-2s: "),
			 m->costs.of[COST_line_smt].source);
	assert_ptr_equal(strstr(m->costs.of[COST_fork].source, "clx-8260-2s: "),
			 m->costs.of[COST_fork].source);
	assert_int_equal(m->costs.line_distance[0].distance, 20);
	assert_false(assumes(m, "costs are those of"));
}

#define TOPOLOGY "\"topology\": {\"packages\": 2, \"cores_per_node\": 2}"

static void errors_name_line_column_and_path(void **state)
{
	must_refuse_at("{\n  \"nmae\": \"x\"}", 2, 3, "$.nmae: unknown key (did you mean name?)");
	must_refuse_at("{\"topology\": {\"packages\": 0, \"cores_per_node\": 2}}", 1, 27,
		       "$.topology.packages: found 0 (allowed: a whole number from 1");
	must_refuse_at("{\"topology\": {\"packages\": -1, \"cores_per_node\": 2}}", 1, 27,
		       "found -1");
	must_refuse_at("{\"topology\": {\"packages\": 1.5, \"cores_per_node\": 2}}", 1, 27,
		       "found 1.5");
	must_refuse_at("{\"topology\": {\"packages\": \"2\", \"cores_per_node\": 2}}", 1, 27,
		       "found \"2\"");
	must_refuse_at("{\"topology\": {\"packages\": 2}}", 1, 14,
		       "$.topology: \"cores_per_node\" is missing");
	must_refuse_at("{}", 1, 1, "neither \"topology\" nor \"cpus\"");
	must_refuse_at("[]", 1, 1, "$: found an array (allowed: an object)");
	must_refuse_at("{" TOPOLOGY ", \"cpus\": [{\"cpu\": 0}]}", 1, 60, "exclude each other");
	must_refuse_at("{" TOPOLOGY ",\n \"costs\": {\"line_lcc_ns\": 5}}", 2, 12, "line_llc_ns");
	must_refuse_at("{" TOPOLOGY ",\n \"costs\": {\"line_llc_ns\":\n {\"value\": 0, \"source\": "
		       "\"x\"}}}",
		       3, 12, "$.costs.line_llc_ns.value: found 0");
	must_refuse_at("{" TOPOLOGY ",\n \"costs\": {\"line_llc_ns\": {\"value\": 5}}}", 2, 27,
		       "\"source\" is missing");
	must_refuse_at("{" TOPOLOGY ",\n \"inherit\": \"kunpeng\"}", 2, 13,
		       "unknown preset 'kunpeng'");
	must_refuse_at("{" TOPOLOGY ",\n \"name\": \"\"}", 2, 10, "$.name: found \"\"");
}

static void wrong_distances_are_refused(void **state)
{
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 20]]}", 2, 14, "exactly 2");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 20], [20]]}", 2, 25,
		       "$.distances[1]: found 1 items");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 0], [20, 10]]}", 2, 20,
		       "$.distances[0][1]: found 0");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 9], [20, 10]]}", 2, 20, "found 9");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 10], [20, 10]]}", 2, 20,
		       "allowed: a whole number from 11 to 255");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[20, 20], [20, 10]]}", 2, 16, "found 20");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, 256], [20, 10]]}", 2, 20, "256");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": \"rign\"}", 2, 14, "did you mean ring");
	must_refuse_at("{" TOPOLOGY ",\n\"distances\": [[10, -20], [20, 10]]}", 2, 20, "found -20");
	must_refuse_at("{" TOPOLOGY ",\n\"line_distance\": {\"9\": {\"value\": 1, \"source\": "
		       "\"x\"}}}",
		       2, 24, "no distance");
}

static void a_machine_may_have_its_own_reclaim_distance(void **state)
{
	static const char start[] = "{\"topology\": {\"packages\": 2, \"cores_per_node\": 2}, ";
	struct machine *m = must_read("zen2");
	struct err err = { 0 };

	assert_int_equal(m->reclaim_distance, 32);
	survives_json("zen2", m);
	assert_int_equal(must_read("skx")->reclaim_distance, 0);
	m = read_text(arena_printf(&arena, "%s\"reclaim_distance\": 40}", start), &err);
	assert_int_equal(m->reclaim_distance, 40);
	assert_non_null(strstr(machine_to_json(&arena, m), "\"reclaim_distance\": 40"));
	assert_null(read_text(arena_printf(&arena, "%s\"reclaim_distance\": 9}", start), &err));
	assert_non_null(strstr(err.what, "from 10 to 255"));
	err = (struct err){ 0 };
	assert_null(read_text(arena_printf(&arena, "%s\"reclaim_distanc\": 9}", start), &err));
	assert_non_null(strstr(err.what, "reclaim_distance"));
}

static void wrong_cpus_are_refused(void **state)
{
	must_refuse_at("{\"cpus\": []}", 1, 10, "found 0 items");
	must_refuse_at("{\"cpus\": [{\"core\": 1}]}", 1, 11, "$.cpus[0]: \"cpu\" is missing");
	must_refuse_at("{\"cpus\": [{\"cpu\": 8192}]}", 1, 19, "from 0 to 8191");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1}, {\"cpu\": 1}]}", 1, 23, "described before");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1, \"online\": 0}]}", 1, 32, "true or false");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1, \"online\": false}]}", 0, 0, "no cpu is online");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1, \"node\": 1024}]}", 1, 30, "to 1023");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1, \"node\": 2}], \"nodes\": [0, 1]}", 1, 44,
		       "not listed");
	must_refuse_at("{\"cpus\": [{\"cpu\": 1}], \"nodes\": [1, 0]}", 1, 37, "found 0");
	must_refuse_at(
		"{\"cpus\": [{\"cpu\": 0, \"core\": 1, \"llc\": 1}, {\"cpu\": 1, \"core\": 1, "
		"\"llc\": 2}]}",
		0, 0, "more than one LLC");
}

static void sizes_beyond_limits_are_refused(void **state)
{
	must_refuse_at("{\"topology\": {\"packages\": 1024, \"cores_per_node\": 8192}}", 1, 14,
		       "too many cpus");
	must_refuse_at("{\"topology\": {\"packages\": 1, \"cores_per_node\": "
		       "99999999999999999999}}",
		       1, 67, "not JSON");
	must_refuse_at("{\"topology\": {\"packages\": 2, \"cores_per_node\": 6, "
		       "\"cores_per_cluster\": 4}}",
		       1, 14, "6 cores of a node");
}

static void text_that_is_no_json_names_its_place(void **state)
{
	must_refuse_at("{\n  \"name\": \"x\",\n}", 3, 1, "not JSON");
	must_refuse_at("", 1, 1, "not JSON");
	must_refuse_at("{\"name\": \"a\", \"name\": \"b\"}", 1, 20, "duplicate");
}

/* Every damaged text is refused or is a machine; the sanitizers watch. */
static void try_damaged(const char *text, size_t size, bool must_fail)
{
	struct err err = { 0 };
	struct arena own;
	struct machine *m;

	arena_init(&own);
	m = json_read_machine(&own, "m.json", "m", text, size, &err);
	assert_true((m != NULL) != err.set);
	if (must_fail)
		assert_null(m);
	arena_release(&own);
}

static const char *sample(size_t *size)
{
	struct machine *m = must_read("3x1x2/ring");
	char *text = machine_to_json(&arena, m);

	*size = strlen(text);
	return text;
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	size_t size;
	const char *text = sample(&size);

	for (size_t cut = 0; cut + 1 < size; cut++) {
		/* A copy of that size, so that reading beyond it is noticed. */
		char *copy = malloc(cut + 1);

		memcpy(copy, text, cut);
		copy[cut] = '\0';
		try_damaged(copy, cut, true);
		free(copy);
	}
}

static void a_changed_byte_never_crashes(void **state)
{
	static const char bytes[] = { '"', '{', ']',  '0',  '9',    '-',
				      ',', ' ', '\\', '\n', '\xff', '\0' };
	size_t size;
	const char *text = sample(&size);
	char *copy = arena_strdup(&arena, text);

	for (size_t i = 0; i < size; i += 5) {
		copy[i] = bytes[i % sizeof(bytes)];
		try_damaged(copy, size, false);
		copy[i] = text[i];
	}
}

static void names_with_odd_bytes_are_written_as_json(void **state)
{
	struct machine *m = must_read("1x1x1");
	struct err err = { 0 };

	m->name = "a\"b\\c \xc3\xa9 \xff";
	char *text = machine_to_json(&arena, m);
	struct machine *again = json_read_machine(&arena, "m", "m", text, strlen(text), &err);

	assert_non_null(again);
	assert_string_equal(again->name, "a\"b\\c \xc3\xa9 ?");
}

static void texts_of_more_than_one_line_are_refused(void **state)
{
	static const char rest[] = "\"topology\": {\"packages\": 1, \"cores_per_node\": 1}}";
	struct err err = { 0 };
	struct machine *m;

	must_refuse_at(arena_printf(&arena, "{\"name\": \"a\\nb\", %s", rest), 1, 10, "control");
	must_refuse_at(arena_printf(&arena, "{\"title\": \"\\u001b[31m\", %s", rest), 1, 11,
		       "control");
	/* The name of a file may hold anything. */
	m = json_read_machine(&arena, "f", "a\nb", arena_printf(&arena, "{%s", rest),
			      strlen(rest) + 1, &err);
	assert_non_null(m);
	assert_string_equal(m->name, "a?b");
}

static void deep_nesting_is_refused(void **state)
{
	size_t depth = 100000;
	char *text = malloc(depth + 1);

	memset(text, '[', depth);
	text[depth] = '\0';
	try_damaged(text, depth, true);
	free(text);
}

static json_t *load_schema(void)
{
	const char *source = getenv("SCHEDLAB_SOURCE");
	json_error_t error;
	json_t *schema = json_load_file(
		arena_printf(&arena, "%s/docs/machine.schema.json", source ? source : "."), 0,
		&error);

	assert_non_null(schema);
	return schema;
}

static void the_schema_has_the_cost_rows_and_their_limits(void **state)
{
	json_t *schema = load_schema(), *costs;

	costs = json_object_get(json_object_get(schema, "properties"), "costs");
	costs = json_object_get(costs, "properties");
	assert_int_equal(json_object_size(costs), NR_COSTS);
	for (int i = 0; i < NR_COSTS; i++) {
		json_t *row = json_object_get(costs, cost_name((enum cost)i));
		json_t *value = json_object_get(json_object_get(row, "properties"), "value");

		assert_non_null(row);
		assert_string_equal(json_string_value(json_object_get(row, "description")),
				    cost_phrase((enum cost)i));
		assert_int_equal(json_integer_value(json_object_get(value, "minimum")),
				 cost_min((enum cost)i));
		assert_int_equal(json_integer_value(json_object_get(value, "maximum")),
				 cost_max((enum cost)i));
	}
	json_decref(schema);
}

/* A value that no key takes: what the reader says then is about the value, not about the key. */
static void the_reader_knows_every_key_of_the_schema(void **state)
{
	json_t *schema = load_schema(), *row;
	const char *key;

	json_object_foreach(json_object_get(schema, "properties"), key, row)
	{
		const char *text = arena_printf(&arena, "{\"%s\": null}", key);
		struct err err = { 0 };

		assert_null(read_text(text, &err));
		assert_null(strstr(err.what, "unknown key"));
	}
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(a_short_file_is_a_machine),
		FACT(numbering_places_threads),
		FACT(cpus_one_by_one_may_have_holes_and_be_offline),
		FACT(layouts_may_have_memory_only_nodes),
		FACT(costs_keep_value_and_source),
		FACT(errors_name_line_column_and_path),
		FACT(wrong_distances_are_refused),
		FACT(a_machine_may_have_its_own_reclaim_distance),
		FACT(wrong_cpus_are_refused),
		FACT(sizes_beyond_limits_are_refused),
		FACT(text_that_is_no_json_names_its_place),
		FACT(a_file_cut_anywhere_is_refused),
		FACT(a_changed_byte_never_crashes),
		FACT(names_with_odd_bytes_are_written_as_json),
		FACT(texts_of_more_than_one_line_are_refused),
		FACT(deep_nesting_is_refused),
		FACT(the_schema_has_the_cost_rows_and_their_limits),
		FACT(the_reader_knows_every_key_of_the_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
