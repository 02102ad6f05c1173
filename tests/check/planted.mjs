/* SPDX-License-Identifier: MIT
 * Table files that are right, and for each fault of quash_init a change that plants it: [the file, what is written in place
 * of what, what the check says]. */

const head = '#include "handlers.h"\n';
const count = (list) => `sizeof ${list} / sizeof ${list}[0]`;
const storage = (state) => `QUASH_STORAGE(store, 4, 40, ${state}, 256, 160);\n`;
const config = (members) => `static const quash_config device = { QUASH_STORED(store), .methods = methods,
	.method_count = ${count('methods')}, .faults = &quash_faults, ${members} };\n`;

const plain = `${head}static const quash_method methods[] = {
	{ .name = "turn", .handler = turn, .motion = { .end = motor_off, .longest = 70000, .lease = 2000, .group = &motor },
	  .state_size = sizeof(struct turning) },
	{ .name = "look", .handler = look },
	{ .name = "halt", .handler = halt, .marks = QUASH_NOTIFICATION },
};
static const quash_cancel_method cancels[] = { { .method = "$/cancel" } };
static const quash_dialect own = { .cancels = cancels, .cancel_count = 1, .cancel_id = "id", .own_code = -32800, .other_code = -32800,
	.batch = &quash_batch };
QUASH_STORAGE(store, 4, 40, sizeof(struct turning), 256, 160);
static const quash_config device = { .slot_count = store_slot_count, .id_size = store_id_size, .word_size = QUASH_WORD,
	.arena_size = sizeof store.arena, .tx_size = sizeof store.tx, .state_size = store_state_size, .slots = store.slots,
	.word = &store.word, .ids = store.ids, .states = store.states, .arena = store.arena, .tx = store.tx, .dialect = &own,
	.methods = methods, .method_count = ${count('methods')}, .faults = &quash_faults };
`;

const params = `static const char *const modes[] = { "slow", "fast", NULL };
static const quash_range speeds = { 0.5, 2, 1 };
static const quash_param turn_list[] = {
	QUASH_ARG_INT_OR(struct turning, steps, 1, 100000, 10, "each takes a millisecond"),
	QUASH_ARG_TEXT_OR(struct turning, way, "left", "where to"),
	QUASH_ARG_INTS(struct turning, list, listed, 0, 9, "stops"),
	QUASH_ARG_ENUM_OR(struct turning, mode, modes, 1, "how"),
	QUASH_ARG_NUMBER_OR(struct turning, speed, &speeds, "how fast"),
};
static const quash_params turn_params = QUASH_PARAMS(struct turning, turn_list);
`;
const tools = `static const quash_mcp_tool tools[] = {
	{ .name = "turn", .description = "Turns", .args = &turn_params, .call = turn, .busy = "it turns",
	  .motion = { .end = motor_off, .longest = 70000, .lease = 2000, .group = &motor }, .marks = QUASH_FINISHES },
	{ .name = "look", .call = look, .hints = QUASH_MCP_READ_ONLY },
};
`;
const served = (members) => `static quash_mcp_session session;
static const quash_mcp_server server = { .name = "motor", .version = "1.0", .session = &session, .tools = tools, .tool_count = ${count('tools')},
	.token_size = 40, .modern = &quash_mcp_modern, .leases = &quash_mcp_leases, ${members} };
`;
const mcp = head + params + tools + served('') +
	`static const quash_method methods[] = { QUASH_MCP_METHODS(&server), { .name = "halt", .handler = halt } };
` + storage('QUASH_MCP_STATE(40, sizeof(struct turning))') +
	config('.dialect = &quash_mcp, .check = quash_mcp_check, .new_session = quash_mcp_new_session, .keeps = &quash_mcp_keeps');

