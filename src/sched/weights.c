/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One nice level is about 10 % of cpu time between two competitors, so each weight is 1.25 times
 * the next. The values are those of the kernel since 2.6.23 (sched-nice-design.rst), because
 * decisions depend on their rounding.
 */
#include "base/check.h"
#include "sched/fair.h"

uint32_t weight_of_nice(int nice)
{
	static const uint32_t weight[40] = {
		88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
		9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
		1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
		110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
	};

	CHECK(nice >= -20 && nice <= 19);
	return weight[nice + 20];
}
