/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of sched/ ask of each other. Unless said otherwise a function works within the
 * verb in progress (s->cpu, s->t_ns), pays for what it does and expects the runqueue locks it needs
 * to be held by its caller.
 */
#ifndef SCHED_INTERNAL_H
#define SCHED_INTERNAL_H

#include "sched/touch.h"

/* ---- verb.c: effects ---- */
void sched_effect(struct sched *s, enum sched_effect_kind kind, uint32_t cpu, uint32_t task,
		  uint32_t arg);

/* ---- rq.c: runqueues; rq_call() is in wake.c, rq_stop_curr() in schedule.c ---- */
enum queue_flags { QUEUE_WAKEUP = 1, QUEUE_NEW = 2, QUEUE_MIGRATED = 4, QUEUE_SLEEP = 8 };

void rq_lock(struct sched *s, uint32_t cpu);
void rq_unlock(struct sched *s, uint32_t cpu);
/* Both locks in the order of their cpus. */
void rq_lock_pair(struct sched *s, uint32_t a, uint32_t b);
void rq_unlock_pair(struct sched *s, uint32_t a, uint32_t b);
/* Brings clock, running task and averages up to s->t_ns; the next four expect it to be done. */
void rq_update(struct sched *s, uint32_t cpu);
void rq_enqueue(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags);
/* False when the task stays queued as delayed; else it is TASK_BLOCKED. */
bool rq_dequeue(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags);
/* Whether `task`, just queued, preempts; asks for a reschedule if so. */
void rq_wakeup_preempt(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags);
/* Sets need_resched of cpu and sends an IPI or kicks the poller when it is another one. */
void rq_resched(struct sched *s, uint32_t cpu);
/*
 * Makes cpu run its wake list, nohz_kicked and active_balance: a function call interrupt (before
 * v5.8 a reschedule interrupt), or the flag of one that polls. s->cpu itself is not called.
 */
void rq_call(struct sched *s, uint32_t cpu);
/* One interrupt, SCHED_IPI_RESCHED or SCHED_IPI_CALL, whatever the cpu does. */
void rq_send_ipi(struct sched *s, uint32_t cpu, enum sched_effect_kind kind);
/* Moves a queued or delayed, not running task; both locks held. Emits SCHED_MIGRATED. */
void rq_move(struct sched *s, uint32_t task, uint32_t from, uint32_t to);
/*
 * A stopper takes cpu (the verb's own; its lock is held): the running task goes back to the
 * timeline, curr becomes TASK_NONE without idle_begin(), SCHED_SWITCH to TASK_NONE is emitted and
 * need_resched is set. Nothing when the cpu is idle. rq_move() may then take that task.
 */
void rq_stop_curr(struct sched *s, uint32_t cpu);
/* Balancing looked at a task and left it: it is looked at last next time. */
void rq_list_to_front(struct sched *s, uint32_t cpu, uint32_t task);

/* ---- pelt.c ---- */
/* Both as of the runqueue's clock, which only rq_update() moves: an idle cpu's too. */
void pelt_update_task(struct sched *s, uint32_t task);
void pelt_update_rq(struct sched *s, uint32_t cpu);
uint64_t cpu_load(const struct sched *s, uint32_t cpu); /* load average of the runqueue */
uint64_t cpu_runnable(const struct sched *s, uint32_t cpu);
uint64_t cpu_util(const struct sched *s, uint32_t cpu); /* utilisation, with util_est */
uint64_t task_load(const struct sched *s, uint32_t task);
uint64_t task_util(const struct sched *s, uint32_t task);

/* ---- place.c, idle_sibling.c: which cpu ---- */
enum place_reason { PLACE_WAKE, PLACE_FORK, PLACE_EXEC };

/* The cpu for a task that wakes or is new; allowed cpus only. No runqueue lock is held. */
uint32_t place_task(struct sched *s, uint32_t task, uint32_t prev_cpu, enum place_reason reason,
		    bool sync);
/*
 * Called at each wake-up, before place_task(): keeps the partner count of the waker. TASK_NONE: of
 * the idle task of the verb's cpu, in whose name its interrupts wake.
 */
void place_record_wakee(struct sched *s, uint32_t waker, uint32_t wakee);
uint32_t select_idle_sibling(struct sched *s, uint32_t task, uint32_t prev_cpu, uint32_t target);

/* ---- balance.c, and from balance_nohz() on nohz.c, balance_move.c ---- */
/*
 * Once from sched_new(), after everything else of the state is in place (all zero where nothing
 * else is said, every cpu idle with its tick on): domain intervals, idle stamps and averages,
 * masks, counts of busy cpus, group records. rq_enqueue() says that a cpu got its second task by
 * balance_note_overload() (v3.17 and later read it before a newidle balance).
 */
void balance_init(struct sched *s, struct arena *arena);
void balance_note_overload(struct sched *s);
/* From the tick, after the scheduler's own part: periodic balance and the nohz kick. */
void balance_tick(struct sched *s, uint32_t cpu);
/* About to become idle; the lock of cpu's runqueue is held and may be dropped meanwhile. */
bool balance_newidle(struct sched *s, uint32_t cpu); /* true when something can run now */
/* From ENGINE_IPI_CALL on the cpu chosen as idle balancer, and on the one to push from. */
void balance_nohz(struct sched *s, uint32_t cpu);
void balance_push(struct sched *s, uint32_t cpu);

/* ---- balance_check.c ---- */
/* Part of sched_check(): masks and counts equal a recount. */
bool balance_check(const struct sched *s, struct err *err);

/* ---- idle_state.c ---- */
/* An index into the machine's idle states; next_timer_ns: when the cpu's next timer is due. */
uint32_t idle_choose_state(struct sched *s, uint32_t cpu, uint64_t next_timer_ns, bool *stop_tick);

/* ---- idle.c ---- */
/* The tick stops if it may: nohz mask and busy count follow. / It is started again. */
void idle_enter_tick(struct sched *s, uint32_t cpu, bool stop_tick);
void idle_exit_tick(struct sched *s, uint32_t cpu);
/* The cpu switches to or from its idle task: stamps, idle cores, idle masks. */
void idle_begin(struct sched *s, uint32_t cpu);
void idle_end(struct sched *s, uint32_t cpu);
/* A wake-up has queued a task on cpu (lock held): ends the idle stamp, updates avg_idle. */
void idle_woken(struct sched *s, uint32_t cpu);

#endif
