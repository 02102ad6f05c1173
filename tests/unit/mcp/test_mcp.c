/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash/mcp.h"

enum { TOKEN = 8 };

/* --- The server under test */

struct sum {
	int32_t a, b, sum;
};

static const quash_param add_list[] = {
	QUASH_ARG_INT(struct sum, a, -99, 99, "one"),
	QUASH_ARG_INT_OR(struct sum, b, -99, 99, 1, "other"),
};
static const quash_param sum_list[] = { QUASH_ARG_INT(struct sum, sum, -198, 198, NULL) };
static const quash_params add_params = QUASH_PARAMS(struct sum, add_list);
static const quash_params sum_params = QUASH_PARAMS(struct sum, sum_list);

static int32_t add(quash_request *request)
{
	struct sum *const s = QUASH_TOOL(struct sum, request);
	s->sum = s->a + s->b;
	return quash_mcp_struct(request);
}

#ifdef QUASH_CHECKED
/* Each answer has the same two values whenever it is put. */
static void put_by_turns(quash_writer *w, const quash_request *request)
{
	static bool on;
	(void)request;
	on = !on;
	quash_put_object(w);
	quash_put_key(w, "on\"");
	quash_put_int(w, on ? 1 : 2);
}

static int32_t by_turns(quash_request *request)
{
	return quash_mcp_structured(request, put_by_turns);
}

static const quash_mcp_tool turning_tools[] = { { .name = "by_turns", .call = by_turns } };
#endif

struct work {
	int32_t steps;
	int32_t done;
};

static const quash_param work_list[] = { QUASH_ARG_INT(struct work, steps, 0, 1000, NULL) };
static const quash_params work_params = QUASH_PARAMS(struct work, work_list);

static unsigned calls;

static int32_t work(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	calls++;
	if (w->done == w->steps)
		return quash_mcp_text(request, "worked");
	w->done++;
	(void)quash_mcp_progress(request, (uint32_t)w->done, (uint32_t)w->steps, NULL);
	return QUASH_PENDING;
}

static int32_t end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t broken(quash_request *request)
{
	return quash_mcp_failure(request, "no \"water\"");
}

static const quash_mcp_tool tools[] = {
	{ .name = "add", .title = "Sum", .description = "adds", .args = &add_params, .output = &sum_params,
	  .call = add,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "work", .args = &work_params, .call = work, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "unit", .version = "1", .title = "Unit", .instructions = "Test.", .tools = tools,
	.modern = &quash_mcp_modern,
	.session = &session, .ttl = 1000, .tool_count = COUNT_OF(tools), .page = 4, .token_size = TOKEN,
};

#ifdef QUASH_CHECKED
static const quash_mcp_server turning_server = { .name = "turning", .version = "1", .session = &session,
	QUASH_MCP_TOOL_LIST(turning_tools), .token_size = TOKEN, .modern = &quash_mcp_modern };
#endif

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

/* --- Talking */

enum { STATE = (QUASH_MCP_STATE(TOKEN, sizeof(struct sum)) + 7) / 8 * 8 };
static void start_with(const quash_method *list, uint8_t count, quash_size state_size, quash_size tx_size)
{
	session.version = NULL;
	calls = 0;
	mcp_start(list, count, state_size, tx_size);
}

#define INITIALIZED(id, version) \
	RESULT(id, "'protocolVersion':'" version "','capabilities':{'tools':{}},'instructions':'Test.'," \
	       "'serverInfo':{'name':'unit','title':'Unit','version':'1'}")

static int set_up(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, LOOP_TX);
	return 0;
}

static int set_up_legacy(void **state)
{
	set_up(state);
	mcp_check(INITIALIZE("0", "2025-11-25"), INITIALIZED("0", "2025-11-25"));
	return 0;
}

/* --- tools/call */

#ifdef QUASH_CHECKED
static unsigned changes;

static void note_change(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)request;
	if (event == QUASH_MISUSED && why == QUASH_WHY_CHANGED && detail == QUASH_INTERNAL_ERROR)
		changes++;
}

