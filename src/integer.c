/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "writer.h"

/* Beyond this, exponents make no difference. */
static const int32_t far = 100000;

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static int32_t exponent(quash_value v, quash_size at, quash_size end)
{
	const uint8_t sign = quash_value_byte(v, at);
	int32_t e = 0;
	if (sign == '-' || sign == '+')
		at++;
	for (; at < end; at++) {
		if (e < far)
			e = e * 10 + (quash_value_byte(v, at) & 15);
	}
	if (e > far)
		e = far;
	return sign == '-' ? -e : e;
}

bool quash_decimal(quash_value v, struct decimal *d)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	const quash_size end = (quash_size)(from + length);
	quash_size i = from;
	if (quash_kind_of(v) != QUASH_NUMBER || length == 0)
		return false;
	d->value = v;
	d->minus = quash_value_byte(v, i) == '-';
	if (d->minus)
		i++;
	d->at = i;
	while (i < end && is_digit(quash_value_byte(v, i)))
		i++;
	d->point = (int32_t)((quash_size)(i - d->at) & 0xFFFFFFu); /* a text's length has 24 bits */
	if (i < end && quash_value_byte(v, i) == '.')
		i++;
	while (i < end && is_digit(quash_value_byte(v, i)))
		i++;
	d->end = i;
	if (i < end)
		d->point += exponent(v, (quash_size)(i + 1), end);
	return true;
}

static void push_digit(uint64_t *n, uint8_t digit, uint64_t limit, quash_number *outcome)
{
	if (*n > (limit - digit) / 10) {
		*outcome = QUASH_NUMBER_RANGE;
		*n = limit;
	} else if (*outcome == QUASH_NUMBER_OK) {
		*n = *n * 10 + digit;
	}
}

/* The magnitude of a number, at most `limit`. */
static quash_number magnitude(const struct decimal *d, uint64_t limit, uint64_t *n)
{
	quash_number outcome = QUASH_NUMBER_OK;
	int32_t left = d->point;
	*n = 0;
	for (quash_size i = d->at; i < d->end; i++) {
		const uint8_t c = quash_value_byte(d->value, i);
		if (!is_digit(c))
			continue;
		if (left > 0) {
			push_digit(n, (uint8_t)(c - '0'), limit, &outcome);
			left--;
		} else if (c != '0') {
			return QUASH_NUMBER_TYPE;
		}
	}
	for (; left > 0 && *n != 0 && outcome == QUASH_NUMBER_OK; left--)
		push_digit(n, 0, limit, &outcome);
	return outcome;
}

quash_number quash_int64(quash_value value, int64_t *number)
{
	struct decimal d;
	uint64_t n;
	if (!quash_decimal(value, &d))
		return QUASH_NUMBER_TYPE;
	const quash_number outcome = magnitude(&d, (uint64_t)INT64_MAX + (d.minus ? 1 : 0), &n);
	if (outcome != QUASH_NUMBER_TYPE)
		*number = d.minus ? (n > INT64_MAX ? INT64_MIN : -(int64_t)n) : (int64_t)n;
	return outcome;
}

quash_number quash_int32(quash_value value, int32_t *number)
{
	int64_t wide = 0;
	const quash_number outcome = quash_int64(value, &wide);
	if (outcome == QUASH_NUMBER_TYPE)
		return outcome;
	*number = wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
	return *number == wide ? outcome : QUASH_NUMBER_RANGE;
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
