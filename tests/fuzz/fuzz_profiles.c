/* SPDX-License-Identifier: MIT
 * profiles: a program of a profile, and messages that are composed of the data (profile_words.c) or are the data
 * themselves. What a server keeps nothing of changes no byte of its output. A config may be wrong, and its peer refused. The
 * first bytes choose program, TX and cuts; each one after them chooses what happens next. */
#include "agent.h"
#include "agent_anew.h"
#include "answers.h"
#include "drive.h"
#include "gallery.h"
#include "langserver.h"
#include "profile_words.h"
#include "toolbox.h"

#include <stdio.h>
#include <string.h>

enum { HAPPENINGS = 400, TEXT = 6000, RUN = 40, MOST_JUNK = 1200 };

struct program {
	const quash_config *config;
	const struct vocabulary *words;
	void (*reset)(void);
	unsigned least_tx; /* that its notifications need, but where some are to be dropped */
};

static const struct program programs[] = {
	{ &toolbox_config, &mcp_words, toolbox_reset, 64 },
	{ &gallery_config, &mcp_words, gallery_reset, 1024 },
	{ &agent_config, &acp_words, agent_anew, 320 },
	{ &langserver_config, &lsp_words, langserver_reset, 1024 },
};

static struct drive device;
static bool with_junk; /* members of `_meta` are sent that nobody keeps */

/* --- Messages */

static struct {
	char text[TEXT];
	size_t length;
} message;

static void put(const char *text)
{
	const size_t n = strlen(text), room = TEXT - message.length;
	memcpy(&message.text[message.length], text, n < room ? n : room);
	message.length += n < room ? n : room;
}

static void put_string(struct bytes *from)
{
	size_t n;
	const uint8_t *const run = take_run(from, take_below(from, RUN), &n);
	put("\"");
	for (size_t i = 0; i < n; i++) {
		char c[8];
		if (run[i] == '"' || run[i] < 0x20 || run[i] >= 0x7F)
			snprintf(c, sizeof c, "\\u%04x", run[i] < 0xE0 ? run[i] : 0xD700u + 8u * run[i]);
		else
			snprintf(c, sizeof c, run[i] == '\\' ? "\\\\" : "%c", run[i]);
		put(c);
	}
	put("\"");
}

static void put_integer(struct bytes *from)
{
	static const char *const numbers[] = { "0", "1", "-1", "2.0", "1e2", "50", "100", "250", "5000", "20",
		"600000", "2147483648" };
	put(numbers[take_below(from, sizeof numbers / sizeof *numbers)]);
}

/* Ids and tokens are few, so that cancels and progress find them. */
static void put_token(struct bytes *from)
{
	char text[16];
	const unsigned which = take_below(from, 40);
	snprintf(text, sizeof text, which < 32 ? "%u" : "\"t%u\"", which % 32);
	put(which == 39 ? "1.5" : text);
}

static void put_value(struct bytes *from)
{
	static const char *const values[] = { "null", "true", "false", "{}", "[]", "[1,[2,{\"a\":[]}]]",
		"{\"sampling\":{},\"x\":[{}]}" };
	const unsigned which = take_below(from, sizeof values / sizeof *values + 3);
	if (which < sizeof values / sizeof *values)
		put(values[which]);
	else if (which % 2 == 0)
		put_string(from);
	else
		put_integer(from);
}

static void put_again(const char *text, unsigned count)
{
	while (count-- > 0)
		put(text);
}

/* At most MOST_JUNK bytes, at most 24 levels. What is chosen does not depend on whether it is sent. */
static void put_junk(struct bytes *from)
{
	static const char *const names = "\"progressTokens\":1,\"progressToke\":\"x\",\"protocolVersion\":\"1\",\"\":{},"
					 "\"io.modelcontextprotocol/protocolVersions\":[],\"logLevel\":\"debug\",";
	const unsigned kind = take_below(from, 6), count = take(from);
	if (!with_junk)
		return;
	switch (kind) {
	case 0:
		put("\"text\":\"");
		put_again("a\\u00e9", count % (MOST_JUNK / 7));
		put("\",");
		break;
	case 1:
		put("\"");
		put_again("name", count);
		put("\":null,");
		break;
	case 2:
		put("\"deep\":");
		put_again("[{\"_meta\":", count % 12);
		put("{\"progressToken\":\"deep\"}");
		put_again("}]", count % 12);
		put(",");
		break;
	case 3: put_again("\"a\":[1,{\"b\":-0.5e3}],", count % (MOST_JUNK / 24)); break;
	case 4: put(names); break;
	default: break;
	}
}