/* The build for tests sees a value that changes between its text and its structure. */
static void test_structured_by_turns(void **state)
{
	static const quash_method turning[] = { QUASH_MCP_METHODS(&turning_server) };
	(void)state;
	changes = 0;
	mcp_prepare(turning, COUNT_OF(turning), MCP_STATE, 256);
	mcp.config.trace = note_change;
	loop_start(&mcp);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	mcp_check(CALL("1", "by_turns", ""), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(changes, 1);
	assert_int_equal(mcp.counters.changed, 1);
}
#endif

/* --- Progress */

/* A token is kept in the request's own state: what stands around it is not touched. */
static void test_a_token_stays_in_its_state(void **state)
{
	enum { GUARD = 64 };
	static uint64_t memory[(STATE + 2 * GUARD) / 8];
	uint8_t *const bytes = (uint8_t *)memory;
	(void)state;
	memset(memory, '#', sizeof memory);
	mcp.config.states = &bytes[GUARD];
	mcp.config.slot_count = 1;
	loop_start(&mcp);
	mcp_check(INITIALIZE("0", "2025-11-25"), INITIALIZED("0", "2025-11-25"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':'12345678'}"),
	      PROGRESS("'12345678'", "'progress':1,'total':2") TEXT("1", "worked"));
	for (size_t i = 0; i < GUARD; i++) {
		assert_int_equal(bytes[i], '#');
		assert_int_equal(bytes[GUARD + STATE + i], '#');
	}
}

/* --- Configs that are wrong */

static void check_fault(const quash_mcp_server *wrong_server, const char *table, const char *name, const char *what)
{
	const quash_method wrong_methods[] = { QUASH_MCP_LEGACY(wrong_server) };
	static quash_config before;
	before = mcp.config;
	MCP_USE(wrong_methods);
	mcp_refuses(table, name, what);
	mcp.config = before;
}

static void check_tool(quash_mcp_tool tool, const char *table, const char *name, const char *what)
{
	const quash_mcp_tool list[] = { { .name = "azAZ09_-.", .call = broken }, tool };
	const quash_mcp_server wrong_server = { .name = "s", .version = "1", .session = &session, QUASH_MCP_TOOL_LIST(list),
		.token_size = TOKEN, .modern = &quash_mcp_modern };
	check_fault(&wrong_server, table, name, what);
}

/* Letters, digits and _ - . are all that a tool's name may have. */
static void test_characters_of_a_name(void **state)
{
	char name[2] = "";
	(void)state;
	for (unsigned c = 1; c < 256; c++) {
		quash_fault fault;
		const quash_mcp_tool list[] = { { .name = name, .call = broken } };
		const quash_mcp_server named_server = { .name = "s", .version = "1", .session = &session, QUASH_MCP_TOOL_LIST(list),
			.token_size = TOKEN, .modern = &quash_mcp_modern };
		const quash_method named_methods[] = { QUASH_MCP_METHODS(&named_server) };
		name[0] = (char)c;
		MCP_USE(named_methods);
		const bool good = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.", (int)c) != NULL;
		assert_int_equal(quash_mcp_check(&mcp.config, &fault), good);
	}
}

static void test_wrong_tools(void **state)
{
	static const quash_param odd_list[] = { QUASH_ARG_INT(struct work, steps, 2, 1, NULL) };
	static const quash_params odd = QUASH_PARAMS(struct work, odd_list);
	static const quash_params large_params = { NULL, MCP_STATE, 0, NULL };
	static char long_name[130], large_state[80];
	(void)state;
	snprintf(large_state, sizeof large_state, "state_size %u, needs %u", (unsigned)mcp.config.state_size,
		(unsigned)QUASH_MCP_STATE(TOKEN, MCP_STATE));
	memset(long_name, 'a', sizeof long_name - 1);
	check_tool((quash_mcp_tool){ .name = "azAZ09_-.", .call = broken }, "tools", "azAZ09_-.", "name stands twice");
	check_tool((quash_mcp_tool){ .name = "so bad", .call = broken }, "tools", "so bad", "name is no name");
	check_tool((quash_mcp_tool){ .name = "", .call = broken }, "tools", "", "name is no name");
	check_tool((quash_mcp_tool){ .call = broken }, "tools", "", "name is missing");
	check_tool((quash_mcp_tool){ .name = long_name, .call = broken }, "tools", long_name, "name is too long");
	long_name[128] = ' ';
	check_tool((quash_mcp_tool){ .name = long_name, .call = broken }, "tools", long_name, "name is no name");
	check_tool((quash_mcp_tool){ .name = "x" }, "tools", "x", "call is missing");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .marks = QUASH_PARTIAL }, "tools", "x", "marks do not go together");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .motion = { .end = end, .longest = UINT32_MAX - 1 } }, "tools", "x",
		"motion.longest 4294967294, at most 2147483647");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .motion = { .longest = 1, .lease = 1 } }, "tools", "x",
		"motion.end is missing, though it moves something");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .motion = { .end = end, .lease = 1 } }, "tools", "x",
		"motion.longest is 0 for what moves something");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .motion = { .end = end, .longest = QUASH_NO_LIMIT, .lease = UINT32_MAX } }, "tools", "x",
		"motion.lease 4294967295, at most 2147483647");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .busy = "busy" }, "tools", "x", "busy needs a group");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .output = &sum_params, .output_schema = "{}" },
		"tools", "x", "output_schema stands beside what takes its place");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .args = &odd }, "x", "steps", "min leaves no value");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .output = &odd }, "x", "steps", "min leaves no value");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .args = &large_params }, "tools", "x", large_state);
}

