/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A verb of the port is a call of the image. All of them go through verb(), which keeps the time,
 * catches failures and tells the simulation what came of it.
 */
#include "engine/kernel/kernel.h"

#include "base/check.h"
#include "engine/kernel/boot.h"

/* ---- one verb ---- */

enum entry {
	ENTRY_CALL,
	ENTRY_INTERRUPT,
	ENTRY_TICK,
	ENTRY_IPI,
	ENTRY_TIMER,
	ENTRY_DOWN,
	ENTRY_UP
};

struct request {
	enum entry entry;
	struct ks_call call;
	enum ks_ipi ipi;
};

static void enter_kernel(struct engine *e, struct request *r)
{
	switch (r->entry) {
	case ENTRY_CALL: e->ks->call(e->at, &r->call); return;
	case ENTRY_INTERRUPT: e->ks->interrupt_call(e->at, &r->call); return;
	case ENTRY_TICK: e->ks->tick(e->at); return;
	case ENTRY_IPI: e->ks->ipi(e->at, r->ipi); return;
	case ENTRY_TIMER: e->ks->timer(e->at); return;
	case ENTRY_DOWN: e->ks->cpu_down(e->at); return;
	case ENTRY_UP: e->ks->cpu_up(e->at); return;
	}
}

static void tell_moved(struct engine *e, uint32_t only, bool equal)
{
	for (uint32_t i = 0; i < e->nr_moved; i++) {
		const struct moved_task *m = &e->moved[i];

		if ((m->task == only) != equal || e->task[m->task].asleep)
			continue;
		e->task[m->task].cpu = m->to;
		e->services->migrated(e->services->sim, kernel_time_ns(e), m->to, m->task, m->from);
	}
}

static void tell_woken(struct engine *e, uint32_t task, uint32_t cpu, uint32_t from)
{
	e->task[task] = (struct kernel_task){ .cpu = cpu };
	e->services->woken(e->services->sim, kernel_time_ns(e), cpu, task, from);
}

/* Threads of the kernel run within one verb: the cpu is back with a task or idle. */
static void tell_switch(struct engine *e)
{
	uint32_t prev = e->cpu[e->at].curr, next = e->next;

	CHECK(next != KS_KTHREAD);
	if (prev == next)
		return;
	e->cpu[e->at].curr = next;
	if (prev == TASK_NONE)
		idle_past_learn(&e->cpu[e->at].past, &e->machine->costs, e->tick_ns,
				e->now_ns - e->cpu[e->at].idle_since_ns);
	if (next == TASK_NONE)
		e->cpu[e->at].idle_since_ns = e->now_ns;
	e->services->switch_to(e->services->sim, kernel_time_ns(e), e->at, prev, next);
}

static uint64_t verb(struct engine *e, uint64_t now_ns, uint32_t cpu, struct request *request)
{
	e->now_ns = now_ns;
	e->spent_ps = e->fixed_ps = 0;
	e->at = cpu;
	e->next = e->cpu[cpu].curr;
	e->nr_moved = 0;
	e->verb++;
	if (sigsetjmp(e->failed, 0)) {
		e->running = 0;
		e->services->fail(e->services->sim, failure_text(e));
	}
	e->running = 1;
	costs_begin(e);
	enter_kernel(e, request);
	costs_end(e);
	e->running = 0;
	if (e->costs.nr_held)
		failure_leave(e, "a kernel lock is held at the end of a call");
	return (e->no_feedback ? e->fixed_ps : e->spent_ps) / 1000;
}

/* Who was moved is told before the switch, but of the task that leaves the cpu. */
static void tell(struct engine *e)
{
	uint32_t leaving = e->cpu[e->at].curr;
	bool leaves = leaving != TASK_NONE && leaving != e->next;

	if (e->nr_moved)
		tell_moved(e, leaves ? leaving : TASK_NONE, false);
	tell_switch(e);
	if (leaves)
		tell_moved(e, leaving, true);
}

static uint64_t simple(struct engine *e, uint64_t now_ns, uint32_t cpu, struct request request)
{
	uint64_t ns = verb(e, now_ns, cpu, &request);

	tell(e);
	return ns;
}

static uint64_t operation(struct engine *e, uint64_t now_ns, uint32_t cpu, enum ks_op op)
{
	return simple(e, now_ns, cpu, (struct request){ .call.op = op });
}

/* ---- tasks ---- */

static const ks_u64 *mask_of(const struct engine *e, uint32_t set)
{
	return e->mask + (size_t)set * e->ks->mask_words;
}

