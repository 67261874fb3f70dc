/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/check.h"
#include "sim/cpu.h"
#include "sim/services.h"
#include "sim/stream.h"
#include "sim/task.h"
#include "sim/timer.h"

static bool is_stream(const struct resource *resource)
{
	return resource->kind == RESOURCE_PIPE || resource->kind == RESOURCE_SOCKET;
}

/* The futex word, and the lock of its bucket in the kernel. */
enum { FUTEX_LINES = 2 };

static uint32_t resource_lines(const struct program_set *set)
{
	uint64_t lines = 0;

	for (uint32_t i = 0; i < set->nr_resources; i++)
		lines += is_stream(&set->resource[i]) ? STREAM_LINES : FUTEX_LINES;
	CHECK(lines < UINT32_MAX / 2);
	return (uint32_t)lines;
}

static void init_resource(struct sim *sim, uint32_t i, uint32_t ring, const uint32_t class[2])
{
	const struct resource *spec = &sim->programs->resource[i];
	struct sim_resource *r = &sim->resource[i];
	bool stream = is_stream(spec);

	r->kind = (uint8_t)spec->kind;
	r->limit = spec->value;
	waitq_init(&r->wait[0]);
	waitq_init(&r->wait[1]);
	waitq_init(&r->spin);
	r->line = memory_lines(sim->memory, class[stream], stream ? STREAM_LINES : FUTEX_LINES);
	r->ring = ring;
	if (stream)
		r->ring_mask = stream_nr_slots(spec) - 1;
	if (spec->kind == RESOURCE_SEMAPHORE || spec->kind == RESOURCE_FUTEX)
		r->value = spec->value;
}

static void init_resources(struct sim *sim, struct arena *arena)
{
	const struct program_set *set = sim->programs;
	uint32_t class[2] = { memory_class(sim->memory, "futex"),
			      memory_class(sim->memory, "stream") };
	uint64_t ring = 0;

	sim->resource = ARENA_LINES(arena, struct sim_resource, set->nr_resources);
	for (uint32_t i = 0; i < set->nr_resources; i++) {
		init_resource(sim, i, (uint32_t)ring, class);
		if (is_stream(&set->resource[i]))
			ring += stream_nr_slots(&set->resource[i]);
		CHECK(ring <= UINT32_MAX);
	}
	sim->slot = ARENA_LINES(arena, struct sim_slot, ring);
}

static const struct sim_speeds *speeds_for(struct sim *sim, struct arena *arena, uint32_t c)
{
	uint32_t capacity = sim->machine->cpu[c].capacity;
	struct sim_speeds *speeds;

	for (uint32_t other = 0; other < c; other++)
		if (sim->cpu[other].speeds && sim->machine->cpu[other].capacity == capacity)
			return sim->cpu[other].speeds;
	speeds = ARENA_NEW(arena, struct sim_speeds);
	*speeds = sim_speeds_of(sim->machine, capacity);
	return speeds;
}

/* The cpus of a core as a ring through `sibling`. */
static void link_siblings(struct sim *sim, struct arena *arena)
{
	const struct machine *m = sim->machine;
	uint32_t *last = ARENA_ARRAY(arena, uint32_t, m->nr_cores);

	cpuset_for_each (c, &m->present) {
		uint32_t core = m->cpu[c].core;

		sim->cpu[c].sibling = c;
		if (last[core]) {
			sim->cpu[c].sibling = sim->cpu[last[core] - 1].sibling;
			sim->cpu[last[core] - 1].sibling = c;
		}
		last[core] = c + 1;
	}
}

static void init_cpus(struct sim *sim, struct arena *arena)
{
	const struct machine *m = sim->machine;

	sim->cpu = ARENA_LINES(arena, struct sim_cpu, m->nr_cpus);
	sim->times = ARENA_LINES(arena, struct sim_cpu_times, m->nr_cpus);
	sim->core_busy = ARENA_ARRAY(arena, uint8_t, m->nr_cores);
	for (uint32_t c = 0; c < m->nr_cpus; c++) {
		sim->cpu[c].curr = sim->cpu[c].timer_root = TASK_NONE;
		sim->cpu[c].last_task = TASK_NONE;
	}
	cpuset_for_each (c, &m->present) {
		struct random r = random_stream(sim->config.seed, RANDOM_TICK_PHASE, c);

		sim->cpu[c].core = m->cpu[c].core;
		sim->cpu[c].speeds = speeds_for(sim, arena, c);
		sim->cpu[c].next_tick_ns = 1 + random_below(&r, sim->engine_config.tick_ns);
		if (cpuset_has(&m->online, c))
			continue;
		sim->cpu[c].plug = PLUG_OFF;
		sim->cpu[c].state = CPU_OFF;
	}
	link_siblings(sim, arena);
}

