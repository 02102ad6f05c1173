/* SPDX-License-Identifier: MIT
 * What is wrong in a table is found wherever it stands: in its first entry, in its last, and in any between. */
#include "acp_agent.h"
#include "quash.h"
#include "quash/lsp.h"

static int32_t done(quash_request *request)
{
	return quash_reply_null(request);
}

/* The fault of the config is one of this table's entry with that index. */
static void check_fault(const char *table, unsigned index, const char *member)
{
	quash_fault fault;
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_string_equal(fault.table, table);
	assert_int_equal(fault.index, index);
	assert_string_equal(fault.member, member);
}

/* The same entries from another one on. */
static void rotate(quash_method *to, const quash_method *from, unsigned count, unsigned by)
{
	for (unsigned i = 0; i < count; i++)
		to[(i + by) % count] = from[i];
}

/* --- LSP */

enum { ENTRIES = 6, TOKEN = 5, STATE = (QUASH_LSP_STATE(TOKEN, 8) + 7) / 8 * 8 };

static quash_lsp_session lsp_session;
static quash_lsp_server lsp_server;
static quash_lsp_capability capabilities[4];
static quash_lsp_method works;
static quash_method lsp_methods[ENTRIES];
static uint64_t states[LOOP_SLOTS * STATE / 8];

static void prepare_lsp(void)
{
	device_prepare(&quash_lsp);
	works = (quash_lsp_method)QUASH_LSP_HANDLER(&lsp_server, done, NULL, 8);
	for (unsigned i = 0; i < COUNT_OF(capabilities); i++)
		capabilities[i] = (quash_lsp_capability){ &"abcd"[i], "1" };
	lsp_server = (quash_lsp_server){ .name = "s", .version = "1", .session = &lsp_session, .token_size = TOKEN, .capabilities = capabilities,
		.experimental = capabilities, .capability_count = COUNT_OF(capabilities), .experimental_count = COUNT_OF(capabilities) };
	device.config.methods = lsp_methods;
	device.config.method_count = ENTRIES;
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.check = quash_lsp_check;
}

static void test_methods_of_lsp(void **state)
{
	static const quash_method methods[ENTRIES] = { QUASH_LSP_METHODS(&lsp_server), QUASH_LSP_REQUEST("work", &works) };
	(void)state;
	prepare_lsp();
	for (unsigned by = 0; by < ENTRIES; by++) {
		rotate(lsp_methods, methods, ENTRIES, by);
		assert_true(quash_init(&device.peer, &device.config, NULL));
		works.handler = NULL;
		check_fault("methods", (ENTRIES - 1 + by) % ENTRIES, "handler");
		works.handler = done;
	}
}

static void test_capabilities_of_lsp(void **state)
{
	static const quash_method methods[ENTRIES] = { QUASH_LSP_METHODS(&lsp_server), QUASH_LSP_REQUEST("work", &works) };
	(void)state;
	prepare_lsp();
	rotate(lsp_methods, methods, ENTRIES, 0);
	for (unsigned i = 0; i < COUNT_OF(capabilities); i++) {
		capabilities[i].json = NULL;
		check_fault("capabilities", i, "json");
		lsp_server.capability_count = 0;
		check_fault("experimental", i, "json");
		prepare_lsp();
	}
}

/* --- ACP */

static quash_acp_agent agent;
static quash_acp_mode modes[4];
static const quash_method acp_entries[] = { QUASH_ACP_BASE(&agent), QUASH_ACP_MODES(&agent) };
static quash_method acp_methods[COUNT_OF(acp_entries)];

static void prepare_acp(void)
{
	agent_prepare();
	agent = unit_agent;
	for (unsigned i = 0; i < COUNT_OF(modes); i++)
		modes[i] = (quash_acp_mode){ &"abcd"[i], "name", NULL };
	agent.modes = modes;
	agent.mode_count = COUNT_OF(modes);
	device.config.methods = acp_methods;
	device.config.method_count = COUNT_OF(acp_methods);
}

