/* SPDX-License-Identifier: MIT
 * What each message comes to in each stage of a connection (3.17 "Server lifecycle"), at a server with any number of
 * capabilities. */
#include "device.h"

#include <stdio.h>

#include "quash/lsp.h"

enum { STATE = (QUASH_LSP_STATE(7, 8) + 7) / 8 * 8 };

static quash_lsp_session session;
static const quash_lsp_capability members[] = { { "one", "1" }, { "two", "[2]" }, { "three", "{}" } };
static quash_lsp_server server;
static unsigned begun, initialized;

static int32_t work(quash_request *request)
{
	device_note(request, "work");
	return quash_reply_text(request, "worked");
}

static int32_t note(quash_request *request)
{
	device_note(request, "note");
	return QUASH_DONE;
}

static void on_initialize(quash_peer *peer, quash_value params)
{
	assert_ptr_equal(peer, &device.peer);
	assert_int_equal(quash_kind_of(params), QUASH_OBJECT);
	begun++;
}

static void on_initialized(quash_peer *peer)
{
	assert_ptr_equal(peer, &device.peer);
	initialized++;
}

static const quash_lsp_method works = QUASH_LSP_HANDLER(&server, work, NULL, 8), notes = QUASH_LSP_HANDLER(&server, note, NULL, 8);
static const quash_method methods[] = {
	QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("work", &works), QUASH_LSP_NOTIFICATION("note", &notes) };
static uint64_t states[LOOP_SLOTS * STATE / 8];

static void start(uint8_t capabilities, uint8_t experiments)
{
	static const quash_lsp_session fresh;
	const quash_lsp_server made = { .name = "s", .version = "1", .capabilities = members, .experimental = members, .session = &session,
		.initialize = on_initialize, .initialized = on_initialized, .capability_count = capabilities, .experimental_count = experiments,
		.token_size = 7 };
	server = made;
	session = fresh;
	begun = initialized = 0;
	device_prepare(&quash_lsp);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.check = quash_lsp_check;
	device_begin();
}

#define INITIALIZE REQUEST_WITH("1", "initialize", "{'capabilities':{}}")
#define INITIALIZED(members) RESULT("1", "{'capabilities':{" members "},'serverInfo':{'name':'s','version':'1'}}")

/* --- Capabilities */

static void write_members(char *to, unsigned count)
{
	to[0] = '\0';
	for (unsigned i = 0; i < count; i++)
		sprintf(to + strlen(to), "%s'%s':%s", i > 0 ? "," : "", members[i].name, members[i].json);
}

static void test_each_number_of_capabilities(void **state)
{
	char own[100], experimental[100], expected[400];
	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		const uint8_t capabilities = i % 4, experiments = (uint8_t)(i / 4);
		write_members(own, capabilities);
		write_members(experimental, experiments);
		snprintf(expected, sizeof expected, INITIALIZED("%s%s%s%s%s"), own, capabilities > 0 && experiments > 0 ? "," : "",
			experiments > 0 ? "'experimental':{" : "", experimental, experiments > 0 ? "}" : "");
		start(capabilities, experiments);
		say(INITIALIZE);
		steps(3);
		ANSWERS(expected);
		assert_int_equal(begun, 1);
	}
}

/* --- Stages */

static void into_stage(unsigned stage)
{
	static const char *const messages[] = { INITIALIZE, REQUEST("1", "shutdown"), NOTE("exit") };
	start(0, 0);
	for (unsigned i = 0; i < stage; i++) {
		say(messages[i]);
		steps(3);
	}
	(void)loop_heard(&device);
	device_forget();
	begun = initialized = 0;
}

#define UNREADY ERROR("1", "-32002", "Server not initialized")

/* What is answered before `initialize`, after it, after `shutdown` and after `exit`. */
static void test_each_message_in_each_stage(void **state)
{
	static const struct {
		const char *message, *answers[4];
	} rows[] = {
		{ INITIALIZE, { INITIALIZED(""), INVALID("1"), INVALID("1"), INVALID("1") } },
		{ REQUEST("1", "shutdown"), { UNREADY, RESULT("1", "null"), INVALID("1"), INVALID("1") } },
		{ REQUEST("1", "work"), { UNREADY, RESULT("1", "'worked'"), INVALID("1"), INVALID("1") } },
		{ REQUEST("1", "unknown"), { UNREADY, UNKNOWN("1"), INVALID("1"), INVALID("1") } },
		{ NOTE("initialized"), { "", "", "", "" } },
		{ NOTE("note"), { "", "", "", "" } },
		{ NOTE("unknown"), { "", "", "", "" } },
		{ NOTE("exit"), { "", "", "", "" } },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (unsigned stage = 0; stage < 4; stage++) {
			into_stage(stage);
			say(rows[i].message);
			steps(3);
			ANSWERS(rows[i].answers[stage]);
			const bool open = stage == 1;
			assert_int_equal(initialized, open && strstr(rows[i].message, "initialized") != NULL);
			assert_int_equal(begun, stage == 0 && i == 0);
			if (strstr(rows[i].message, "'work'"))
				DID(open ? "work(1)" : "");
			else
				DID(open && strstr(rows[i].message, "'note'") ? "note(-)" : "");
		}
	}
}

static void test_exit_codes(void **state)
{
	(void)state;
	for (unsigned stage = 0; stage < 4; stage++) {
		into_stage(stage);
		assert_int_equal(session.exited, stage == 3);
		say(NOTE("exit"));
		steps(2);
		assert_true(session.exited);
		assert_int_equal(quash_lsp_exit_code(&session), stage >= 2 ? 0 : 1);
	}
}

/* What the client can show of work. */
static void test_work_done_progress(void **state)
{
	static const char *const values[] = { "true", "false", "null", "1", "{}" };
	char message[200];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		start(0, 0);
		snprintf(message, sizeof message, REQUEST_WITH("1", "initialize", "{'capabilities':{'window':{'workDoneProgress':%s}}}"), values[i]);
		say(message);
		steps(3);
		ANSWERS(INITIALIZED(""));
		assert_int_equal(session.work, i == 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_number_of_capabilities),
		cmocka_unit_test(test_each_message_in_each_stage),
		cmocka_unit_test(test_exit_codes),
		cmocka_unit_test(test_work_done_progress),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
