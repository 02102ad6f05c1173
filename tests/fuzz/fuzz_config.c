/* SPDX-License-Identifier: MIT
 * config: sizes, pointers, tables and dialects from the data. What quash_init refuses is named as it stands in
 * quash_config. What it accepts must serve: each method is answered, and not by -32603; each is cancelled while it waits; and no
 * byte beyond the lent arrays is touched.
 *
 * What quash_init cannot see is not checked here, and so left as its program has it:
 *     state_size  smaller than the profile's table needs (QUASH_MCP_STATE, ...): each request is answered with -32603
 *     tag_size    smaller than QUASH_ACP_TAG_SIZE: a prompt is then not found by session/cancel
 *     tx_size     of the profiles' programs: what is said in one piece, as the agent's plan, needs as much
 * Nor is it checked that a name that stands in a table twice is found once. */
#include "agent.h"
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
	const struct vocabulary *words; /* what is said first, or NULL */
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
	.state_size = HANDLER_STATE };

static const struct program programs[] = {
	{ &plain_config, nothing, NULL, NULL, "\"method\":\"wait\"", QUASH_TX_MIN },
	{ &toolbox_config, toolbox_reset, &mcp_words, NULL,
		"\"method\":\"tools/call\",\"params\":{\"name\":\"slow\",\"arguments\":{\"ms\":9000}}", 64 },
	{ &gallery_config, gallery_reset, &mcp_words, NULL,
		"\"method\":\"resources/read\",\"params\":{\"uri\":\"gallery://wait\"}", 1024 },
	{ &agent_config, agent_reset, &acp_words,
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
		d.cancel_alias = NULL;
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
		d.cancel_method = NULL;
	if (what == 254)
		d.cancel_id = NULL;
	return d;
}

static quash_config config_from(const struct program *program, struct bytes *from)
{
	quash_config c = *program->config;
	const bool plain = program->config == &plain_config;
	c.slot_count = (uint8_t)(take(from));
	c.id_size = (uint8_t)(take(from));
	c.arena_size = (quash_size)take_below(from, 3000);
	c.tx_size = (quash_size)take_below(from, 1500);
	c.reason_size = take(from);
	if (!plain && c.tx_size < program->least_tx)
		c.tx_size = (quash_size)program->least_tx;
	if (plain) {
		static const quash_dialect *const dialects[] = { &quash_jsonrpc, &quash_mcp, &quash_acp,
			&quash_lsp };
		c.dialect = dialects[take_below(from, 4)];
		c.tag_size = take(from);
		c.state_size = (quash_size)(c.state_size + take(from) / 8 * 8u);
		c.method_count = (uint8_t)take_below(from, HANDLER_METHODS + 1);
	}
	return c;
}

/* --- What is refused */

static void must_be_named(const char *name)
{
	static const char *const members[] = { "method_count", "slot_count", "id_size", "tag_size",
		"reason_size", "dialect", "methods", "slots", "ids", "states", "tags", "arena", "tx",
		"reason", "trace", "context", "arena_size", "tx_size", "state_size" };
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		if (strcmp(members[i], name) == 0)
			return;
	}
	broken("init", "no member is named %s", name);
}

/* The config that was accepted, without one of its pointers: that is named, if it is needed. The slots are another
 * peer's then. */
static void must_refuse_without(unsigned which)
{
	static quash_peer peer;
	quash_config c = device.config;
	const struct {
		const char *name;
		void *pointer;
		size_t size;
		bool needed;
	} pointers[] = {
		{ "slots", &c.slots, sizeof c.slots, true },
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
	const char *const wrong = quash_init(&peer, &c);
	if (pointers[which].needed ? wrong == NULL || strcmp(wrong, pointers[which].name) != 0 : wrong != NULL)
		broken("init", "without %s it says %s", pointers[which].name,
			wrong != NULL ? wrong : "that all is well");
}

/* --- What is accepted */

static void settle(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		drive_pump(&device, SIZE_MAX);
		drive_step(&device);
		drive_pump(&device, SIZE_MAX);
		drive_tick(&device, 1);
	}
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

/* What waits is answered when what it waits for is, or when it is cancelled. */
static void must_answer(const quash_method *method, unsigned id)
{
	char what[100];
	const unsigned before = device.watch.answers;
	snprintf(what, sizeof what, "\"method\":\"%s\",\"params\":{\"n\":-5}", method->name);
	ask(id, what);
	answer_all(&device);
	settle(3);
	quash_cancel_all(&device.peer);
	settle(3);
	if (device.watch.answers != before + 1)
		broken("serve", "%s is answered %u times", method->name, device.watch.answers - before);
	if (device.watch.last_code == QUASH_INTERNAL_ERROR && device.peer.counters.too_long == 0)
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
		"{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":98}}", d->cancel_method,
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
	config.dialect = &dialect;
	program->reset();
	handlers_begin(&device);
	const char *const wrong = drive_open(&device, &config, 0, take_below(&bytes, 2) == 1);
	tell_loud("%s\n", wrong != NULL ? wrong : "accepted");
	device.watch.any_token = true;
	if (wrong != NULL) {
		must_be_named(wrong);
	} else {
		must_serve(program);
		must_refuse_without(missing);
	}
	drive_close(&device);
	return 0;
}
