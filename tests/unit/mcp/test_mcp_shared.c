/* SPDX-License-Identifier: MIT
 * One server, one table of tools and one of methods for two peers, as where each request of HTTP has a connection and a peer: no table is
 * copied, and no client is told what belongs to another. In JSON texts ' stands for ". */
#include "unit.h"

#include "mcp_talk.h"
#include "quash.h"

struct count { int32_t to, done; };
static const quash_param count_list[] = { QUASH_ARG_INT(struct count, to, 1, 9, "how far") };
static const quash_params count_params = QUASH_PARAMS(struct count, count_list);

static int32_t count(quash_request *request)
{
	struct count *const c = QUASH_TOOL(struct count, request);
	if (c->done == c->to)
		return quash_mcp_struct(request);
	c->done++;
	return QUASH_PENDING;
}

static quash_mcp_session session;
static const quash_mcp_tool tools[] = { { .name = "count", .args = &count_params, .output = &count_params, .call = count } };
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .modern = &quash_mcp_modern, .tools = tools,
	.tool_count = COUNT_OF(tools), .changes = QUASH_MCP_TOOLS_CHANGE };
static const quash_method methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server), QUASH_MCP_LISTEN(&server) };

enum { FIRST, SECOND, PEERS };
static loop peers[PEERS];
static uint64_t states[PEERS][LOOP_SLOTS * MCP_STATE / 8];

static void begin(loop *l, uint64_t *its_states)
{
	loop_init(l, &quash_mcp, methods, COUNT_OF(methods));
	l->config.states = its_states;
	l->config.state_size = MCP_STATE;
	l->config.check = quash_mcp_check;
	l->config.keeps = &quash_mcp_keeps;
	loop_start(l);
}

/* Each test begins with it: where a config is known, that is one peer's, and the test is left out. */
static void begin_both(void)
{
	for (int i = 0; i < PEERS; i++)
		begin(&peers[i], states[i]);
}

static void says(int i, const char *message)
{
	loop_say(&peers[i], mcp_quoted(message));
	loop_say(&peers[i], "\n");
}

static void hears(int i, const char *expected)
{
	assert_string_equal(loop_heard(&peers[i]), mcp_quoted(expected));
}

#define COUNT(id, to) CALL_WITH(id, "count", "'to':" to, META)

/* The same id, the same tool, at the same time. */
static void test_calls_of_two_peers(void **state)
{
	(void)state;
	begin_both();
	says(FIRST, COUNT("1", "2"));
	says(SECOND, COUNT("1", "3"));
	for (int i = 0; i < 8; i++)
		loop_step(&peers[i % PEERS], 1);
	assert_non_null(strstr(loop_heard(&peers[FIRST]), mcp_quoted("'structuredContent':{'to':2}")));
	assert_non_null(strstr(loop_heard(&peers[SECOND]), mcp_quoted("'structuredContent':{'to':3}")));
}

/* The connection of one goes: the other does not notice. */
static void test_the_end_of_one(void **state)
{
	(void)state;
	begin_both();
	says(FIRST, COUNT("1", "9"));
	says(SECOND, COUNT("1", "1"));
	loop_step(&peers[FIRST], 1);
	loop_step(&peers[SECOND], 1);
	quash_gone(&peers[FIRST].peer);
	quash_reopen(&peers[FIRST].peer);
	loop_step(&peers[FIRST], 1);
	loop_step(&peers[SECOND], 1);
	hears(FIRST, "");
	assert_non_null(strstr(loop_heard(&peers[SECOND]), mcp_quoted("'structuredContent':{'to':1}")));
}

#define LISTEN(id) REQUEST(id, "subscriptions/listen", "'notifications':{'toolsListChanged':true}," META)
#define CHANGED(id) \
	"{'jsonrpc':'2.0','method':'notifications/tools/list_changed'," \
	"'params':{'_meta':{'io.modelcontextprotocol/subscriptionId':" id "}}}\n"

/* Each is told on its own connection, and once, whichever peer the program names. */
static void test_each_hears_of_changes(void **state)
{
	(void)state;
	begin_both();
	says(FIRST, LISTEN("11"));
	says(SECOND, LISTEN("22"));
	for (int i = 0; i < PEERS; i++) {
		loop_step(&peers[i], 1);
		(void)loop_heard(&peers[i]);
	}
	assert_true(quash_mcp_changed(&peers[FIRST].peer, &server, QUASH_MCP_TOOLS_CHANGE));
	hears(FIRST, CHANGED("11"));
	hears(SECOND, CHANGED("22"));
	quash_gone(&peers[SECOND].peer);
	quash_reopen(&peers[SECOND].peer);
	loop_step(&peers[SECOND], 1);
	assert_true(quash_mcp_changed(&peers[SECOND].peer, &server, QUASH_MCP_TOOLS_CHANGE));
	hears(FIRST, CHANGED("11"));
	hears(SECOND, "");
}

/* A carrier knows name and revision before the message has a slot. */
static void test_what_a_carrier_compares(void **state)
{
	(void)state;
	quash_incoming in;
	begin_both();
	loop_say(&peers[FIRST], mcp_quoted(COUNT("1", "2")));
	assert_true(quash_incoming_of(&peers[FIRST].peer, &in));
	assert_string_equal(in.method->name, "tools/call");
	assert_true(quash_is(quash_get(in.params, "name"), "count"));
	assert_true(quash_is(quash_get(quash_get(in.params, "_meta"), "protocolVersion"), QUASH_MCP_MODERN_VERSION));
	assert_int_equal(quash_live_count(&peers[FIRST].peer), 0);
	assert_false(quash_incoming_of(&peers[SECOND].peer, &in));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_of_two_peers),
		cmocka_unit_test(test_the_end_of_one),
		cmocka_unit_test(test_each_hears_of_changes),
		cmocka_unit_test(test_what_a_carrier_compares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
