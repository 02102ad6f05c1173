/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "writer.h"

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
QUASH_OUTLINED_ static uint8_t next_digit(struct decimal *d)
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
