/* SPDX-License-Identifier: MIT
 * The agent: what begins a connection, sessions, modes, prompts, updates. */
#include "acp_agent.h"

/* --- Turns */

static int32_t ends(quash_request *request)
{
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t waits_in_silence(quash_request *request)
{
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t waits(quash_request *request)
{
	device_note(request, "turn");
	return waits_in_silence(request);
}

static int32_t homes(quash_request *request)
{
	return quash_reply_null(request);
}

/* --- initialize */

#define OFFER(id) \
	RESULT(id, "{'protocolVersion':1,'agentCapabilities':{'promptCapabilities':{'image':true}," \
		"'sessionCapabilities':{'close':{}}},'agentInfo':{'name':'unit','title':'Unit','version':'1'}," \
		"'authMethods':[]}")

static void test_initialize_offers_what_the_agent_is(void **state)
{
	(void)state;
	agent_prepare();
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1,'clientCapabilities':{'fs':{'readTextFile':true,"
			 "'writeTextFile':false},'terminal':true}}"));
	step();
	ANSWERS(OFFER("0"));
	assert_true(agent_connection.initialized);
	assert_int_equal(agent_connection.client, QUASH_ACP_CAN_READ | QUASH_ACP_HAS_TERMINAL);
}

static void test_initialize_reads_what_the_client_can_do(void **state)
{
	static const struct {
		const char *announced;
		uint8_t known;
	} clients[] = {
		{ "{'fs':{'readTextFile':true}}", QUASH_ACP_CAN_READ },
		{ "{'fs':{'writeTextFile':true}}", QUASH_ACP_CAN_WRITE },
		{ "{'terminal':true}", QUASH_ACP_HAS_TERMINAL },
		{ "{'fs':true,'terminal':{}}", 0 },
		{ "{'fs':{'readTextFile':'yes','writeTextFile':1},'terminal':null}", 0 },
		{ "{}", 0 },
	};
	(void)state;
	agent_prepare();
	device_begin();
	for (size_t i = 0; i < COUNT_OF(clients); i++) {
		char message[200];
		snprintf(message, sizeof message,
			REQUEST_WITH("0", "initialize", "{'protocolVersion':1,'clientCapabilities':%s}"), clients[i].announced);
		say(message);
		step();
		assert_int_equal(agent_connection.client, clients[i].known);
	}
}

static void test_initialize_answers_other_versions_with_its_own(void **state)
{
	(void)state;
	static const char *const versions[] = { "0", "2", "65535", "1.0" };
	for (size_t i = 0; i < COUNT_OF(versions); i++) {
		char message[128];
		agent_prepare();
		device_begin();
		snprintf(message, sizeof message,
			"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':%s}}", versions[i]);
		say(message);
		step();
		assert_non_null(strstr(loop_heard(&device), quoted("'protocolVersion':1,")));
	}
}

static void test_initialize_wants_a_version(void **state)
{
	(void)state;
	static const char *const versions[] = { "-1", "65536", "1.5", "'1'", "null", "{}" };
	for (size_t i = 0; i < COUNT_OF(versions); i++) {
		char message[128];
		agent_prepare();
		device_begin();
		snprintf(message, sizeof message,
			"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':%s}}", versions[i]);
		say(message);
		step();
		say(REQUEST("1", "initialize"));
		step();
		ANSWERS(ERROR("0", "-32602", "protocolVersion must be an integer from 0 to 65535")
				ERROR("1", "-32602", "protocolVersion must be an integer from 0 to 65535"));
		assert_false(agent_connection.initialized);
	}
}

/* A new client: nothing of the last one is answered any more, and its sessions are gone. */
static void test_initialize_begins_a_new_session(void **state)
{
	(void)state;
	agent_start(stubborn_turn);
	assert_int_equal(agent_connection.client, 7);
	say(PROMPT("2", "s1", "x"));
	step();
	say(PROMPT("3", "s1", "x"));
	say(REQUEST_WITH("2", "initialize", "{'protocolVersion':1}"));
	DID("stubborn(2) close()");
	steps(20);
	ANSWERS(OFFER("2"));
	DID("stubborn(2) stubborn(2) end(2)");
	assert_int_equal(agent_connection.client, 0);
	COUNTED(sessions, 1);
	COUNTED(silenced, 2);
	say(PROMPT("4", "s1", "x"));
	say(NEW("5"));
	step();
	ANSWERS(ERROR("4", "-32602", "Unknown session") RESULT("5", "{'sessionId':'s2'," MODES_AT("a") "}"));
}

/* The same where the program's own methods stand in front of the agent's. */
static void test_new_session_behind_own_methods(void **state)
{
	static quash_method own[16];
	(void)state;
	agent_prepare();
	const uint8_t count = device.config.method_count;
	assert_in_range(count, 1, COUNT_OF(own) - 1);
	own[0] = device_methods[0];
	memcpy(&own[1], device.config.methods, count * sizeof *own);
	device.config.methods = own;
	device.config.method_count = (uint8_t)(count + 1);
	device_begin();
	agent_open(stubborn_turn);
	DID("open()");
	say(REQUEST_WITH("2", "initialize", "{'protocolVersion':1}"));
	DID("close()");
	step();
	ANSWERS(OFFER("2"));
	COUNTED(sessions, 1);
}

/* What the last client's turn still reports is for nobody, and its session is not the new one's. */
static int32_t outlives(quash_request *request)
{
	uint8_t *const calls = QUASH_STATE(uint8_t, request);
	if (quash_cancelled(request) == QUASH_BY_SESSION) {
		assert_null(quash_acp_session_of(request));
		assert_int_equal(quash_acp_message(request, "of the last session"), QUASH_DONE);
		assert_int_equal(quash_acp_change_mode(request, 1), QUASH_DONE);
	}
	return ++*calls < 5 ? QUASH_PENDING : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_an_old_turn_reports_nothing_to_a_new_client(void **state)
{
	(void)state;
	agent_start(outlives);
	say(PROMPT("2", "s1", "x"));
	step();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(NEW("1"));
	step();
	loop_heard(&device);
	device_forget();
	say(PROMPT("3", "s2", "x"));
	steps(3);
	DID("end(2)");
	assert_ptr_equal(agent_sessions[0].prompt, live("3"));
	steps(20);
	ANSWERS(RESULT("3", "{'stopReason':'end_turn'}"));
	assert_int_equal(agent_sessions[0].mode, 0);
}

static void test_initialize_may_be_cancelled(void **state)
{
	(void)state;
	agent_prepare();
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(CANCEL("0"));
	step();
	ANSWERS(CANCELLED("0"));
	assert_false(agent_connection.initialized);
}

/* For firmware that leaves the checks out. */
static void test_initialize_needs_room(void **state)
{
	(void)state;
	agent_prepare();
	device.config.tag_size = QUASH_ACP_TAG_SIZE - 1;
	quash_start(&device.peer, &device.config);
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	step();
	ANSWERS(INTERNAL("0"));
	agent_prepare();
	device.config.state_size = QUASH_ACP_STATE(AGENT_TURN) - 8;
	quash_start(&device.peer, &device.config);
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(NEW("1"));
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(INTERNAL("0") ERROR("1", "-32600", "Not initialized") ERROR("2", "-32600", "Not initialized"));
}

/* A state and a tag of exactly what the profile asks for. */
static quash_acp_agent exact;
static const quash_method exact_methods[] = { QUASH_ACP_METHODS(&exact) };

static void test_exactly_enough_room(void **state)
{
	(void)state;
	agent_prepare();
	exact = unit_agent;
	exact.state_size = (quash_size)((8 - sizeof(quash_acp_slot) % 8) % 8);
	device.config.methods = exact_methods;
	device.config.method_count = COUNT_OF(exact_methods);
	device.config.state_size = (quash_size)QUASH_ACP_STATE(exact.state_size);
	device.config.tag_size = QUASH_ACP_TAG_SIZE;
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	step();
	ANSWERS(OFFER("0"));
	assert_true(agent_connection.initialized);
}

/* --- Leases */

static int32_t at_home(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method leased_methods[] = {
	QUASH_ACP_BEGIN(&unit_agent), QUASH_ACP_PROMPT(&unit_agent, QUASH_NO_LIMIT, 3000, NULL),
	QUASH_METHOD_MOTION("_home", homes, at_home, 0, 60000, 2000, NULL),
	QUASH_METHOD_MOTION("_away", homes, at_home, 0, QUASH_NO_LIMIT, 4000, NULL), QUASH_METHOD("_where", homes, 0) };

static void test_initialize_announces_the_shortest_lease(void **state)
{
	(void)state;
	agent_prepare();
	device.config.methods = leased_methods;
	device.config.method_count = COUNT_OF(leased_methods);
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	step();
	ANSWERS(RESULT("0",
		"{'protocolVersion':1,'agentCapabilities':{'promptCapabilities':{'image':true},'sessionCapabilities':{},"
		"'_meta':{'quash/lifeSign':{'ms':2000},'quash/longest':{'_home':60000}}},"
		"'agentInfo':{'name':'unit','title':'Unit','version':'1'},'authMethods':[]}"));
}

static void test_a_turn_ends_when_its_lease_does(void **state)
{
	(void)state;
	agent_prepare();
	device.config.methods = leased_methods;
	device.config.method_count = COUNT_OF(leased_methods);
	device_begin();
	agent_open(waits_in_silence);
	loop_heard(&device);
	say("");
	say(PROMPT("2", "s1", "x"));
	steps(2000);
	say("");
	steps(2999);
	ANSWERS("");
	steps(2);
	ANSWERS(CANCELLED_TURN("2"));
	COUNTED(cancelled[QUASH_BY_LEASE], 1);
}

/* --- Before initialize */

static void test_nothing_is_served_before_initialize(void **state)
{
	(void)state;
	agent_prepare();
	device_begin();
	say(NEW("1"));
	say(PROMPT("2", "s1", "x"));
	say(REQUEST_WITH("3", "authenticate", "{'methodId':'x'}"));
	say(REQUEST_WITH("4", "session/set_mode", "{'sessionId':'s1','modeId':'b'}"));
	say(REQUEST_WITH("5", "session/close", "{'sessionId':'s1'}"));
	say(REQUEST("6", "session/load"));
	say(NOTE_WITH("session/cancel", "{'sessionId':'s1'}"));
	step();
	ANSWERS(ERROR("1", "-32600", "Not initialized") CANCELLED_TURN("2") UNKNOWN("6") ERROR("3", "-32600", "Not initialized")
			ERROR("4", "-32600", "Not initialized") ERROR("5", "-32600", "Not initialized"));
}

static void test_what_stands_behind_initialize_is_served(void **state)
{
	(void)state;
	agent_prepare();
	device_begin();
	script = ends;
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(NEW("1"));
	say(PROMPT("2", "s1", "x"));
	step();
	assert_non_null(strstr(loop_heard(&device), quoted(RESULT("2", "{'stopReason':'end_turn'}"))));
}

static void test_authenticate_is_refused(void **state)
{
	(void)state;
	agent_start(ends);
	say(REQUEST_WITH("1", "authenticate", "{'methodId':'x'}"));
	step();
	ANSWERS(ERROR("1", "-32602", "No authentication is needed"));
}

static void test_parts_offer_what_they_have(void **state)
{
	(void)state;
	agent_prepare();
	device.config.methods = base_methods;
	device.config.method_count = base_method_count;
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(REQUEST_WITH("1", "session/set_mode", "{'sessionId':'s1','modeId':'b'}"));
	say(REQUEST_WITH("2", "session/close", "{'sessionId':'s1'}"));
	step();
	ANSWERS(RESULT("0",
		"{'protocolVersion':1,'agentCapabilities':{'promptCapabilities':{'image':true},'sessionCapabilities':{}},"
		"'agentInfo':{'name':'unit','title':'Unit','version':'1'},'authMethods':[]}") UNKNOWN("1") UNKNOWN("2"));
}

/* --- Sessions */

static void test_sessions_are_minted_in_order(void **state)
{
	(void)state;
	agent_start(ends);
	say(NEW("2"));
	step();
	ANSWERS(RESULT("2", "{'sessionId':'s2'," MODES_AT("a") "}"));
	say(NEW("3"));
	step();
	ANSWERS(ERROR("3", "-32010", "Too many sessions"));
	DID("open()");
}

static void test_session_new_wants_a_directory(void **state)
{
	(void)state;
	agent_start(ends);
	say(REQUEST("2", "session/new"));
	say(REQUEST_WITH("3", "session/new", "{'cwd':1,'mcpServers':[]}"));
	say(REQUEST_WITH("4", "session/new", "{'cwd':'/','mcpServers':{}}"));
	say(REQUEST_WITH("5", "session/new", "{'cwd':'/','mcpServers':null}"));
	step();
	ANSWERS(ERROR("2", "-32602", "cwd must be a string") ERROR("3", "-32602", "cwd must be a string")
			ERROR("4", "-32602", "mcpServers must be an array")
				RESULT("5", "{'sessionId':'s2'," MODES_AT("a") "}"));
}

static void test_a_program_may_refuse_a_session(void **state)
{
	(void)state;
	agent_start(ends);
	say(REQUEST_WITH("2", "session/new", "{'cwd':'refuse'}"));
	step();
	ANSWERS(ERROR("2", "-32000", "Server error"));
	DID("open()");
	say(NEW("3"));
	step();
	ANSWERS(RESULT("3", "{'sessionId':'s3'," MODES_AT("a") "}"));
}

/* Once it is there its answer stands: the client knows its id. */
static void test_a_session_is_there_before_its_answer_has_left(void **state)
{
	(void)state;
	agent_start(ends);
	fill_tx();
	say(NEW("2"));
	step();
	say(CANCEL("2"));
	step();
	DID("open()");
	COUNTED(late_cancels, 1);
	device.stalled = false;
	steps(2);
	assert_non_null(strstr(loop_heard(&device), quoted(RESULT("2", "{'sessionId':'s2'," MODES_AT("a") "}"))));
	say(CLOSE("3", "s2"));
	step();
	ANSWERS(RESULT("3", "{}"));
	DID("close()");
}

static void test_a_session_that_was_cancelled_in_time_is_never_there(void **state)
{
	(void)state;
	agent_start(ends);
	say(NEW("2"));
	say(CANCEL("2"));
	say(NEW("3"));
	step();
	ANSWERS(CANCELLED("2") RESULT("3", "{'sessionId':'s2'," MODES_AT("a") "}"));
	DID("open()");
}

static void test_close_frees_a_session(void **state)
{
	(void)state;
	agent_start(ends);
	say(CLOSE("2", "s1"));
	say(CLOSE("3", "s1"));
	say(PROMPT("4", "s1", "x"));
	step();
	ANSWERS(RESULT("2", "{}") ERROR("3", "-32602", "Unknown session") ERROR("4", "-32602", "Unknown session"));
	DID("close()");
}

static void test_close_cancels_the_prompt_first(void **state)
{
	(void)state;
	agent_start(waits);
	say(PROMPT("2", "s1", "x"));
	step();
	say(CLOSE("3", "s1"));
	say(CLOSE("4", "s1"));
	step();
	ANSWERS("");
	steps(10);
	ANSWERS(CANCELLED_TURN("2") RESULT("3", "{}") RESULT("4", "{}"));
	DID("turn(2) turn(2) turn(2) end(2) close()");
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
}

static void test_close_may_be_cancelled(void **state)
{
	(void)state;
	agent_start(stubborn_turn);
	say(PROMPT("2", "s1", "x"));
	step();
	say(CLOSE("3", "s1"));
	step();
	say(CANCEL("3"));
	steps(20);
	ANSWERS(CANCELLED("3") CANCELLED_TURN("2"));
	say(PROMPT("4", "s1", "x"));
	step();
	assert_non_null(agent_sessions[0].prompt);
}

static void test_ids_are_exact(void **state)
{
	(void)state;
	static const char *const ids[] = { "'s'", "'s01'", "'s2'", "'S1'", "'s1 '", "'s11'", "1", "null", "['s1']",
		"'s4294967297'" };
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		char message[160];
		agent_start(ends);
		snprintf(message, sizeof message,
			"{'jsonrpc':'2.0','id':2,'method':'session/prompt','params':{'sessionId':%s,'prompt':[]}}", ids[i]);
		say(message);
		step();
		ANSWERS(ERROR("2", "-32602", "Unknown session"));
	}
}

static void test_numbers_are_put_whole(void **state)
{
	(void)state;
	agent_start(ends);
	agent_connection.minted = UINT32_MAX - 1;
	say(NEW("2"));
	say(CLOSE("3", "s1"));
	step();
	say(NEW("4"));
	step();
	ANSWERS(RESULT("2", "{'sessionId':'s4294967295'," MODES_AT("a") "}") RESULT("3", "{}")
			RESULT("4", "{'sessionId':'s1'," MODES_AT("a") "}"));
	say(PROMPT("5", "s4294967295", "x"));
	step();
	ANSWERS(RESULT("5", "{'stopReason':'end_turn'}"));
}

static void test_a_new_connection_begins_anew(void **state)
{
	(void)state;
	agent_start(stubborn_turn);
	say(PROMPT("2", "s1", "x"));
	step();
	quash_reopen(&device.peer);
	quash_acp_reset(&unit_agent);
	assert_false(agent_connection.initialized);
	assert_int_equal(agent_connection.client, 0);
	script = stubborn_turn;
	steps(20);
	DID("stubborn(2) stubborn(2) stubborn(2) end(2)");
	ANSWERS("");
	assert_null(agent_sessions[0].prompt);
	agent_open(ends);
	assert_int_equal(agent_sessions[0].number, 2);
}

/* The session stands in the place of the old one, and has a prompt before the old one's has ended. */
static void test_an_old_turn_ends_in_a_new_connection(void **state)
{
	(void)state;
	agent_start(waits);
	say(PROMPT("2", "s1", "x"));
	step();
	quash_reopen(&device.peer);
	quash_acp_reset(&unit_agent);
	agent_open(stubborn_turn);
	say(PROMPT("3", "s2", "x"));
	step();
	device_forget();
	steps(3);
	DID("stubborn(3)");
	assert_ptr_equal(agent_sessions[0].prompt, live("3"));
}

/* --- Modes */

static void test_modes(void **state)
{
	(void)state;
	agent_start(ends);
	say(REQUEST_WITH("2", "session/set_mode", "{'sessionId':'s1','modeId':'b'}"));
	say(REQUEST_WITH("3", "session/set_mode", "{'sessionId':'s1','modeId':'c'}"));
	say(REQUEST_WITH("4", "session/set_mode", "{'sessionId':'s9','modeId':'b'}"));
	say(REQUEST_WITH("5", "session/set_mode", "{'sessionId':'s1'}"));
	step();
	ANSWERS(RESULT("2", "{}") ERROR("3", "-32602", "Unknown mode") ERROR("4", "-32602", "Unknown session")
			ERROR("5", "-32602", "Unknown mode"));
	assert_int_equal(agent_sessions[0].mode, 1);
}

static int32_t changes_mode(quash_request *request)
{
	assert_int_equal(quash_acp_change_mode(request, 2), QUASH_INVALID_PARAMS);
	assert_int_equal(quash_acp_change_mode(request, 1), QUASH_DONE);
	return quash_acp_stop(request, QUASH_ACP_REFUSAL);
}

static void test_the_agent_changes_its_mode(void **state)
{
	(void)state;
	agent_start(changes_mode);
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(UPDATE("s1", "current_mode_update", "'currentModeId':'b'") RESULT("2", "{'stopReason':'refusal'}"));
	assert_int_equal(agent_sessions[0].mode, 1);
}

/* --- Prompts */

static void test_stop_reasons(void **state)
{
	(void)state;
	static const char *const names[] = { "end_turn", "max_tokens", "max_turn_requests", "refusal" };
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		agent_start(stops);
		stop_reason = (quash_acp_reason)i;
		say(PROMPT("2", "s1", "x"));
		step();
		assert_non_null(strstr(loop_heard(&device), names[i]));
	}
}

static int32_t lists(quash_request *request)
{
	const quash_value prompt = quash_acp_prompt_of(request);
	quash_value cursor = { NULL, 0, 0 }, text;
	while (quash_acp_next_text(prompt, &cursor, &text))
		device_note(NULL, quash_text(text));
	cursor = (quash_value){ NULL, 0, 0 };
	while (quash_acp_next_link(prompt, &cursor, &text))
		device_note(NULL, quash_text(quash_get(text, "uri")));
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_prompts_have_texts_and_links(void **state)
{
	(void)state;
	agent_start(lists);
	say(PROMPT_OF("2", "s1", TEXT_BLOCK("one") ",{'type':'resource_link','uri':'file:///a','name':'a'},"
				 "{'type':'image','data':'','mimeType':'image/png'}," TEXT_BLOCK("two")));
	step();
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
	DID("one() two() file:///a() end(2)");
}

static void test_prompts_of_other_content_are_refused(void **state)
{
	(void)state;
	static const char *const blocks[] = { "{'type':'audio','data':''}", "{'type':'resource','resource':{}}",
		"{'type':'text'}", "{'type':'resource_link','uri':'a'}", "{'type':'resource_link','name':'a'}",
		TEXT_BLOCK("x") ",{'type':'audio'}", "{'text':'x'}", "'x'", "null", "[]", "{'type':1,'text':'x'}" };
	for (size_t i = 0; i < COUNT_OF(blocks); i++) {
		char message[160];
		agent_start(ends);
		snprintf(message, sizeof message,
			"{'jsonrpc':'2.0','id':2,'method':'session/prompt','params':{'sessionId':'s1','prompt':[%s]}}", blocks[i]);
		say(message);
		step();
		ANSWERS(ERROR("2", "-32602", "Unsupported content"));
		assert_null(agent_sessions[0].prompt);
	}
	say(REQUEST_WITH("3", "session/prompt", "{'sessionId':'s1','prompt':'x'}"));
	say(REQUEST_WITH("4", "session/prompt", "{'sessionId':'s1'}"));
	step();
	ANSWERS(ERROR("3", "-32602", "prompt must be an array of content blocks")
			ERROR("4", "-32602", "prompt must be an array of content blocks"));
}

/* An agent that is shown no images, but takes audio and files. */
static quash_acp_agent reader;
static const quash_method reader_methods[] = { QUASH_ACP_BASE(&reader) };

static void test_an_agent_accepts_what_it_says(void **state)
{
	(void)state;
	reader = unit_agent;
	reader.accepts = QUASH_ACP_AUDIO | QUASH_ACP_EMBEDDED;
	agent_prepare();
	device.config.methods = reader_methods;
	device.config.method_count = COUNT_OF(reader_methods);
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	step();
	assert_non_null(strstr(loop_heard(&device), quoted("'promptCapabilities':{'audio':true,'embeddedContext':true}")));
	agent_open(ends);
	say(PROMPT_OF("2", "s1", "{'type':'audio','data':'','mimeType':'audio/wav'}"));
	say(PROMPT_OF("3", "s1", "{'type':'resource','resource':{'uri':'a','text':''}}"));
	say(PROMPT_OF("4", "s1", "{'type':'image','data':'','mimeType':'image/png'}"));
	step();
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}") RESULT("3", "{'stopReason':'end_turn'}")
			ERROR("4", "-32602", "Unsupported content"));
}

static void test_one_prompt_at_a_time_in_a_session(void **state)
{
	(void)state;
	agent_start(waits);
	say(NEW("9"));
	step();
	loop_heard(&device);
	say(PROMPT("2", "s1", "x"));
	say(PROMPT("3", "s1", "x"));
	say(PROMPT("4", "s2", "x"));
	step();
	ANSWERS(ERROR("3", "-32600", "A prompt is running in this session"));
	say(NOTE_WITH("session/cancel", "{'sessionId':'s1'}"));
	step();
	ANSWERS(CANCELLED_TURN("2"));
	say(PROMPT("5", "s1", "x"));
	step();
	ANSWERS("");
	assert_ptr_equal(agent_sessions[0].prompt, live("5"));
	assert_int_equal(quash_acp_index(&unit_agent, &agent_sessions[1]), 1);
	assert_ptr_equal(quash_acp_session_of(live("4")), &agent_sessions[1]);
}

/* The client has its answer, while what the turn has moved comes to rest. */
static void test_the_next_prompt_waits_for_the_end_of_the_last(void **state)
{
	(void)state;
	agent_start(ends);
	rest_ms = 50;
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
	script = waits;
	say(PROMPT("3", "s1", "x"));
	say(PROMPT("4", "s1", "x"));
	steps(40);
	ANSWERS("");
	say(CANCEL("4"));
	step();
	ANSWERS(CANCELLED_TURN("4"));
	DID("end(2)");
	steps(20);
	assert_ptr_equal(agent_sessions[0].prompt, live("3"));
	say(PROMPT("5", "s1", "x"));
	step();
	ANSWERS(ERROR("5", "-32600", "A prompt is running in this session"));
}

static void test_close_waits_for_the_end_of_a_turn(void **state)
{
	(void)state;
	agent_start(waits);
	rest_ms = 50;
	say(PROMPT("2", "s1", "x"));
	step();
	say(CLOSE("3", "s1"));
	steps(40);
	ANSWERS(CANCELLED_TURN("2"));
	steps(20);
	ANSWERS(RESULT("3", "{}"));
}

/* An agent that has nothing but its turn: no modes, and nothing to do when sessions and turns begin and end. */
static quash_acp_agent bare_agent;
static const quash_method bare_methods[] = { QUASH_ACP_METHODS(&bare_agent) };

static void test_an_agent_with_a_turn_alone(void **state)
{
	(void)state;
	bare_agent = unit_agent;
	bare_agent.title = NULL;
	bare_agent.modes = NULL;
	bare_agent.mode_count = 0;
	bare_agent.open = NULL;
	bare_agent.close = NULL;
	bare_agent.end = NULL;
	agent_prepare();
	device.config.methods = bare_methods;
	device.config.method_count = COUNT_OF(bare_methods);
	device_begin();
	agent_open(ends);
	say(NEW("2"));
	step();
	ANSWERS(RESULT("2", "{'sessionId':'s2'}"));
	say(PROMPT("3", "s1", "x"));
	step();
	ANSWERS(RESULT("3", "{'stopReason':'end_turn'}"));
	say(REQUEST_WITH("4", "session/set_mode", "{'sessionId':'s1','modeId':'a'}"));
	step();
	ANSWERS(ERROR("4", "-32602", "Unknown mode"));
	say(CLOSE("5", "s1"));
	steps(2);
	ANSWERS(RESULT("5", "{}"));
	say(REQUEST_WITH("6", "initialize", "{'protocolVersion':1}"));
	step();
	assert_int_equal(agent_sessions[1].number, 0);
	DID("");
}

/* An agent that gives something back with the slot. */
static quash_acp_agent holder;
static const quash_method holder_methods[] = { QUASH_ACP_METHODS(&holder) };

static void gives_back(quash_request *request)
{
	device_note(request, "released");
}

static void test_the_slot_is_released_behind_the_answer(void **state)
{
	(void)state;
	holder = unit_agent;
	holder.released = gives_back;
	agent_prepare();
	device.config.methods = holder_methods;
	device.config.method_count = COUNT_OF(holder_methods);
	device_begin();
	agent_open(ends);
	device_forget();
	fill_tx();
	say(PROMPT("2", "s1", "x"));
	say(PROMPT("3", "s7", "x"));
	steps(3);
	DID("end(2)");
	device.stalled = false;
	steps(3);
	DID("released(2)");
}

/* Every cause, and every moment, gives the same stop reason. */

static void test_both_cancels_stop_a_turn(void **state)
{
	(void)state;
	static const char *const cancels[] = { CANCEL("2"), NOTE_WITH("$/cancelRequest", "{'requestId':2}"),
		NOTE_WITH("session/cancel", "{'sessionId':'s1'}") };
	for (size_t i = 0; i < COUNT_OF(cancels); i++) {
		agent_start(waits);
		say(PROMPT("2", "s1", "x"));
		say(cancels[i]);
		steps(2);
		ANSWERS(CANCELLED_TURN("2"));
		DID("");
		say(PROMPT("2", "s1", "x"));
		step();
		say(cancels[i]);
		say(cancels[i]);
		steps(2);
		ANSWERS(CANCELLED_TURN("2"));
		DID("turn(2) turn(2) end(2)");
		COUNTED(late_cancels, 1);
	}
}

static void test_our_own_causes_stop_it_too(void **state)
{
	(void)state;
	agent_start(waits);
	say(PROMPT("2", "s1", "x"));
	step();
	quash_cancel_all(&device.peer);
	step();
	ANSWERS(CANCELLED_TURN("2"));
	say(PROMPT("3", "s1", "x"));
	step();
	quash_deadline(live("3"), 1);
	steps(2);
	ANSWERS(CANCELLED_TURN("3"));
}

static void test_cancels_that_name_nothing_change_nothing(void **state)
{
	(void)state;
	agent_start(waits);
	say(PROMPT("2", "s1", "x"));
	say(PROMPT("'3'", "s1", "x"));
	step();
	loop_heard(&device);
	say(NOTE_WITH("session/cancel", "{'sessionId':'s2'}"));
	say(NOTE_WITH("session/cancel", "{'sessionId':'s10000000000000000000000000000'}"));
	say(NOTE_WITH("session/cancel", "{'sessionId':1}"));
	say(NOTE("session/cancel"));
	say(CANCEL("'2'"));
	say(CANCEL("3"));
	step();
	ANSWERS("");
	say(REQUEST_WITH("7", "session/cancel", "{'sessionId':'s1'}"));
	step();
	ANSWERS(UNKNOWN("7"));
	assert_ptr_equal(agent_sessions[0].prompt, live("2"));
}

static void cancels_itself(quash_request *request)
{
	(void)request;
	say(NOTE_WITH("session/cancel", "{'sessionId':'s1'}"));
}

static int32_t stays_busy(quash_request *request)
{
	unsigned turns = 0;
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED && turns++ < 10)
		device_turn(request);
	assert_int_equal(turns, 1);
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_session_cancel_reaches_a_busy_turn(void **state)
{
	(void)state;
	agent_start(stays_busy);
	device_turn = cancels_itself;
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(CANCELLED_TURN("2"));
}

static int32_t fails(quash_request *request)
{
	(void)request;
	return QUASH_INTERNAL_ERROR;
}

static void test_a_turn_may_fail(void **state)
{
	(void)state;
	agent_start(fails);
	say(PROMPT("2", "s1", "x"));
	say(PROMPT("3", "s1", "x"));
	step();
	ANSWERS(INTERNAL("2") INTERNAL("3"));
}

/* --- Updates */

static void put_diff(quash_writer *w, const void *data)
{
	quash_put_raw(w, data);
}

static int32_t each_update(quash_request *request)
{
	static const quash_acp_tool_call call = { .id = "c", .title = "T", .kind = QUASH_ACP_SWITCH_MODE,
		.status = QUASH_ACP_FAILED, .text = "why", .path = "/a", .line = 7, .put = put_diff,
		.data = "{\"type\":\"diff\",\"path\":\"/a\",\"newText\":\"\"}" };
	static const quash_acp_tool_call bare = { .id = "c" };
	static const quash_acp_entry plan[] = { { "a", QUASH_ACP_HIGH, QUASH_ACP_COMPLETED },
		{ "b", QUASH_ACP_MEDIUM, QUASH_ACP_IN_PROGRESS }, { "c", QUASH_ACP_LOW, QUASH_ACP_ANY_STATUS },
		{ "d", QUASH_ACP_LOW, QUASH_ACP_PENDING } };
	uint8_t *const stage = QUASH_STATE(uint8_t, request);
	switch ((*stage)++) {
	case 0: assert_int_equal(quash_acp_tool(request, &call), QUASH_DONE); return QUASH_PENDING;
	case 1: assert_int_equal(quash_acp_tool_update(request, &bare), QUASH_DONE); return QUASH_PENDING;
	case 2: assert_int_equal(quash_acp_plan(request, plan, 4), QUASH_DONE); return QUASH_PENDING;
	case 3: assert_int_equal(quash_acp_thought(request, "hm"), QUASH_DONE); return QUASH_PENDING;
	default: return quash_acp_stop(request, QUASH_ACP_END_TURN);
	}
}

static void test_updates(void **state)
{
	(void)state;
	agent_start(each_update);
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(UPDATE("s1", "tool_call", "'toolCallId':'c','title':'T','kind':'switch_mode','status':'failed',"
		"'content':[{'type':'content','content':{'type':'text','text':'why'}},"
		"{'type':'diff','path':'/a','newText':''}],'locations':[{'path':'/a','line':7}]"));
	step();
	ANSWERS(UPDATE("s1", "tool_call_update", "'toolCallId':'c'"));
	step();
	ANSWERS(UPDATE("s1", "plan", "'entries':[{'content':'a','priority':'high','status':'completed'},"
		"{'content':'b','priority':'medium','status':'in_progress'},"
		"{'content':'c','priority':'low','status':'pending'},{'content':'d','priority':'low','status':'pending'}]"));
	step();
	ANSWERS(UPDATE("s1", "agent_thought_chunk", "'content':{'type':'text','text':'hm'}"));
}

static void test_updates_outside_of_a_turn(void **state)
{
	(void)state;
	agent_start(ends);
	quash_writer *const w = quash_acp_update(&device.peer, &agent_sessions[0], "available_commands_update");
	quash_put_key(w, "availableCommands");
	quash_put_array(w);
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(UPDATE("s1", "available_commands_update", "'availableCommands':[]"));
}

/* Three chunks, each until it finds room. */
static int32_t three_chunks(quash_request *request)
{
	uint8_t *const sent = QUASH_STATE(uint8_t, request);
	while (*sent < 3) {
		const int32_t code = quash_acp_message(request, "chunk");
		if (code != QUASH_DONE)
			return code;
		(*sent)++;
	}
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_no_chunk_is_lost(void **state)
{
	(void)state;
	agent_start_with(three_chunks, 200);
	device.stalled = true;
	say(PROMPT("2", "s1", "x"));
	steps(5);
	device.stalled = false;
	steps(5);
	ANSWERS(MESSAGE("s1", "chunk") MESSAGE("s1", "chunk") MESSAGE("s1", "chunk") RESULT("2", "{'stopReason':'end_turn'}"));
}

static int32_t last_words(quash_request *request)
{
	if (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return QUASH_PENDING;
	assert_true(quash_acp_may_update(request));
	assert_int_equal(quash_acp_message(request, "stopped"), QUASH_DONE);
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	assert_true(quash_acp_may_update(request));
	return code;
}

static void test_a_cancelled_turn_may_report_until_it_is_answered(void **state)
{
	(void)state;
	agent_start(last_words);
	say(PROMPT("2", "s1", "x"));
	step();
	say(CANCEL("2"));
	step();
	ANSWERS(MESSAGE("s1", "stopped") CANCELLED_TURN("2"));
}

static int32_t reports_after_its_cancel(quash_request *request)
{
	uint8_t *const calls = QUASH_STATE(uint8_t, request);
	if (quash_cancelled(request) == QUASH_NOT_CANCELLED || ++*calls < 3)
		return QUASH_PENDING;
	assert_false(quash_acp_may_update(request));
	return quash_acp_message(request, "stopped") == QUASH_PENDING ? QUASH_PENDING : QUASH_CANCELLED;
}

static void test_a_cancelled_turn_whose_link_goes_ends(void **state)
{
	(void)state;
	agent_start(reports_after_its_cancel);
	say(PROMPT("2", "s1", "x"));
	step();
	say(CANCEL("2"));
	step();
	quash_gone(&device.peer);
	steps(3);
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(dropped, 0);
}

static int32_t too_late(quash_request *request)
{
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	assert_false(quash_acp_may_update(request));
	assert_int_equal(quash_acp_message(request, "late"), QUASH_DONE);
	assert_int_equal(quash_acp_thought(request, "late"), QUASH_DONE);
	assert_int_equal(quash_acp_plan(request, NULL, 0), QUASH_DONE);
	assert_int_equal(quash_acp_change_mode(request, 0), QUASH_DONE);
	return code;
}

static void test_nothing_is_reported_behind_the_answer(void **state)
{
	(void)state;
	agent_start(too_late);
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
}

/* A cancel from an interrupt right after the answer. */
static int32_t cancelled_late(quash_request *request)
{
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	quash_cancel_async(quash_handle_of(request));
	assert_int_equal(quash_acp_message(request, "late"), QUASH_DONE);
	return code;
}

static void test_nothing_is_reported_behind_the_answer_of_one_that_is_cancelled_then(void **state)
{
	(void)state;
	agent_start(cancelled_late);
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
}

static const char *long_text;

static int32_t streams(quash_request *request)
{
	size_t *const sent = QUASH_STATE(size_t, request);
	const int32_t code = quash_acp_long_message(request, long_text, strlen(long_text), sent);
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

static void test_a_long_message_is_split_where_it_may_be(void **state)
{
	(void)state;
	agent_start_with(streams, AROUND_CHUNK + 6);
	long_text = "ab defgh\xC3\xBC\n\x01\"\\xyz";
	say(PROMPT("2", "s1", "x"));
	steps(20);
	ANSWERS(MESSAGE("s1", "ab def") MESSAGE("s1", "gh\xC3\xBC\\n") MESSAGE("s1", "\\u0001") "{'jsonrpc':'2.0','method':"
		"'session/update','params':{'sessionId':'s1','update':{'sessionUpdate':'agent_message_chunk',"
		"'content':{'type':'text','text':'\\\"\\\\xy'}}}}\n" MESSAGE("s1", "z") RESULT("2", "{'stopReason':'end_turn'}"));
}

static void test_a_long_message_needs_room_for_a_character(void **state)
{
	(void)state;
	agent_start_with(streams, AROUND_CHUNK + 3);
	long_text = "\xF0\x9F\x98\x80";
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(TOO_LARGE("2"));
	agent_start_with(streams, 64);
	say(PROMPT("2", "s1", "x"));
	steps(9);
	ANSWERS(TOO_LARGE("2"));
}

static int32_t reports_once(quash_request *request)
{
	const int32_t code = quash_acp_message(request, "longer than the smallest TX");
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

static void test_a_chunk_that_never_fits(void **state)
{
	(void)state;
	agent_start_with(reports_once, 64);
	say(PROMPT("2", "s1", "x"));
	steps(9);
	ANSWERS(TOO_LARGE("2"));
}

/* Refusals and answers that are longer than TX are the same in each window. */
static void test_everything_goes_through_the_smallest_tx(void **state)
{
	(void)state;
	agent_start_with(ends, 64);
	say(NEW("2"));
	steps(20);
	ANSWERS(RESULT("2", "{'sessionId':'s2'," MODES_AT("a") "}"));
	say(PROMPT("3", "s7", "x"));
	say(NEW("4"));
	say(PROMPT("5", "s1", "x"));
	say(CLOSE("6", "s2"));
	say(REQUEST_WITH("7", "authenticate", "{'methodId':'x'}"));
	steps(60);
	ANSWERS(ERROR("3", "-32602", "Unknown session") ERROR("4", "-32010", "Too many sessions")
			RESULT("5", "{'stopReason':'end_turn'}") RESULT("6", "{}") ERROR("7", "-32602", "No authentication is needed"));
	COUNTED(changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_initialize_offers_what_the_agent_is),
		cmocka_unit_test(test_initialize_reads_what_the_client_can_do),
		cmocka_unit_test(test_initialize_answers_other_versions_with_its_own),
		cmocka_unit_test(test_initialize_wants_a_version),
		cmocka_unit_test(test_initialize_begins_a_new_session),
		cmocka_unit_test(test_new_session_behind_own_methods),
		cmocka_unit_test(test_an_old_turn_reports_nothing_to_a_new_client),
		cmocka_unit_test(test_initialize_may_be_cancelled),
		cmocka_unit_test(test_initialize_needs_room),
		cmocka_unit_test(test_exactly_enough_room),
		cmocka_unit_test(test_initialize_announces_the_shortest_lease),
		cmocka_unit_test(test_a_turn_ends_when_its_lease_does),
		cmocka_unit_test(test_nothing_is_served_before_initialize),
		cmocka_unit_test(test_what_stands_behind_initialize_is_served),
		cmocka_unit_test(test_authenticate_is_refused),
		cmocka_unit_test(test_parts_offer_what_they_have),
		cmocka_unit_test(test_sessions_are_minted_in_order),
		cmocka_unit_test(test_session_new_wants_a_directory),
		cmocka_unit_test(test_a_program_may_refuse_a_session),
		cmocka_unit_test(test_a_session_is_there_before_its_answer_has_left),
		cmocka_unit_test(test_a_session_that_was_cancelled_in_time_is_never_there),
		cmocka_unit_test(test_close_frees_a_session),
		cmocka_unit_test(test_close_cancels_the_prompt_first),
		cmocka_unit_test(test_close_may_be_cancelled),
		cmocka_unit_test(test_ids_are_exact),
		cmocka_unit_test(test_numbers_are_put_whole),
		cmocka_unit_test(test_a_new_connection_begins_anew),
		cmocka_unit_test(test_an_old_turn_ends_in_a_new_connection),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_the_agent_changes_its_mode),
		cmocka_unit_test(test_stop_reasons),
		cmocka_unit_test(test_prompts_have_texts_and_links),
		cmocka_unit_test(test_prompts_of_other_content_are_refused),
		cmocka_unit_test(test_an_agent_accepts_what_it_says),
		cmocka_unit_test(test_one_prompt_at_a_time_in_a_session),
		cmocka_unit_test(test_the_next_prompt_waits_for_the_end_of_the_last),
		cmocka_unit_test(test_close_waits_for_the_end_of_a_turn),
		cmocka_unit_test(test_an_agent_with_a_turn_alone),
		cmocka_unit_test(test_the_slot_is_released_behind_the_answer),
		cmocka_unit_test(test_both_cancels_stop_a_turn),
		cmocka_unit_test(test_our_own_causes_stop_it_too),
		cmocka_unit_test(test_cancels_that_name_nothing_change_nothing),
		cmocka_unit_test(test_session_cancel_reaches_a_busy_turn),
		cmocka_unit_test(test_a_turn_may_fail),
		cmocka_unit_test(test_updates),
		cmocka_unit_test(test_updates_outside_of_a_turn),
		cmocka_unit_test(test_no_chunk_is_lost),
		cmocka_unit_test(test_a_cancelled_turn_may_report_until_it_is_answered),
		cmocka_unit_test(test_a_cancelled_turn_whose_link_goes_ends),
		cmocka_unit_test(test_nothing_is_reported_behind_the_answer),
		cmocka_unit_test(test_nothing_is_reported_behind_the_answer_of_one_that_is_cancelled_then),
		cmocka_unit_test(test_a_long_message_is_split_where_it_may_be),
		cmocka_unit_test(test_a_long_message_needs_room_for_a_character),
		cmocka_unit_test(test_a_chunk_that_never_fits),
		cmocka_unit_test(test_everything_goes_through_the_smallest_tx),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
