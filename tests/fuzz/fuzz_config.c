/* SPDX-License-Identifier: MIT
 * config: sizes, pointers, tables and dialects from the data. What quash_init refuses is named as it stands in
 * quash_config or in the table. Its peer then says so, once to each request, or is silent. What it accepts must serve: each method is answered, and not by -32603 for want of size;
 * each is cancelled while it waits; and no byte beyond the lent arrays is touched.
 *
 * What quash_init cannot see is not checked here, and so left as its program has it:
 *     tx_size     of the profiles' programs: a notification, as the agent's plan, needs as much */
#include "agent.h"
#include "agent_anew.h"
#include "answers.h"
#include "gallery.h"
#include "handlers.h"
#include "langserver.h"
#include "profile_words.h"
#include "toolbox.h"

#include <stdio.h>
#include <string.h>

struct program {
	const quash_config *config;
	void (*reset)(void);
	const struct vocabulary *words; /* what is sent first, or NULL */
	const char *then;               /* and then, or NULL */
	const char *waiting;            /* a request that waits to be cancelled */
	unsigned least_tx;
};

static void nothing(void)
{
}

static const quash_config plain_config = { .dialect = &quash_jsonrpc,
	.methods = handler_methods,
	.method_count = HANDLER_METHODS,
	.state_size = HANDLER_STATE,
	.new_session = handlers_session,
	.calls = &quash_calls };

static const struct program programs[] = {
	{ &plain_config, nothing, NULL, NULL, "\"method\":\"wait\"", QUASH_TX_MIN },
	{ &toolbox_config, toolbox_reset, &mcp_words, NULL,
		"\"method\":\"tools/call\",\"params\":{\"name\":\"slow\",\"arguments\":{\"ms\":9000}}", 64 },
	{ &gallery_config, gallery_reset, &mcp_words, NULL,
		"\"method\":\"resources/read\",\"params\":{\"uri\":\"gallery://wait\"}", 1024 },
	{ &agent_config, agent_anew, &acp_words,
		"\"method\":\"session/new\",\"params\":{\"cwd\":\"/\",\"mcpServers\":[]}", "\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"s1\",\"prompt\":[{\"type\":\"text\",\"text\":\"slow\"}]}",
		320 },
	{ &langserver_config, langserver_reset, &lsp_words, NULL,
		"\"method\":\"test/slow\",\"params\":{\"ms\":9000}", 1024 },
};

enum {
	ROOMY = 1500, /* an arena that has room for each of these */
	WINDOWS = 200 /* that the longest answer takes */
};

static struct drive device;
static char text[2000];

/* --- Configs */

static quash_dialect dialect_from(const quash_dialect *usual, struct bytes *from)
{
	quash_dialect d = *usual;
	const unsigned what = take(from);
	if ((what & 1) != 0)
		d.framing = QUASH_CONTENT_LENGTH;
	if ((what & 2) != 0)
		d.cancel_count = 1;
	if ((what & 4) != 0)
		d.cancel_id_alias = NULL;
	if ((what & 8) != 0)
		d.cancel_reason = d.cancel_reason == NULL ? "reason" : NULL;
	if ((what & 16) != 0)
		d.null_id = !d.null_id;
	if ((what & 32) != 0)
		d.batch = d.batch == NULL ? &quash_batch : NULL;
	if ((what & 64) != 0)
		d.other_code = d.other_code == 0 ? QUASH_CANCELLED : 0;
	if (what == 255)
		d.cancels = NULL;
	if (what == 254)
		d.cancel_id = NULL;
	return d;
}

static quash_config config_from(const struct program *program, struct bytes *from)
{
	quash_config c = *program->config;
	const bool plain = program->config == &plain_config;
	c.slot_count = (uint8_t)(take(from));
	c.lease_always = c.slot_count % 2 == 1;
	c.faults = c.slot_count % 8 != 7 ? &quash_faults : NULL;
	c.id_size = (uint8_t)(take(from));
	c.word_size = (uint8_t)(take(from));
	c.arena_size = (quash_size)take_below(from, 3000);
	c.tx_size = (quash_size)take_below(from, 1500);
	c.reason_size = take(from);
	if (!plain && c.tx_size < program->least_tx)
		c.tx_size = (quash_size)program->least_tx;
	c.tag_size = take(from);
	const unsigned larger = take(from) / 8 * 8u;
	c.state_size = (quash_size)(c.state_size + larger > 128 ? c.state_size + larger - 128 : 0);
	if (plain) {
		static const quash_dialect *const dialects[] = { &quash_jsonrpc, &quash_mcp, &quash_acp,
			&quash_lsp };
		c.dialect = dialects[take_below(from, 4)];
		c.method_count = (uint8_t)take_below(from, HANDLER_METHODS + 1);
	}
	return c;
}