const parts = `${head}static const quash_param turn_list[] = { QUASH_ARG_INT(struct confirmed, steps, -10, 10, "steps") };
static const quash_params turn_params = QUASH_PARAMS(struct confirmed, turn_list);
static const quash_mcp_tool tools[] = { { .name = "turn", .args = &turn_params, .call = quash_mcp_confirm_call,
	.motion = { .end = quash_mcp_confirm_end, .longest = 70000, .lease = 2000, .group = &motor } } };
static quash_mcp_arming arming;
static const quash_mcp_rule rules[] = { { .tool = "turn", .call = turn, .end = motor_off, .param = "steps", .above = 5, .below = -5,
	.wait = 30000, .armed = 60000, .arming = &arming, .by = QUASH_MCP_BY_PERSON } };
static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);
static uint8_t key[QUASH_MCP_KEY];
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 60000, 64);
static const quash_mcp_prompt prompt_list[] = { { .name = "greet", .get = greet, .deadline = 9000 } };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static const quash_mcp_resource resource_list[] = { { .uri = "file:///log", .name = "log", .read = measure, .deadline = 9000, .state_size = 8 } };
static const quash_mcp_resource template_list[] = { { .uri = "file:///{day}", .name = "day", .read = measure } };
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(resource_list, template_list);
static const char *const days[] = { "today", NULL };
static const quash_mcp_completer completers[] = { { .resource = "file:///{day}", .argument = "day", .values = days } };
static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);
static const quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 0 };
static const quash_mcp_extensions extensions = { { &quash_mcp_extensions_kind }, "\\"example\\":{}" };
static const quash_mcp_part *const parts[] = { &input.part, &prompts.part, &resources.part, &completion.part, &logging.part,
	&extensions.part, &confirm.part, NULL };
` + served('.parts = parts') + `static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_PROMPTS(&server),
	QUASH_MCP_RESOURCES(&server), QUASH_MCP_COMPLETION(&server), QUASH_MCP_LOGGING(&server) };
` + storage('QUASH_MCP_STATE(40, sizeof(struct confirmed))') +
	config(`.dialect = &quash_mcp, .check = quash_mcp_check, .new_session = quash_mcp_new_session, .calls = &quash_mcp_calls,
	.keeps = &quash_mcp_keeps`);

const lsp = `${head}static quash_lsp_session session;
static const quash_lsp_capability capabilities[] = { { "hoverProvider", "true" } };
static const quash_lsp_server server = { .name = "words", .version = "1.0", .session = &session, .capabilities = capabilities,
	.capability_count = 1, .token_size = 40 };
static const quash_lsp_method hovers = { .server = &server, .handler = hover, .state_size = sizeof(struct turning) };
static const quash_method methods[] = { QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("textDocument/hover", &hovers) };
` + storage('QUASH_LSP_STATE(40, sizeof(struct turning))') + config('.dialect = &quash_lsp, .check = quash_lsp_check');

const acp = `${head}static quash_acp_connection connection;
static quash_acp_session sessions[2];
static const quash_acp_mode modes[] = { { "ask", "Ask", NULL }, { "do", "Do", NULL } };
static const quash_acp_agent agent = { .name = "agent", .version = "1.0", .connection = &connection, .sessions = sessions,
	.session_count = 2, .modes = modes, .mode_count = 2, .prompt = prompt, .state_size = sizeof(struct turning) };
static const quash_method methods[] = { QUASH_ACP_METHODS(&agent) };
static uint8_t tags[QUASH_ACP_TAGS(4)];
` + storage('QUASH_ACP_STATE(sizeof(struct turning))') +
	config('.dialect = &quash_acp, .check = quash_acp_check, .new_session = quash_acp_new_session, .tags = tags, .tag_size = QUASH_ACP_TAG_SIZE');

const handed = `${head}static const quash_route route = { .to = &far_side, .token_size = 40, .progress = &quash_mcp_progress_form };
static const quash_method methods[] = { { .name = "turn", .handler = quash_forward, .data = &route,
	.state_size = QUASH_FORWARD_STATE(40) } };
` + storage('QUASH_FORWARD_STATE(40)') + config('.dialect = &quash_mcp, .check = quash_forward_check, .calls = &quash_calls');

export const right = { plain, mcp, parts, lsp, acp, handed };

