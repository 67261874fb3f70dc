/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-entity load tracking (Turner 2012; LWN 531853). Time is cut into periods of 1024 us; what
 * happened n periods ago counts y^n, y^32 = 1/2:
 *
 *   sum = u_0 + u_1 y + u_2 y^2 + …
 *
 * Between two updates `p` periods apart, with d1 left of the old period, d3 in the new one:
 *
 *   sum' = sum y^p + load (d1 y^p + 1024 (y + … + y^(p-1)) + d3)
 *
 * and the middle is SUM_MAX - SUM_MAX y^p - 1024, SUM_MAX being the whole series. An average is a
 * sum over the series as far as the present period has come. Decay is by integers alone:
 * halving for each 32 periods, then one 32-bit factor.
 */
#include "base/check.h"
#include "sched/fair.h"

enum {
	PERIOD = 1024,
	HALF_LIFE = 32,
	SUM_MAX = 47742,
	SUM_MIN = SUM_MAX - PERIOD, /* the series at the very start of a period */
};

static uint64_t root_floor(u128 value)
{
	uint64_t root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t next = root | 1ull << bit;

		if ((u128)next * next <= value)
			root = next;
	}
	return root;
}

/* y^16 = sqrt(1/2), y^8 its root, and so on; y^n is the product of those of n's bits. */
void pelt_init(struct sched *s)
{
	const int bits = 62; /* fraction bits while computing */
	uint64_t power[5], value = 1ull << (bits - 1);

	for (int i = 4; i >= 0; i--) {
		value = root_floor((u128)value << bits);
		power[i] = value;
	}
	s->decay[0] = UINT32_MAX; /* the kernel's factors are in units of 1 / (2^32 - 1) */
	for (uint32_t n = 1; n < HALF_LIFE; n++) {
		value = 1ull << bits;
		for (int i = 0; i < 5; i++)
			if (n >> i & 1)
				value = (uint64_t)((u128)value * power[i] >> bits);
		s->decay[n] = (uint32_t)((u128)value * UINT32_MAX >> bits);
	}
}

static uint64_t decay(const struct sched *s, uint64_t value, uint64_t periods)
{
	if (periods == 0)
		return value;
	if (periods > 63 * HALF_LIFE)
		return 0;
	value >>= periods / HALF_LIFE;
	return (uint64_t)((u128)value * s->decay[periods % HALF_LIFE] >> 32);
}

static uint64_t divider(const struct pelt *p)
{
	return SUM_MIN + p->contribution;
}

struct activity {
	uint64_t load;	   /* weight of what is queued; 1 for a task */
	uint32_t runnable; /* how many are queued */
	bool runs;
};

/* Crosses `periods` boundaries and returns what the time between contributes. */
static uint64_t cross_periods(const struct sched *s, struct pelt *p, uint64_t periods,
			      uint64_t rest)
{
	uint64_t begun = PERIOD - p->contribution;

	p->load_sum = decay(s, p->load_sum, periods);
	p->runnable_sum = decay(s, p->runnable_sum, periods);
	p->util_sum = decay(s, p->util_sum, periods);
	return decay(s, begun, periods) + (SUM_MAX - decay(s, SUM_MAX, periods) - PERIOD) + rest;
}

/* True when a period ended, so that averages are due. */
static bool advance(const struct sched *s, struct pelt *p, uint64_t now_ns, struct activity a)
{
	int64_t passed_ns = vns_delta(now_ns, p->updated_ns);
	uint64_t passed, periods, contribution;

	if (passed_ns < PERIOD)
		return false;
	passed = (uint64_t)passed_ns / PERIOD;
	p->updated_ns += passed * PERIOD;
	contribution = passed;
	passed += p->contribution;
	periods = passed / PERIOD;
	passed %= PERIOD;
	if (periods)
		contribution = cross_periods(s, p, periods, passed);
	p->contribution = (uint32_t)passed;
	if (a.load) {
		p->load_sum += a.load * contribution;
		p->runnable_sum += (a.runnable * contribution) << 10;
		if (a.runs)
			p->util_sum += contribution << 10;
	}
	return periods != 0;
}

