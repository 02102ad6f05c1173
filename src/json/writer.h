/* SPDX-License-Identifier: MIT
 * The writer's inner side: what only the library may put. */
#ifndef QUASH_SRC_WRITER_H
#define QUASH_SRC_WRITER_H

#include "../../include/quash/json.h"

/* What may come next, as bits; none of them after the text's only value. */
enum quash_expects {
	EXPECT_VALUE = 1,
	EXPECT_NAME = 2,
	EXPECT_COMMA = 4,  /* in front of it */
	EXPECT_END = 8,    /* of the innermost container */
	EXPECT_PART = 16,  /* of the open string, or its end */
	EXPECT_COLON = 32, /* after the open string, which is a name */
	EXPECT_NOTHING = 0
};

/* --- The text as a whole */

/* Begins a text: one value is expected. */
void quash_place_begin(quash_place *place);

/* Closes the containers that are open in this text, and puts null for a value that was announced and not put. A string
 * or quote that is still open makes the message void. */
void quash_put_ends(quash_writer *w);

/* Hands the next value to a put function: until the leave it can put one value, and close nothing that was open
 * before. Returns what the leave is given. */
uint8_t quash_place_enter(quash_writer *w);

/* Ends what was put since the enter as quash_put_ends does; then the text around it goes on. */
void quash_place_leave(quash_writer *w, uint8_t floor);

/* True if a value was announced and nothing of it was put. */
bool quash_writer_is_due(const quash_writer *w);

/* True if the innermost container is an object. */
bool quash_writer_in_object(const quash_writer *w);

/* --- The place, for those that put bytes */

/* Makes the message void. */
void quash_writer_misuse(quash_writer *w, uint8_t why);

/* True if one of these may come next; if not, the message is void. */
bool quash_writer_expects(quash_writer *w, uint8_t what);

/* After a container's last byte, and after the first byte of any other value. */
void quash_place_value(quash_writer *w);

/* --- Bytes as they are: the caller knows what they mean */

/* One byte of the message, as it is. */
void quash_put_byte(quash_writer *w, uint8_t c);

/* A NUL-terminated text in an open string. */
void quash_put_string_text(quash_writer *w, const char *text);

/* Bytes of a NUL-terminated text, as they are. */
void quash_put_plain(quash_writer *w, const char *text);

/* The raw text of a member's name and colon, or of any beginning that must be followed by a value. */
void quash_put_head(quash_writer *w, const char *text);

/* A comma if one is due; one of what is expected follows. */
void quash_put_before(quash_writer *w, uint8_t what);

/* A comma if one is due; the bytes of a value follow. */
void quash_put_comma(quash_writer *w);

/* The digits of a number, with its sign. */
void quash_put_digits(quash_writer *w, uint32_t value);
void quash_put_signed(quash_writer *w, int32_t value);

/* One byte of a string, escaped if need be. */
void quash_put_escaped(quash_writer *w, uint8_t c);

/* As quash_put_string_open, for a member's name. */
void quash_put_name_open(quash_writer *w);

/* The running sum over a message's bytes. */
uint16_t quash_sum(uint16_t sum, uint8_t c);

/* The build for tests looks at each byte before a quote escapes it. tests/common has the other half. */
#ifdef QUASH_CHECKED
void quash_checked_byte(uint8_t c);
#else
static inline void quash_checked_byte(uint8_t c)
{
	(void)c;
}
#endif

#endif
