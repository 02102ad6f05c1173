/* SPDX-License-Identifier: MIT
 * The peer of a scene on a board: does what wire.h describes, for wire.c on the host. */
#include "end.h"
#include "unit_board.h"
#include "wire.h"

#include <string.h>

enum { TEXT_BYTES = 80, ALIGNED = 8 };

static struct end end;
static union {
	uint64_t aligned;
	uint8_t bytes[TALK_POOL];
} pool;
static size_t used;
static char input[TALK_INPUT];

/* --- Bytes */

static uint32_t get_number(void)
{
	uint32_t number = 0;
	for (unsigned shift = 0;; shift += 7) {
		const uint8_t byte = unit_get();
		number |= (uint32_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return number;
	}
}

static void put_number(uint32_t number)
{
	for (; number >= 0x80; number >>= 7)
		unit_put((char)(uint8_t)(number | 0x80));
	unit_put((char)number);
}

static void put_bytes(const void *bytes, size_t n)
{
	const char *text = bytes;
	put_number((uint32_t)n);
	for (size_t i = 0; i < n; i++)
		unit_put(text[i]);
}

static void put_text(const char *text)
{
	unit_put(WIRE_TEXT);
	put_bytes(text, strlen(text));
}

static void done(uint32_t number)
{
	unit_put(WIRE_DONE);
	put_number(number);
}

/* What is too long is cut: such ids and names are nobody's. */
static const char *get_text(void)
{
	static char text[TEXT_BYTES];
	const uint32_t n = get_number();
	for (uint32_t i = 0; i < n; i++) {
		const char c = (char)unit_get();
		if (i < TEXT_BYTES - 1)
			text[i] = c;
	}
	text[n < TEXT_BYTES ? n : TEXT_BYTES - 1] = '\0';
	return text;
}

/* --- What happens */

static void serve(void);

static void sent(struct end *e, const uint8_t *bytes, size_t n)
{
	(void)e;
	unit_put(WIRE_SENT);
	put_bytes(bytes, n);
}

static void taken(struct end *e, size_t n, size_t waiting)
{
	(void)e;
	unit_put(WIRE_TAKEN);
	put_number((uint32_t)n);
	put_number((uint32_t)waiting);
}

static void turn(struct end *e)
{
	unit_put(WIRE_TURN);
	put_number(e->turns);
	serve();
}

/* --- Commands */

static void *take(struct end *e, size_t size)
{
	const size_t at = used;
	(void)e;
	size = (size + ALIGNED - 1) / ALIGNED * ALIGNED;
	if (size > sizeof pool.bytes - at)
		return NULL;
	used += size;
	return pool.bytes + at;
}

static void send_sizes(void)
{
	unit_put(WIRE_ROOM);
	put_number(sizeof pool.bytes);
	put_number(sizeof(quash_request) + TESTEE_ID_SIZE + TALK_STATE_SIZE + TAG_SIZE + TEXT_SIZE);
	put_number(sizeof input);
	done(0);
}

static void open(void)
{
	struct setup setup;
	setup.mode.kind = (enum mode_kind)get_number();
	setup.mode.value = get_number();
	setup.dialect = (uint8_t)get_number();
	const uint32_t marks = get_number();
	setup.watched = (marks & 1) != 0;
	setup.asking = (marks & 2) != 0;
	setup.slots = get_number();
	setup.arena = get_number();
	setup.tx = get_number();
	used = 0;
	const char *wrong = end_open(&end, &setup, take);
	end.input = input;
	put_text(wrong != NULL ? wrong : "");
	done(0);
}

static void add_input(void)
{
	const uint32_t n = get_number();
	if (end.left > 0)
		memmove(input, end.input, end.left);
	end.input = input;
	for (uint32_t i = 0; i < n; i++) {
		const char c = (char)unit_get();
		if (end.left < sizeof input)
			input[end.left++] = c;
	}
	done(0);
}

static void settle(void)
{
	const uint32_t patience = get_number();
	end_settle(&end, (unsigned)patience, get_number() != 0);
	done(0);
}

static void watch(void)
{
	end.turns = 0;
	end.wake = get_number();
	done(0);
}

static void befall(void)
{
	const enum verb verb = (enum verb)get_number();
	const uint32_t value = get_number();
	const char *text = get_text();
	done(end_befall(&end, verb, value, text));
}

static void send_value(void)
{
	const enum verb verb = (enum verb)get_number();
	done(end_value(&end, verb, (uint8_t)get_number()));
}

/* Until the turn goes on. */
static void serve(void)
{
	for (;;) {
		switch (unit_get()) {
		case WIRE_SIZES: send_sizes(); break;
		case WIRE_OPEN: open(); break;
		case WIRE_INPUT: add_input(); break;
		case WIRE_PUMP:
			end_pump(&end);
			done(0);
			break;
		case WIRE_SETTLE: settle(); break;
		case WIRE_WATCH: watch(); break;
		case WIRE_BEFALL: befall(); break;
		case WIRE_VALUE: send_value(); break;
		case WIRE_REASON:
			put_text(end.reason);
			done(0);
			break;
		case WIRE_IS_OVER: done(end_is_over(&end)); break;
		case WIRE_GO: end.wake = get_number(); return;
		default: break;
		}
	}
}

int main(void)
{
	static const struct end_events events = { .sent = sent, .taken = taken, .turn = turn };
	unit_start();
	end.events = &events;
	for (const char *c = WIRE_GREETING; *c != '\0'; c++)
		unit_put(*c);
	for (;;)
		serve();
}