/* A motion is whole or absent, and what has none does not finish one. */
static void test_half_a_motion(void **state)
{
	static quash_group arm;
	(void)state;
#define WRONG_MOTION(words, ...) \
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, __VA_ARGS__ }, "tools", "x", words)
	WRONG_MOTION("motion.end is missing, though it moves something", .motion = { .longest = QUASH_NO_LIMIT });
	WRONG_MOTION("motion.end is missing, though it moves something", .motion = { .lease = 1 });
	WRONG_MOTION("motion.end is missing, though it moves something", .motion = { .group = &arm });
	WRONG_MOTION("motion.end is missing, though it moves something", .motion = { .group = &arm }, .busy = "busy");
	WRONG_MOTION("motion.longest is 0 for what moves something", .motion = { .end = end });
	WRONG_MOTION("motion.longest is 0 for what moves something", .motion = { .end = end, .group = &arm });
	WRONG_MOTION("marks do not go together", .marks = QUASH_FINISHES);
	WRONG_MOTION("busy needs a group", .motion = { .end = end, .longest = 1 }, .busy = "busy");
#undef WRONG_MOTION
}

/* Nothing moves by a lease that nobody keeps. Where it needs no client's promise it works. */
static void test_a_lease_that_nobody_announces_or_checks(void **state)
{
	static const quash_mcp_tool moves = { .name = "moves", .call = broken, .motion = { .end = end, .longest = QUASH_NO_LIMIT, .lease = 300 }, .marks = QUASH_FINISHES };
	quash_mcp_server quiet = { .name = "quiet", .version = "1", .session = &session, .tools = &moves, .tool_count = 1 };
	const quash_method alone[] = { QUASH_MCP_LEGACY(&quiet), QUASH_MCP_TOOLS(&quiet) };
	(void)state;
	for (unsigned always = 0; always < 2; always++) {
		MCP_USE(alone);
		mcp.config.check = NULL;
		mcp.config.lease_always = always != 0;
		session.version = NULL;
		loop_start(&mcp);
		mcp_send(INITIALIZE("0", "2025-11-25"));
		loop_settle(&mcp, 10);
		(void)loop_heard(&mcp);
		mcp_check(CALL("1", "moves", ""), always != 0 ? FAILURE("1", "no \\'water\\'") : ERROR("1", "-32603", "leases is needed and not named"));
	}
}

/* A name that has no room in the word would never be found, and what it names never read. */
static void test_what_is_kept_has_room(void **state)
{
	static const quash_keep own[] = { { "_meta>example.org/<user", 40, false },
		{ "a name of fifty-three characters, which is one too many", 0, false } };
	quash_mcp_server named = { .name = "named", .version = "1", .session = &session, .modern = &quash_mcp_modern, .keep_count = 1 };
	const quash_method alone[] = { QUASH_MCP_LEGACY(&named), QUASH_MCP_MODERN(&named) };
	quash_fault fault;
	(void)state;
	check_fault(&named, "server", "named", "keeps is missing");
	named.keeps = own;
	named.token_size = 233;
	check_fault(&named, "server", "named", "token_size is too large");
	named.token_size = 0;
	MCP_USE(alone);
	mcp.config.word_size = 46;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.word_size = 45;
	check_fault(&named, "config", "", "word_size 45, needs 46");
	mcp.config.keeps = NULL;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.keeps = &quash_mcp_keeps;
	mcp.config.word_size = 57;
	named.keep_count = 2;
	check_fault(&named, "config", "", "word_size 57, needs 59");
}

