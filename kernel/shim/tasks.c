// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks: how they come to be, what they do when the host calls, how they end.
 *
 * A task's kernel side is one loop: park, do the call, park. Blocking in a call blocks the task as
 * in a kernel; the host gets control back when whoever follows on the cpu parks.
 */
#include "shim.h"

#include <linux/task_work.h>

enum { FOREVER = 1 << 30 }; /* references of what the host frees itself */

static struct task_struct **task_table; /* by id */
static u32 nr_task_table;
static struct mm_struct **mm_table; /* by id */
static u32 nr_mm_table;
static struct task_struct template;
static int next_pid = 2;
const struct ks_call *ks_pending_call;

/* ---- tables by the host's numbers ---- */

static void *grow(void *table, u32 *count, u32 id)
{
	u32 more = max(id + 1, max(64u, *count * 2));
	void **bigger;

	if (id < *count)
		return table;
	bigger = ks_host->alloc(more * sizeof(void *), "shim");
	if (table) {
		memcpy(bigger, table, *count * sizeof(void *));
		ks_host->free(table);
	}
	*count = more;
	return bigger;
}

struct task_struct *ks_task(u32 id)
{
	return id < nr_task_table ? task_table[id] : NULL;
}

/* journal_info is of no use to a kernel without file systems: the host's number plus one. */
u32 ks_task_id(const struct task_struct *p)
{
	if (p->journal_info)
		return (u32)(unsigned long)p->journal_info - 1;
	return is_idle_task(p) ? KS_NONE : KS_KTHREAD;
}

struct mm_struct init_mm = { .mm_count = ATOMIC_INIT(FOREVER), .mm_users = ATOMIC_INIT(FOREVER) };

static struct mm_struct *mm_by_id(u32 id)
{
	mm_table = grow(mm_table, &nr_mm_table, id);
	if (!mm_table[id]) {
		mm_table[id] = ks_host->alloc(sizeof(struct mm_struct), "mm_struct");
		atomic_set(&mm_table[id]->mm_count, FOREVER);
		atomic_set(&mm_table[id]->mm_users, FOREVER);
	}
	return mm_table[id];
}

/* ---- creation and end ---- */

void ks_tasks_init(void)
{
	template = init_task;
	template.sched_task_group = &root_task_group;
	template.cgroups = ks_root_css_set();
}

static struct task_struct *duplicate(const struct task_struct *from)
{
	struct task_struct *p = ks_host->alloc(sizeof(*p), "task_struct");

	*p = *from;
	INIT_LIST_HEAD(&p->tasks);
	INIT_LIST_HEAD(&p->children);
	INIT_LIST_HEAD(&p->sibling);
	refcount_set(&p->usage, FOREVER);
	refcount_set(&p->rcu_users, FOREVER);
	ks_stack_new(p);
	p->flags = 0;
	p->thread_info.flags = 0;
	p->pid = p->tgid = next_pid++;
	p->group_leader = p;
	raw_spin_lock_init(&p->pi_lock);
	spin_lock_init(&p->alloc_lock);
	p->cpus_ptr = &p->cpus_mask;
	p->user_cpus_ptr = NULL;
	p->wake_entry.llist.next = NULL;
	p->wake_entry.u_flags = CSD_TYPE_TTWU;
	p->journal_info = NULL;
	p->task_works = NULL;
	return p;
}

static void join_group(struct task_struct *p)
{
	struct kernel_clone_args args = { .cset = p->cgroups };

	sched_cgroup_fork(p, &args);
}

/* A thread of the kernel's own; sched_fork() has run, it sleeps until it is woken. */
struct task_struct *ks_thread_new(const char *name, void (*fn)(void *), void *arg)
{
	struct task_struct *p = duplicate(&template);

	p->mm = p->active_mm = NULL;
	p->flags |= PF_KTHREAD;
	strscpy(p->comm, name, sizeof(p->comm));
	ks_stack_prepare(p, fn, arg, true);
	sched_fork(0, p);
	join_group(p);
	return p;
}

void ks_bind_thread(struct task_struct *p, u32 cpu)
{
	p->nr_cpus_allowed = 1;
	cpumask_copy(&p->cpus_mask, cpumask_of(cpu));
	p->flags |= PF_NO_SETAFFINITY;
	__set_task_cpu(p, cpu);
}

