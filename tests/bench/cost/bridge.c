/* SPDX-License-Identifier: MIT
 * What is handed on to another peer costs in proportion to its length, there and back: a request, its answer, notifications. */
#include "shapes.h"

enum { SLOTS = 2, ID_SIZE = 17, STATE = 512 };

static struct end {
	quash_peer peer;
	quash_config config;
	quash_request slots[SLOTS];
	quash_word word;
	quash_counters counters;
	uint64_t states[SLOTS * STATE / 8];
	uint8_t ids[(SLOTS + 1) * ID_SIZE], arena[COST_ARENA], tx[COST_TX];
	size_t written;
} front, back;

static uint8_t text[2 * COST_MOST_BYTES];

static const quash_route there = { &back.peer, NULL, &quash_mcp_progress_form, 16, NULL };
static const quash_route home = { &front.peer, NULL, &quash_mcp_progress_form, 0, NULL };
static const quash_method front_methods[] = {
	{ .name = "tools/call", .handler = quash_forward, .data = &there, .state_size = QUASH_FORWARD_STATE(16) },
};
static const quash_method back_methods[] = {
	{ .name = "notifications/progress", .handler = quash_forward_progress, .data = &home, .marks = QUASH_NOTIFICATION },
	{ .name = "notifications/message", .handler = quash_relay, .data = &home, .marks = QUASH_NOTIFICATION },
};

static void start(struct end *end, const quash_method *methods, uint8_t count)
{
	end->config = (quash_config){ .slots = end->slots, .word = &end->word, .word_size = QUASH_WORD,
		.counters = &end->counters, .ids = end->ids, .states = end->states, .arena = end->arena, .tx = end->tx,
		.slot_count = SLOTS, .id_size = ID_SIZE, .arena_size = sizeof end->arena, .tx_size = sizeof end->tx, .state_size = STATE,
		.dialect = &quash_mcp, .methods = methods, .method_count = count, .calls = &quash_calls };
	end->written = 0;
	if (!quash_init(&end->peer, &end->config, NULL))
		cost_check(false, "a bridge does not begin");
}

static void drain(struct end *end)
{
	size_t n;
	for ((void)quash_out(&end->peer, &n); n > 0; (void)quash_out(&end->peer, &n)) {
		quash_sent(&end->peer, n);
		end->written += n;
	}
}

/* Gives an end so many bytes, and lets both come to rest. Returns the blocks. */
static uint64_t give(struct end *end, const uint8_t *bytes, size_t n)
{
	const uint64_t before = cost_blocks;
	for (size_t at = 0, rounds = 0; at < n || rounds < 8; rounds++) {
		at += quash_feed(&end->peer, &bytes[at], n - at);
		(void)quash_step(&front.peer);
		(void)quash_step(&back.peer);
		drain(&front);
		drain(&back);
	}
	return cost_blocks - before;
}

#define ASKED "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':"

static const struct {
	struct cost_shape shape;
	bool there; /* the other way it comes after a short request */
} rows[] = {
	{ { "a request with a long text", ASKED "{'text':'", "a", NULL, "'}}\n", false }, true },
	{ { "a request with many members", ASKED "{'_meta':{'progressToken':1}", ",'a':1", NULL, "}}\n", false }, true },
	{ { "a request with much meta", ASKED "{'_meta':{'progressToken':1", ",'progressToken':2,'a':1", NULL, "}}}\n", false }, true },
	{ { "an answer with a long text", "{'jsonrpc':'2.0','id':1,'result':['", "a", NULL, "']}\n", false }, false },
	{ { "an answer with many members", "{'jsonrpc':'2.0','id':1,'result':{'a':1", ",'a':1", NULL, "}}\n", false }, false },
	{ { "a long error", "{'jsonrpc':'2.0','id':1,'error':{'code':-1,'message':'", "a", NULL, "'}}\n", false }, false },
	{ { "progress with a long message", "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'w1','message':'", "a", NULL, "'}}\n", false }, false },
	{ { "much progress", "", "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'w1','progress':#}}\n", NULL, "", false }, false },
	{ { "many notifications", "", "{'jsonrpc':'2.0','method':'notifications/message','params':{'data':#}}\n", NULL, "", false }, false },
	{ { "a long notification", "{'jsonrpc':'2.0','method':'notifications/message','params':['", "a", NULL, "']}\n", false }, false },
};

static struct cost_point count_row(unsigned row, unsigned length)
{
	uint8_t asked[200];
	const size_t n = cost_shape_text(&rows[row].shape, &quash_mcp, (size_t)1024 << 2 * length, text, sizeof text);
	start(&front, front_methods, sizeof front_methods / sizeof *front_methods);
	start(&back, back_methods, sizeof back_methods / sizeof *back_methods);
	if (!rows[row].there)
		(void)give(&front, asked, cost_message(ASKED "{'_meta':{'progressToken':1}}}", asked, sizeof asked));
	const size_t before = front.written + back.written;
	const uint64_t blocks = give(rows[row].there ? &front : &back, text, n);
	const size_t written = front.written + back.written - before;
	if (written < n / 2)
		cost_check(false, "%s: of %zu bytes %zu were handed on", rows[row].shape.name, n, written);
	return (struct cost_point){ blocks, n, n + written, 8 };
}

void cost_of_bridge(void)
{
	for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
		struct cost_point points[COST_POINTS];
		for (unsigned i = 0; i < COST_POINTS; i++)
			points[i] = count_row(row, i);
		cost_check_line(points, SLOTS, "a bridge", rows[row].shape.name, points[COST_POINTS - 1].n);
	}
}