export const planted = [
	['plain', '.slot_count = store_slot_count', '.slot_count = 0', 'config: slot_count 0, needs 1'],
	['plain', '.slot_count = store_slot_count', '.slot_count = 251', 'config: slot_count 251, at most 250'],
	['plain', '.slots = store.slots', '.slots = NULL', 'config: slots is missing'],
	['plain', '.id_size = store_id_size', '.id_size = 16', 'config: id_size 16, needs 17'],
	['plain', '.ids = store.ids, ', '', 'config: ids is missing'],
	['plain', '.word_size = QUASH_WORD', '.word_size = 31', 'config: word_size 31, needs 32'],
	['plain', '.word = &store.word, ', '', 'config: word is missing'],
	['plain', '.arena_size = sizeof store.arena', '.arena_size = 15', 'config: arena_size 15, needs 16'],
	['plain', '.arena = store.arena, ', '', 'config: arena is missing'],
	['plain', '.tx_size = sizeof store.tx', '.tx_size = 63', 'config: tx_size 63, needs 64'],
	['plain', '.tx = store.tx, ', '', 'config: tx is missing'],
	['plain', '.faults', '.tag_size = 255, .faults', 'config: tag_size 255, at most 254'],
	['plain', '.faults', '.tag_size = 9, .faults', 'config: tags is missing'],
	['plain', '.faults', '.reason_size = 9, .faults', 'config: reason is missing'],
	['plain', '.states = store.states, ', '', 'config: states is missing'],
	['plain', '.state_size = store_state_size', '.state_size = store_state_size + 9', /config: state_size \d+, needs \d+/],
	['plain', '.states = store.states', '.states = (uint8_t *)store.states + 1', 'config: states is not aligned'],
	['plain', /\.method_count = [^,]*/, '.method_count = 251', 'config: method_count 251, at most 250'],
	['plain', '.methods = methods, ', '', 'config: methods is missing'],
	['plain', '.dialect = &own,', '', 'config: dialect is missing'],
	['plain', '.cancel_count = 1', '.cancel_count = 0', 'config: dialect has no good cancels'],
	['plain', '.cancel_id = "id", ', '', 'config: dialect has no cancel_id'],
	['plain', '.own_code = -32800', '.own_code = 1', 'config: dialect has codes that are no errors'],
	['plain', '.batch = &quash_batch', '.batch = &quash_batch, .framing = QUASH_CONTENT_LENGTH', 'config: dialect has batches that are no lines'],
	['plain', '"$/cancel"', `"${'c'.repeat(60)}"`, 'config: word_size 56, needs 64'],
	['plain', '.name = "look", ', '', 'methods[1]: name is missing'],
	['plain', '"look"', '"turn"', 'methods[1] turn: name stands twice'],
	['plain', '"look"', `"${'l'.repeat(300)}"`, /methods\[1\] l+.* name is too long/],
	['plain', '"look"', '"$/cancel"', 'methods[1] $/cancel: name is served by the dialect itself'],
	['plain', '"look"', `"${'l'.repeat(60)}"`, /methods\[1\] l{60}: word_size 56, needs 64/],
	['plain', 'QUASH_NOTIFICATION', 'QUASH_NOTIFICATION | QUASH_PARTIAL', 'methods[2] halt: marks do not go together'],
	['plain', '.handler = look', '.handler = NULL', 'methods[1] look: handler is missing'],
	['plain', '.longest = 70000', '.longest = 0x80000000', /methods\[0\] turn: motion\.longest/],
	['plain', '.lease = 2000', '.lease = 0x80000000', /methods\[0\] turn: motion\.lease/],
	['plain', '.longest = 70000, ', '', 'methods[0] turn: motion.longest is 0 for what moves something'],
	['plain', '.end = motor_off, ', '', 'methods[0] turn: motion.end is missing, though it moves something'],
	['plain', '.state_size = sizeof(struct turning) }', '.state_size = sizeof(struct turning) + 9 }', /methods\[0\] turn: state_size \d+, needs \d+/],

	['mcp', '.name = "look", ', '', 'tools[1]: name is missing'],
	['mcp', '"look"', '"turn"', 'tools[1] turn: name stands twice'],
	['mcp', '"look"', '"to look"', 'tools[1] to look: name is no name'],
	['mcp', '"look"', `"${'l'.repeat(129)}"`, /tools\[1\] l+: name is too long/],
	['mcp', '.call = look', '.call = NULL', 'tools[1] look: call is missing'],
	['mcp', '.call = look', '.call = look, .output = &turn_params, .output_schema = "{}"', /output_schema stands beside what takes its place/],
	['mcp', ', .group = &motor', '', 'tools[0] turn: busy needs a group'],
	['mcp', '.lease = 2000', '.lease = 0x80000000', /tools\[0\] turn: motion\.lease/],
	['mcp', '.end = motor_off, .longest = 70000, .lease = 2000, .group = &motor }, .marks = QUASH_FINISHES', '.longest = 70000, .group = &motor }',
		'tools[0] turn: motion.end is missing, though it moves something'],
	['mcp', '.longest = 70000, ', '', 'tools[0] turn: motion.longest is 0 for what moves something'],
	['mcp', '.longest = 70000', '.longest = 0x80000000', /tools\[0\] turn: motion\.longest/],
	['mcp', '.marks = QUASH_FINISHES', '.marks = 128', /tools\[0\] turn: marks/],
	['mcp', 'QUASH_MCP_STATE(40, sizeof(struct turning))', 'QUASH_MCP_STATE(40, sizeof(struct turning) - 8)', /tools\[0\] turn: state_size \d+, needs \d+/],
	['mcp', '.leases = &quash_mcp_leases', '.leases = NULL', 'server[0] motor: leases is needed and not named'],
	['mcp', '.name = "motor", ', '', 'server[0]: name is missing'],
	['mcp', '.version = "1.0", ', '', 'server[0] motor: version is missing'],
	['mcp', '.session = &session, ', '', 'server[0] motor: session is missing'],
	['mcp', '.tools = tools, ', '', 'server[0] motor: tools is missing'],
	['mcp', '.token_size = 40', '.token_size = 40, .keep_count = 1', 'server[0] motor: keeps is missing'],
	['mcp', '.token_size = 40', '.token_size = 240', 'server[0] motor: token_size is too large'],
	['mcp', '.token_size = 40', '.token_size = 40, .watches = &watches', 'server[0] motor: watches is missing', 'static const struct quash_mcp_watches watches;\n'],
	['mcp', '.token_size = 40', '.token_size = 40, .keeps = keeps, .keep_count = 1', 'config: word_size 56, needs 64',
		`static const quash_keep keeps[] = { { "_meta>${'k'.repeat(60)}", 0, false } };\n`],
	['mcp', '.modern = &quash_mcp_modern', '.modern = NULL', 'server[0]: modern is needed and not named'],
	['mcp', 'QUASH_MCP_METHODS(&server)', 'QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server)', 'server[0] motor: QUASH_MCP_MODERN is missing'],
	['mcp', 'QUASH_MCP_METHODS(&server)', 'QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server)', 'server[0] motor: QUASH_MCP_TOOLS is missing'],
	['mcp', 'QUASH_MCP_METHODS(&server)', 'QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(NULL)', 'methods[4] tools/call: data is missing'],
	['mcp', 'QUASH_MCP_METHODS(&server)', 'QUASH_MCP_METHODS(&server), QUASH_MCP_LOGGING(&server)', 'methods[5] logging/setLevel: part is missing'],
	['mcp', '.token_size = 40', '.token_size = 40, .changes = QUASH_MCP_PROMPTS_CHANGE', 'server[0] motor: parts is missing'],
	['mcp', '.tools = tools, .tool_count = sizeof tools / sizeof tools[0]', '.changes = QUASH_MCP_TOOLS_CHANGE', 'server[0] motor: tools is missing'],
	['mcp', '.token_size = 40', '.token_size = 40, .watches = &watches', 'server[0] motor: parts is missing', 'QUASH_MCP_WATCHES(watches, 1, 9);\n'],
	['mcp', '.new_session = quash_mcp_new_session, ', '', 'config: new_session is needed and not named'],
	['mcp', 'QUASH_MCP_METHODS(&server), ', '', 'config: initialize is missing'],
	['mcp', 'QUASH_MCP_METHODS(&server)', '{ .name = "initialize", .handler = quash_mcp_initialize_, .marks = QUASH_SESSION | QUASH_LISTED }',
		'methods[0] initialize: data is missing'],
	['mcp', 'QUASH_MCP_METHODS(&server)', 'QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), { .name = "tools/call", .handler = quash_mcp_tools_call_, .data = &server, .marks = QUASH_LISTED }',
		'methods[3] tools/call: motion.end is missing, though it moves something'],
	['mcp', 'steps, 1, 100000, 10', 'steps, 100, 1, 10', 'turn[0] steps: min leaves no value'],
	['mcp', 'steps, 1, 100000, 10', 'steps, 1, 100000, 0', 'turn[0] steps: fallback is no value of the argument'],
	['mcp', '"left"', '"leftwards"', 'turn[1] way: fallback is no value of the argument'],
	['mcp', 'mode, modes, 1', 'mode, modes, 2', 'turn[3] mode: fallback is no value of the argument'],
	['mcp', '0.5, 2, 1', '0.5, 2, 3', 'turn[4] speed: fallback is no value of the argument'],
	['mcp', 'mode, modes, 1', 'mode, NULL, 1', 'turn[3] mode: detail is missing'],
	['mcp', 'QUASH_ARG_INT_OR(struct turning, steps, 1, 100000, 10, "each takes a millisecond")',
		'{ .name = "", .type = &quash_param_bool }', 'turn[0] : name is no name'],
	['mcp', 'QUASH_ARG_INT_OR(struct turning, steps, 1, 100000, 10, "each takes a millisecond")', '{ .name = "steps" }', 'turn[0] steps: type is missing'],
	['mcp', 'QUASH_ARG_INT_OR(struct turning, steps, 1, 100000, 10, "each takes a millisecond")',
		'{ .name = "steps", .type = &quash_param_text }', 'turn[0] steps: size is missing'],
	['mcp', 'QUASH_ARG_INT_OR(struct turning, steps, 1, 100000, 10, "each takes a millisecond")',
		'{ .name = "steps", .type = &quash_param_int, .offset = 200 }', 'turn[0] steps: offset lies outside of its struct'],
	['mcp', 'QUASH_PARAMS(struct turning, turn_list)', '{ .count = 1, .size = 8 }', 'turn[0]: list is missing'],

	['parts', 'QUASH_MCP_PROMPTS(&server),', '', /server\[0\] motor: QUASH_MCP_PROMPTS is/],
	['parts', 'QUASH_MCP_RESOURCES(&server), ', '', /server\[0\] motor: QUASH_MCP_RESOURCES is/],
	['parts', 'QUASH_MCP_COMPLETION(&server), ', '', /server\[0\] motor: QUASH_MCP_COMPLETION is/],
	['parts', ', QUASH_MCP_LOGGING(&server)', '', /server\[0\] motor: QUASH_MCP_LOGGING is/],
	['parts', '&prompts.part, ', '', 'methods[5] prompts/list: part is missing'],
	['parts', '&resources.part, ', '', 'methods[7] resources/list: part is missing'],
	['parts', '&completion.part, ', '', 'methods[10] completion/complete: part is missing'],
	['parts', '&logging.part,', '', 'methods[11] logging/setLevel: part is missing'],
	['parts', 'QUASH_MCP_PROMPTS(&server),', '{ .name = "prompts/list", .handler = quash_mcp_prompts_list_, .data = &server, .marks = QUASH_LISTED },',
		'server[0] motor: QUASH_MCP_PROMPTS is missing'],
	['parts', 'QUASH_MCP_PROMPTS(&server),', `QUASH_MCP_METHOD_("prompts/list", quash_mcp_prompts_list_, &server, 0),
		QUASH_MCP_METHOD_("prompts/get", quash_mcp_prompts_get_, &server, 0),`, 'methods[6] prompts/get: motion.end is missing, though it moves something'],
	['parts', '.parts = parts', '.parts = parts, .watches = &watches', 'server[0] motor: QUASH_MCP_SUBSCRIBE is missing', 'QUASH_MCP_WATCHES(watches, 1, 9);\n'],
	['parts', 'QUASH_MCP_LOGGING(&server)', 'QUASH_MCP_LOGGING(&server), QUASH_MCP_SUBSCRIBE(&server)', 'server[0] motor: watches is missing'],
	['parts', '.name = "greet", ', '', 'prompts[0]: name is missing'],
	['parts', '.get = greet, ', '', 'prompts[0] greet: get is missing'],
	['parts', '.get = greet, .deadline = 9000', '.get = greet, .deadline = 0x80000000', 'prompts[0] greet: deadline is too large'],
	['parts', '.get = greet, .deadline = 9000', '.get = greet, .marks = 128', /prompts\[0\] greet: marks/],
	['parts', 'QUASH_MCP_PROMPT_LIST(prompt_list)', '{ { &quash_mcp_prompts_kind }, NULL, 1 }', 'prompts[0]: list is missing'],
	['parts', '.uri = "file:///log", ', '', 'resources[0]: uri is missing'],
	['parts', '.name = "log", ', '', 'resources[0] file:///log: name is missing'],
	['parts', '.read = measure, ', '', 'resources[0] file:///log: read is missing'],
	['parts', '.read = measure, .deadline = 9000', '.read = measure, .deadline = 0x80000000', 'resources[0] file:///log: deadline is too large'],
	['parts', '.state_size = 8', '.state_size = 900', /resources\[0\] file:\/\/\/log: state_size \d+, needs \d+/],
	['parts', 'QUASH_MCP_RESOURCE_LISTS(resource_list, template_list)', '{ { &quash_mcp_resources_kind }, NULL, NULL, 1, 0 }', 'resources[0]: list is missing'],
	['parts', '.argument = "day", ', '', 'completers[0]: argument is missing'],
	['parts', '.resource = "file:///{day}", ', '', 'completers[0] day: prompt is missing'],
	['parts', '.resource = "file:///{day}"', '.resource = "file:///{day}", .prompt = "greet"', 'completers[0] day: resource stands beside what takes its place'],
	['parts', ', .values = days', '', 'completers[0] day: values is missing'],
	['parts', '.values = days', '.values = days, .suggest = suggest', 'completers[0] day: suggest stands beside what takes its place'],
	['parts', 'QUASH_MCP_COMPLETERS(completers)', '{ { &quash_mcp_completion_kind }, NULL, 1 }', 'completers[0]: list is missing'],
	['parts', '&quash_mcp_logging_kind }, 0', '&quash_mcp_logging_kind }, 9', 'logging[0]: level has no such value'],
	['parts', '"\\"example\\":{}"', 'NULL', /extensions\[0\]: json is missing/],
	['parts', '.calls = &quash_mcp_calls', '.calls = &quash_calls', 'config: calls is needed and not named'],
	['parts', 'QUASH_MCP_INPUT(key, 60000, 64)', 'QUASH_MCP_INPUT(NULL, 60000, 64)', /key is missing/],
	['parts', 'QUASH_MCP_INPUT(key, 60000, 64)', 'QUASH_MCP_INPUT(key, 0, 64)', /lifetime/],
	['parts', '&input.part, ', '', 'server[0] motor: parts is missing'],
	['parts', '.tool = "turn"', '.tool = "spin"', 'mcp_confirm[0] spin: tool is missing'],
	['parts', '.param = "steps"', '.param = "turns"', /mcp_confirm\[0\] turn: param/],
	['parts', '.call = turn, ', '', 'mcp_confirm[0] turn: call is missing'],
	['parts', '.arming = &arming, ', '', 'mcp_confirm[0] turn: arming is missing'],
	['parts', '.by = QUASH_MCP_BY_PERSON', '.by = 128', /mcp_confirm\[0\] turn: by/],
	['parts', '.wait = 30000', '.wait = 0', /mcp_confirm\[0\] turn: wait/],
	['parts', '.armed = 60000', '.armed = 0x80000000', /mcp_confirm\[0\] turn: armed/],
	['parts', 'struct confirmed, steps, -10, 10, "steps") };\nstatic const quash_params turn_params = QUASH_PARAMS(struct confirmed, turn_list)',
		'struct turning, steps, -10, 10, "steps") };\nstatic const quash_params turn_params = QUASH_PARAMS(struct turning, turn_list)', /mcp_confirm\[0\] turn: args/],
	['parts', 'QUASH_MCP_CONFIRM(rules)', '{ { &quash_mcp_confirm_kind }, NULL, 0 }', 'mcp_confirm[0] turn: rules is missing'],

	['lsp', '.name = "words", ', '', 'server[0]: name is missing'],
	['lsp', '.version = "1.0", ', '', 'server[0] words: version is missing'],
	['lsp', '.session = &session, ', '', 'server[0] words: session is missing'],
	['lsp', '.capabilities = capabilities,', '', 'server[0]: capabilities is missing'],
	['lsp', '"true"', 'NULL', 'capabilities[0] hoverProvider: json is missing'],
	['lsp', '.token_size = 40', '.token_size = 40, .experimental_count = 1', 'server[0]: experimental is missing'],
	['lsp', '.server = &server, ', '', 'methods[5] textDocument/hover: server is another\'s'],
	['lsp', '.handler = hover, ', '', 'methods[5] textDocument/hover: handler is missing'],
	['lsp', '&hovers) }', 'NULL) }', 'methods[5] textDocument/hover: data is missing'],
	['lsp', 'QUASH_LSP_STATE(40, sizeof(struct turning))', 'QUASH_LSP_STATE(40, 0)', /textDocument\/hover: state_size \d+, needs \d+/],

	['lsp', 'QUASH_LSP_METHODS(&server)', `QUASH_LSP_LIFE_("initialize", quash_lsp_initialize_, &server, QUASH_PARTIAL)`,
		'server[0] words: QUASH_LSP_METHODS is missing'],

	['acp', '.name = "agent", ', '', 'agent[0]: name is missing'],
	['acp', '.connection = &connection, ', '', 'agent[0] agent: connection is missing'],
	['acp', '.sessions = sessions,', '', 'agent[0] agent: sessions is missing'],
	['acp', '.session_count = 2, ', '', /session_count 0, needs 1/],
	['acp', '.prompt = prompt, ', '', 'agent[0] agent: prompt is missing'],
	['acp', '.modes = modes, ', '', 'agent[0] agent: modes is missing'],
	['acp', '{ "do", "Do", NULL }', '{ "ask", "Do", NULL }', 'modes[1] ask: id stands twice'],
	['acp', '{ "do", "Do", NULL }', '{ "do", NULL, NULL }', 'modes[1] do: name is missing'],
	['acp', '.dialect = &quash_acp', '.dialect = &quash_jsonrpc', /config: dialect/],
	['acp', '.tag_size = QUASH_ACP_TAG_SIZE', '.tag_size = 4', 'config: tag_size 4, needs 12'],
	['acp', 'QUASH_ACP_STATE(sizeof(struct turning))', 'QUASH_ACP_STATE(0)', /state_size \d+, needs \d+/],
	['acp', '.new_session = quash_acp_new_session, ', '', 'config: new_session is needed and not named'],

	['acp', 'QUASH_ACP_METHODS(&agent)', 'QUASH_ACP_BASE(&agent)', 'agent[0] agent: QUASH_ACP_MODES is missing'],
	['acp', 'QUASH_ACP_METHODS(&agent)', 'QUASH_ACP_BEGIN(&agent)', 'agent[0] agent: QUASH_ACP_PROMPT is missing'],
	['acp', 'QUASH_ACP_METHODS(&agent)', 'QUASH_ACP_ENTRY_("initialize", quash_acp_initialize_, &agent, QUASH_SESSION)',
		'agent[0] agent: QUASH_ACP_BEGIN is missing'],

	['handed', '.data = &route,', '', 'methods[0] turn: data is missing'],
	['handed', '.calls = &quash_calls', '.calls = NULL', 'config: calls is needed and not named'],
	['handed', '.state_size = QUASH_FORWARD_STATE(40)', '.marks = QUASH_LISTED', 'methods[0] turn: marks do not go together'],
];

