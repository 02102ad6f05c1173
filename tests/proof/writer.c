/* SPDX-License-Identifier: MIT
 * The writer and its buffer: messages of anything, opened, closed and drained in any order. */
#include "any.h"
#include "wire/tx.h"

#include <float.h>

#ifndef TX
#define TX 64
#endif

static uint8_t tx[TX];

/* As the core has it, but for receiving. */
static const struct quash_framing_code by_length = { NULL, quash_frame_lost, quash_content_open, quash_content_close,
	quash_content_close_whole, quash_content_rest, quash_content_most };

static const char *any_text(char *text, size_t size)
{
	any_bytes((uint8_t *)text, size);
	text[size - 1] = '\0';
	return text;
}

static void put_double(quash_writer *w)
{
	const uint8_t digits = Frama_C_unsigned_char_interval(0, 10);
	/*@ split digits; */
	quash_put_double(w, Frama_C_double_interval(-DBL_MAX, DBL_MAX), digits);
}

static void put_scalar(quash_writer *w)
{
	char text[6];
	switch (Frama_C_interval(0, 9)) {
	case 0: quash_put_null(w); break;
	case 1: quash_put_bool(w, any_bool()); break;
	case 2: quash_put_int(w, any_int()); break;
	case 3: quash_put_uint(w, any_uint()); break;
	case 4: quash_put_int64(w, Frama_C_long_long_interval(INT64_MIN, INT64_MAX)); break;
	case 5: quash_put_text(w, any_text(text, sizeof text)); break;
	case 6: quash_put_raw(w, any_text(text, sizeof text)); break;
	case 7: put_double(w); break;
	case 8: quash_put_key(w, any_text(text, sizeof text)); break;
	default:
		any_bytes((uint8_t *)text, sizeof text);
		quash_put_string(w, text, sizeof text);
		break;
	}
}

static void put_part(quash_writer *w)
{
	char text[6];
	any_bytes((uint8_t *)text, sizeof text);
	switch (Frama_C_interval(0, 3)) {
	case 0: quash_put_string_open(w); break;
	case 1: quash_put_string_part(w, text, any_size(sizeof text)); break;
	case 2: quash_put_string_int(w, any_int()); break;
	default: quash_put_string_close(w); break;
	}
}

static void put_container(quash_writer *w)
{
	switch (Frama_C_interval(0, 4)) {
	case 0: quash_put_object(w); break;
	case 1: quash_put_array(w); break;
	case 2: quash_put_quote_open(w); break;
	case 3: quash_put_quote_close(w); break;
	default: quash_put_end(w); break;
	}
}

static void put_inside(quash_writer *w, uint8_t *floor)
{
	if (any_bool())
		*floor = quash_place_enter(w);
	else
		quash_place_leave(w, *floor);
}

static void put_anything(quash_writer *w)
{
	uint8_t floor = 0;
	while (any_bool()) {
		switch (Frama_C_interval(0, 5)) {
		case 0: put_container(w); break;
		case 1: put_part(w); break;
		case 2: put_inside(w, &floor); break;
		case 3: quash_put_byte(w, any_byte()); break;
		case 4: (void)quash_tx_piece(w); break;
		default: put_scalar(w); break;
		}
	}
	if (any_bool())
		quash_put_ends(w);
}

static void drain(quash_writer *w)
{
	quash_tx_sent(w, any_size(SIZE_MAX));
	(void)quash_tx_empty(w);
	if (any_bool())
		quash_tx_pack(w);
	if (any_bool())
		quash_tx_init(w, tx, TX);
}

static void begin(quash_writer *w, quash_framing framing)
{
	if (any_bool())
		quash_tx_begin(w);
	if (any_bool())
		quash_tx_open(w, framing);
	else
		quash_tx_open_nowhere(w);
}

static void message(quash_writer *w, quash_framing framing)
{
	begin(w, framing);
	put_anything(w);
	(void)quash_tx_holds(w, framing);
	switch (Frama_C_interval(0, 3)) {
	case 0: (void)quash_tx_close(w, framing, any_bool()); break;
	case 1: (void)quash_tx_close_whole(w, framing); break;
	case 2: (void)quash_tx_fill(w, framing, any_uint()); break;
	default:
		if (framing != QUASH_LINES)
			(void)framing->rest(w);
		break;
	}
	(void)quash_tx_begun(w);
}

int main(void)
{
	quash_writer w;
	quash_tx_init(&w, tx, TX);
	/*@ widen_hints global:"all", TX; */
	while (any_bool()) {
		if (any_bool())
			message(&w, QUASH_LINES);
		else
			message(&w, &by_length);
		drain(&w);
	}
	return 0;
}
