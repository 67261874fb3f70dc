/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as text, the same bytes on every machine.
 *
 * Every function writes a terminated string into out (NUMBER_SIZE bytes) and returns out. The C
 * locale is assumed: the program never calls setlocale.
 */
#ifndef TEXT_NUMBER_H
#define TEXT_NUMBER_H

#include <stdint.h>

enum { NUMBER_SIZE = 40 };

/*
 * The shortest decimal that reads back as the same double (15 digits at least are tried, so
 * numbers under 2^-1022 may come out longer); "nan", "inf", "-inf" as such.
 */
char *number_shortest(double value, char out[NUMBER_SIZE]);

/* Rounded to `digits` significant digits (1-17), without trailing zeros. */
char *number_rounded(double value, int digits, char out[NUMBER_SIZE]);

/*
 * For people: about five significant digits, never an exponent below 10^15, thousands not
 * grouped: 1.8151, 312.46, 171792; whole numbers without a point; "n/a" when not finite.
 */
char *number_human(double value, char out[NUMBER_SIZE]);

/* Decimals that number_human gives a measured (not whole) value of this magnitude: 0 to 6. */
int number_decimals(double magnitude);

#endif