/* The table, one entry of which may be wrong: a second time there, or with other marks or times. Returns whether it is. */
static bool spoil(quash_config *c, quash_method *table, struct bytes *from)
{
	const unsigned what = take(from), i = take(from), k = take(from);
	if (c->method_count == 0)
		return false;
	memcpy(table, c->methods, c->method_count * sizeof *table);
	c->methods = table;
	quash_method *const method = &table[i % c->method_count];
	switch (what % 32) {
	case 1:
		*method = table[k % c->method_count];
		return i % c->method_count != k % c->method_count;
	case 2: method->marks = QUASH_NOTIFICATION | QUASH_PARTIAL; return true;
	case 3: method->name = NULL; return true;
	case 4: method->handler = NULL; return true;
	case 5: method->motion.lease = 1u << 31; return true;
	case 6: method->motion.longest = 1u << 31; return true;
	case 7: method->state_size = (quash_size)(c->state_size + 1); return true;
	case 8: method->marks = QUASH_NOTIFICATION | QUASH_SESSION; return true;
	case 9:
		method->motion.lease = 1u + k;
		method->motion.end = NULL;
		return true;
	case 10:
		method->motion.lease = 1u + k;
		method->motion.longest = 0;
		return true;
	case 11:
		c->methods = NULL;
		return true;
	default: return false;
	}
}

/* --- Requests */

static void settle(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		drive_turn(&device);
}

static void ask(unsigned id, const char *what)
{
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,%s}", id, what);
	const unsigned before = device.watch.answers;
	drive_message(&device, text, (size_t)n);
	settle(4);
	for (unsigned i = 0;
		i < WINDOWS && device.watch.answers == before && quash_idle_ms(&device.peer) == 0; i++)
		settle(1);
}

/* --- What is refused */

static void must_be_named(const quash_fault *fault)
{
	static const char *const members[] = { "method_count", "slot_count", "id_size", "word_size", "tag_size", "reason_size",
		"dialect", "methods", "slots", "word", "ids", "states", "tags", "arena", "tx", "reason", "arena_size", "tx_size",
		"state_size", "name", "marks", "handler", "motion.end", "motion.longest", "motion.lease", "texts", "text_size" };
	size_t i = 0;
	show("refused: %s %s, %s: %u, %u\n", fault->table, fault->name != NULL ? fault->name : "", fault->member,
		(unsigned)fault->is, (unsigned)fault->needs);
	if (fault->table == NULL || fault->member == NULL)
		broken("init", "what it refuses has no name");
	while (i < sizeof members / sizeof *members && strcmp(members[i], fault->member) != 0)
		i++;
	if (i == sizeof members / sizeof *members)
		broken("init", "no member is named %s", fault->member);
	if (fault->is != 0 && fault->is == fault->needs)
		broken("init", "%s is %u, and needs to be that", fault->member, (unsigned)fault->is);
}

/* The config that was accepted, without one of its pointers: that is named, if it is needed. */
static void must_refuse_without(unsigned which)
{
	static quash_peer peer;
	quash_config c = device.config;
	quash_fault fault = { 0 };
	const struct {
		const char *name;
		void *pointer;
		size_t size;
		bool needed;
	} pointers[] = {
		{ "slots", &c.slots, sizeof c.slots, true },
		{ "word", &c.word, sizeof c.word, true },
		{ "ids", &c.ids, sizeof c.ids, true },
		{ "states", &c.states, sizeof c.states, c.state_size > 0 },
		{ "tags", &c.tags, sizeof c.tags, c.tag_size > 0 },
		{ "arena", &c.arena, sizeof c.arena, true },
		{ "tx", &c.tx, sizeof c.tx, true },
		{ "reason", &c.reason, sizeof c.reason, c.reason_size > 0 },
		{ "methods", &c.methods, sizeof c.methods, c.method_count > 0 },
		{ "dialect", &c.dialect, sizeof c.dialect, true },
	};
	which %= sizeof pointers / sizeof *pointers;
	memset(pointers[which].pointer, 0, pointers[which].size);
	const bool accepted = quash_init(&peer, &c, &fault);
	if (accepted == pointers[which].needed || (!accepted && strcmp(fault.member, pointers[which].name) != 0))
		broken("init", "without %s it names %s", pointers[which].name, accepted ? "nothing" : fault.member);
	if (accepted != quash_init(&peer, &c, NULL))
		broken("init", "it is of two minds");
}

