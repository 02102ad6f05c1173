/* SPDX-License-Identifier: MIT
 * Two bridges of different protocols in one process: what the engine has is what `bridge_new` gave. Each has a client, a device, a clock
 * and memory of its own. Bytes of both come one by one, in turn. */
#include "unit.h"

#include "bridge.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 4096, QUIET = 16 };

/* Bytes that have left on a line, up to where they were read. */
struct heard {
	char text[TEXT];
	size_t from, to;
};

/* A bridge, and all that is around it. */
static struct side {
	bool headers; /* messages stand behind their length, and not in lines */
	bool stalled; /* its device reads nothing */
	bool starved; /* it gets no memory */
	struct bridge *bridge;
	struct bridge_line *client, *device;
	struct heard client_hears, device_hears;
	uint32_t now;
	size_t blocks; /* of memory that it has not given back */
	uint8_t random;
} mcp, lsp, rpc;

/* --- The host of one of them */

union block {
	size_t size;
	max_align_t aligned;
};

/* Each time elsewhere, and what stood there before stands there no more. */
static void *resize(void *context, void *memory, size_t size)
{
	struct side *const side = context;
	union block *const old = memory != NULL ? (union block *)memory - 1 : NULL, *block = NULL;
	const size_t before = old != NULL ? old->size : 0;
	if (side->starved && size > before)
		return NULL;
	side->blocks += memory == NULL && size > 0;
	side->blocks -= memory != NULL && size == 0;
	if (size > 0) {
		block = malloc(sizeof *block + size);
		assert_non_null(block);
		block->size = size;
		if (before > 0)
			memcpy(block + 1, memory, before < size ? before : size);
	}
	for (size_t i = 0; i < before; i++)
		((volatile uint8_t *)memory)[i] = 'x';
	free(old);
	return block != NULL ? block + 1 : NULL;
}

static bool give_random(void *context, void *bytes, size_t n)
{
	struct side *const side = context;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = ++side->random;
	return true;
}

static void keep_no_log(void *context, enum log_level level, const char *text, size_t n, bool cut)
{
	(void)context, (void)level, (void)text, (void)n, (void)cut;
}

static void drain(struct bridge_line *line, struct heard *heard)
{
	size_t n;
	const uint8_t *const bytes = bridge_out(line, &n);
	assert_true(heard->to + n < sizeof heard->text);
	if (n == 0)
		return;
	memcpy(heard->text + heard->to, bytes, n);
	heard->to += n;
	bridge_sent(line, n);
}

static void turn(struct side *side)
{
	struct bridge_wish wish;
	bridge_tick(side->bridge, ++side->now);
	while (bridge_wants(side->bridge, &wish)) {
		assert_int_equal(wish.kind, BRIDGE_OPENS);
		side->device = wish.line;
		bridge_opened(wish.line);
	}
	drain(side->client, &side->client_hears);
	if (side->device != NULL && !side->stalled)
		drain(side->device, &side->device_hears);
}

static void turns(struct side *side)
{
	for (unsigned i = 0; i < QUIET; i++)
		turn(side);
}

static void start(struct side *side, const char *protocol, enum device_kind kind, uint32_t now)
{
	const struct bridge_host host = { { resize, side }, side, give_random, keep_no_log, NULL };
	const struct bridge_options options = { .protocol = bridge_protocol(protocol), .device_count = 1, .clients = 1, .grace = 100, .wait = 1000,
		.initialize_timeout = 500, .devices = { { "device", { .kind = kind, .path = "device" } } } };
	*side = (struct side){ .headers = strcmp(protocol, "lsp") == 0, .now = now };
	side->bridge = bridge_new(&options, &host, now);
	assert_non_null(side->bridge);
	side->client = bridge_terminal(side->bridge);
	assert_non_null(side->client);
	turns(side);
	assert_non_null(side->device);
}

/* --- What passes */

static size_t framed(const struct side *side, char *to, const char *message)
{
	const int n = side->headers ? snprintf(to, TEXT, "Content-Length: %zu\r\n\r\n%s", strlen(message), message) : snprintf(to, TEXT, "%s\n", message);
	assert_in_range(n, 1, TEXT - 1);
	return (size_t)n;
}

/* A byte of the one, a byte of the other, and a turn of each behind it. */
static void feed_both(struct bridge_line *one, const char *text, struct bridge_line *other, const char *other_text)
{
	char bytes[2][TEXT];
	const size_t n = framed(&mcp, bytes[0], text), other_n = framed(&lsp, bytes[1], other_text);
	for (size_t i = 0; i < n || i < other_n; i++) {
		if (i < n)
			assert_int_equal(bridge_feed(one, (const uint8_t *)&bytes[0][i], 1), 1);
		if (i < other_n)
			assert_int_equal(bridge_feed(other, (const uint8_t *)&bytes[1][i], 1), 1);
		turn(&mcp);
		turn(&lsp);
	}
	turns(&mcp);
	turns(&lsp);
}

