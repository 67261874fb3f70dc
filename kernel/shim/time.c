// SPDX-License-Identifier: GPL-2.0-only
/* Clocks, high resolution timers, the tick of idle cpus and the idle states. */
#include "shim.h"

#include <linux/cpuidle.h>
#include <linux/timerqueue.h>

u64 jiffies_64 = INITIAL_JIFFIES;
int timekeeping_suspended;

/* ---- clocks: one, in ns; it advances within a call by what the call has cost so far ---- */

static u64 boot_clock = NSEC_PER_SEC;

u64 ks_clock(void)
{
	return ks_booting ? boot_clock : ks_host->clock();
}

void ks_boot_clock_set(u64 ns)
{
	boot_clock = max(boot_clock, ns);
}

void ks_boot_clock_advance(u64 ns)
{
	boot_clock += ns;
}

unsigned long long notrace sched_clock(void)
{
	return ks_clock();
}

u64 sched_clock_noinstr(void)
{
	return ks_clock();
}

ktime_t ktime_get(void)
{
	return ks_clock();
}

u64 ktime_get_mono_fast_ns(void)
{
	return ks_clock();
}

void ktime_get_real_ts64(struct timespec64 *ts)
{
	ts->tv_sec = div_u64(ks_clock(), NSEC_PER_SEC);
	ts->tv_nsec = 0;
}

ktime_t ktime_add_safe(const ktime_t a, const ktime_t b)
{
	ktime_t sum;

	return __builtin_add_overflow(a, b, &sum) ? KTIME_MAX : sum;
}

unsigned int jiffies_to_msecs(const unsigned long j)
{
	return j * (MSEC_PER_SEC / HZ);
}

unsigned int jiffies_to_usecs(const unsigned long j)
{
	return j * (USEC_PER_SEC / HZ);
}

unsigned long __msecs_to_jiffies(const unsigned int ms)
{
	return DIV_ROUND_UP((u64)ms * HZ, MSEC_PER_SEC);
}

unsigned long __usecs_to_jiffies(const unsigned int us)
{
	return DIV_ROUND_UP((u64)us * HZ, USEC_PER_SEC);
}

u64 nsecs_to_jiffies64(u64 ns)
{
	return div_u64(ns, TICK_NSEC);
}

unsigned long nsecs_to_jiffies(u64 ns)
{
	return nsecs_to_jiffies64(ns);
}

/* ---- high resolution timers: a queue for each cpu, the first of which the host knows ---- */

struct timers {
	struct hrtimer_cpu_base cpu_base;
	struct hrtimer_clock_base base;
	struct timerqueue_head queue;
	u32 cpu;
};

static struct timers timers[NR_CPUS];

static struct timers *timers_of(const struct hrtimer *t)
{
	return container_of(t->base, struct timers, base);
}

static struct timers *timers_on(u32 cpu)
{
	struct timers *own = &timers[cpu];

	own->cpu = cpu;
	own->base.cpu_base = &own->cpu_base;
#if KS_HAVE_HRTIMER_GET_TIME
	own->base.get_time = ktime_get;
#endif
	return own;
}

static struct timers *own_timers(void)
{
	return timers_on(ks_cpu);
}

static void tell_host(struct timers *queue)
{
	struct timerqueue_node *next = timerqueue_getnext(&queue->queue);

	if (!ks_booting)
		ks_host->timer(queue->cpu, next ? next->expires : U64_MAX);
}

static void timer_prepare(struct hrtimer *t)
{
	memset(t, 0, sizeof(*t));
	timerqueue_init(&t->node);
	t->base = &own_timers()->base;
}