static void average(struct pelt *p, uint64_t weight_wt)
{
	uint64_t series = divider(p);

	p->load_avg = weight_wt * p->load_sum / series;
	p->runnable_avg = (uint32_t)(p->runnable_sum / series);
	p->util_avg = (uint32_t)(p->util_sum / series);
}

/* Takes averages out; sums never fall below what the averages left say. */
static void subtract(struct pelt *p, uint64_t load, uint64_t runnable, uint64_t util)
{
	uint64_t series = divider(p);

	p->load_avg = sub_to_zero_u64(p->load_avg, load);
	p->runnable_avg = (uint32_t)sub_to_zero_u64(p->runnable_avg, runnable);
	p->util_avg = (uint32_t)sub_to_zero_u64(p->util_avg, util);
	p->load_sum = max_u64(sub_to_zero_u64(p->load_sum, load * series), p->load_avg * SUM_MIN);
	p->runnable_sum = max_u64(sub_to_zero_u64(p->runnable_sum, runnable * series),
				  p->runnable_avg * SUM_MIN);
	p->util_sum = max_u64(sub_to_zero_u64(p->util_sum, util * series), p->util_avg * SUM_MIN);
}

/* What left for other cpus since the last update. */
static void apply_removed(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	touch_lock(s, FIELD_cfs_removed, cpu);
	touch_unlock(s, FIELD_cfs_removed, cpu);
	subtract(&rq->avg, rq->removed_load, rq->removed_runnable, rq->removed_util);
	rq->removed_load = rq->removed_runnable = rq->removed_util = 0;
	rq->nr_removed = 0;
}

void pelt_update_rq(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	struct activity a = { rq->load_wt, rq->nr_queued, rq->curr != TASK_NONE };

	touch_write(s, FIELD_cfs_avg, cpu);
	if (rq->nr_removed)
		apply_removed(s, cpu);
	if (advance(s, &rq->avg, rq->clock_pelt_ns, a))
		average(&rq->avg, 1);
}

/* A task's averages as of its runqueue's clock; it is attached there. */
static void update_task(struct sched *s, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	bool queued = task_on_rq(t);
	struct activity a = { queued, queued, t->is_running };

	if (advance(s, &t->avg, s->rq[t->cpu].clock_pelt_ns, a))
		average(&t->avg, t->weight_wt);
}

void pelt_update_task(struct sched *s, uint32_t task)
{
	touch_write(s, FIELD_task_avg, task);
	if (s->task[task].is_attached)
		update_task(s, task);
}

/*
 * A newcomer's load is its weight; its utilisation is in the proportion of the runqueue's to its
 * load, at most half of what is free (v4.8, 2b8c41daba32).
 */
void pelt_init_task(struct sched *s, uint32_t task, uint32_t cpu)
{
	struct sched_task *t = &s->task[task];
	const struct pelt *avg = &s->rq[cpu].avg;
	uint64_t free_cap = sub_to_zero_u64(s->machine->cpu[cpu].capacity, avg->util_avg) / 2;
	uint64_t util = free_cap;

	if (avg->util_avg && free_cap)
		util = min_u64(avg->util_avg * (uint64_t)t->weight_wt / (avg->load_avg + 1),
			       free_cap);
	t->avg = (struct pelt){ .load_avg = t->weight_wt,
				.util_avg = (uint32_t)util,
				.runnable_avg = (uint32_t)util };
	t->is_attached = false;
}

void pelt_attach(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	struct pelt *rq_avg = &s->rq[cpu].avg, *avg = &t->avg;
	uint64_t series = divider(rq_avg);

	CHECK(!t->is_attached);
	t->is_attached = true;
	avg->updated_ns = rq_avg->updated_ns;
	avg->contribution = rq_avg->contribution;
	avg->util_sum = avg->util_avg * series;
	avg->runnable_sum = avg->runnable_avg * series;
	avg->load_sum = max_u64(avg->load_avg * series / t->weight_wt, 1);
	rq_avg->load_avg += avg->load_avg;
	rq_avg->load_sum += avg->load_sum * t->weight_wt;
	rq_avg->runnable_avg += avg->runnable_avg;
	rq_avg->runnable_sum += avg->runnable_sum;
	rq_avg->util_avg += avg->util_avg;
	rq_avg->util_sum += avg->util_sum;
}

