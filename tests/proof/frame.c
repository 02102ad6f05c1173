/* SPDX-License-Identifier: MIT
 * Content-Length, fed for ever with anything, in pieces of any length up to that of the array; of each piece of a body
 * any part is taken. */
#include "any.h"
#include "wire/frame_inner.h"

enum { LONGEST = 6 };

static void take_length(quash_frame *frame, const uint8_t *data)
{
	size_t at = any_size(LONGEST - 1), to = 0;
	(void)quash_frame_length(frame, data, LONGEST, &at, &to);
	//@ assert at <= LONGEST;
	//@ assert to <= LONGEST;
}

int main(void)
{
	quash_frame frame;
	quash_frame_init(&frame, any_uint());
	/*@ widen_hints global:"all", LONGEST; */
	while (any_bool()) {
		uint8_t data[LONGEST];
		any_bytes(data, sizeof data);
		take_length(&frame, data);
		(void)quash_frame_took(&frame, any_size(LONGEST));
		if (any_bool())
			quash_frame_lost(&frame);
		if (any_bool())
			quash_frame_init(&frame, any_uint());
	}
	return 0;
}
