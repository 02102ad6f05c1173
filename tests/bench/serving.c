/* SPDX-License-Identifier: MIT
 * A peer: from a request's first byte to the last byte of its answer, and from the last byte of a cancel to the flag and to
 * the last byte of the answer. Once with two plain methods in plain JSON-RPC, once as an MCP server with two tools. */
#include "bench.h"

static quash_peer peer;

/* --- Plain methods */

static bool busy; /* with what is to be cancelled */

static int32_t initialize(quash_request *request, quash_value params)
{
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_value(w, quash_get(params, "protocolVersion"));
	quash_put_end(w);
	return quash_send(request);
}

/* Takes two members out of the params, as a tool would. */
static int32_t call(quash_request *request, quash_value params)
{
	int32_t pin;
	if (busy)
		return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
	const quash_value arguments = quash_get(params, "arguments");
	const bool text = quash_is(quash_get(params, "name"), "log_write");
	if (text ? quash_length(quash_get(arguments, "text")) == 0
		 : quash_int32(quash_get(arguments, "pin"), &pin) != QUASH_NUMBER_OK)
		return QUASH_INVALID_PARAMS;
	quash_put_text(quash_reply(request), "ok");
	return quash_send(request);
}

static const quash_method plain_methods[] = {
	{ .name = "initialize", .handler = initialize },
	{ .name = "tools/call", .handler = call },
};

/* --- Tools */

struct gpio_write {
	int32_t pin;
	bool level;
	char label[8];
};

static const quash_param gpio_write_list[] = {
	QUASH_ARG_INT(struct gpio_write, pin, 0, 31, "which"),
	QUASH_ARG_BOOL(struct gpio_write, level, "high or low"),
	QUASH_ARG_TEXT(struct gpio_write, label, "for people"),
};
static const quash_params gpio_write_params = QUASH_PARAMS(struct gpio_write, gpio_write_list);

struct log_write {
	quash_value text;
};

static const quash_param log_write_list[] = {
	QUASH_ARG_STRING(struct log_write, text, "what to log"),
};
static const quash_params log_write_params = QUASH_PARAMS(struct log_write, log_write_list);

static int32_t tool(quash_request *request, void *tool_state)
{
	(void)tool_state;
	return quash_mcp_text(request, "ok");
}

static const quash_mcp_tool tools[] = {
	{ .name = "gpio_write", .args = &gpio_write_params, .call = tool },
	{ .name = "log_write", .args = &log_write_params, .call = tool },
};
static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "bench", .version = "1", .tools = tools, .session = &session, .tool_count = 2, .token_size = 16
};
static const quash_method mcp_methods[] = { QUASH_MCP_METHODS(&server) };

/* --- Peers */

enum { SLOTS = 4, ID_SIZE = 40, TX_SIZE = 256, TOKEN_SIZE = 16 };
enum { STATE_SIZE = (QUASH_MCP_STATE(TOKEN_SIZE, sizeof(struct gpio_write)) + 7) / 8 * 8 };

static quash_request slots[SLOTS];
static uint8_t ids[SLOTS * ID_SIZE], tx[TX_SIZE], arena[BENCH_ARENA];
static uint64_t states[SLOTS * STATE_SIZE / 8];

#define STORED \
	.slots = slots, .ids = ids, .states = states, .arena = arena, .tx = tx, .arena_size = sizeof arena, \
	.tx_size = sizeof tx, .state_size = STATE_SIZE, .slot_count = SLOTS, .id_size = ID_SIZE

static const quash_config plain = { STORED, .dialect = &quash_jsonrpc, .methods = plain_methods,
	.method_count = 2 };
static const quash_config mcp = { STORED, .dialect = &quash_mcp, .methods = mcp_methods,
	.method_count = sizeof mcp_methods / sizeof mcp_methods[0] };

/* --- What is counted */

static void begin(const quash_config *config)
{
	const char *const wrong = quash_init(&peer, config);
	busy = false;
	session.version = NULL;
	if (wrong != NULL)
		report_wrong("config", wrong);
}

