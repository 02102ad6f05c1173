/* SPDX-License-Identifier: MIT
 * Doubles. No other file has floating point: what does not call these does not link them. */
#include "decimal.h"

#include "writer.h"

#include <float.h>

/* Powers that a double holds exactly. */
static const double powers_of_ten[23] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
				   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

enum { MANTISSA_DIGITS = 19, LARGEST_STEP = 22 };

static double scale(double x, int32_t exponent)
{
	while (exponent > 0 && x <= DBL_MAX) {
		const int32_t step = exponent < LARGEST_STEP ? exponent : LARGEST_STEP;
		x *= powers_of_ten[step];
		exponent -= step;
	}
	while (exponent < 0 && x != 0.0) {
		const int32_t step = exponent > -LARGEST_STEP ? -exponent : LARGEST_STEP;
		x /= powers_of_ten[step];
		exponent += step;
	}
	return x;
}

/* The leading digits as an integer, and the power of ten that they are to be multiplied by. */
static uint64_t mantissa(const struct decimal *d, int32_t *exponent)
{
	uint64_t m = 0;
	uint32_t taken = 0, seen = 0;
	for (const uint8_t *at = d->at; at < d->end; at++) {
		const uint8_t c = *at;
		if (c == '.')
			continue;
		seen++;
		if (m == 0 && c == '0')
			continue;
		if (taken < MANTISSA_DIGITS) {
			m = m * 10 + (uint64_t)(c - '0');
			taken++;
		} else {
			seen--;
		}
	}
	*exponent = (int32_t)((uint32_t)d->point - seen);
	return m;
}

quash_number quash_double(quash_value value, double *number)
{
	struct decimal d;
	int32_t exponent;
	if (!quash_decimal(&value, &d))
		return QUASH_NUMBER_TYPE;
	const uint64_t m = mantissa(&d, &exponent);
	double x = scale((double)m, exponent);
	const bool finite = x <= DBL_MAX;
	if (!finite)
		x = DBL_MAX;
	*number = d.minus ? -x : x;
	return finite ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

/* Scales `x` into [10^(digits-1), 10^digits) and returns it rounded; the exponent of its first digit is stored. */
static uint32_t leading_digits(double x, uint8_t digits, int32_t *exponent)
{
	int32_t e = 0;
	double scaled = x;
	while (scaled >= 10.0 && e < 400) {
		e++;
		scaled = scale(x, -e);
	}
	while (scaled < 1.0 && e > -400) {
		e--;
		scaled = scale(x, -e);
	}
	const double limit = powers_of_ten[digits], rounded = scale(x, digits - 1 - e) + 0.5;
	*exponent = rounded < limit ? e : e + 1;
	return (uint32_t)(rounded < limit ? rounded : limit / 10.0);
}

static uint8_t split_digits(uint32_t n, uint8_t digits, char *text)
{
	uint8_t used = digits;
	for (uint8_t i = digits; i > 0; i--) {
		text[i - 1] = (char)('0' + n % 10);
		n /= 10;
	}
	while (used > 1 && text[used - 1] == '0')
		used--;
	return used;
}

static void put_zeros(quash_writer *w, int32_t n)
{
	for (; n > 0; n--)
		quash_put_byte(w, '0');
}

/* The digits with a point after the first `whole` of them. */
static void put_plain_number(quash_writer *w, const char *text, uint8_t used, int32_t whole)
{
	if (whole <= 0) {
		quash_put_plain(w, "0.");
		put_zeros(w, -whole);
	}
	for (uint8_t i = 0; i < used; i++) {
		if (i == whole && i > 0)
			quash_put_byte(w, '.');
		quash_put_byte(w, (uint8_t)text[i]);
	}
	put_zeros(w, whole - used);
}

static void put_magnitude(quash_writer *w, double x, uint8_t digits)
{
	char text[9];
	int32_t e;
	const uint32_t n = leading_digits(x, digits, &e);
	const uint8_t used = split_digits(n, digits, text);
	if (e >= -5 && e < 15) {
		put_plain_number(w, text, used, e + 1);
		return;
	}
	put_plain_number(w, text, used, 1);
	quash_put_byte(w, 'e');
	quash_put_signed(w, e);
}

void quash_put_double(quash_writer *w, double value, uint8_t digits)
{
	const double x = value < 0.0 ? -value : value;
	if (!(x <= DBL_MAX)) {
		quash_put_null(w);
		return;
	}
	quash_put_comma(w);
	if (value < 0.0)
		quash_put_byte(w, '-');
	if (x == 0.0)
		quash_put_byte(w, '0');
	else
		put_magnitude(w, x, (uint8_t)(digits < 1 ? 1 : digits > 9 ? 9 : digits));
}