static void task_loop(void *unused)
{
	for (;;) {
		struct ks_call *call;

		ks_park();
		call = (struct ks_call *)ks_pending_call;
		ks_do_call(call);
	}
}

static void set_mask(struct cpumask *to, const ks_u64 *mask)
{
	cpumask_clear(to);
	memcpy(cpumask_bits(to), mask, BITS_TO_LONGS(nr_cpu_ids) * sizeof(long));
	cpumask_and(to, to, cpu_possible_mask);
}

static void fork_task(const struct ks_new_task *new)
{
	struct task_struct *p = duplicate(new->has_parent ? current : &template);
	struct task_struct *forker = current;

	task_table = grow(task_table, &nr_task_table, new->id);
	task_table[new->id] = p;
	p->journal_info = (void *)((unsigned long)new->id + 1);
	p->mm = p->active_mm = mm_by_id(new->mm);
	snprintf(p->comm, sizeof(p->comm), "task-%u", new->id);
	set_mask(&p->cpus_mask, new->mask);
	p->nr_cpus_allowed = cpumask_weight(&p->cpus_mask);
	ks_stack_prepare(p, task_loop, NULL, true);
	/* Tasks of the start have no parent: the interrupt forks as if init ran on its cpu. */
	if (!new->has_parent) {
		__set_task_cpu(&template, ks_cpu);
		raw_cpu_write(KS_CURRENT, &template);
	}
	sched_fork(0, p);
	join_group(p);
	sched_post_fork(p);
	if (task_nice(p) != new->nice)
		set_user_nice(p, new->nice);
	wake_up_new_task(p);
	raw_cpu_write(KS_CURRENT, forker);
}

void put_task_stack(struct task_struct *p)
{
	ks_host->stack_free(p->stack);
	p->stack = NULL;
}

/* After the last switch away from a dead task. */
void put_task_struct_rcu_user(struct task_struct *p)
{
	u32 id = ks_task_id(p);

	if (id < KS_KTHREAD)
		task_table[id] = NULL;
	ks_host->free(p);
}

void __put_task_struct(struct task_struct *p)
{
	ks_fail(KS_FAIL_SHIM, "the last reference of a task was dropped");
}

void __mmdrop(struct mm_struct *mm)
{
	ks_fail(KS_FAIL_SHIM, "the last reference of an address space was dropped");
}

/* ---- calls ---- */

static bool has_user_work(void)
{
#ifdef TIF_NEED_RESCHED_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		return true;
#endif
	return need_resched() || current->task_works;
}

/* What is done on return to user mode. */
static void user_exit_work(void)
{
	while (has_user_work()) {
		if (current->task_works) {
			clear_thread_flag(TIF_NOTIFY_RESUME);
			task_work_run();
		} else {
			schedule();
		}
	}
}

/* The task that a call is about. */
static struct task_struct *named(const struct ks_call *call)
{
	struct task_struct *p = ks_task(call->arg[0]);

	if (!p)
		ks_fail(KS_FAIL_SHIM, "a call is about a task that does not exist");
	return p;
}

/*
 * A preemptible kernel may switch to the wakee before it returns: the host has the answer by then,
 * and the call is not touched afterwards, for the host's call is over.
 */
static void wake(struct ks_call *call)
{
	wait_queue_entry_t entry = { .private = named(call) };

	preempt_disable();
	if (default_wake_function(&entry, TASK_NORMAL, call->arg[1] ? WF_SYNC : 0, NULL))
		call->result = task_cpu(entry.private);
	preempt_enable();
}

static void fork(struct ks_call *call)
{
	preempt_disable();
	fork_task(call->new_task);
	call->result = task_cpu(ks_task(call->new_task->id));
	preempt_enable();
}

static void change_affinity(struct task_struct *p, const ks_u64 *bits)
{
	static struct cpumask mask; /* read before anything can block */

	set_mask(&mask, bits);
	/* Without an active cpu the system call fails, and the task stays as it is. */
	if (cpumask_intersects(&mask, cpu_active_mask) && set_cpus_allowed_ptr(p, &mask))
		ks_fail(KS_FAIL_SHIM, "an affinity was refused");
}

