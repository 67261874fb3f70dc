/* SPDX-License-Identifier: GPL-2.0-only */
/* The capacity of a cpu is a function of the architecture. */
#include <linux/sched/topology.h>
#ifndef arch_scale_cpu_capacity
#error "the kernel's own"
#endif
