/* SPDX-License-Identifier: MIT
 * An oracle for the library's conversion, made for being right and not for being fast: whole numbers of any size,
 * rounded once. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 96, KEPT = 53, LOWEST = -1074, HIGHEST = 971, BIAS = 1075 };

struct whole {
	uint32_t words[WORDS]; /* the lowest first */
	int used;
	int exponent; /* times 2 to the power of it */
	bool more;    /* and something less than 1 */
};

static void multiply_and_add(struct whole *w, uint32_t factor, uint32_t more)
{
	uint64_t carry = more;
	for (int i = 0; i < w->used; i++) {
		carry += (uint64_t)w->words[i] * factor;
		w->words[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry > 0)
		w->words[w->used++] = (uint32_t)carry;
}

static void divide(struct whole *w, uint32_t by)
{
	uint64_t rest = 0;
	for (int i = w->used - 1; i >= 0; i--) {
		rest = rest << 32 | w->words[i];
		w->words[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	w->more |= rest > 0;
	while (w->used > 0 && w->words[w->used - 1] == 0)
		w->used--;
}

static void shift_words(struct whole *w, int n)
{
	memmove(w->words + n, w->words, (size_t)w->used * sizeof *w->words);
	memset(w->words, 0, (size_t)n * sizeof *w->words);
	w->used += n;
	w->exponent -= 32 * n;
}

/* Times 10 to the power of `power`, as one of 5 and one of 2. A quotient keeps at least 64 bits. */
static void scale(struct whole *w, int power)
{
	if (w->used == 0)
		return;
	if (power < 0)
		shift_words(w, -power * 7 / 96 + 4);
	w->exponent += power;
	for (; power > 0; power--)
		multiply_and_add(w, 5, 0);
	for (; power < 0; power++)
		divide(w, 5);
}

static bool bit(const struct whole *w, int n)
{
	return n >= 0 && (w->words[n / 32] >> n % 32 & 1);
}

static int bits(const struct whole *w)
{
	int n = 32 * w->used;
	while (n > 0 && !bit(w, n - 1))
		n--;
	return n;
}

static bool any_below(const struct whole *w, int n)
{
	for (int i = 0; i < n; i++) {
		if (bit(w, i))
			return true;
	}
	return w->more;
}

/* The mantissa from bit `from` on, rounded half to even. */
static uint64_t rounded(const struct whole *w, int from, int length)
{
	uint64_t mantissa = 0;
	for (int i = length - 1; i >= from; i--)
		mantissa = mantissa << 1 | bit(w, i);
	if (bit(w, from - 1) && from <= length && (any_below(w, from - 1) || (mantissa & 1)))
		mantissa++;
	return mantissa;
}

static uint64_t to_bits(const struct whole *w)
{
	const int length = bits(w);
	int from = length - KEPT;
	if (from + w->exponent < LOWEST)
		from = LOWEST - w->exponent;
	uint64_t mantissa = from > length ? 0 : rounded(w, from < 0 ? 0 : from, length);
	if (from < 0)
		mantissa <<= -from;
	const int exponent = from + w->exponent;
	if (mantissa == 0)
		return 0;
	if (exponent > HIGHEST || (exponent == HIGHEST && mantissa >> KEPT))
		return (uint64_t)0x7FF << 52;
	/* A mantissa that rounding made longer carries into the exponent by itself. */
	return mantissa >> 52 ? ((uint64_t)(exponent + BIAS - 1) << 52) + mantissa : mantissa;
}

static int read_power(const char *text)
{
	const bool negative = *text == '-';
	int power = 0;
	for (text += negative || *text == '+'; *text >= '0' && *text <= '9' && power < 10000; text++)
		power = 10 * power + (*text - '0');
	return negative ? -power : power;
}

static int read_digits(struct whole *w, const char **text)
{
	int behind = 0;
	bool point = false;
	for (; (**text >= '0' && **text <= '9') || (**text == '.' && !point); ++*text) {
		if (**text == '.') {
			point = true;
			continue;
		}
		multiply_and_add(w, 10, (uint32_t)(**text - '0'));
		behind += point;
	}
	return behind;
}

double strtod(const char *text, char **end)
{
	static struct whole w;
	const bool negative = *text == '-';
	double number = 0;
	(void)end;
	memset(&w, 0, sizeof w);
	text += negative;
	int power = -read_digits(&w, &text);
	if (*text == 'e' || *text == 'E')
		power += read_power(text + 1);
	if (power < -500 || power > 500)
		power = power < 0 ? -500 : 500;
	scale(&w, power);
	const uint64_t bits_of = to_bits(&w) | (uint64_t)negative << 63;
	memcpy(&number, &bits_of, sizeof number);
	return number;
}