/* A server that names nothing to announce a lease has none. */
static void test_leases_that_nobody_announces(void **state)
{
	static const quash_mcp_tool still = { .name = "still", .call = broken };
	static const quash_mcp_tool moves = { .name = "moves", .call = broken, .motion = { .end = end, .longest = QUASH_NO_LIMIT, .lease = 300 }, .marks = QUASH_FINISHES };
	quash_mcp_server quiet = { .name = "quiet", .version = "1", .session = &session, .tools = &moves, .tool_count = 1 };
	const quash_method beside[] = { QUASH_MCP_LEGACY(&quiet), QUASH_MCP_TOOLS(&quiet), { .name = "x/turn", .handler = quash_mcp_ping_, .motion = { .end = end, .longest = 9000, .lease = 150 }, .marks = QUASH_FINISHES } };
	quash_fault fault;
	(void)state;
	check_fault(&quiet, "server", "quiet", "leases is needed and not named");
	quiet.tools = &still;
	mcp.config.methods = beside;
	mcp.config.method_count = COUNT_OF(beside) - 1;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.method_count = COUNT_OF(beside);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.table, "server");
	assert_fault(&fault, "leases is needed and not named");
	quiet.leases = &quash_mcp_leases;
	quiet.tools = &moves;
	assert_true(quash_mcp_check(&mcp.config, &fault));
}

/* Also where the program's own methods stand in front of the server's, and between them. */
static void test_a_server_behind_own_methods(void **state)
{
	static const quash_mcp_server nameless = { .version = "1", .session = &session, .modern = &quash_mcp_modern };
	static const quash_method own = { .name = "own", .handler = broken };
	const quash_method first[] = { own, QUASH_MCP_LEGACY(&nameless) };
	const quash_method second[] = { own, QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server), own, QUASH_MCP_MODERN(&nameless) };
	quash_fault fault;
	(void)state;
	MCP_USE(first);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.member, "name");
	MCP_USE(second);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.member, "name");
}

static void test_wrong_servers(void **state)
{
	const quash_mcp_server nameless = { .version = "1", .session = &session };
	const quash_mcp_server no_version = { .name = "s", .session = &session };
	const quash_mcp_server no_session = { .name = "s", .version = "1" };
	const quash_mcp_server no_tools = { .name = "s", .version = "1", .session = &session, .tool_count = 1 };
	const quash_mcp_server long_tokens = { .name = "s", .version = "1", .session = &session, .token_size = 232 };
	char long_state[80];
	const quash_mcp_server good = { .name = "s", .version = "1", .session = &session };
	(void)state;
	snprintf(long_state, sizeof long_state, "state_size %u, needs %u", (unsigned)mcp.config.state_size,
		(unsigned)QUASH_MCP_STATE(232, 0));
	check_fault(&nameless, "server", "", "name is missing");
	check_fault(&no_version, "server", "s", "version is missing");
	check_fault(&no_session, "server", "s", "session is missing");
	check_fault(&no_tools, "server", "s", "tools is missing");
	check_fault(&long_tokens, "server", "s", long_state);
	check_fault(NULL, "methods", "initialize", "data is missing");
	mcp.config.new_session = NULL;
	check_fault(&good, "config", "", "new_session is needed and not named");
}

static void test_no_server(void **state)
{
	quash_config config = mcp.config;
	quash_fault fault;
	(void)state;
	config.method_count = 0;
	assert_false(quash_mcp_check(&config, &fault));
	assert_fault(&fault, "initialize is missing");
}

