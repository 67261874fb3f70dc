/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Building the state: arrays, lines of memory, costs of paths.
 *
 * The lines of one cpu (task, LLC, domain) are neighbours in the memory model, so that work on one
 * runqueue stays on few pages of the host. Which lines there are is lines.def; a field that has a
 * line of its own adds one to each instance of its scope.
 */
#include "base/check.h"
#include "sched/fair.h"

enum scope { CPU, TASK, LLC, DOMAIN, GLOBAL, LLC_MASK, GLOBAL_MASK, NR_SCOPES };

enum { LINE_CPUS = 512 }; /* cpus of a mask in one line */

struct line_row {
	enum scope scope;
	const char *class;
};

static const struct line_row lines[] = {
#define LINE(name, scope, class, phrase) { scope, class },
#define FIELD(field, line, phrase)
#include "sched/lines.def"
#undef LINE
#undef FIELD
};

static const enum sched_line default_line[] = {
#define LINE(name, scope, class, phrase)
#define FIELD(field, line, phrase) LINE_##line,
#include "sched/lines.def"
#undef LINE
#undef FIELD
};

static const uint32_t path_instructions[] = {
#define PATH(name, instructions, source) instructions,
#include "sched/paths.def"
#undef PATH
};

static const char *const counter_names[] = {
#define COUNTER(id, name, phrase) name,
#include "sched/counters.def"
#undef COUNTER
};

static const char *const counter_phrases[] = {
#define COUNTER(id, name, phrase) phrase,
#include "sched/counters.def"
#undef COUNTER
};

/* The row of a line of sched_config.line_of: one of lines.def, or a field's own. */
static const struct line_row *row_of(uint32_t line)
{
	return &lines[line < NR_LINES ? line : (uint32_t)default_line[line - NR_LINES]];
}

static bool is_used(const struct sched_config *config, uint32_t line)
{
	return line < NR_LINES || config->line_of[line - NR_LINES] == line;
}

static uint32_t nr_instances(const struct sched_arguments *args, enum scope scope)
{
	const struct topology *t = args->topology;
	const uint32_t nr_llcs = t->nr_llc_shared ? t->nr_llc_shared : 1;
	const uint32_t count[NR_SCOPES] = {
		[CPU] = t->nr_cpus, [TASK] = args->max_tasks,
		[LLC] = nr_llcs,    [DOMAIN] = t->nr_domains ? t->nr_domains : 1,
		[GLOBAL] = 1,	    [LLC_MASK] = nr_llcs,
		[GLOBAL_MASK] = 1,
	};

	return count[scope];
}

/* Host lines of one instance of `line`. */
static uint32_t line_size(const struct sched_arguments *args, uint32_t line)
{
	enum scope scope = row_of(line)->scope;

	if (scope != LLC_MASK && scope != GLOBAL_MASK)
		return 1;
	return (args->topology->nr_cpus + LINE_CPUS - 1) / LINE_CPUS;
}

/* Lines of one instance of a scope. */
static uint32_t scope_size(const struct sched_arguments *args, enum scope scope)
{
	uint32_t size = 0;

	for (uint32_t line = 0; line < NR_LINES + NR_FIELDS; line++)
		if (is_used(args->config, line) && row_of(line)->scope == scope)
			size += line_size(args, line);
	return size;
}

uint32_t sched_nr_lines(const struct sched_arguments *args)
{
	uint64_t count = 0;

	for (uint32_t scope = 0; scope < NR_SCOPES; scope++)
		count += (uint64_t)scope_size(args, scope) * nr_instances(args, scope);
	CHECK(count < UINT32_MAX);
	return (uint32_t)count;
}

/* Asks for the lines of one instance; returns the first. */
static uint32_t take_instance(struct sched *s, const struct sched_arguments *args, enum scope scope,
			      const uint32_t *class_of)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t line = 0; line < NR_LINES + NR_FIELDS; line++) {
		uint32_t at;

		if (!is_used(args->config, line) || row_of(line)->scope != scope)
			continue;
		at = memory_lines(s->memory, class_of[line], line_size(args, line));
		if (first == UINT32_MAX)
			first = at;
	}
	return first;
}

/* Where `line` lies within its instance. */
static uint32_t offset_of(const struct sched_arguments *args, uint32_t line)
{
	uint32_t offset = 0;

	for (uint32_t before = 0; before < line; before++)
		if (is_used(args->config, before) && row_of(before)->scope == row_of(line)->scope)
			offset += line_size(args, before);
	return offset;
}

static void lay_out(struct sched *s, const struct sched_arguments *args)
{
	uint32_t base[NR_SCOPES], size[NR_SCOPES], class_of[NR_LINES + NR_FIELDS];

	for (uint32_t line = 0; line < NR_LINES + NR_FIELDS; line++)
		class_of[line] = memory_class(s->memory, row_of(line)->class);
	for (uint32_t scope = 0; scope < NR_SCOPES; scope++) {
		size[scope] = scope_size(args, scope);
		base[scope] = take_instance(s, args, scope, class_of);
		for (uint32_t i = 1; i < nr_instances(args, scope); i++)
			take_instance(s, args, scope, class_of);
	}
	for (uint32_t field = 0; field < NR_FIELDS; field++) {
		uint32_t line = s->config.line_of[field];
		enum scope scope = row_of(line)->scope;

		s->field_line[field] = base[scope] + offset_of(args, line);
		s->field_stride[field] = size[scope];
	}
}

