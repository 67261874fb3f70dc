/* SPDX-License-Identifier: GPL-2.0-only */
/* Copying the default level table: element by element against one block. */
#include "topology/copy_bench.h"

int main(void)
{
	return topology_copy_bench(stdout, COPY_BENCH_RUNS);
}
