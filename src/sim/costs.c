/* SPDX-License-Identifier: GPL-2.0-only */
#include "sim/costs.h"
#include "base/fixed.h"

static uint64_t cycles(const struct machine *m, enum cost cost)
{
	return machine_cycles_ns(m, machine_cost(m, cost));
}

void sim_costs_init(struct sim_costs *costs, const struct machine *m)
{
	*costs = (struct sim_costs){
		.syscall_ns = cycles(m, COST_syscall),
		.pipe_ns = cycles(m, COST_pipe),
		.socket_ns = cycles(m, COST_socket),
		.futex_ns = cycles(m, COST_futex),
		.fork_ns = cycles(m, COST_fork),
		.thread_ns = cycles(m, COST_thread),
		.tick_ns = cycles(m, COST_tick),
		.timer_ns = cycles(m, COST_timer),
		.idle_loop_ns = cycles(m, COST_idle_loop),
		.irq_entry_ns = machine_cost(m, COST_irq_entry),
		.ipi_near_ns = machine_cost(m, COST_ipi_near),
		.ipi_far_ns = machine_cost(m, COST_ipi_far),
		.poll_notice_ns = machine_cost(m, COST_poll_notice),
		.copy_mib_ns = machine_cycles_ns(m, machine_cost(m, COST_copy_kib) * 1024),
		.l2_kib = (uint32_t)machine_cost(m, COST_l2),
		.overlap_pct = (uint32_t)machine_cost(m, COST_scan_overlap),
		.jitter_q32 = (machine_cost(m, COST_op_jitter) << 32) / 1000000,
	};
	costs->refill_kib_ns[TIE_CLUSTER] = machine_cost(m, COST_refill_core_kib);
	costs->refill_kib_ns[TIE_LLC] = machine_cost(m, COST_refill_core_kib);
	costs->refill_kib_ns[TIE_NODE] = machine_cost(m, COST_refill_llc_kib);
	costs->refill_kib_ns[TIE_REMOTE] = machine_cost(m, COST_refill_node_kib);
}

struct sim_speeds sim_speeds_of(const struct machine *m, uint32_t capacity)
{
	uint64_t share = machine_cost(m, COST_smt_share);
	struct sim_speeds speeds;

	for (uint32_t busy = 0; busy < SIM_MAX_THREADS; busy++) {
		uint64_t alone = mul_div_floor(capacity, SIM_FULL_SPEED, CAPACITY_FULL);
		uint64_t speed = busy ? alone * share * 2 / (100 * (busy + 1)) : alone;

		speeds.speed[busy] = (uint32_t)(speed ? speed : 1);
		speeds.inverse[busy] =
			mul_div_ceil(SIM_FULL_SPEED, SIM_FULL_SPEED, speeds.speed[busy]);
	}
	return speeds;
}