/* ps = instructions * 100 / ipc_pct * 10^6 / MHz. */
static void price_paths(struct sched *s)
{
	uint64_t ipc_pct = machine_cost(s->machine, COST_kernel_ipc);
	uint64_t mhz = machine_cost(s->machine, COST_cpu);

	for (uint32_t path = 0; path < NR_PATHS; path++)
		s->path_ps[path] = mul_div_floor(path_instructions[path], 100000000, ipc_pct * mhz);
	s->switch_ns = machine_cycles_ns(s->machine, machine_cost(s->machine, COST_switch));
	s->switch_mm_ns = machine_cycles_ns(s->machine, machine_cost(s->machine, COST_switch_mm));
	s->ipi_send_ns = machine_cost(s->machine, COST_ipi_send);
}

static void init_rq(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	rq->curr = TASK_NONE;
	rq->in_idle_loop = true;
	rq->idle_state = IDLE_STATE_NONE;
	rq->wake_list = rq->wake_list_last = TASK_NONE;
	rq->tree = tree_empty();
	rq->next_buddy = rq->last_buddy = rq->skip_buddy = TASK_NONE;
	rq->list_first = rq->list_last = TASK_NONE;
	rq->capacity = s->machine->cpu[cpu].capacity;
	rq->push_cpu = CPU_NONE;
	rq->idle_last_wakee = TASK_NONE;
	/* A wrap of virtual time is met early: that it holds is tested in every run. */
	rq->min_vruntime_vns = (uint64_t) - (1ll << 20);
}

/* A verb emits at most a few effects a task and a cpu: balancing moves a task once a domain. */
static void alloc(struct sched *s, struct arena *arena, const struct sched_arguments *args)
{
	const struct topology *t = args->topology;
	uint32_t nr_llcs = nr_instances(args, LLC);

	s->task = ARENA_LINES(arena, struct sched_task, s->max_tasks);
	s->node = ARENA_LINES(arena, struct tree_node, s->max_tasks);
	s->rq = ARENA_LINES(arena, struct rq, s->nr_cpus);
	s->domain = ARENA_LINES(arena, struct domain_state, nr_instances(args, DOMAIN));
	s->llc = ARENA_LINES(arena, struct llc_state, nr_llcs);
	for (uint32_t i = 0; i < nr_llcs; i++)
		s->llc[i].idle_mask = cpuset_new(arena, t->nr_cpus);
	s->nohz.idle_mask = cpuset_new(arena, t->nr_cpus);
	for (uint32_t i = 0; i < sizeof(s->scratch) / sizeof(s->scratch[0]); i++)
		s->scratch[i] = cpuset_new(arena, t->nr_cpus);
	s->max_effects = 256 + 4 * (s->max_tasks + s->nr_cpus);
	s->effect = ARENA_LINES(arena, struct sched_effect, s->max_effects);
}

static void check_sets(const struct sched *s)
{
	for (uint32_t i = 0; i < s->nr_sets; i++)
		CHECK(s->set[i].bits == s->nr_cpus &&
		      cpuset_intersects(&s->set[i], &s->topology->online));
}

struct sched *sched_new(struct arena *arena, const struct sched_arguments *args)
{
	struct sched *s = ARENA_LINES(arena, struct sched, 1);
	uint32_t online;

	s->topology = args->topology;
	s->machine = args->topology->machine;
	s->memory = args->memory;
	s->config = *args->config;
	s->seed = args->seed;
	s->nr_cpus = args->topology->nr_cpus;
	s->max_tasks = args->max_tasks;
	s->nr_sets = args->nr_sets;
	s->set = args->set;
	check_sets(s);
	s->picker = sched_has(s, FEATURE_EEVDF) ? &picker_eevdf : &picker_cfs;
	online = cpuset_weight(&s->topology->online);
	for (uint32_t i = 0; i < NR_TUNABLES; i++)
		s->tunable[i] = sched_tunable_scaled(&s->config, i, online);
	s->tick_ns = 1000000000 / s->tunable[TUNABLE_hz];
	s->tick_owner = cpuset_first(&s->topology->online);
	s->last_distributed = s->nr_cpus - 1;
	alloc(s, arena, args);
	lay_out(s, args);
	price_paths(s);
	pelt_init(s);
	for (uint32_t cpu = 0; cpu < s->nr_cpus; cpu++)
		init_rq(s, cpu);
	balance_init(s, arena);
	return s;
}

uint32_t sched_nr_counters(void)
{
	return NR_COUNTERS;
}

const char *sched_counter_name(uint32_t i)
{
	return counter_names[i];
}

const char *sched_counter_phrase(uint32_t i)
{
	return counter_phrases[i];
}

uint64_t sched_counter(const struct sched *s, uint32_t i)
{
	uint64_t instructions = 0;

	if (i != COUNT_instructions)
		return s->counter[i];
	for (uint32_t path = 0; path < NR_PATHS; path++)
		instructions += s->path_times[path] * path_instructions[path];
	return instructions;
}
