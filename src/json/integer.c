/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "writer.h"

/* With one more digit exponents make no difference. */
static const int32_t far_exponent = 10000;

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static int32_t exponent(const quash_value *v, quash_size at)
{
	const uint8_t sign = quash_value_byte(v, at);
	int32_t e = 0;
	if (!is_digit(sign))
		at++;
	for (; at < v->end && e < far_exponent; at++)
		e = e * 10 + (quash_value_byte(v, at) & 15);
	return sign == '-' ? -e : e;
}

static quash_size behind_digits(const quash_value *v, quash_size at)
{
	while (is_digit(quash_value_byte(v, at)))
		at++;
	return at;
}

bool quash_decimal(quash_value v, struct decimal *d)
{
	quash_size length;
	quash_size i = quash_value_text(&v, &length);
	if (quash_kind_of(v) != QUASH_NUMBER || length == 0)
		return false;
	const quash_size end = (quash_size)(i + length);
	v.end = end < v.end ? end : v.end;
	d->minus = quash_value_byte(&v, i) == '-';
	if (d->minus)
		i++;
	v.at = i;
	i = behind_digits(&v, i);
	d->point = (int32_t)((quash_size)(i - v.at) & 0xFFFFFFu); /* a text's length has 24 bits */
	if (quash_value_byte(&v, i) == '.')
		i = behind_digits(&v, (quash_size)(i + 1));
	if (i < v.end)
		d->point += exponent(&v, (quash_size)(i + 1));
	v.end = i < v.end ? i : v.end;
	d->digits = v;
	return true;
}

/* The next digit; behind the last one zeros. */
static uint8_t next_digit(struct decimal *d)
{
	quash_size at = d->digits.at;
	if (quash_value_byte(&d->digits, at) == '.')
		at++;
	d->digits.at = at < d->digits.end ? (quash_size)(at + 1) : at;
	if (d->point > 0)
		d->point--;
	return quash_value_byte(&d->digits, at) & 15;
}

/* A number without fraction, however large. */
static bool is_whole(quash_value v, struct decimal *d)
{
	if (!quash_decimal(v, d))
		return false;
	struct decimal left = *d;
	while (left.digits.at < left.digits.end) {
		const bool fraction = left.point <= 0;
		if (next_digit(&left) != 0 && fraction)
			return false;
	}
	return true;
}

bool quash_is_integer(quash_value v)
{
	struct decimal d;
	return is_whole(v, &d);
}

/* True if a digit of the magnitude, which is `n` so far, is still to come: zeros behind a zero are none. */
static bool digits_go_on(const struct decimal *d, bool zero)
{
	return d->point > 0 && (!zero || d->digits.at < d->digits.end);
}

/* Nothing is divided: a small processor would need the compiler's library for that. */
static bool magnitude(struct decimal *d, uint32_t limit, uint32_t *number)
{
	uint32_t n = 0;
	bool fits = true;
	while (fits && digits_go_on(d, n == 0)) {
		const uint8_t digit = next_digit(d);
		const uint32_t next = n * 10 + digit;
		fits = n <= UINT32_MAX / 10 && next >= digit && next <= limit;
		n = fits ? next : limit;
	}
	*number = n;
	return fits;
}

static quash_number outcome(bool fits)
{
	return fits ? QUASH_NUMBER_OK : QUASH_NUMBER_RANGE;
}

quash_number quash_int32(quash_value value, int32_t *number)
{
	struct decimal d;
	uint32_t n;
	if (!is_whole(value, &d))
		return QUASH_NUMBER_TYPE;
	const bool fits = magnitude(&d, (uint32_t)INT32_MAX + (d.minus ? 1 : 0), &n);
	*number = !d.minus ? (int32_t)n : n > INT32_MAX ? INT32_MIN : -(int32_t)n;
	return outcome(fits);
}

quash_number quash_uint32(quash_value value, uint32_t *number)
{
	struct decimal d;
	if (!is_whole(value, &d))
		return QUASH_NUMBER_TYPE;
	return outcome(magnitude(&d, d.minus ? 0 : UINT32_MAX, number));
}

/* As above, but no program that has enough with 32 bits links it. */
quash_number quash_int64(quash_value value, int64_t *number)
{
	struct decimal d;
	uint64_t n = 0;
	bool fits = true;
	if (!is_whole(value, &d))
		return QUASH_NUMBER_TYPE;
	const uint64_t limit = (uint64_t)INT64_MAX + (d.minus ? 1 : 0);
	while (fits && digits_go_on(&d, n == 0)) {
		const uint8_t digit = next_digit(&d);
		fits = n <= (limit - digit) / 10;
		n = fits ? n * 10 + digit : limit;
	}
	*number = !d.minus ? (int64_t)n : n > INT64_MAX ? INT64_MIN : -(int64_t)n;
	return outcome(fits);
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