void pelt_detach(struct sched *s, uint32_t task)
{
	struct sched_task *t = &s->task[task];

	if (!t->is_attached)
		return;
	t->is_attached = false;
	subtract(&s->rq[t->cpu].avg, t->avg.load_avg, t->avg.runnable_avg, t->avg.util_avg);
}

void pelt_remove_asleep(struct sched *s, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[t->cpu];

	if (!t->is_attached)
		return;
	touch_read(s, FIELD_cfs_avg, t->cpu);
	touch_write(s, FIELD_task_avg, task);
	update_task(s, task);
	t->is_attached = false;
	touch_lock(s, FIELD_cfs_removed, t->cpu);
	rq->removed_load += t->avg.load_avg;
	rq->removed_runnable += t->avg.runnable_avg;
	rq->removed_util += t->avg.util_avg;
	rq->nr_removed++;
	touch_unlock(s, FIELD_cfs_removed, t->cpu);
}

/* The load average follows the weight at once; the runqueue's gets the difference. */
void pelt_reweigh(struct sched *s, uint32_t task, uint32_t weight_wt)
{
	struct sched_task *t = &s->task[task];
	struct pelt *rq_avg = &s->rq[t->cpu].avg;
	uint64_t old = t->avg.load_avg;

	t->weight_wt = weight_wt;
	if (!t->is_attached) {
		t->avg.load_avg = old ? weight_wt : 0;
		return;
	}
	t->avg.load_avg = weight_wt * t->avg.load_sum / divider(&t->avg);
	subtract(rq_avg, old, 0, 0);
	rq_avg->load_avg += t->avg.load_avg;
	rq_avg->load_sum += weight_wt * t->avg.load_sum;
}

void util_est_enqueue(struct sched *s, uint32_t cpu, uint32_t task)
{
	s->rq[cpu].avg.util_est += s->task[task].avg.util_est;
}

/*
 * The estimate follows a growing utilisation at once and a falling one by a quarter of the
 * difference; what differs by less than 1 % is left alone.
 */
void util_est_dequeue(struct sched *s, uint32_t cpu, uint32_t task, bool sleeps)
{
	struct pelt *avg = &s->task[task].avg;
	uint32_t margin = CAPACITY_FULL / 100;

	s->rq[cpu].avg.util_est -= avg->util_est;
	if (!sleeps || !sched_has(s, FEATURE_UTIL_EST))
		return;
	if (avg->util_est <= avg->util_avg)
		avg->util_est = avg->util_avg;
	else if (avg->util_est - avg->util_avg > margin)
		avg->util_est -= (avg->util_est - avg->util_avg) / 4;
}

uint64_t cpu_load(const struct sched *s, uint32_t cpu)
{
	return s->rq[cpu].avg.load_avg;
}

uint64_t cpu_runnable(const struct sched *s, uint32_t cpu)
{
	return s->rq[cpu].avg.runnable_avg;
}

uint64_t cpu_util(const struct sched *s, uint32_t cpu)
{
	const struct pelt *avg = &s->rq[cpu].avg;
	uint64_t util = avg->util_avg;

	if (sched_has(s, FEATURE_UTIL_EST))
		util = max_u64(util, avg->util_est);
	return min_u64(util, s->machine->cpu[cpu].capacity);
}

uint64_t task_load(const struct sched *s, uint32_t task)
{
	return s->task[task].avg.load_avg;
}

uint64_t task_util(const struct sched *s, uint32_t task)
{
	const struct pelt *avg = &s->task[task].avg;

	return sched_has(s, FEATURE_UTIL_EST) ? max_u64(avg->util_avg, avg->util_est)
					      : avg->util_avg;
}
