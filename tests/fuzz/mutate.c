/* SPDX-License-Identifier: GPL-2.0-only */
#include "mutate.h"

#include <ctype.h>
#include <string.h>

enum { MAX_STEPS = 4, MAX_PIECE = 64 };

static size_t below(struct random *r, size_t n)
{
	return n ? (size_t)random_below(r, n) : 0;
}

/* Replaces the `cut` bytes at `at` by `size` bytes of `piece`, as far as there is room. */
static void replace(struct bytes *b, size_t at, size_t cut, const uint8_t *piece, size_t size)
{
	uint8_t copy[MAX_PIECE];

	if (size > MAX_PIECE || b->size - cut + size > b->room)
		return;
	if (size)
		memcpy(copy, piece, size);
	memmove(b->data + at + size, b->data + at + cut, b->size - at - cut);
	memcpy(b->data + at, copy, size);
	b->size = b->size - cut + size;
}

static void flip_bit(struct bytes *b, const struct bytes *other, struct random *r)
{
	(void)other;
	if (b->size)
		b->data[below(r, b->size)] ^= (uint8_t)(1u << below(r, 8));
}

static void set_byte(struct bytes *b, const struct bytes *other, struct random *r)
{
	static const uint8_t odd[] = "\0\xff\x7f\x80\n\t \"\\{}[](),:;=*-+/.0129aA<>&%'!";
	uint8_t byte = below(r, 4) ? odd[below(r, sizeof(odd) - 1)] : (uint8_t)random_next(r);
	bool inserted = below(r, 2);

	(void)other;
	if (b->size)
		replace(b, below(r, b->size), inserted ? 0 : 1, &byte, 1);
}

static void cut_piece(struct bytes *b, const struct bytes *other, struct random *r)
{
	size_t at = below(r, b->size), most = b->size - at;

	(void)other;
	replace(b, at, 1 + below(r, most < MAX_PIECE ? most : MAX_PIECE) - !b->size, NULL, 0);
}

static void cut_end(struct bytes *b, const struct bytes *other, struct random *r)
{
	(void)other;
	b->size = below(r, b->size + 1);
}

static void take_piece(struct bytes *b, const struct bytes *other, struct random *r)
{
	const struct bytes *from = below(r, 2) ? other : b;
	size_t start = below(r, from->size), most = from->size - start;
	size_t at = below(r, b->size + 1), size = below(r, most < MAX_PIECE ? most : MAX_PIECE);

	replace(b, at, below(r, 2) && size <= b->size - at ? size : 0, from->data + start, size);
}

/* A number of the text becomes an odd one. */
static void change_number(struct bytes *b, const struct bytes *other, struct random *r)
{
	static const char *const odd[] = {
		"0",	"-1",	"1",	"2147483648", "4294967295",
		"8191", "8192", "1e9",	"00",	      "18446744073709551615",
		"1024", "255",	"1.5",	"0x10",	      "99999999999999999999",
		"",	"65",	"10000"
	};
	const char *number = odd[below(r, sizeof(odd) / sizeof(odd[0]))];
	size_t at = below(r, b->size), end;

	(void)other;
	while (at < b->size && !isdigit(b->data[at]))
		at++;
	for (end = at; end < b->size && isdigit(b->data[end]);)
		end++;
	if (at < b->size)
		replace(b, at, end - at, (const uint8_t *)number, strlen(number));
}

/* A line is doubled or goes away. */
static void change_line(struct bytes *b, const struct bytes *other, struct random *r)
{
	size_t at = below(r, b->size), end;

	(void)other;
	while (at && b->data[at - 1] != '\n')
		at--;
	for (end = at; end < b->size && b->data[end] != '\n';)
		end++;
	end += end < b->size;
	if (below(r, 2))
		replace(b, at, end - at, NULL, 0);
	else
		replace(b, at, 0, b->data + at, end - at);
}

void mutate(struct bytes *b, const struct bytes *other, struct random *r)
{
	static void (*const steps[])(struct bytes *, const struct bytes *, struct random *) = {
		flip_bit,   set_byte,	   set_byte,	  cut_piece,   cut_end,
		take_piece, change_number, change_number, change_line,
	};

	for (size_t n = 1 + below(r, MAX_STEPS); n; n--)
		steps[below(r, sizeof(steps) / sizeof(steps[0]))](b, other, r);
}