/* One of the agent's methods serves another one. */
static void test_methods_of_acp(void **state)
{
	const unsigned count = COUNT_OF(acp_methods);
	(void)state;
	prepare_acp();
	for (unsigned by = 0; by < count; by++) {
		rotate(acp_methods, acp_entries, count, by);
		assert_true(quash_init(&device.peer, &device.config, NULL));
		for (unsigned i = 0; i < count; i++) {
			if (acp_methods[i].handler != quash_acp_new_ && acp_methods[i].handler != quash_acp_prompt_)
				continue;
			acp_methods[i].data = &unit_agent;
			check_fault("methods", i, "data");
			acp_methods[i].data = &agent;
		}
	}
}

static void test_modes_of_acp(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(modes); i++) {
		prepare_acp();
		rotate(acp_methods, acp_entries, COUNT_OF(acp_methods), 0);
		modes[i].name = NULL;
		check_fault("modes", i, "name");
		modes[i].name = "name";
		modes[i].id = NULL;
		check_fault("modes", i, "id");
		modes[i].id = i == 0 ? "d" : "abcd"; /* which another one has */
		check_fault("modes", i == 0 ? 3 : i, "id");
	}
}

/* --- MCP */

enum { LISTED = 4, MCP_STATE = (QUASH_MCP_STATE(7, 16) + 15) / 16 * 16 };
static uint64_t mcp_states[LOOP_SLOTS * MCP_STATE / 8];

static quash_mcp_session session;
static quash_mcp_tool tools[LISTED];
static quash_mcp_resource resource_list[LISTED], templates[LISTED];
static quash_mcp_prompt prompt_list[LISTED];
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(resource_list, templates);
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static const quash_mcp_part *const parts[] = { &resources.part, &prompts.part, NULL };
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = LISTED, .parts = parts,
	.modern = &quash_mcp_modern };
static const quash_method mcp_methods[] = { QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server), QUASH_MCP_RESOURCES(&server), QUASH_MCP_PROMPTS(&server) };

static void prepare_mcp(void)
{
	DEVICE_PREPARE(&quash_mcp, mcp_methods);
	device.config.states = mcp_states;
	device.config.state_size = MCP_STATE;
	device.config.check = quash_mcp_check;
	for (unsigned i = 0; i < LISTED; i++) {
		const char *const name = &"abcd"[i];
		tools[i] = (quash_mcp_tool){ .name = name, .call = done };
		resource_list[i] = templates[i] = (quash_mcp_resource){ .uri = name, .name = name, .read = done };
		prompt_list[i] = (quash_mcp_prompt){ .name = name, .get = done };
	}
}

#define WRONG(change, table, index, member) \
	do { \
		prepare_mcp(); \
		change = NULL; \
		check_fault(table, index, member); \
	} while (0)
#define TWICE(array, name_of, table, index, member) \
	do { \
		prepare_mcp(); \
		array[index].name_of = array[((index) + LISTED - 1) % LISTED].name_of; \
		check_fault(table, (index) > 0 ? (index) : LISTED - 1, member); \
	} while (0)

static void test_lists_of_mcp(void **state)
{
	(void)state;
	prepare_mcp();
	assert_true(quash_init(&device.peer, &device.config, NULL));
	for (unsigned i = 0; i < LISTED; i++) {
		WRONG(tools[i].call, "tools", i, "call");
		WRONG(tools[i].name, "tools", i, "name");
		WRONG(resource_list[i].read, "resources", i, "read");
		WRONG(resource_list[i].uri, "resources", i, "uri");
		WRONG(templates[i].name, "resources", i, "name");
		WRONG(prompt_list[i].get, "prompts", i, "get");
		WRONG(prompt_list[i].name, "prompts", i, "name");
		TWICE(tools, name, "tools", i, "name");
		TWICE(resource_list, uri, "resources", i, "uri");
		TWICE(templates, uri, "resources", i, "uri");
		TWICE(prompt_list, name, "prompts", i, "name");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_methods_of_lsp),
		cmocka_unit_test(test_capabilities_of_lsp),
		cmocka_unit_test(test_methods_of_acp),
		cmocka_unit_test(test_modes_of_acp),
		cmocka_unit_test(test_lists_of_mcp),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