/* All that has left is this message. */
static void hears(const struct side *side, struct heard *heard, const char *message)
{
	char text[TEXT];
	const size_t n = framed(side, text, message);
	heard->text[heard->to] = '\0';
	assert_string_equal(heard->text + heard->from, text);
	assert_int_equal(heard->to - heard->from, n);
	heard->from = heard->to = 0;
}

/* What the device is asked by now has that method; its id, which is the bridge's. */
static long asked(struct side *side, const char *method)
{
	char named[100];
	struct heard *const heard = &side->device_hears;
	heard->text[heard->to] = '\0';
	const int n = snprintf(named, sizeof named, "\"method\":\"%s\"", method);
	assert_in_range(n, 1, sizeof named - 1);
	const char *const of = strstr(heard->text, named), *const id = strstr(heard->text, "\"id\":");
	assert_non_null(of);
	assert_non_null(id);
	heard->from = heard->to = 0;
	return strtol(id + strlen("\"id\":"), NULL, 10);
}

static const char *answer(char *to, long id, const char *result)
{
	const int n = snprintf(to, TEXT, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}", id, result);
	assert_in_range(n, 1, TEXT - 1);
	return to;
}

#define MCP_SESSION "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":\"device\",\"version\":\"1\"}}"
#define LSP_SESSION "{\"capabilities\":{\"hoverProvider\":true}}"
#define CALL "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}"
#define HOVER "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"textDocument/hover\",\"params\":{}}"

static void open_sessions(void)
{
	char one[TEXT], other[TEXT];
	feed_both(mcp.client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
		"\"capabilities\":{},\"clientInfo\":{\"name\":\"client\",\"version\":\"1\"}}}", lsp.client,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}");
	feed_both(mcp.device, answer(one, asked(&mcp, "initialize"), MCP_SESSION), lsp.device, answer(other, asked(&lsp, "initialize"), LSP_SESSION));
	hears(&mcp, &mcp.client_hears, answer(one, 1, MCP_SESSION));
	hears(&lsp, &lsp.client_hears, answer(other, 1, LSP_SESSION));
	feed_both(mcp.client, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", lsp.client,
		"{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}");
	mcp.device_hears.to = lsp.device_hears.to = 0;
}

/* --- The tests */

static int set_up(void **state)
{
	(void)state;
	start(&mcp, "mcp", DEVICE_UNIX, 1000);
	start(&lsp, "lsp", DEVICE_UNIX, UINT32_MAX - 500);
	open_sessions();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (mcp.bridge != NULL)
		bridge_free(mcp.bridge);
	if (lsp.bridge != NULL)
		bridge_free(lsp.bridge);
	mcp.bridge = lsp.bridge = NULL;
	return 0;
}

static void test_each_answers_its_own_client(void **state)
{
	char one[TEXT], other[TEXT];
	(void)state;
	feed_both(mcp.client, CALL, lsp.client, HOVER);
	feed_both(mcp.device, answer(one, asked(&mcp, "tools/call"), "{\"content\":[]}"), lsp.device,
		answer(other, asked(&lsp, "textDocument/hover"), "{\"contents\":\"here\"}"));
	hears(&mcp, &mcp.client_hears, answer(one, 7, "{\"content\":[]}"));
	hears(&lsp, &lsp.client_hears, answer(other, 7, "{\"contents\":\"here\"}"));
}

/* Each cancels in the words of its protocol, and only its own. */
static void test_a_cancel_stays_in_its_bridge(void **state)
{
	(void)state;
	feed_both(mcp.client, CALL, lsp.client, HOVER);
	(void)asked(&mcp, "tools/call");
	const long id = asked(&lsp, "textDocument/hover");
	char cancel[TEXT];
	const size_t n = framed(&lsp, cancel, "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":7}}");
	assert_int_equal(bridge_feed(lsp.client, (const uint8_t *)cancel, n), n);
	turns(&lsp);
	turns(&mcp);
	assert_int_equal(asked(&lsp, "$/cancelRequest"), id);
	assert_int_equal(mcp.device_hears.to, 0);
}

