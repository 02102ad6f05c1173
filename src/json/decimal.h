/* SPDX-License-Identifier: MIT
 * A JSON number's text taken apart: sign, digits, where the point stands. */
#ifndef QUASH_SRC_DECIMAL_H
#define QUASH_SRC_DECIMAL_H

#include "value.h"

struct decimal {
	const uint8_t *at;  /* the digits; a point may stand between */
	const uint8_t *end; /* of the digits */
	ptrdiff_t point;    /* how many of the digits stand before the point; negative: zeros after it come first */
	bool minus;
};

/* False when the value is no number. */
bool quash_decimal(const quash_value *value, struct decimal *d);

/* True if it is a number without fraction, however large. */
bool quash_is_integer(const quash_value *v);

#endif