static void join_group(struct engine *e, const struct engine_task *t)
{
	struct request move = {
		.entry = ENTRY_INTERRUPT,
		.call = { .op = KS_OP_GROUP, .arg = { t->task }, .group = e->group[t->group] }
	};

	verb(e, e->now_ns, e->at, &move);
}

static uint64_t kernel_task_new(struct engine *e, uint64_t now_ns, uint32_t cpu,
				const struct engine_task *t)
{
	struct ks_new_task new = { .id = t->task,
				   .mm = t->address_space,
				   .nice = t->nice,
				   .has_parent = t->parent != TASK_NONE,
				   .mask = mask_of(e, t->set) };
	struct request fork = { .entry = new.has_parent ? ENTRY_CALL : ENTRY_INTERRUPT,
				.call = { .op = KS_OP_FORK, .new_task = &new } };
	uint64_t ns;

	e->forks++;
	e->placing = t->task;
	ns = verb(e, now_ns, cpu, &fork);
	tell_woken(e, t->task, fork.call.result, cpu);
	tell(e);
	if (t->group != GROUP_ROOT)
		join_group(e, t);
	e->placing = TASK_NONE;
	return ns;
}

static uint64_t kernel_task_wake(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				 uint32_t flags)
{
	struct request wake = {
		.entry = flags & ENGINE_WAKE_INTERRUPT ? ENTRY_INTERRUPT : ENTRY_CALL,
		.call = { .op = KS_OP_WAKE, .arg = { task, flags & ENGINE_WAKE_SYNC } }
	};
	uint64_t ns;

	e->wakes++;
	e->placing = task;
	ns = verb(e, now_ns, cpu, &wake);
	e->placing = TASK_NONE;
	if (wake.call.result != KS_NONE)
		tell_woken(e, task, wake.call.result, e->task[task].cpu);
	tell(e);
	return ns;
}

static uint64_t kernel_task_block(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	e->task[e->cpu[cpu].curr].asleep = true;
	return operation(e, now_ns, cpu, KS_OP_BLOCK);
}

static uint64_t kernel_task_yield(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return operation(e, now_ns, cpu, KS_OP_YIELD);
}

static uint64_t kernel_task_exit(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return operation(e, now_ns, cpu, KS_OP_EXIT);
}

static uint64_t kernel_task_affinity(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				     uint32_t set)
{
	struct request r = {
		.call = { .op = KS_OP_AFFINITY, .arg = { task }, .mask = mask_of(e, set) }
	};

	return simple(e, now_ns, cpu, r);
}

static uint64_t kernel_task_nice(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				 int nice)
{
	struct request r = { .call = { .op = KS_OP_NICE, .arg = { task, (ks_u32)nice } } };

	return simple(e, now_ns, cpu, r);
}

/* ---- cpus ---- */

static bool kernel_need_resched(const struct engine *e, uint32_t cpu)
{
	return e->ks->need_resched(cpu);
}

static uint64_t kernel_schedule(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return operation(e, now_ns, cpu, KS_OP_SCHEDULE);
}

static uint64_t kernel_tick(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	e->cpu[cpu].last_tick_ns = now_ns;
	return simple(e, now_ns, cpu, (struct request){ .entry = ENTRY_TICK });
}

static uint64_t kernel_ipi(struct engine *e, uint64_t now_ns, uint32_t cpu, enum engine_ipi ipi)
{
	struct request r = { .entry = ENTRY_IPI,
			     .ipi = ipi == ENGINE_IPI_CALL ? KS_IPI_CALL : KS_IPI_RESCHED };

	return simple(e, now_ns, cpu, r);
}

static uint64_t kernel_timer(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t id)
{
	return simple(e, now_ns, cpu, (struct request){ .entry = ENTRY_TIMER });
}

static uint64_t kernel_idle_enter(struct engine *e, uint64_t now_ns, uint32_t cpu,
				  struct engine_idle *idle)
{
	uint64_t ns;

	e->idle = idle;
	ns = operation(e, now_ns, cpu, KS_OP_IDLE);
	e->idle = NULL;
	idle->state = e->cpu[cpu].idle_state;
	return ns;
}

/* The idle loop goes on with the next call. */
static uint64_t kernel_idle_exit(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return 0;
}

static uint64_t kernel_cpu_down(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return simple(e, now_ns, cpu, (struct request){ .entry = ENTRY_DOWN });
}

static uint64_t kernel_cpu_up(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	e->cpu[cpu] = (struct kernel_cpu){ .curr = TASK_NONE, .idle_since_ns = now_ns };
	return simple(e, now_ns, cpu, (struct request){ .entry = ENTRY_UP });
}

/* ---- the engine ---- */

