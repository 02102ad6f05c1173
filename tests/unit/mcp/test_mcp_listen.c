/* SPDX-License-Identifier: MIT
 * Lists that change: each set that the server announces, with each that a client wants. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

enum { SETS = 8 };

static quash_mcp_session session;
static int32_t done(quash_request *request)
{
	return quash_mcp_text(request, "done");
}

static const quash_mcp_tool tools[] = { { .name = "done", .call = done } };
static const quash_mcp_prompts prompts = { { &quash_mcp_prompts_kind }, NULL, 0 };
static const quash_mcp_resources resources = { { &quash_mcp_resources_kind }, NULL, NULL, 0, 0 };
static const quash_mcp_completion completion = { { &quash_mcp_completion_kind }, NULL, 0 };
static const quash_mcp_part *const parts[] = { &prompts.part, &resources.part, &completion.part, NULL };
static quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT_OF(tools),
	.parts = parts, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_PROMPTS(&server), QUASH_MCP_RESOURCES(&server),
	QUASH_MCP_COMPLETION(&server), QUASH_MCP_LISTEN(&server) };

static void start(uint8_t changes)
{
	server.changes = changes;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(quash_mcp_listen)), LOOP_TX);
	quash_mcp_new_session(&mcp.peer);
}

static const char *const names[] = { "tools", "prompts", "resources" };
#define LISTEN REQUEST("1", "subscriptions/listen", "'notifications':{%s}," META)
#define SUBSCRIPTION "'_meta':{'io.modelcontextprotocol/subscriptionId':1}"
#define NOTIFIED(method, params) "{'jsonrpc':'2.0','method':'notifications/" method "','params':{" params "}}\n"

/* The filter of these lists. */
static const char *write_filter(char *to, unsigned set)
{
	to[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if ((set & 1u << i) != 0)
			sprintf(to + strlen(to), "%s'%sListChanged':true", to[0] != '\0' ? "," : "", names[i]);
	}
	return to;
}

static const char *write_changed(char *to, unsigned set, const char *params)
{
	to[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if ((set & 1u << i) != 0)
			sprintf(to + strlen(to), NOTIFIED("%s/list_changed", "%s"), names[i], params);
	}
	return to;
}

static void check_changes(unsigned changes, unsigned wants, const char *params)
{
	char expected[500];
	for (unsigned which = 0; which < SETS; which++) {
		assert_int_equal(quash_mcp_changed(&mcp.peer, &server, (uint8_t)which), (which & changes & wants) != 0 ? QUASH_MCP_SENT : QUASH_MCP_UNWANTED);
		write_changed(expected, which & changes & wants, params);
		assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
	}
}

static void test_each_set_that_is_wanted(void **state)
{
	char filter[120], asked[400], expected[400];
	(void)state;
	for (unsigned changes = 0; changes < SETS; changes++) {
		for (unsigned wants = 0; wants < SETS; wants++) {
			start((uint8_t)changes);
			snprintf(asked, sizeof asked, LISTEN, write_filter(filter, wants));
			snprintf(expected, sizeof expected, NOTIFIED("subscriptions/acknowledged", SUBSCRIPTION ",'notifications':{%s}"),
				write_filter(filter, wants & changes));
			mcp_check_steps(2, asked, expected);
			check_changes(changes, wants, SUBSCRIPTION);
		}
	}
}

/* A client of a legacy revision hears of all that are announced, once it has begun. */
static void test_each_set_of_legacy(void **state)
{
	(void)state;
	for (unsigned changes = 0; changes < SETS; changes++) {
		start((uint8_t)changes);
		check_changes(changes, 0, "");
		mcp_send(INITIALIZE("1", "2025-11-25"));
		loop_settle(&mcp, 10);
		(void)loop_heard(&mcp);
		check_changes(changes, SETS - 1, "");
	}
}

/* Who tries while it is false would try for ever. */
static void test_longer_than_tx(void **state)
{
	(void)state;
	server.changes = SETS - 1;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(quash_mcp_listen)), QUASH_TX_MIN);
	mcp_send(INITIALIZE("1", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	assert_int_equal(quash_mcp_changed(&mcp.peer, &server, QUASH_MCP_RESOURCES_CHANGE), QUASH_MCP_TOO_LONG);
	assert_string_equal(loop_heard(&mcp), "");
	assert_int_equal(mcp.counters.dropped, 1);
}

/* Whatever wakes it, it goes on. */
static void test_woken(void **state)
{
	char asked[300];
	(void)state;
	start(1);
	snprintf(asked, sizeof asked, LISTEN, "'toolsListChanged':true");
	mcp_send(asked);
	loop_step(&mcp, 1);
	(void)loop_heard(&mcp);
	assert_int_equal(mcp.peer.tape.start, 0); /* its params are not needed any more */
	for (unsigned i = 0; i < 3; i++) {
		quash_wake(session.listens->request);
		loop_step(&mcp, 1000);
		assert_int_equal(quash_live_count(&mcp.peer), 1);
		assert_true(quash_idle_ms(&mcp.peer) > 1000000);
	}
	check_changes(1, 1, SUBSCRIPTION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_set_that_is_wanted),
		cmocka_unit_test(test_each_set_of_legacy),
		cmocka_unit_test(test_longer_than_tx),
		cmocka_unit_test(test_woken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
