/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults that are not the user's: our own bugs and the world's refusals.
 *
 * CHECK states what must hold whatever the input was. It is on in every build; when it fails the
 * program prints file, line and the condition and aborts. die() is for a world that does not
 * give what every run needs (memory, a writable disk): it prints one line and exits 3.
 * What a user typed wrongly is neither: see err.h.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))

_Noreturn void check_failed(const char *file, int line, const char *cond);
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
