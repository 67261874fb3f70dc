/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A 64-bit running hash of values, the same on every machine: for trace hashes and content keys.
 * Not for secrets. Start from HASH_START and fold values in order.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0x9e3779b97f4a7c15ull

static inline uint64_t hash_u64(uint64_t h, uint64_t value)
{
	h ^= value;
	h *= 0xff51afd7ed558ccdull;
	return h ^ h >> 32;
}

static inline uint64_t hash_bytes(uint64_t h, const void *data, size_t size)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < size; i++)
		h = (h ^ at[i]) * 0x100000001b3ull;
	return hash_u64(h, size);
}

#endif
