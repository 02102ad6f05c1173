/* SPDX-License-Identifier: MIT
 * What is wrong with an agent is found when it is made ready. */
#include "device.h"

#include "quash/acp.h"

static int32_t turn(quash_request *request)
{
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static quash_acp_connection connection;
static quash_acp_session sessions[2];
static const quash_acp_agent unit_agent = {
	.name = "unit", .version = "1", .title = "Unit", .connection = &connection, .sessions = sessions, .prompt = turn, .end = end,
	.leases = &quash_acp_leases, .state_size = 8, .session_count = COUNT_OF(sessions), .accepts = QUASH_ACP_IMAGES };

enum { STATE = (QUASH_ACP_STATE(8) + 7) / 8 * 8 };
static uint64_t states[LOOP_SLOTS * STATE / 8];

static quash_acp_agent agent;
static quash_acp_mode modes[3];
static quash_method methods[5];

static const quash_method good_methods[] = { QUASH_ACP_BASE(&agent), QUASH_ACP_MODES(&agent) };

static int set_up(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.tag_size = QUASH_ACP_TAG_SIZE;
	device.config.check = quash_acp_check;
	device.config.new_session = quash_acp_new_session;
	agent = unit_agent;
	for (size_t i = 0; i < COUNT_OF(modes); i++)
		modes[i] = (quash_acp_mode){ i == 0 ? "a" : i == 1 ? "b" : "c", "name", NULL };
	agent.modes = modes;
	agent.mode_count = COUNT_OF(modes);
	memcpy(methods, good_methods, sizeof methods);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	return 0;
}

static void check_size(const char *member, uint32_t is, uint32_t needs)
{
	quash_fault fault;
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_string_equal(fault.member, member);
	assert_int_equal(fault.is, is);
	assert_int_equal(fault.needs, needs);
}

static void test_a_good_agent(void **state)
{
	quash_fault fault;
	(void)state;
	assert_true(quash_init(&device.peer, &device.config, &fault));
	agent.mode_count = 0;
	agent.modes = NULL;
	agent.title = NULL;
	assert_true(quash_init(&device.peer, &device.config, NULL));
}

static void test_members_that_are_missing(void **state)
{
	(void)state;
	agent.prompt = NULL;
	device_refuses("agent", "unit", "prompt is missing", 0);
	agent.sessions = NULL;
	device_refuses("agent", "unit", "sessions is missing", 0);
	agent.connection = NULL;
	device_refuses("agent", "unit", "connection is missing", 0);
	agent.version = NULL;
	device_refuses("agent", "unit", "version is missing", 0);
	agent.name = NULL;
	device_refuses("agent", NULL, "name is missing", 0);
}

static void test_an_agent_without_sessions(void **state)
{
	(void)state;
	agent.session_count = 0;
	check_size("session_count", 0, 1);
}

static void test_modes(void **state)
{
	(void)state;
	modes[2].id = "a";
	device_refuses("modes", "a", "id stands twice", 2);
	modes[1].name = NULL;
	device_refuses("modes", "b", "name is missing", 1);
	modes[0].id = NULL;
	device_refuses("modes", NULL, "id is missing", 0);
	agent.modes = NULL;
	device_refuses("agent", "unit", "modes is missing", 0);
}

static void test_entries_of_another_agent(void **state)
{
	(void)state;
	methods[1].data = &unit_agent;
	device_refuses("methods", "authenticate", "data is another's", 1);
	methods[1].data = &agent;
	methods[3].data = &unit_agent;
	device_refuses("methods", "session/prompt", "data is another's", 3);
	methods[0].data = NULL;
	device_refuses("methods", "initialize", "data is missing", 0);
	methods[0].handler = methods[1].handler;
	device_refuses("config", NULL, "initialize is missing", 0);
}

/* What is named would not be served. Which entries are missing is said by what stands for them. */
static void test_entries_that_are_missing(void **state)
{
	static const char *const missing[] = { "QUASH_ACP_BEGIN is missing", "QUASH_ACP_BEGIN is missing", "QUASH_ACP_PROMPT is missing",
		"QUASH_ACP_MODES is missing" };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(missing); i++) {
		methods[i + 1] = (quash_method){ .name = "own", .handler = turn };
		device_refuses("agent", "unit", missing[i], 0);
		methods[i + 1] = good_methods[i + 1];
	}
	methods[4] = (quash_method){ .name = "own", .handler = turn };
	agent.mode_count = 0;
	assert_true(quash_init(&device.peer, &device.config, NULL));
}

/* What it moves would not come to rest. */
static void test_prompts_without_their_end(void **state)
{
	(void)state;
	methods[3].motion.end = NULL;
	device_refuses("methods", "session/prompt", "motion.end is missing, though it moves something", 3);
}

/* A client that knows nothing of it would never arm it. */
static void test_a_lease_that_nobody_announces_or_checks(void **state)
{
	(void)state;
	agent.leases = NULL;
	methods[3].motion.lease = 2000;
	methods[3].motion.longest = 60000;
	connection.initialized = false;
	device.config.check = NULL;
	device_begin();
	ANSWERS_TO(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"), 1, ERROR("0", "-32603", "leases is needed and not named"));
	device.config.lease_always = true;
	device_begin();
	say_and_step(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	assert_non_null(strstr(loop_heard(&device), "\"result\""));
}

static void test_leases_that_nobody_announces(void **state)
{
	(void)state;
	agent.leases = NULL;
	assert_true(quash_init(&device.peer, &device.config, NULL));
	methods[3].motion.lease = 2000;
	methods[3].motion.longest = 60000;
	device_refuses("agent", "unit", "leases is needed and not named", 0);
	agent.leases = &quash_acp_leases;
	assert_true(quash_init(&device.peer, &device.config, NULL));
	agent.end = NULL;
	device_refuses("methods", "session/prompt", "motion.end is missing, though it moves something", 3);
}

static void test_sizes(void **state)
{
	(void)state;
	const quash_size state_size = device.config.state_size;
	const uint32_t needs = (uint32_t)QUASH_ACP_STATE(agent.state_size);
	device.config.state_size = (quash_size)(state_size - 8);
	check_size("state_size", state_size - 8u, needs);
	device.config.state_size = state_size;
	device.config.tag_size = QUASH_ACP_TAG_SIZE - 1;
	check_size("tag_size", QUASH_ACP_TAG_SIZE - 1, QUASH_ACP_TAG_SIZE);
}

static void test_a_config_for_something_else(void **state)
{
	(void)state;
	device.config.new_session = NULL;
	device_refuses("config", NULL, "new_session is needed and not named", 0);
	device.config.dialect = &quash_mcp;
	device_refuses("config", NULL, "dialect is another's", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_good_agent, set_up),
		cmocka_unit_test_setup(test_members_that_are_missing, set_up),
		cmocka_unit_test_setup(test_an_agent_without_sessions, set_up),
		cmocka_unit_test_setup(test_modes, set_up),
		cmocka_unit_test_setup(test_entries_of_another_agent, set_up),
		cmocka_unit_test_setup(test_entries_that_are_missing, set_up),
		cmocka_unit_test_setup(test_prompts_without_their_end, set_up),
		cmocka_unit_test_setup(test_leases_that_nobody_announces, set_up),
		cmocka_unit_test_setup(test_a_lease_that_nobody_announces_or_checks, set_up),
		cmocka_unit_test_setup(test_sizes, set_up),
		cmocka_unit_test_setup(test_a_config_for_something_else, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
