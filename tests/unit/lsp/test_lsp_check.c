/* SPDX-License-Identifier: MIT
 * What is wrong with a server is found when it is made ready. */
#include "device.h"

#include "quash/lsp.h"

static quash_lsp_session session;
static quash_lsp_server server;
static quash_lsp_method hovers;
static quash_lsp_capability capabilities[2];
static quash_method methods[6];

static const quash_method good_methods[] = { QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("hover", &hovers) };

enum { TOKEN = 5, KEPT = 16, STATE = (QUASH_LSP_STATE(TOKEN, KEPT) + 7) / 8 * 8 };
static uint64_t states[LOOP_SLOTS * STATE / 8];

static int32_t hover(quash_request *request)
{
	return quash_reply_null(request);
}

static int set_up(void **state)
{
	(void)state;
	device_prepare(&quash_lsp);
	capabilities[0] = (quash_lsp_capability){ "hoverProvider", "true" };
	capabilities[1] = (quash_lsp_capability){ "textDocumentSync", "1" };
	server = (quash_lsp_server){ .name = "unit", .version = "1", .capabilities = capabilities,
		.capability_count = 2, .session = &session, .token_size = TOKEN };
	hovers = (quash_lsp_method)QUASH_LSP_HANDLER(&server, hover, NULL, KEPT);
	memcpy(methods, good_methods, sizeof methods);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.check = quash_lsp_check;
	return 0;
}

static void test_a_good_server(void **state)
{
	quash_fault fault;
	(void)state;
	assert_true(quash_init(&device.peer, &device.config, &fault));
	server.capabilities = NULL;
	server.capability_count = 0;
	assert_true(quash_init(&device.peer, &device.config, NULL));
}

static void test_members_that_are_missing(void **state)
{
	(void)state;
	server.experimental_count = 1;
	device_refuses("server", NULL, "experimental is missing", 0);
	capabilities[1].json = NULL;
	device_refuses("capabilities", "textDocumentSync", "json is missing", 1);
	capabilities[0].name = NULL;
	device_refuses("capabilities", NULL, "name is missing", 0);
	server.session = NULL;
	device_refuses("server", "unit", "session is missing", 0);
	server.version = NULL;
	device_refuses("server", "unit", "version is missing", 0);
	server.name = NULL;
	device_refuses("server", NULL, "name is missing", 0);
}

static void test_entries(void **state)
{
	static const quash_lsp_server other;
	(void)state;
	hovers.handler = NULL;
	device_refuses("methods", "hover", "handler is missing", 5);
	hovers.server = &other;
	device_refuses("methods", "hover", "server is another's", 5);
	methods[5].data = NULL;
	device_refuses("methods", "hover", "data is missing", 5);
	methods[0].data = NULL;
	device_refuses("methods", "initialize", "data is missing", 0);
	methods[0].handler = methods[1].handler;
	device_refuses("config", NULL, "initialize is missing", 0);
}

/* The life cycle would not be served, or that of another server. */
static void test_entries_that_are_missing(void **state)
{
	static const quash_lsp_server other;
	(void)state;
	for (unsigned i = 1; i <= 4; i++) {
		methods[i].data = &other;
		device_refuses("server", "unit", "QUASH_LSP_METHODS is missing", 0);
		methods[i] = (quash_method){ .name = "own", .handler = hover };
		device_refuses("server", "unit", "QUASH_LSP_METHODS is missing", 0);
		methods[i] = good_methods[i];
	}
	assert_true(quash_init(&device.peer, &device.config, NULL));
}

/* What it moves would not come to rest. */
static void test_entries_without_their_end(void **state)
{
	(void)state;
	methods[5].motion.end = NULL;
	device_refuses("methods", "hover", "motion.end is missing, though it moves something", 5);
}

/* A client that knows nothing of it would never arm it. */
static void test_a_lease_that_nobody_announces_or_checks(void **state)
{
	(void)state;
	server.leases = NULL;
	methods[5].motion.lease = 2000;
	methods[5].motion.longest = 60000;
	session.stage = QUASH_LSP_CLOSED;
	device.config.check = NULL;
	device_begin();
	ANSWERS_TO(REQUEST_WITH("0", "initialize", "{'capabilities':{}}"), 1, ERROR("0", "-32603", "leases is needed and not named"));
	device.config.lease_always = true;
	device_begin();
	say_and_step(REQUEST_WITH("0", "initialize", "{'capabilities':{}}"));
	assert_non_null(strstr(loop_heard(&device), "\"result\""));
}

static void test_leases_that_nobody_announces(void **state)
{
	(void)state;
	server.leases = NULL;
	assert_true(quash_init(&device.peer, &device.config, NULL));
	methods[5].motion.lease = 2000;
	methods[5].motion.longest = 60000;
	device_refuses("server", "unit", "leases is needed and not named", 0);
	server.leases = &quash_lsp_leases;
	device_refuses("methods", "hover", "motion.end is missing, though it moves something", 5);
	hovers.end = hover;
	assert_true(quash_init(&device.peer, &device.config, NULL));
}

static void test_sizes(void **state)
{
	quash_fault fault;
	(void)state;
	device.config.state_size = STATE - 8;
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_string_equal(fault.name, "hover");
	assert_string_equal(fault.member, "state_size");
	assert_int_equal(fault.is, STATE - 8);
	assert_int_equal(fault.needs, QUASH_LSP_STATE(TOKEN, KEPT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_good_server, set_up),
		cmocka_unit_test_setup(test_members_that_are_missing, set_up),
		cmocka_unit_test_setup(test_entries, set_up),
		cmocka_unit_test_setup(test_entries_that_are_missing, set_up),
		cmocka_unit_test_setup(test_entries_without_their_end, set_up),
		cmocka_unit_test_setup(test_leases_that_nobody_announces, set_up),
		cmocka_unit_test_setup(test_a_lease_that_nobody_announces_or_checks, set_up),
		cmocka_unit_test_setup(test_sizes, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