#if KS_HAVE_HRTIMER_INIT
void hrtimer_init(struct hrtimer *t, clockid_t clock, enum hrtimer_mode mode)
{
	timer_prepare(t);
}
#endif
#if KS_HAVE_HRTIMER_SETUP
void hrtimer_setup(struct hrtimer *t, enum hrtimer_restart (*function)(struct hrtimer *),
		   clockid_t clock, enum hrtimer_mode mode)
{
	timer_prepare(t);
	ACCESS_PRIVATE(t, function) = function;
}
#define TIMER_FUNCTION(t) ACCESS_PRIVATE(t, function)
#else
#define TIMER_FUNCTION(t) ((t)->function)
#endif

static void timer_queue(struct hrtimer *t, struct timers *queue)
{
	t->state = HRTIMER_STATE_ENQUEUED;
	timerqueue_add(&queue->queue, &t->node);
}

static int timer_dequeue(struct hrtimer *t)
{
	if (!(t->state & HRTIMER_STATE_ENQUEUED))
		return 0;
	t->state = HRTIMER_STATE_INACTIVE;
	timerqueue_del(&timers_of(t)->queue, &t->node);
	return 1;
}

void hrtimer_start_range_ns(struct hrtimer *t, ktime_t expires, u64 slack,
			    const enum hrtimer_mode mode)
{
	if (timer_dequeue(t))
		tell_host(timers_of(t));
	if (mode & HRTIMER_MODE_REL)
		expires += ks_clock();
	hrtimer_set_expires_range_ns(t, expires, slack);
	t->base = &own_timers()->base;
	timer_queue(t, own_timers());
	tell_host(own_timers());
}

int hrtimer_try_to_cancel(struct hrtimer *t)
{
	int was_queued = timer_dequeue(t);

	if (was_queued)
		tell_host(timers_of(t));
	return was_queued;
}

int hrtimer_cancel(struct hrtimer *t)
{
	return hrtimer_try_to_cancel(t);
}

bool hrtimer_active(const struct hrtimer *t)
{
	return t->state & HRTIMER_STATE_ENQUEUED;
}

u64 hrtimer_forward(struct hrtimer *t, ktime_t now, ktime_t interval)
{
	u64 late = max_t(s64, now - hrtimer_get_expires(t), -1), periods;

	if ((s64)late < 0)
		return 0;
	periods = div64_u64(late, interval) + 1;
	hrtimer_add_expires_ns(t, periods * interval);
	return periods;
}

void ks_timers_expire(void)
{
	struct timers *own = own_timers();
	struct timerqueue_node *node;
	u64 now = ks_clock();

	while ((node = timerqueue_getnext(&own->queue)) && node->expires <= now) {
		struct hrtimer *t = container_of(node, struct hrtimer, node);

		timer_dequeue(t);
		if (TIMER_FUNCTION(t)(t) == HRTIMER_RESTART && !hrtimer_active(t))
			timer_queue(t, own);
	}
	tell_host(own);
}

u64 ks_timers_first(u32 cpu)
{
	struct timerqueue_node *next = timerqueue_getnext(&timers[cpu].queue);

	return next ? next->expires : U64_MAX;
}

void ks_timers_leave(u32 to)
{
	struct timers *from = own_timers(), *heir = timers_on(to);
	struct timerqueue_node *node;

	while ((node = timerqueue_getnext(&from->queue))) {
		struct hrtimer *t = container_of(node, struct hrtimer, node);

		timer_dequeue(t);
		t->base = &heir->base;
		timer_queue(t, heir);
	}
	tell_host(from);
	tell_host(heir);
}

#if !KS_HAVE_HRTIMER_GET_TIME
ktime_t hrtimer_cb_get_time(const struct hrtimer *t)
{
	return ks_clock();
}
#endif

/* ---- the tick of an idle cpu ---- */

static bool tick_stopped[NR_CPUS], got_tick[NR_CPUS];

void ks_got_idle_tick(void)
{
	got_tick[ks_cpu] = true;
}

void ks_idle_tick_reset(void)
{
	tick_stopped[ks_cpu] = got_tick[ks_cpu] = false;
}

bool tick_nohz_tick_stopped(void)
{
	return tick_stopped[ks_cpu];
}

