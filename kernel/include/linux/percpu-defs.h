/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-cpu operations in assembler: each is announced before it is done. Reads that the compiler may
 * merge (this_cpu_read_stable) are left alone: they are always in the cpu's own cache.
 */
#include_next <linux/percpu-defs.h>
#ifndef KS_PERCPU_DEFS_H
#define KS_PERCPU_DEFS_H
#if defined(__SANITIZE_THREAD__) && !defined(__ASSEMBLY__)
extern void ks_hook_percpu(unsigned long p, unsigned long bytes, int write);

#define KS_SAY(stem, variable, write)                                                              \
	do {                                                                                       \
		if (__builtin_strcmp(#stem, "this_cpu_read_stable_"))                              \
			ks_hook_percpu((unsigned long)(__force void *)&(variable),                 \
				       sizeof(variable), write);                                   \
	} while (0)
#define KS_BY_SIZE(stem, variable, ...)                                                            \
	__builtin_choose_expr(                                                                     \
		sizeof(variable) == 1, stem##1(variable, ##__VA_ARGS__),                           \
		__builtin_choose_expr(sizeof(variable) == 2, stem##2(variable, ##__VA_ARGS__),     \
				      __builtin_choose_expr(sizeof(variable) == 4,                 \
							    stem##4(variable, ##__VA_ARGS__),      \
							    stem##8(variable, ##__VA_ARGS__))))

#undef __pcpu_size_call_return
#define __pcpu_size_call_return(stem, variable)                                                    \
	({                                                                                         \
		KS_SAY(stem, variable, 0);                                                         \
		KS_BY_SIZE(stem, variable);                                                        \
	})
#undef __pcpu_size_call_return2
#define __pcpu_size_call_return2(stem, variable, ...)                                              \
	({                                                                                         \
		KS_SAY(stem, variable, 1);                                                         \
		KS_BY_SIZE(stem, variable, __VA_ARGS__);                                           \
	})
#ifdef __pcpu_size_call_return2bool
#undef __pcpu_size_call_return2bool
#define __pcpu_size_call_return2bool(stem, variable, ...)                                          \
	__pcpu_size_call_return2(stem, variable, ##__VA_ARGS__)
#endif
#undef __pcpu_size_call
#define __pcpu_size_call(stem, variable, ...)                                                      \
	do {                                                                                       \
		KS_SAY(stem, variable, 1);                                                         \
		switch (sizeof(variable)) {                                                        \
		case 1: stem##1(variable, ##__VA_ARGS__); break;                                   \
		case 2: stem##2(variable, ##__VA_ARGS__); break;                                   \
		case 4: stem##4(variable, ##__VA_ARGS__); break;                                   \
		default: stem##8(variable, ##__VA_ARGS__); break;                                  \
		}                                                                                  \
	} while (0)
#endif
#endif