/* Whatever it is asked: this, once; and nothing is left of it. */
static void must_say_so(const struct program *program)
{
	const quash_config *const c = program->config;
	if (quash_is_gone(&device.peer))
		return;
	for (uint8_t i = 0; i < c->method_count; i++) {
		char what[100];
		const unsigned before = device.watch.answers;
		snprintf(what, sizeof what, "\"method\":\"%s\",\"params\":{\"n\":[{}]}", c->methods[i].name);
		ask(10u + i, what);
		if (device.watch.answers != before + 1 || device.watch.last_code != QUASH_INTERNAL_ERROR)
			broken("refused", "%s is answered %u times, with %d", what, device.watch.answers - before, (int)device.watch.last_code);
	}
	drive_rest(&device);
}

/* --- What is accepted */

/* What waits is answered when what it waits for is, or when it is cancelled. */
static void must_answer(const quash_method *method, unsigned id)
{
	char what[100];
	const unsigned before = device.watch.answers;
	snprintf(what, sizeof what, "\"method\":\"%s\",\"params\":{\"n\":-5,\"p\":\"[bi\"}", method->name);
	ask(id, what);
	answer_all(&device);
	settle(3);
	quash_cancel_all(&device.peer);
	settle(3);
	if (device.watch.answers != before + 1)
		broken("serve", "%s is answered %u times", method->name, device.watch.answers - before);
	if (device.watch.last_code == QUASH_INTERNAL_ERROR && !device.may_change)
		broken("serve", "%s is answered with an internal error", method->name);
}

static void must_cancel(const struct program *program)
{
	const quash_dialect *const d = device.config.dialect;
	if (program->words != NULL)
		drive_message(&device, program->words->opening, strlen(program->words->opening));
	settle(20);
	if (program->then != NULL)
		ask(97, program->then);
	const unsigned before = device.watch.answers;
	ask(98, program->waiting);
	if (device.watch.answers != before && device.config.arena_size < ROOMY)
		return;
	if (device.watch.answers != before || quash_live_count(&device.peer) != 1)
		broken("serve", "%s does not wait", program->waiting);
	const int n = snprintf(text, sizeof text,
		"{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":98}}", d->cancels[0].method,
		d->cancel_id);
	drive_message(&device, text, (size_t)n);
	settle(3);
	if (quash_live_count(&device.peer) != 0 || device.watch.answers != before + (d->other_code != 0))
		broken("serve", "a cancel does not cancel");
}

static bool has_method(const char *name)
{
	for (uint8_t i = 0; i < device.config.method_count; i++) {
		if (strcmp(device.config.methods[i].name, name) == 0)
			return true;
	}
	return false;
}

static void must_serve(const struct program *program)
{
	if (program->config != &plain_config || has_method("wait"))
		must_cancel(program);
	for (uint8_t i = 0; i < device.config.method_count; i++) {
		if ((device.config.methods[i].marks & QUASH_NOTIFICATION) == 0)
			must_answer(&device.config.methods[i], 10u + i);
	}
	drive_rest(&device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, data + size };
	const struct program *const program = &programs[take_below(&bytes, sizeof programs / sizeof *programs)];
	quash_config config = config_from(program, &bytes);
	const quash_dialect dialect = dialect_from(config.dialect, &bytes);
	const unsigned missing = take(&bytes);
	const enum drive_way way = (enum drive_way)take_below(&bytes, 3);
	static quash_method table[QUASH_METHODS_MAX];
	const bool is_spoiled = spoil(&config, table, &bytes);
	config.dialect = &dialect;
	program->reset();
	handlers_begin(&device);
	const bool accepted = drive_open(&device, &config, 0, way);
	device.watch.any_token = true;
	if (accepted && is_spoiled)
		broken("init", "a wrong table is accepted");
	if (accepted) {
		must_serve(program);
		must_refuse_without(missing);
	} else {
		must_be_named(&device.fault);
		must_say_so(program);
	}
	drive_close(&device);
	return 0;
}