bool tick_nohz_tick_stopped_cpu(int cpu)
{
	return tick_stopped[cpu];
}

/* The idle task was chosen: the host is told before its loop goes on. */
void tick_nohz_idle_enter(void)
{
	ks_park();
}

bool tick_nohz_idle_got_tick(void)
{
	bool got = got_tick[ks_cpu];

	got_tick[ks_cpu] = false;
	return got;
}

void tick_nohz_idle_retain_tick(void)
{
}

void tick_nohz_idle_stop_tick(void)
{
	if (tick_stopped[ks_cpu])
		return;
	tick_stopped[ks_cpu] = true;
	ks_host->tick(ks_cpu, 0);
	nohz_balance_enter_idle(ks_cpu);
	calc_load_nohz_start();
}

void tick_nohz_idle_restart_tick(void)
{
	if (!tick_stopped[ks_cpu])
		return;
	tick_stopped[ks_cpu] = false;
	calc_load_nohz_stop();
	ks_host->tick(ks_cpu, 1);
}

void tick_nohz_idle_exit(void)
{
	tick_nohz_idle_restart_tick();
}

int tick_check_broadcast_expired(void)
{
	return 0;
}

unsigned long tick_nohz_get_idle_calls_cpu(int cpu)
{
	return 0;
}

/* ---- idle states: chosen by the host, entered by parking ---- */

static struct cpuidle_device idle_device[NR_CPUS];
DEFINE_PER_CPU(struct cpuidle_device *, cpuidle_devices);
static bool state_polls[NR_CPUS];

/* The idle loop asks whether there is more than one state, and no more. */
static struct cpuidle_driver idle_driver = { .name = "schedlab", .state_count = 2 };

void ks_idle_init(void)
{
	int cpu;

	BUILD_BUG_ON(KS_IDLE_STATES > CPUIDLE_STATE_MAX);
	for (u32 i = 0; i < ks_machine->nr_idle_states; i++) {
		idle_driver.states[i].exit_latency_ns = ks_machine->exit_latency_ns[i];
		idle_driver.states[i].exit_latency = ks_machine->exit_latency_ns[i] / NSEC_PER_USEC;
	}

	for_each_possible_cpu(cpu)
	{
		idle_device[cpu].enabled = 1;
		idle_device[cpu].cpu = cpu;
		per_cpu(cpuidle_devices, cpu) = &idle_device[cpu];
	}
}

bool cpuidle_not_available(struct cpuidle_driver *drv, struct cpuidle_device *dev)
{
	return !drv || !dev;
}

struct cpuidle_driver *cpuidle_get_cpu_driver(struct cpuidle_device *dev)
{
	return &idle_driver;
}

int cpuidle_select(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop_tick)
{
	int stop = 0, polls = 0;
	u32 state = 0;

	if (!ks_booting)
		state = ks_host->idle_state(ks_cpu, &stop, &polls);
	*stop_tick = stop;
	state_polls[ks_cpu] = polls;
	return state;
}

int cpuidle_enter(struct cpuidle_driver *drv, struct cpuidle_device *dev, int state)
{
	if (state_polls[ks_cpu])
		__current_set_polling();
	sched_idle_set_state(&idle_driver.states[state]);
	ks_park();
	sched_idle_set_state(NULL);
	if (state_polls[ks_cpu])
		__current_clr_polling();
	ks_irq_flag = X86_EFLAGS_IF;
	return state;
}

void cpuidle_reflect(struct cpuidle_device *dev, int state)
{
}

void arch_cpu_idle(void)
{
	ks_fail(KS_FAIL_SHIM, "the default idle loop was entered");
}

void arch_cpu_idle_enter(void)
{
}

void arch_cpu_idle_exit(void)
{
}

void arch_cpu_idle_prepare(void)
{
}

void cpuhp_online_idle(enum cpuhp_state state)
{
}