/* `quash_init` names the tool that has no room. */
static void test_init_finds_the_tool(void **state)
{
	quash_fault fault;
	(void)state;
	mcp.config.state_size = (quash_size)(QUASH_MCP_STATE(TOKEN, sizeof(struct sum)) / 8 * 8);
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_string_equal(fault.table, "tools");
	assert_string_equal(fault.name, "add");
	assert_string_equal(fault.member, "state_size");
	assert_int_equal(fault.is, mcp.config.state_size);
	assert_int_equal(fault.needs, QUASH_MCP_STATE(TOKEN, sizeof(struct sum)));
}

/* --- Room */

/* A config that nobody has checked. */
static void test_small_state(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, LOOP_TX);
	mcp.config.state_size = 8;
	quash_start_with_(&mcp.peer, &mcp.config);
	mcp_check(INITIALIZE("1", "2025-11-25"), ERROR("1", "-32603", "Internal error"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	mcp.config.state_size = sizeof(quash_mcp_slot);
	quash_start_with_(&mcp.peer, &mcp.config);
	mcp_check(INITIALIZE("1", "2025-11-25"), INITIALIZED("1", "2025-11-25"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(calls, 0);
}

/* Its result has no room: it is not called. */
static void test_small_state_for_the_result(void **state)
{
	static const quash_params no_args = QUASH_NO_PARAMS(struct work);
	static const quash_params large = { sum_list, MCP_STATE, COUNT_OF(sum_list), NULL };
	static const quash_mcp_tool list[] = { { .name = "wide", .args = &no_args, .output = &large, .call = work } };
	static const quash_mcp_server wide_server = { .name = "wide", .version = "1", .session = &session, QUASH_MCP_TOOL_LIST(list),
		.token_size = TOKEN, .modern = &quash_mcp_modern };
	static const quash_method wide_methods[] = { QUASH_MCP_METHODS(&wide_server) };
	(void)state;
	mcp_prepare(methods, COUNT_OF(methods), STATE, LOOP_TX);
	MCP_USE(wide_methods);
	quash_start_with_(&mcp.peer, &mcp.config);
	mcp_check(CALL_WITH("1", "wide", "", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(calls, 0);
	assert_int_equal(mcp.counters.misuses, 1);
}

struct beyond {
	uint8_t bytes[MCP_STATE];
};

static int32_t beyond(quash_request *request)
{
	assert_non_null(QUASH_TOOL(struct beyond, request));
	assert_non_null(QUASH_CONST_TOOL(struct beyond, request));
	return QUASH_DONE;
}

/* A tool without tables that asks for more than there is. */
static void test_a_struct_beyond_the_state(void **state)
{
	static const quash_mcp_tool list[] = { { .name = "beyond", .call = beyond } };
	static const quash_mcp_server beyond_server = { .name = "beyond", .version = "1", .session = &session,
		QUASH_MCP_TOOL_LIST(list), .token_size = TOKEN, .modern = &quash_mcp_modern };
	static const quash_method beyond_methods[] = { QUASH_MCP_METHODS(&beyond_server) };
	(void)state;
	start_with(beyond_methods, COUNT_OF(beyond_methods), STATE, LOOP_TX);
	mcp_check(CALL_WITH("1", "beyond", "", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(mcp.counters.misuses, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef QUASH_CHECKED
		cmocka_unit_test(test_structured_by_turns),
#endif
		cmocka_unit_test_setup(test_a_token_stays_in_its_state, set_up_legacy),
		cmocka_unit_test(test_a_struct_beyond_the_state),
		cmocka_unit_test_setup(test_wrong_tools, set_up),
		cmocka_unit_test_setup(test_what_is_kept_has_room, set_up),
		cmocka_unit_test_setup(test_leases_that_nobody_announces, set_up),
		cmocka_unit_test_setup(test_a_lease_that_nobody_announces_or_checks, set_up),
		cmocka_unit_test_setup(test_half_a_motion, set_up),
		cmocka_unit_test_setup(test_characters_of_a_name, set_up),
		cmocka_unit_test_setup(test_a_server_behind_own_methods, set_up),
		cmocka_unit_test_setup(test_wrong_servers, set_up),
		cmocka_unit_test_setup(test_no_server, set_up),
		cmocka_unit_test_setup(test_init_finds_the_tool, set_up),
		cmocka_unit_test(test_small_state),
		cmocka_unit_test(test_small_state_for_the_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
