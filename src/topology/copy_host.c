/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of the counter are serialised: nothing of the copy starts before the first read or ends
 * after the second. Kernels are compiled without vector registers, so these functions are too.
 */
#include "topology/copy_host.h"

#if defined(__x86_64__)

#include <cpuid.h>

#define KERNEL_CODE __attribute__((noinline, target("no-sse,no-mmx")))

enum { ERMS_BIT = 1 << 9 };

const char *copy_counter_name(void)
{
	return "the time-stamp counter";
}

uint64_t copy_counter_start(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t copy_counter_end(void)
{
	uint32_t low, high, aux;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
	return (uint64_t)high << 32 | low;
}

void copy_flush(const void *data, size_t size)
{
	const char *at = data;

	for (size_t i = 0; i < size; i += 64)
		__asm__ volatile("clflush %0" : : "m"(at[i]) : "memory");
	__asm__ volatile("mfence" : : : "memory");
}

static KERNEL_CODE void copy_by_bytes(struct copy_level *to, const struct copy_level *from,
				      uint32_t entries)
{
	size_t count = sizeof(*to) * entries;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static KERNEL_CODE void copy_by_string_words(struct copy_level *to, const struct copy_level *from,
					     uint32_t entries)
{
	size_t count = sizeof(*to) * entries / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

KERNEL_CODE void copy_elements_by_string(struct copy_level *to, const struct copy_level *from,
					 uint32_t entries)
{
	(void)entries;
	for (uint32_t i = 0; from[i].mask; i++) {
		struct copy_level *target = &to[i];
		const struct copy_level *source = &from[i];
		size_t count = sizeof(*to) / 8;

		__asm__ volatile("rep movsq"
				 : "+D"(target), "+S"(source), "+c"(count)
				 :
				 : "memory");
	}
}

static int has_fast_bytes(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & ERMS_BIT;
}

copy_table *copy_block(void)
{
	return has_fast_bytes() ? copy_by_bytes : copy_by_string_words;
}

const char *copy_block_name(void)
{
	return has_fast_bytes() ? "rep movsb" : "rep movsq";
}

#else

#include <string.h>

#define KERNEL_CODE __attribute__((noinline))

KERNEL_CODE void copy_elements_by_string(struct copy_level *to, const struct copy_level *from,
					 uint32_t entries)
{
	copy_elements(to, from, entries);
}

static KERNEL_CODE void copy_by_memcpy(struct copy_level *to, const struct copy_level *from,
				       uint32_t entries)
{
	memcpy(to, from, sizeof(*to) * entries);
}

copy_table *copy_block(void)
{
	return copy_by_memcpy;
}

const char *copy_block_name(void)
{
	return "memcpy() of the C library";
}

void copy_flush(const void *data, size_t size)
{
	(void)data;
	(void)size;
}

#if defined(__aarch64__)

const char *copy_counter_name(void)
{
	return "the generic timer (caches are not flushed here)";
}

uint64_t copy_counter_start(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
	return ticks;
}

uint64_t copy_counter_end(void)
{
	return copy_counter_start();
}

#else

const char *copy_counter_name(void)
{
	return NULL;
}

uint64_t copy_counter_start(void)
{
	return 0;
}

uint64_t copy_counter_end(void)
{
	return 0;
}

#endif
#endif

KERNEL_CODE void copy_nothing(struct copy_level *to, const struct copy_level *from,
			      uint32_t entries)
{
	__asm__ volatile("" : : "r"(to), "r"(from), "r"(entries) : "memory");
}

KERNEL_CODE void copy_elements(struct copy_level *to, const struct copy_level *from,
			       uint32_t entries)
{
	(void)entries;
	for (uint32_t i = 0; from[i].mask; i++)
		to[i] = from[i];
}

KERNEL_CODE void copy_words(struct copy_level *to, const struct copy_level *from, uint32_t entries)
{
	const uint64_t *source = (const uint64_t *)from;
	uint64_t *target = (uint64_t *)to;

	for (size_t left = sizeof(*to) * entries / 8; left; left -= 4) {
		uint64_t a = source[0], b = source[1], c = source[2], d = source[3];

		target[0] = a;
		target[1] = b;
		target[2] = c;
		target[3] = d;
		source += 4;
		target += 4;
	}
}