static void must_be_heard(bool heard)
{
	if (!heard)
		report_wrong("not heard", "");
}

/* Hears `n` bytes; nothing is counted. */
static void hear(const uint8_t *text, size_t n)
{
	for (; n > 0; text++, n--)
		must_be_heard(quash_feed(&peer, bench_bytes(text, 1), 1) == 1);
}

/* Hears `n` bytes in pieces of at most `most`; each is a sample. */
static void count_hearing(const uint8_t *text, size_t n, size_t most)
{
	while (n > 0) {
		const size_t piece = n < most ? n : most;
		const uint8_t *const bytes = bench_bytes(text, piece);
		const uint32_t from = counter_now();
		const size_t heard = quash_feed(&peer, bytes, piece);
		report_sample(from, counter_now());
		must_be_heard(heard == piece);
		text += piece;
		n -= piece;
	}
}

static const uint8_t *answer(size_t *n)
{
	quash_step(&peer);
	const uint8_t *const said = quash_out(&peer, n);
	quash_sent(&peer, *n);
	return said;
}

static void count_answer(void)
{
	size_t n;
	const uint32_t from = counter_now();
	const uint8_t *const said = answer(&n);
	report_sample(from, counter_now());
	report_said(said, n);
}

/* A message with its line feed, whole. */
static void serve(const char *what, uint8_t i)
{
	report_row(what, bench_messages[i].name);
	count_hearing(bench_messages[i].text, bench_size(&bench_messages[i]) + 1, BENCH_PIECE);
	count_answer();
}

/* A call is at work, and its cancel heard but for the line feed. */
static void prepare_cancel(void)
{
	begin(&plain);
	busy = true;
	hear(bench_messages[BENCH_CALL].text, bench_size(&bench_messages[BENCH_CALL]) + 1);
	quash_step(&peer);
	hear(bench_messages[BENCH_CANCEL].text, bench_size(&bench_messages[BENCH_CANCEL]));
}

static void cancel_to_flag(void)
{
	static const uint8_t last = '\n';
	quash_live live = { .request = NULL };
	prepare_cancel();
	if (!quash_next_live(&peer, &live) || quash_cancelled(live.request) != QUASH_NOT_CANCELLED)
		report_wrong("cancelled too early", "");
	report_row("flag", "cancel");
	const uint32_t from = counter_now();
	quash_feed(&peer, &last, 1);
	const quash_cause cause = quash_cancelled(live.request);
	report_sample(from, counter_now());
	if (cause != QUASH_BY_OTHER_SIDE)
		report_wrong("not cancelled", "");
}

static void cancel_to_answer(void)
{
	static const uint8_t last = '\n';
	size_t n;
	prepare_cancel();
	report_row("answer", "cancel");
	const uint32_t from = counter_now();
	quash_feed(&peer, &last, 1);
	const uint8_t *const said = answer(&n);
	report_sample(from, counter_now());
	report_said(said, n);
}

static bool fits(uint8_t i)
{
	return bench_size(&bench_messages[i]) <= sizeof arena;
}

static void feed_bytes(void)
{
	size_t n;
	begin(&plain);
	for (uint8_t i = BENCH_INITIALIZE; i <= BENCH_CALL_4K; i++) {
		if (!fits(i))
			continue;
		report_row("feed", bench_messages[i].name);
		count_hearing(bench_messages[i].text, bench_size(&bench_messages[i]) + 1, 1);
		(void)answer(&n);
	}
}

static void requests(const char *what, const quash_config *config)
{
	begin(config);
	serve(what, BENCH_INITIALIZE);
	serve(what, BENCH_CALL);
	if (fits(BENCH_CALL_4K))
		serve(what, BENCH_CALL_4K);
}

void bench_serving(void)
{
	requests("answer", &plain);
	requests("mcp", &mcp);
	cancel_to_flag();
	cancel_to_answer();
	feed_bytes();
}
