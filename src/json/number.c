/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "writer.h"

#include <float.h>

/* --- Integers */

/* No number has so many zeros that a larger exponent would make a difference. */
enum { FAR_EXPONENT = 1000 };

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

QUASH_NOINLINE static const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end)
{
	while (at < end && is_digit(*at))
		at++;
	return at;
}

/* `at` is that of the letter. */
static int exponent(const uint8_t *at, const uint8_t *end)
{
	bool minus = false;
	int e = 0;
	for (; at < end && e < FAR_EXPONENT; at++) {
		if (*at == '-')
			minus = true;
		else if (is_digit(*at))
			e = e * 10 + (*at & 15);
	}
	return minus ? -e : e;
}

bool quash_decimal(const quash_value *v, struct decimal *d)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	const quash_size to = (quash_size)(from + length);
	if (quash_value_kind(v) != QUASH_NUMBER || to > v->end || from >= to)
		return false;
	const uint8_t *at = v->arena + from;
	const uint8_t *const end = v->arena + to;
	d->minus = *at == '-';
	if (d->minus)
		at++;
	d->at = at;
	at = skip_digits(at, end);
	d->point = at - d->at;
	if (at < end && *at == '.')
		at = skip_digits(at + 1, end);
	d->end = at;
	d->point += exponent(at, end);
	return true;
}

/* The next digit; zeros follow the last one. */
static uint8_t next_digit(struct decimal *d)
{
	if (d->point > 0)
		d->point--;
	if (d->at < d->end && *d->at == '.')
		d->at++;
	return d->at < d->end ? *d->at++ & 15 : 0;
}

/* Nothing is divided: a small processor would need the compiler's library for that. */
static bool append_digit(uint32_t *number, uint8_t digit)
{
	const uint32_t n = *number;
	const uint32_t next = n * 10 + digit;
	if (n > UINT32_MAX / 10 || next < digit)
		return false;
	*number = next;
	return true;
}

/* The magnitude of a number without fraction, or the largest one. Zeros that follow a zero are not read. */
static quash_number magnitude(const quash_value *v, struct decimal *d, uint32_t *number)
{
	uint32_t n = 0;
	bool fits = true;
	if (!quash_decimal(v, d))
		return QUASH_NUMBER_TYPE;
	while (d->at < d->end || (d->point > 0 && n != 0 && fits)) {
		const bool fraction = d->point <= 0;
		const uint8_t digit = next_digit(d);
		if (fraction && digit != 0)
			return QUASH_NUMBER_TYPE;
		if (!fraction && !append_digit(&n, digit))
			fits = false;
	}
	*number = fits ? n : UINT32_MAX;
	return fits ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

bool quash_is_integer(const quash_value *v)
{
	struct decimal d;
	uint32_t n;
	return magnitude(v, &d, &n) != QUASH_NUMBER_TYPE;
}

quash_number quash_value_int32(const quash_value *v, int32_t *number)
{
	struct decimal d;
	uint32_t n;
	if (magnitude(v, &d, &n) == QUASH_NUMBER_TYPE)
		return QUASH_NUMBER_TYPE;
	const uint32_t most = (uint32_t)INT32_MAX + d.minus;
	const bool fits = n <= most;
	if (!fits)
		n = most;
	*number = (int32_t)(d.minus ? 0u - n : n);
	return fits ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

quash_number quash_int32(quash_value value, int32_t *number)
{
	return quash_value_int32(&value, number);
}

quash_number quash_uint32(quash_value value, uint32_t *number)
{
	struct decimal d;
	uint32_t n;
	const quash_number outcome = magnitude(&value, &d, &n);
	if (outcome == QUASH_NUMBER_TYPE)
		return QUASH_NUMBER_TYPE;
	*number = d.minus ? 0 : n;
	return d.minus && n != 0 ? QUASH_NUMBER_RANGE : outcome;
}

/* A program for which 32 bits are enough does not link it. */
quash_number quash_int64(quash_value value, int64_t *number)
{
	struct decimal d;
	uint64_t n = 0;
	bool fits = true;
	if (!quash_is_integer(&value) || !quash_decimal(&value, &d))
		return QUASH_NUMBER_TYPE;
	const uint64_t limit = (uint64_t)INT64_MAX + (d.minus ? 1 : 0);
	while (fits && d.point > 0 && (n != 0 || d.at < d.end)) {
		const uint8_t digit = next_digit(&d);
		fits = n <= (limit - digit) / 10;
		n = fits ? n * 10 + digit : limit;
	}
	*number = !d.minus ? (int64_t)n : n > INT64_MAX ? INT64_MIN : -(int64_t)n;
	return fits ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

static void put_digits64(quash_writer *w, uint64_t value)
{
	char digits[20];
	uint8_t n = 0;
	/*@ dynamic_split n; */
	/*@ loop unroll 20; */
	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value != 0 && n < sizeof digits);
	while (n > 0)
		quash_put_byte(w, (uint8_t)digits[--n]);
}

void quash_put_int64(quash_writer *w, int64_t value)
{
	quash_put_comma(w);
	if (value < 0)
		quash_put_byte(w, '-');
	put_digits64(w, value < 0 ? 0u - (uint64_t)value : (uint64_t)value);
}

/* --- Doubles. No other file has floating point; what does not call these does not link them */

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
