/* SPDX-License-Identifier: MIT
 * Both framings, fed for ever with anything, in pieces of any length up to that of the array; of each piece of a body
 * any part is taken. */
#include "any.h"
#include "wire/frame_inner.h"

enum { LONGEST = 6 };

static void take_line(quash_frame *frame, const uint8_t *data)
{
	size_t at = any_size(LONGEST - 1), to = 0;
	(void)quash_frame_line(frame, data, LONGEST, &at, &to);
	//@ assert at <= LONGEST;
	//@ assert to <= LONGEST;
}

/* The end of a body is found without a further byte. */
static void take_length(quash_frame *frame, const uint8_t *data)
{
	size_t at = any_size(LONGEST), to = 0;
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
		if (any_bool())
			take_line(&frame, data);
		else
			take_length(&frame, data);
		quash_frame_took(&frame, any_size(LONGEST));
		(void)quash_frame_is_whole(&frame);
		if (any_bool())
			quash_frame_lost(&frame);
		if (any_bool())
			quash_frame_init(&frame, any_uint());
	}
	return 0;
}
