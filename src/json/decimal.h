/* SPDX-License-Identifier: MIT
 * A JSON number's text taken apart: sign, digits, where the point stands. */
#ifndef QUASH_SRC_DECIMAL_H
#define QUASH_SRC_DECIMAL_H

#include "value.h"

struct decimal {
	quash_value digits; /* a view of them alone; a point may stand between */
	int32_t point;    /* how many of the digits stand before the point; negative: zeros behind it come first */
	bool minus;
};

/* False when the value is no number. */
bool quash_decimal(quash_value value, struct decimal *d);

/* True if it is a number without fraction, however large. */
bool quash_is_integer(quash_value v);

#endif
