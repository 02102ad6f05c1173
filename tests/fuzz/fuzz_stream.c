/* SPDX-License-Identifier: MIT
 * stream: one peer and bytes on its wire. Six bytes choose what it is made of, and a seventh the size of its word, if
 * it keeps of the params of some methods what is listed. Of those after them 0xF4 to 0xFF, which are never UTF-8, choose
 * what happens, and all others are what is received. They are played as they stand and byte by byte. With headers a line
 * stands for the body of a message, unless the first byte has that all comes as it is. */
#include "answers.h"
#include "handlers.h"
#include "quash/call.h"

#include <string.h>

enum happening {
	INTERRUPT = 0xF4,
	OWN_CALL,
	OWN_NEWS,
	LITERAL,
	STEP,
	TICK,
	STALL,
	LOST,
	LINK,
	LEAVE,
	CANCEL_ALL,
	ANSWER
};

enum { LINE = 4096, HAPPENINGS = 3000 };

static struct drive device;
static struct {
	char text[LINE];
	size_t length;
	bool raw; /* nothing stands for a message's body */
} line;

/* --- What is kept of params */

static const quash_keep kept_first[] = {
	{ "n", 0, false },
	{ "p", 40, false },
	{ "v>a", 9, false },
	{ "_meta>progressToken", 24, false },
};
static const quash_keep kept_second[] = {
	{ "v>io.example/<b", 0, true },
	{ "v>a>b", 12, false },
	{ "w", 16, true },
	{ "w>io.example/<w>a", 11, false },
};

static const quash_keep *kept_lists(const quash_config *config, uint8_t number, uint8_t *count)
{
	(void)config;
	*count = number == 0 ? sizeof kept_first / sizeof *kept_first : sizeof kept_second / sizeof *kept_second;
	return number == 0 ? kept_first : number == 1 ? kept_second : NULL;
}

/* Of every other method what is listed. */
static void keep_listed(quash_config *c, unsigned word)
{
	static const quash_keeps keeps = { &quash_keeping, kept_lists };
	static quash_method listed[HANDLER_METHODS];
	memcpy(listed, handler_methods, sizeof listed);
	for (unsigned i = 1; i < HANDLER_METHODS; i += 2)
		listed[i].marks |= listed[i].name[0] != '\0' ? QUASH_LISTED : 0;
	c->methods = listed;
	c->keeps = &keeps;
	c->word_size = (uint8_t)(QUASH_WORD_MIN + word % 32);
}

/* --- The device */

static quash_config config_of(struct bytes *from)
{
	static const quash_dialect *const dialects[] = { &quash_mcp, &quash_jsonrpc, &quash_acp, &quash_lsp };
	const unsigned first = take(from);
	quash_config c = {
		.methods = handler_methods, .method_count = HANDLER_METHODS, .state_size = HANDLER_STATE,
		.new_session = handlers_session, .word_size = QUASH_WORD, .calls = &quash_calls
	};
	c.dialect = dialects[first % 4];
	line.raw = first % 8 >= 4;
	c.slot_count = (uint8_t)(2 + take_below(from, 13));
	if (c.slot_count == 14)
		c.slot_count = 1;
	c.lease_always = first % 16 >= 8;
	c.id_size = (uint8_t)(QUASH_ID_MIN + take_below(from, 100));
	c.arena_size = (quash_size)(QUASH_ARENA_MIN + (first % 64 >= 32 ? take_below(from, 49) : 8u * take(from)));
	c.tx_size = (quash_size)(QUASH_TX_MIN + 8 * take(from));
	c.reason_size = (uint8_t)take_below(from, 20);
	if (first % 32 >= 16)
		keep_listed(&c, take(from));
	return c;
}

static void end_line(void)
{
	if (line.length > 0)
		drive_message(&device, line.text, line.length);
	line.length = 0;
}

static void receive(uint8_t byte)
{
	if (!device.watch.headers || line.raw) {
		drive_bytes(&device, &byte, 1);
		return;
	}
	if (byte == '\n' || line.length == LINE)
		end_line();
	else
		line.text[line.length++] = (char)byte;
}

static void relink(unsigned how)
{
	line.length = 0;
	if (!device.linked)
		drive_reopen(&device);
	else if (how % 2 == 0)
		drive_reopen(&device);
	else
		drive_gone(&device);
}

static void happen(uint8_t what, struct bytes *from)
{
	if (what != LITERAL)
		show("  happening %02x\n", what);
	if (what != LITERAL && what != STALL && what != INTERRUPT)
		drive_pump(&device, what == LEAVE ? take(from) : SIZE_MAX);
	switch ((enum happening)what) {
	case INTERRUPT: handlers_interrupt(take(from)); break;
	case OWN_CALL: handlers_call(); break;
	case OWN_NEWS: handlers_notify(); break;
	case LITERAL: receive(take(from)); break;
	case STEP: drive_turn(&device); break;
	case TICK: drive_tick(&device, take(from)); break;
	case STALL: device.stalled = !device.stalled; break;
	case LOST:
		line.length = 0;
		drive_lost(&device);
		break;
	case LINK: relink(take(from)); break;
	case LEAVE: break;
	case CANCEL_ALL: quash_cancel_all(&device.peer); break;
	case ANSWER: (void)answer_one(&device, 0, take(from)); break;
	}
}

/* A number that stands for all that is put out. */
static uint32_t play(struct bytes data, enum drive_way way)
{
	const quash_config config = config_of(&data);
	line.length = 0;
	show("--- %s\n", way == DRIVE_WHOLE ? "whole" : way == DRIVE_BYTES ? "byte by byte" : "through a port");
	if (!drive_open(&device, &config, 0xFFFFFF00u, way))
		broken("init", "%s is refused", device.fault.member);
	device.watch.by_line = !device.watch.headers || !line.raw;
	handlers_begin(&device);
	for (unsigned i = 0; i < HAPPENINGS && !is_used_up(&data); i++) {
		const uint8_t byte = take(&data);
		if (byte >= INTERRUPT)
			happen(byte, &data);
		else
			receive(byte);
	}
	end_line();
	drive_turn(&device);
	handlers_stop();
	drive_rest(&device);
	handlers_rest();
	drive_close(&device);
	return device.watch.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes bytes = { data, data + size };
	const uint32_t whole = play(bytes, DRIVE_WHOLE);
	if (play(bytes, DRIVE_BYTES) != whole)
		broken("cuts", "the output depends on how the input is cut");
	(void)play(bytes, DRIVE_PORT);
	return 0;
}
