/* SPDX-License-Identifier: GPL-2.0-only */
/* Time to build the domains of machines of 192, 512 and 4096 cpus. */
#include "topology/build_bench.h"

int main(void)
{
	topology_build_bench(stdout);
	return 0;
}