static void put_hole(char kind, const struct vocabulary *words, struct bytes *from)
{
	switch (kind) {
	case 'i': put_integer(from); break;
	case 'j': put_junk(from); break;
	case 's': put_string(from); break;
	case 't': put_token(from); break;
	case 'w': put(words->words[take_below(from, words->word_count)]); break;
	default: put_value(from); break;
	}
}

static void put_params(const char *params, const struct vocabulary *words, struct bytes *from)
{
	for (; *params != '\0'; params++) {
		const char text[2] = { *params, '\0' };
		if (*params == '%')
			put_hole(*++params, words, from);
		else
			put(text);
	}
}

static void send_phrase(const struct vocabulary *words, struct bytes *from)
{
	const struct phrase *const phrase = &words->phrases[take_below(from, words->count)];
	message.length = 0;
	put("{\"jsonrpc\":\"2.0\",");
	if (phrase->request) {
		put("\"id\":");
		put_token(from);
		put(",");
	}
	put("\"method\":\"");
	put(phrase->method);
	put("\",\"params\":");
	put_params(phrase->params, words, from);
	put("}");
	drive_message(&device, message.text, message.length);
}

static void send_run(struct bytes *from)
{
	size_t n;
	const char *const run = (const char *)take_run(from, take(from), &n);
	drive_message(&device, run, n);
}

/* --- What happens */

static void relink(const struct program *program, unsigned how)
{
	if (device.linked && how % 2 == 1) {
		drive_gone(&device);
		return;
	}
	drive_reopen(&device);
	if (quash_live_count(&device.peer) == 0) /* else a group may be held until its hook has run */
		program->reset();
}

static void happen(const struct program *program, struct bytes *from)
{
	switch (take_below(from, 24)) {
	case 0: drive_tick(&device, take(from)); break;
	case 1: drive_tick(&device, 4u * take(from)); break;
	case 2: device.stalled = !device.stalled; break;
	case 3: drive_pump(&device, take(from)); break;
	case 4: drive_lost(&device); break;
	case 5:
		if (take(from) > 200)
			relink(program, take(from));
		break;
	case 6:
		if (take(from) > 200)
			quash_cancel_all(&device.peer);
		break;
	case 7: send_run(from); break;
	case 8:
	case 9:
	case 10: (void)answer_one(&device, take(from), take(from)); break;
	case 11:
		if (program->config == &gallery_config)
			(void)gallery_fire(&device.peer);
		break;
	case 12:
	case 13:
	case 14:
	case 15:
	case 16: drive_turn(&device); break;
	default: send_phrase(program->words, from); break;
	}
}

/* --- Configs */

enum { SPOILED = 224 }; /* a choice from here on */

static void spoil_method(quash_method *table, unsigned i, unsigned what)
{
	quash_method *const method = &table[i];
	switch (what) {
	case 0: *method = table[i / 2]; break;
	case 1: method->name = NULL; break;
	case 2: method->handler = NULL; break;
	case 3: method->marks = UINT8_MAX; break;
	case 4: method->motion.lease = 5; break; /* its `end` is missing, or its longest time */
	case 5: method->data = NULL; break;
	default: method->state_size = UINT16_MAX; break;
	}
}

