/* SPDX-License-Identifier: MIT
 * Lines of rows of docs/upgrading.md whose own code does not compile by itself: by the first code of a row, each with where it stands
 * (upgrading.mjs). */

export const examples = {
	'quash::config(QUASH_STORED(store)).mcp(methods)': [{ in: 'file', language: 'c++', notes: true, line: 'extern const quash_method methods[1];\nQUASH_STORAGE(store, 2, 24, 8, 64, 64);\n'
		+ 'quash_config config = quash::config(QUASH_STORED(store)).mcp(methods);' }],
	'static const': [{ in: 'file', language: 'c++', line: 'static const quash_mcp_tool tools[] = { quash::mcp_tool("turn", "Turns", turn) };\nQUASH_MCP_DEVICE(config, tools, quash::mcp_server("motor", "1.0"));' }],
	'prompts.list': [{ in: 'file', language: 'c++', line: 'extern const quash_mcp_prompts prompts;\nbool is_there(void);\nbool is_there(void) { return prompts.list != NULL; }' },
		{ in: 'file', language: 'c++', line: 'extern const quash_mcp_resources resources;\nint count(void);\nint count(void) { return resources.template_count; }' }],
	'static const quash_param list[]': [{ in: 'file', language: 'c++', notes: true, line: 'static const quash_param list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "how long") };\n'
		+ 'static constexpr quash_params params = QUASH_PARAMS(struct turn, list);' }],
	quash_mcp_tools_call: [{ line: '{ .name = "tools/call", .handler = quash_mcp_tools_call }', in: 'method' }],
	'quash_reply_literal(request, text)': [{ line: 'quash_reply_literal(request, "a");', in: 'body' }, { line: 'quash_reply_constant(request, "1");', in: 'body' }, { line: 'quash_fail_literal_data(request, 5, "a", put);', in: 'body' }],
	'quash_mcp_text_literal(request, text)': [{ line: 'quash_mcp_text_literal(request, "a");', in: 'body' }, { line: 'quash_mcp_failure_literal(request, "a");', in: 'body' }],
	'quash_mcp_prompt_literal(request, text)': [{ line: 'quash_mcp_prompt_literal(request, "a");', in: 'body' }, { line: 'quash_mcp_read_literal(request, "a");', in: 'body' }],
	'quash_state_or_nowhere(request, size)': [{ line: 'quash_state_or_nowhere(request, 4);', in: 'body' }, { line: 'quash_mcp_state_or_nowhere(request, 4);', in: 'body' }],
	'quash_reply_table(request, put, table)': [{ line: 'quash_reply_table(request, put, w);', in: 'body' }, { line: 'quash_table_of(request);', in: 'body' }],
	'quash_put_fault(w, fault)': [{ line: 'quash_put_fault(w, NULL);', in: 'body' }],
	'quash_start(&peer, &config)': [{ line: 'extern const quash_config config;\n\tquash_peer peer;\n\tquash_start(&peer, &config);', in: 'body' }],
	'quash_start(&peer)': [{ first: '#define QUASH_THE_CONFIG config\n', line: 'quash_peer peer;\n\tquash_start(&peer);', in: 'body' }],
	'quash_start_with(peer, config)': [{ line: 'quash_start_with(peer, NULL);', in: 'body' }],
};
