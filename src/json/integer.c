/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "writer.h"

/* Beyond this, exponents make no difference. */
static const int32_t far_exponent = 100000;

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
		if (e < far_exponent)
			e = e * 10 + (quash_value_byte(v, at) & 15);
	}
	if (e > far_exponent)
		e = far_exponent;
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

/* The next digit; behind the last one zeros. */
static uint8_t next_digit(struct decimal *d)
{
	if (d->point > 0)
		d->point--;
	if (d->at < d->end && quash_value_byte(d->value, d->at) == '.')
		d->at++;
	return d->at < d->end ? quash_value_byte(d->value, d->at++) & 15 : 0;
}

static bool is_whole(const struct decimal *d)
{
	int32_t left = d->point;
	for (quash_size i = d->at; i < d->end; i++) {
		const uint8_t c = quash_value_byte(d->value, i);
		if (left <= 0 && c != '0' && c != '.')
			return false;
		if (left > 0 && c != '.')
			left--;
	}
	return true;
}

bool quash_is_integer(quash_value v)
{
	struct decimal d;
	return quash_decimal(v, &d) && is_whole(&d);
}

/* Says whether a digit of the magnitude, which is `n` so far, is still to come: zeros behind a zero are none. */
static bool digits_go_on(const struct decimal *d, bool zero)
{
	return d->point > 0 && (!zero || d->at < d->end);
}

quash_number quash_int32(quash_value value, int32_t *number)
{
	struct decimal d;
	uint32_t n = 0;
	bool fits = true;
	if (!quash_decimal(value, &d) || !is_whole(&d))
		return QUASH_NUMBER_TYPE;
	const uint32_t limit = (uint32_t)INT32_MAX + (d.minus ? 1 : 0);
	while (fits && digits_go_on(&d, n == 0)) {
		const uint8_t digit = next_digit(&d);
		fits = n <= (limit - digit) / 10;
		n = fits ? n * 10 + digit : limit;
	}
	*number = !d.minus ? (int32_t)n : n > INT32_MAX ? INT32_MIN : -(int32_t)n;
	return fits ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

/* As above, but no program that has enough with 32 bits links it. */
quash_number quash_int64(quash_value value, int64_t *number)
{
	struct decimal d;
	uint64_t n = 0;
	bool fits = true;
	if (!quash_decimal(value, &d) || !is_whole(&d))
		return QUASH_NUMBER_TYPE;
	const uint64_t limit = (uint64_t)INT64_MAX + (d.minus ? 1 : 0);
	while (fits && digits_go_on(&d, n == 0)) {
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