static void spoil(quash_config *c, struct bytes *from)
{
	static quash_method table[QUASH_METHODS_MAX];
	const unsigned what = take_below(from, 20), how = take(from);
	c->faults = how < 240 ? &quash_faults : NULL;
	switch (what) {
	case 0: c->methods = NULL; break;
	case 1: c->word_size = (uint8_t)how; break;
	case 2: c->id_size = (uint8_t)how; break;
	case 3: c->state_size = (quash_size)how; break;
	case 4: c->arena_size = (quash_size)how; break;
	case 5: c->tx_size = (quash_size)how; break;
	case 6: c->slot_count = 0; break;
	case 7: c->dialect = NULL; break;
	case 8: c->calls = NULL; break;
	case 9: c->keeps = NULL; break;
	case 10: c->tag_size = (uint8_t)how; break;
	case 11: c->dialect = &quash_jsonrpc; break;
	default:
		memcpy(table, c->methods, c->method_count * sizeof *table);
		c->methods = table;
		spoil_method(table, how % c->method_count, what - 12);
	}
}

static quash_config config_of(const struct program *program, bool *spoiled, struct bytes *from)
{
	quash_config c = *program->config;
	const unsigned least = program->least_tx;
	c.tx_size = (quash_size)(least + take_below(from, c.tx_size - least + 1));
	const unsigned choice = take(from), other = choice % 4;
	*spoiled = choice >= SPOILED;
	if (other == 3 && program->config != &agent_config)
		c.tx_size = (quash_size)(QUASH_TX_MIN + c.tx_size % 256);
	if (other == 2 && program->words == &mcp_words)
		c.arena_size = (quash_size)(128 + take_below(from, 512));
	if (other == 1)
		c.slot_count = (uint8_t)(1 + take_below(from, c.slot_count));
	if (*spoiled)
		spoil(&c, from);
	return c;
}

/* --- A peer that says nothing, whatever is called */

static void call_silent(struct bytes *from)
{
	quash_peer *const peer = &device.peer;
	size_t n;
	const uint8_t *const run = take_run(from, take(from), &n);
	switch (take_below(from, 9)) {
	case 0: quash_cancel_all(peer); break;
	case 1: quash_lost(peer); break;
	case 2: quash_gone(peer); break;
	case 3: quash_reopen(peer); break;
	case 4: quash_new_session(peer); break;
	case 5: quash_input_end(peer); break;
	case 6: (void)quash_notify(peer, "x"); break;
	case 7: (void)quash_notify_send(peer); break;
	default: (void)quash_feed(peer, run, n); break;
	}
	drive_tick(&device, take(from));
	(void)quash_step(peer);
	(void)quash_out(peer, &n);
	if (n > 0 || !quash_is_gone(peer) || quash_live_count(peer) != 0)
		broken("refused", "it is not silent");
}

static void play_silent(struct bytes *from)
{
	for (unsigned i = 0; i < HAPPENINGS && !is_used_up(from); i++)
		call_silent(from);
	drive_close(&device);
}

/* --- A run */

static uint32_t play(struct bytes data, enum drive_way way, bool junk)
{
	with_junk = junk;
	const struct program *const program = &programs[take_below(&data, sizeof programs / sizeof *programs)];
	bool spoiled;
	const quash_config config = config_of(program, &spoiled, &data);
	show("--- %s, TX %u\n", program->config->dialect->cancels[0].method, (unsigned)config.tx_size);
	program->reset();
	if (!drive_open(&device, &config, 0xFFFFFF00u, way) && !spoiled)
		broken("init", "%s is refused", device.fault.member);
	if (device.refused)
		show("refused: %s\n", device.fault.member);
	if (device.refused && quash_is_gone(&device.peer)) {
		play_silent(&data);
		return 0;
	}
	device.watch.any_token = program->config == &langserver_config;
	if (take_below(&data, 4) != 1)
		drive_message(&device, program->words->opening, strlen(program->words->opening));
	for (unsigned i = 0; i < HAPPENINGS && !is_used_up(&data); i++)
		happen(program, &data);
	drive_rest(&device);
	drive_close(&device);
	return device.watch.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes bytes = { data, data + size };
	const uint32_t whole = play(bytes, DRIVE_WHOLE, false);
	if (play(bytes, DRIVE_BYTES, true) != whole)
		broken("cuts", "the output depends on how the input is cut, or on what nobody keeps");
	(void)play(bytes, DRIVE_PORT, true);
	return 0;
}