static uint32_t kernel_nr_lines(const struct engine_config *config, struct err *err)
{
	struct engine scratch = { 0 };
	uint32_t lines;

	if (!boot_map(&scratch, config, err))
		return 0;
	lines = heap_lines(scratch.ks, config);
	image_unmap(&scratch.image);
	return lines;
}

static void fill_masks(struct engine *e, struct arena *arena)
{
	uint32_t words = e->ks->mask_words;

	e->mask = ARENA_ARRAY(arena, uint64_t, (size_t)e->config->nr_sets * words);
	for (uint32_t set = 0; set < e->config->nr_sets; set++)
		cpuset_for_each (cpu, &e->config->set[set])
			e->mask[(size_t)set * words + cpu / 64] |= 1ull << (cpu % 64);
}

static void read_costs(struct engine *e)
{
	const struct machine *m = e->machine;

	e->switch_ns = machine_cycles_ns(m, machine_cost(m, COST_switch));
	e->switch_mm_ns = machine_cycles_ns(m, machine_cost(m, COST_switch_mm));
	e->ipi_ns = machine_cost(m, COST_ipi_send);
}

static struct engine *kernel_create(struct arena *arena, struct engine_config *config,
				    struct err *err)
{
	struct engine *e = ARENA_NEW(arena, struct engine);

	e->services = config->services;
	e->config = config;
	e->machine = config->machine;
	e->memory = config->memory;
	e->arena = arena;
	e->no_feedback = config->no_feedback;
	e->placing = TASK_NONE;
	e->random = random_stream(config->seed, RANDOM_KERNEL, 0);
	e->cpu = ARENA_ARRAY(arena, struct kernel_cpu, e->machine->nr_cpus);
	for (uint32_t cpu = 0; cpu < e->machine->nr_cpus; cpu++)
		e->cpu[cpu].curr = TASK_NONE;
	e->task = ARENA_ARRAY(arena, struct kernel_task, config->max_tasks);
	read_costs(e);
	if (!boot_map(e, config, err))
		return NULL;
	e->tick_ns = config->tick_ns = 1000000000 / e->ks->hz;
	fill_masks(e, arena);
	return boot_open(e, arena, err) ? e : NULL;
}

static void kernel_destroy(struct engine *e)
{
	boot_close(e);
}

static bool kernel_counter(const struct engine *e, uint32_t i, struct engine_counter *counter)
{
	const struct engine_counter all[] = {
		{ "kernel.wakes", "wake-ups asked of the kernel", e->wakes },
		{ "kernel.forks", "tasks forked", e->forks },
		{ "kernel.switches", "context switches, threads of the kernel included",
		  e->switches },
		{ "kernel.ipis", "interrupts sent to other cpus", e->ipis },
		{ "kernel.verbs", "calls into the kernel", e->verb },
		{ "kernel.instructions", "instructions of kernel code, by block",
		  e->costs.instructions },
		{ "kernel.blocks", "basic blocks of kernel code", e->costs.blocks },
		{ "kernel.calls", "functions called in kernel code", e->costs.calls },
		{ "kernel.accesses", "accesses of kernel code to shared lines", e->costs.accesses },
		{ "kernel.locks", "spinlocks taken", e->costs.locks },
		{ "kernel.profile_lost", "accesses that the profile has no room for",
		  e->profile ? e->profile->lost : 0 },
	};
	uint32_t nr = sizeof(all) / sizeof(all[0]);

	if (!all[nr - 1].value)
		nr--;
	if (i >= nr)
		return false;
	*counter = all[i];
	return true;
}

const struct ks_image *engine_kernel_image(const struct engine *engine)
{
	return engine->ks;
}

const struct engine_ops *engine_kernel(void)
{
	static const struct engine_ops ops = {
		.name = "kernel",
		.nr_lines = kernel_nr_lines,
		.create = kernel_create,
		.destroy = kernel_destroy,
		.task_new = kernel_task_new,
		.task_wake = kernel_task_wake,
		.task_block = kernel_task_block,
		.task_yield = kernel_task_yield,
		.task_exit = kernel_task_exit,
		.task_affinity = kernel_task_affinity,
		.task_nice = kernel_task_nice,
		.need_resched = kernel_need_resched,
		.schedule = kernel_schedule,
		.tick = kernel_tick,
		.ipi = kernel_ipi,
		.timer = kernel_timer,
		.idle_enter = kernel_idle_enter,
		.idle_exit = kernel_idle_exit,
		.cpu_down = kernel_cpu_down,
		.cpu_up = kernel_cpu_up,
		.counter = kernel_counter,
	};

	return &ops;
}
