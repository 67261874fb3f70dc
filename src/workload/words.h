/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of a command line: numbers, times, and how a word is shown in a message. */
#ifndef WORKLOAD_WORDS_H
#define WORKLOAD_WORDS_H

#include "base/err.h"

#include <stdint.h>

enum { WORD_SHOWN = 64 };

/*
 * The word as a message may show it: cut to WORD_SHOWN bytes with "..." at the end, never within
 * a UTF-8 character; control characters and what is not UTF-8 become '?'. Returns out.
 */
char *word_show(const char *word, char out[static WORD_SHOWN]);

/* Decimal digits only; false, with nothing in err, when it is none or does not fit. */
bool word_number(const char *word, uint64_t *value);
/* Digits and a unit ns, us, ms, s or nothing, which is ns. */
bool word_time(const char *word, uint64_t *ns);

#endif