void ks_do_call(struct ks_call *call)
{
	switch (call->op) {
	case KS_OP_SCHEDULE:
	case KS_OP_IDLE: user_exit_work(); return;
	case KS_OP_BLOCK:
		set_current_state(TASK_INTERRUPTIBLE);
		schedule();
		return;
	case KS_OP_YIELD: yield(); return;
	case KS_OP_EXIT:
		preempt_disable(); /* as do_exit() leaves it */
		do_task_dead();
		return;
	case KS_OP_WAKE: wake(call); return;
	case KS_OP_FORK: fork(call); return;
	case KS_OP_AFFINITY: change_affinity(named(call), call->mask); return;
	case KS_OP_NICE: set_user_nice(named(call), (int)call->arg[1]); return;
	case KS_OP_GROUP: ks_group_move(named(call), call->group); return;
	}
}

void ks_call(u32 cpu, struct ks_call *call)
{
	ks_set_cpu(cpu);
	ks_pending_call = call;
	call->result = KS_NONE;
	ks_resume();
}

void ks_interrupt_call(u32 cpu, struct ks_call *call)
{
	ks_irq_enter(cpu);
	call->result = KS_NONE;
	ks_do_call(call);
	ks_irq_exit();
}

int ks_need_resched(u32 cpu)
{
	struct task_struct *p = per_cpu(KS_CURRENT, cpu);

#ifdef TIF_NEED_RESCHED_LAZY
	if (test_tsk_thread_flag(p, TIF_NEED_RESCHED_LAZY))
		return 1;
#endif
	return test_tsk_need_resched(p) || (!is_idle_task(p) && p->task_works);
}

/* ---- the threads of each cpu (stoppers) ---- */

struct percpu_thread {
	struct smp_hotplug_thread *ht;
	unsigned int cpu;
	bool parks;
	struct task_struct *task;
	struct percpu_thread *next;
};

static struct percpu_thread *percpu_threads;

static struct percpu_thread *percpu_thread_of(const struct task_struct *p)
{
	struct percpu_thread *t = percpu_threads;

	while (t && t->task != p)
		t = t->next;
	if (!t)
		ks_fail(KS_FAIL_SHIM, "a thread is parked that is of no cpu");
	return t;
}

static void stay_parked(struct percpu_thread *t)
{
	if (t->ht->park)
		t->ht->park(t->cpu);
	for (;;) {
		set_current_state(TASK_PARKED);
		if (!t->parks)
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	if (t->ht->unpark)
		t->ht->unpark(t->cpu);
}

static void percpu_loop(void *arg)
{
	struct percpu_thread *t = arg;

	for (;;) {
		if (t->parks)
			stay_parked(t);
		set_current_state(TASK_INTERRUPTIBLE);
		if (!t->ht->thread_should_run(t->cpu)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		t->ht->thread_fn(t->cpu);
	}
}

static void percpu_thread_new(struct smp_hotplug_thread *ht, int cpu)
{
	struct percpu_thread *t = ks_host->alloc(sizeof(*t), "shim");
	struct task_struct *p;
	char name[TASK_COMM_LEN];

	snprintf(name, sizeof(name), "migration/%d", cpu);
	p = ks_thread_new(name, percpu_loop, t);
	*t = (struct percpu_thread){ .ht = ht, .cpu = cpu, .task = p, .next = percpu_threads };
	percpu_threads = t;
	ks_bind_thread(p, cpu);
	*per_cpu_ptr(ht->store, cpu) = p;
	p->__state = TASK_INTERRUPTIBLE;
	if (ht->create)
		ht->create(cpu);
	if (ht->unpark)
		ht->unpark(cpu);
}

int smpboot_register_percpu_thread(struct smp_hotplug_thread *ht)
{
	int cpu;

	for_each_possible_cpu(cpu) percpu_thread_new(ht, cpu);
	return 0;
}

bool kthread_is_per_cpu(struct task_struct *p)
{
	return p->flags & PF_KTHREAD && p->flags & PF_NO_SETAFFINITY && p->nr_cpus_allowed == 1;
}

/* It parks when it is done with what it has; the caller may be that thread. */
int kthread_park(struct task_struct *p)
{
	percpu_thread_of(p)->parks = true;
	return 0;
}

void kthread_unpark(struct task_struct *p)
{
	struct percpu_thread *t = percpu_thread_of(p);

	if (!t->parks)
		return;
	t->parks = false;
	wake_up_state(p, TASK_PARKED);
}