static bool check_sets(const struct sim_config *config, struct err *err)
{
	for (uint32_t i = 0; i < config->programs->nr_sets; i++)
		if (!cpuset_intersects(&config->programs->set[i], &config->machine->online))
			return err_set(err, "cpu set %u of the workload has no online cpu", i);
	return true;
}

static bool check_hotplug(const struct sim_config *config, struct err *err)
{
	if (!config->nr_hotplug)
		return true;
	if (!config->engine->cpu_down)
		return err_set(err,
			       "the %s engine takes no cpu off or on (allowed: kernel engines, -e "
			       "kernel:NAME)",
			       config->engine->name);
	return hotplug_check(config->hotplug, config->nr_hotplug, config->machine, err);
}

static bool init_engine(struct sim *sim, struct arena *arena, struct err *err)
{
	const struct sim_config *config = &sim->config;
	uint32_t lines;

	sim->services = sim_services(sim);
	sim->engine_config = (struct engine_config){
		.machine = config->machine,
		.services = &sim->services,
		.profile = config->profile,
		.variant = config->variant,
		.image = config->image,
		.no_feedback = config->no_feedback,
		.nr_groups = config->nr_groups,
		.group = config->group,
		.profile_lines = config->profile_lines,
		.hotplug = config->nr_hotplug > 0,
		.seed = config->seed,
		.max_tasks = config->programs->nr_tasks,
		.nr_sets = config->programs->nr_sets,
		.set = config->programs->set,
	};
	lines = sim->ops->nr_lines(&sim->engine_config, err);
	if (err->set)
		return false;
	sim->memory = memory_new(arena, config->machine, lines + resource_lines(sim->programs));
	sim->engine_config.memory = sim->memory;
	sim->engine = sim->ops->create(arena, &sim->engine_config, err);
	CHECK(!sim->engine || sim->engine_config.tick_ns);
	return sim->engine != NULL;
}

/* A cpu whose ticks take all of its time, at the speed it has beside a busy sibling, goes nowhere.
 */
static bool check_tick(const struct sim *sim, struct err *err)
{
	uint64_t tick_ns = 2 * (sim->costs.tick_ns + sim->costs.irq_entry_ns);

	if (tick_ns < sim->engine_config.tick_ns)
		return true;
	return err_set(err,
		       "a timer tick takes up to %llu ns (allowed: less than its period, %llu ns): "
		       "see tick_cycles, irq_entry_ns and cpu_mhz of the machine",
		       (unsigned long long)tick_ns, (unsigned long long)sim->engine_config.tick_ns);
}

struct sim *sim_new(struct arena *arena, const struct sim_config *config, struct err *err)
{
	struct sim *sim = ARENA_NEW(arena, struct sim);

	sim->config = *config;
	if (!config->max_ns || config->max_ns > SIM_MAX_NS)
		sim->config.max_ns = SIM_MAX_NS;
	if (!config->max_events)
		sim->config.max_events = UINT64_MAX;
	sim->ops = config->engine;
	sim->programs = config->programs;
	sim->machine = config->machine;
	sim->paths = config->paths ? config->paths : sim_paths_of(config->profile);
	trace_init(&sim->trace);
	sim_costs_init(&sim->costs, config->machine);
	draw_table_init(&sim->draws);
	/* A busy cpu has an event every microsecond or so. */
	calendar_init(&sim->queue, arena,
		      config->machine->nr_cpus * SLOTS_PER_CPU + (config->nr_hotplug > 0),
		      512 / config->machine->nr_cpus);
	if (!check_sets(config, err) || !check_hotplug(config, err) ||
	    !init_engine(sim, arena, err))
		return NULL;
	if (!check_tick(sim, err)) {
		sim_release(sim);
		return NULL;
	}
	init_cpus(sim, arena);
	init_resources(sim, arena);
	sim->task = ARENA_LINES(arena, struct sim_task, config->programs->nr_tasks);
	return sim;
}

void sim_release(struct sim *sim)
{
	sim->ops->destroy(sim->engine);
}

/* Tasks of the start are created by an interrupt on the first cpu that they may use. */
void sim_start_tasks(struct sim *sim)
{
	for (uint32_t t = 0; t < sim->programs->nr_tasks; t++) {
		struct random r = random_stream(sim->config.seed, RANDOM_START_OFFSET, t);
		const struct task_spec *spec = &sim->programs->task[t];

		if (!spec->at_start)
			continue;
		task_init(sim, t, TASK_NONE);
		sim->nr_unborn++;
		timer_arm(sim,
			  cpuset_next_and(&sim->programs->set[spec->set], &sim->machine->online, 0),
			  t, 1 + random_below(&r, sim->engine_config.tick_ns));
	}
}