/* The one goes with a request under way; the other has one, too. */
static void test_one_is_freed_and_the_other_lives(void **state)
{
	char text[TEXT], bytes[TEXT];
	(void)state;
	feed_both(mcp.client, CALL, lsp.client, HOVER);
	bridge_free(mcp.bridge);
	mcp.bridge = NULL;
	assert_int_equal(mcp.blocks, 0);
	const size_t n = framed(&lsp, bytes, answer(text, asked(&lsp, "textDocument/hover"), "null"));
	assert_int_equal(bridge_feed(lsp.device, (const uint8_t *)bytes, n), n);
	turns(&lsp);
	hears(&lsp, &lsp.client_hears, answer(text, 7, "null"));
	bridge_free(lsp.bridge);
	lsp.bridge = NULL;
	assert_int_equal(lsp.blocks, 0);
}

/* --- A message that waits where it came in */

/* Into the bridge's own memory, as far as there is room for it. */
static void put(struct side *side, struct bridge_line *line, const char *text)
{
	size_t room;
	const size_t n = strlen(text);
	for (size_t at = 0; at < n; at += room) {
		uint8_t *const to = bridge_room(line, n - at, &room);
		assert_non_null(to);
		assert_in_range(room, 1, n - at);
		memcpy(to, text + at, room);
		bridge_fed(line, room);
		turn(side);
	}
}

enum { MESSAGES = 600 };

/* The whole lines that the device has been told since: each message is refused once, by its id, in any order. */
static unsigned count_refusals(bool refused[MESSAGES + 1])
{
	unsigned count = 0;
	struct heard *const heard = &rpc.device_hears;
	heard->text[heard->to] = '\0';
	for (const char *end; (end = strchr(heard->text, '\n')) != NULL; count++) {
		const size_t n = (size_t)(end - heard->text) + 1;
		const long id = strtol(heard->text + strlen("{\"jsonrpc\":\"2.0\",\"id\":"), NULL, 10);
		assert_in_range(id, 1, MESSAGES);
		assert_false(refused[id]);
		refused[id] = true;
		heard->to -= n;
		memmove(heard->text, heard->text + n, heard->to + 1);
	}
	return count;
}

/* The device reads no answers, so in the end one of its messages waits, while more come than have room behind it. */
static void test_a_message_is_read_where_its_line_has_moved_to(void **state)
{
	static bool refused[MESSAGES + 1];
	unsigned count = 0;
	char text[100];
	(void)state;
	start(&rpc, "jsonrpc", DEVICE_TTY, 1);
	rpc.stalled = true;
	for (unsigned i = 1; i <= MESSAGES; i++) {
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"m\",\"params\":3}%s", i, i % 2 == 0 ? "\n" : "\r\n");
		put(&rpc, rpc.device, text);
	}
	assert_int_equal(rpc.device_hears.to, 0);
	rpc.stalled = false;
	for (unsigned i = 0; i < MESSAGES && count < MESSAGES; i++) {
		turn(&rpc);
		count += count_refusals(refused);
	}
	assert_int_equal(count, MESSAGES);
	bridge_free(rpc.bridge);
	assert_int_equal(rpc.blocks, 0);
}

/* As a shell does, with what a client has transmitted. */
static size_t serve(struct bridge_line *client, const char *text, size_t n)
{
	size_t taken = 0;
	unsigned shown = 0;
	for (struct bridge_line *line; (line = bridge_next(rpc.bridge)) != NULL;) {
		if (line != client)
			continue;
		assert_in_range(++shown, 1, 2);
		taken += bridge_feed(client, (const uint8_t *)text + taken, n - taken);
	}
	return taken;
}

/* Others are served meanwhile. */
static void test_what_finds_no_memory_waits_for_a_later_turn(void **state)
{
	static const char note[] = "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n";
	const size_t n = sizeof note - 1;
	(void)state;
	start(&rpc, "jsonrpc", DEVICE_UNIX, 1);
	rpc.starved = true;
	assert_int_equal(bridge_feed(rpc.client, (const uint8_t *)note, n), 0);
	for (unsigned i = 0; i < QUIET; i++) {
		turn(&rpc);
		assert_int_equal(serve(rpc.client, note, n), 0);
		assert_in_range(bridge_idle_ms(rpc.bridge), 1, 5);
	}
	rpc.starved = false;
	turn(&rpc);
	assert_int_equal(serve(rpc.client, note, n), n);
	turns(&rpc);
	hears(&rpc, &rpc.device_hears, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{}}");
	bridge_free(rpc.bridge);
	assert_int_equal(rpc.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_answers_its_own_client, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_cancel_stays_in_its_bridge, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_is_freed_and_the_other_lives, set_up, tear_down),
		cmocka_unit_test(test_a_message_is_read_where_its_line_has_moved_to),
		cmocka_unit_test(test_what_finds_no_memory_waits_for_a_later_turn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
