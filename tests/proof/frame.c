/* SPDX-License-Identifier: MIT
 * Both framings, fed for ever with anything, in pieces of any length up to that of the array. */
#include "any.h"
#include "wire/frame_inner.h"

enum { LONGEST = 6 };

int main(void)
{
	quash_frame frame;
	quash_frame_init(&frame);
	/*@ widen_hints global:"all", LONGEST; */
	while (any_bool()) {
		uint8_t data[LONGEST];
		const size_t at = any_size(LONGEST - 1);
		size_t to, next;
		any_bytes(data, sizeof data);
		if (any_bool())
			(void)quash_frame_line(&frame, data, LONGEST, at, &to, &next);
		else
			(void)quash_frame_length(&frame, data, LONGEST, at, &to, &next);
		//@ assert to <= LONGEST;
		//@ assert next <= LONGEST;
		if (any_bool())
			quash_frame_lost(&frame);
		if (any_bool())
			quash_frame_init(&frame);
	}
	return 0;
}