/* What is right on the PC and wrong on devices: numbers, alignments and structs differ there. */
const square = 'sizeof(void *) * sizeof(void *)';
const more = '(8 / sizeof(void *) - 1) * 2'; // nothing on the PC
const all = ['M0+', 'AVR', 'RISC-V'];
const aligned = ['M0+', 'RISC-V'];
const steps = 'QUASH_ARG_INT_OR(struct turning, steps,';
export const onDevices = [
	[all, 'plain', '.arena_size = sizeof store.arena', '.arena_size = sizeof(void *) * 3', 'config: arena_size is wrong'],
	[all, 'plain', '.tx_size = sizeof store.tx', '.tx_size = sizeof(void *) * 8', 'config: tx_size is wrong'],
	[all, 'plain', '.id_size = store_id_size', '.id_size = sizeof(void *) * 4', 'config: id_size is 32 on the PC'],
	[all, 'plain', '.slot_count = store_slot_count', '.slot_count = sizeof(void *) / 8', 'config: slot_count is 1 on the PC'],
	[all, 'plain', '.word_size = QUASH_WORD', '.word_size = sizeof(void *) * 7', 'config: word_size is 56 on the PC'],
	[all, 'acp', '.tag_size = QUASH_ACP_TAG_SIZE', '.tag_size = sizeof(void *) + 4', 'config: tag_size is 12 on the PC'],
	[aligned, 'plain', '.state_size = store_state_size', `.state_size = store_state_size + ${more}`, 'config: state_size is wrong'],
	[aligned, 'plain', '.states = store.states', `.states = (uint8_t *)store.states + ${more}`, 'config: states is wrong'],
	[all, 'plain', '4, 40, sizeof(struct turning)', '4, 40, 5 * sizeof(void *)', 'methods[0] turn: state_size is too small'],
	[all, 'mcp', 'QUASH_MCP_STATE(40, sizeof(struct turning))', `4 * ${square}`, 'state_size is too small'],
	[all, 'parts', '.state_size = 8', '.state_size = (8 - sizeof(void *)) * 100', 'resources[0] file:///log: state_size is too small'],
	[all, 'lsp', 'QUASH_LSP_STATE(40, sizeof(struct turning))', `4 * ${square}`, 'state_size is too small'],
	[all, 'acp', 'QUASH_ACP_STATE(sizeof(struct turning))', `3 * ${square}`, 'state_size is too small'],
	[all, 'handed', 'QUASH_STORAGE(store, 4, 40, QUASH_FORWARD_STATE(40)', `QUASH_STORAGE(store, 4, 40, 6 * ${square}`, 'state_size is too small'],
	[all, 'mcp', '.token_size = 40', '.token_size = 5 * sizeof(void *)', 'server: token_size is 40 on the PC'],
	[all, 'plain', '.lease = 2000', '.lease = 250 * sizeof(void *)', 'methods[0] turn: motion.lease is 2000 on the PC'],
	[all, 'mcp', '.lease = 2000', '.lease = 250 * sizeof(void *)', 'tools[0] turn: motion.lease is 2000 on the PC'],
	[all, 'mcp', '.marks = QUASH_FINISHES', `.marks = QUASH_FINISHES + (8 - sizeof(void *)) * 4`, 'tools[0] turn: marks is 2 on the PC'],
	[all, 'mcp', 'QUASH_PARAMS(struct turning, turn_list)', '{ turn_list, 5 * sizeof(void *), 5, NULL }', 'offset lies outside of its struct'],
	[all, 'mcp', 'QUASH_ARG_TEXT_OR(struct turning, way, "left", "where to")',
		'{ .name = "way", .type = &quash_param_text, .detail = "left", .size = sizeof(void *), .optional = true }', 'turn[1] way: size is 8 on the PC'],
	[all, 'mcp', 'steps, 1, 100000', 'steps, 9 - sizeof(void *), 100000', 'turn[0] steps: min is 1 on the PC'],
	[all, 'mcp', `${steps} 1, 100000`, `${steps} 1, 12500 * sizeof(void *)`, 'turn[0] steps: max is 100000 on the PC'],
	[all, 'mcp', 'mode, modes, 1', 'mode, modes, 9 - sizeof(void *)', 'turn[3] mode: fallback is 1 on the PC'],
	[all, 'mcp', steps, 'QUASH_ARG_INT_OR(struct own, steps,', 'error', 'struct own { int steps; };\n'],
	[all, 'parts', 'struct confirmed, steps, -10', 'struct own, steps, -10', 'turn[0] steps: offset lies in what a rule keeps',
		'struct own { char front[sizeof(quash_mcp_confirming) - (8 - sizeof(void *)) * 2]; int32_t steps; };\n'],
	[all, 'parts', '.wait = 30000', '.wait = 3750 * sizeof(void *)', 'rules[0] turn: wait is 30000 on the PC'],
	[all, 'parts', 'QUASH_MCP_INPUT(key, 60000, 64)', 'QUASH_MCP_INPUT(key, 7500 * sizeof(void *), 64)', 'lifetime is 60000 on the PC'],
	[all, 'parts', '&quash_mcp_logging_kind }, 0', '&quash_mcp_logging_kind }, 8 - sizeof(void *)', 'level is 0 on the PC'],
	/* -- int has 16 bits */
	[['AVR'], 'plain', '.longest = 70000', '.longest = 60 * 1000', 'overflow'],
	[['AVR'], 'mcp', '.longest = 70000', '.longest = (uint32_t)(int)70000L', 'tools[0] turn: motion.longest is 70000 on the PC'],
	[['AVR'], 'mcp', 'steps, 1, 100000', 'steps, 1, 1 << 15', 'turn[0] steps: max is 32768 on the PC'],
];
