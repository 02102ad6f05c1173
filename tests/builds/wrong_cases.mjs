/* SPDX-License-Identifier: MIT
 * Wrong tables, each in C and in C++11. */

const first = { c: '{ .name = "turn", .call = handler, .args = &turn_params }', cxx: 'quash::mcp_tool("turn", nullptr, handler).args(&turn_params)' };

const device = (c, cxx) => ({
	c: `static const quash_mcp_tool tools[] = { ${c} };\nQUASH_MCP_DEVICE(config, tools, sizeof(struct turn), .name = "s", .version = "1");`,
	cxx: `static constexpr quash_mcp_tool tools[] = { ${cxx} };\nQUASH_MCP_DEVICE(config, tools, quash::mcp_server("s", "1"));\n`,
});

/** A tool behind another one. In C its members behind `.name` and `.call`, in C++ what follows the constructor. */
const tool = (c, cxx) => device(`${first.c}, { ${c} }`, `${first.cxx}, quash::mcp_tool(${cxx}`);

/** An argument, which is written alike in both, behind another one. */
const param = (row) => {
	const rows = (is) => `static ${is} quash_param list[] = { QUASH_ARG_INT(struct turn, ms, 1, 9, "a"), ${row} };\n`;
	const made = device('{ .name = "turn", .call = handler, .args = &params }', 'quash::mcp_tool("turn", nullptr, handler).args(&params)');
	return {
		c: `${rows('const')}static const quash_params params = QUASH_PARAMS(struct turn, list);\n${made.c}`,
		cxx: `${rows('constexpr')}static constexpr quash_params params = QUASH_PARAMS(struct turn, list);\n${made.cxx}`,
	};
};

const config = (c, cxx, store = '2, 24, 8, 64, 64') => ({
	c: `QUASH_STORAGE(store, ${store});\nstatic const quash_config config = { QUASH_STORED(store), .faults = &quash_faults, ${c} };`,
	cxx: `QUASH_STORAGE(store, ${store});\nextern const quash_config config;\nconstexpr quash_config config = quash::config(QUASH_STORED(store))${cxx};\n`,
});

/** A method behind another one, see `tool`. */
const method = (c, cxx, dialect = 'quash_jsonrpc') => {
	const made = config(`.dialect = &${dialect}, .methods = methods, .method_count = 2`, `.dialect(&${dialect}).methods(methods)`);
	return {
		c: `static const quash_method methods[] = { { .name = "turn", .handler = handler }, { ${c} } };\n${made.c}`,
		cxx: `static constexpr quash_method methods[] = { quash::method("turn", handler), quash::method(${cxx} };\n${made.cxx}`,
	};
};

/** A server that is written out. */
const server = (c, cxx, { state = 'QUASH_MCP_STATE(0, sizeof(struct turn))', entries = 'QUASH_MCP_METHODS(&server)', hooks = {}, before = {} } = {}) => {
	const made = config(`.dialect = &quash_mcp, .methods = methods, .method_count = sizeof methods / sizeof *methods, .check = quash_mcp_check,
		.keeps = &quash_mcp_keeps, ${hooks.c ?? '.new_session = quash_mcp_new_session'}`, hooks.cxx ?? '.mcp(methods, server)', `2, 24, ${state}, 64, 64`);
	return {
		c: `static quash_mcp_session session;
${before.c ?? ''}static const quash_mcp_tool tools[] = { { .name = "turn", .call = handler, .args = &turn_params, .motion = { .end = off, .longest = 9, .lease = 9 } } };
static const quash_mcp_server server = { .tools = tools, .tool_count = 1, ${c} };
static const quash_method methods[] = { ${entries} };\n${made.c}`,
		cxx: `static quash_mcp_session session;
${before.cxx ?? ''}static constexpr quash_mcp_tool tools[] = { quash::mcp_tool("turn", nullptr, handler).args(&turn_params).moves(off, 9, 9, nullptr) };
static constexpr quash_mcp_server server = quash::mcp_server(${cxx};
static constexpr quash_method methods[] = { ${entries} };\n${made.cxx}`,
	};
};

const whole = '.name = "s", .version = "1", .session = &session, .modern = &quash_mcp_modern, .leases = &quash_mcp_leases';
const made = '"s", "1").session(&session).tools(tools).modern(&quash_mcp_modern)';

/** Parts behind each other, each by its line in C and in C++, and what the server names beside them. */
const parted = (entries, parts, [members, chain] = ['', ''], room = '') => {
	const lines = (is) => parts.map(([line]) => `static ${is} ${line}\n`).join('');
	const list = (is) => `${room}${lines(is)}static ${is === 'const' ? is : 'constexpr const'} quash_mcp_part *const parts[] = { ${parts.map(([, name]) => `&${name}.part`)}, NULL };\n`;
	return server(`${whole}, .parts = parts${members}`, `${made}.parts(parts)${chain}`,
		{ entries: ['QUASH_MCP_METHODS(&server)', ...entries].join(', '), before: { c: list('const'), cxx: list('constexpr') } });
};
const logging = ['quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 1 };', 'logging'];
const prompts = ['quash_mcp_prompts prompts = { { &quash_mcp_prompts_kind }, NULL, 0 };', 'prompts'];
const resources = ['quash_mcp_resources resources = { { &quash_mcp_resources_kind }, NULL, NULL, 0, 0 };', 'resources'];

/** A prompt or a resource behind another one, see `tool`. */
const listed = (kind, entries, first, c, cxx) => {
	const list = (is, text) => `static ${is} quash_mcp_${kind} list[] = { ${text} };\n`;
	const made = parted([`${entries}(&server)`], [[`quash_mcp_${kind}s ${kind}s = { { &quash_mcp_${kind}s_kind }, list, ${kind === 'prompt' ? 2 : 'NULL, 2, 0'} };`, `${kind}s`]]);
	return {
		c: made.c.replace(`static const quash_mcp_${kind}s`, `${list('const', `${first.c}, { ${c} }`)}$&`),
		cxx: `${list('constexpr', `${first.cxx}, quash::mcp_${kind}(${cxx}`)}static constexpr quash_mcp_${kind}s part = quash::mcp_${kind}s(list);\n`,
	};
};
const prompt = (c, cxx) => listed('prompt', 'QUASH_MCP_PROMPTS', { c: '{ .name = "greet", .get = handler }', cxx: 'quash::mcp_prompt("greet", nullptr, handler)' }, c, cxx);
const resource = (c, cxx) => listed('resource', 'QUASH_MCP_RESOURCES', { c: '{ .uri = "a:b", .name = "b", .read = handler }', cxx: 'quash::mcp_resource("a:b", "b", handler)' }, c, cxx);

/** A server whose tools have room, and of whose prompts or resources one has a struct that is larger. */
const large = (entries, kind, list, part) => {
	const lines = (is) => `static ${is} quash_param large_list[] = { QUASH_ARG_TEXT(struct large, text, "a") };
static ${is} quash_params large_params = QUASH_PARAMS(struct large, large_list);
static ${is} quash_mcp_${kind} list[] = { ${list} };\n`;
	const made = parted([`${entries}(&server)`], [[`quash_mcp_${kind}s part = { { &quash_mcp_${kind}s_kind }, ${part} };`, 'part']]);
	const before = (text, is) => text.replace(`static ${is} quash_mcp_${kind}s`, `${lines(is)}$&`);
	return { c: before(made.c, 'const'), cxx: before(made.cxx, 'constexpr') };
};
const completion = ['quash_mcp_completion completion = { { &quash_mcp_completion_kind }, NULL, 0 };', 'completion'];
const long = 'n'.repeat(129), longer = 'm'.repeat(252);

/** What `quash_init` finds in C does not compile in C++. */
export const found = {
	'a tool without a name': tool('.call = handler', 'nullptr, "", handler)'),
	'a tool with an empty name': tool('.name = "", .call = handler', '"", "", handler)'),
	'a tool with a blank in its name': tool('.name = "a b", .call = handler', '"a b", "", handler)'),
	'a tool with a long name': tool(`.name = "${long}", .call = handler`, `"${long}", "", handler)`),
	'two tools of one name': tool('.name = "turn", .call = handler', '"turn", "", handler)'),
	'a tool without a call': tool('.name = "x"', '"x", "", nullptr)'),
	'two schemas of a result': tool('.name = "x", .call = handler, .output = &turn_params, .output_schema = "{}"', '"x", "", handler).output(&turn_params).output_schema("{}")'),
	'words for a group that is not there': tool('.name = "x", .call = handler, .busy = "b"', '"x", "", handler).busy("b")'),
	'a mark that tools have not': tool('.name = "x", .call = handler, .marks = QUASH_PARTIAL', '"x", "", handler).marks(QUASH_PARTIAL)'),
	'a mark of motion without motion': tool('.name = "x", .call = handler, .marks = QUASH_FINISHES', '"x", "", handler).marks(QUASH_FINISHES)'),
	'a tool that moves without end': tool('.name = "x", .call = handler, .motion = { .longest = 9, .lease = 9, .group = &arm }', '"x", "", handler).moves(nullptr, 9, 9, &arm)'),
	'a tool that moves for ever': tool('.name = "x", .call = handler, .motion = { .end = off, .lease = 9, .group = &arm }', '"x", "", handler).moves(off, 0, 9, &arm)'),
	'a longest time that is too long': tool('.name = "x", .call = handler, .motion = { .end = off, .longest = 2147483648u }', '"x", "", handler).moves(off, 2147483648u, 0, nullptr)'),
	'a lease that is too long': tool('.name = "x", .call = handler, .motion = { .end = off, .longest = 9, .lease = 2147483648u }', '"x", "", handler).moves(off, 9, 2147483648u, nullptr)'),

	'an argument without a name': param('QUASH_ARG_STRING(NULL, "a")'),
	'an argument with an empty name': param('QUASH_ARG_STRING("", "a")'),
	'two arguments of one name': param('QUASH_ARG_STRING("ms", "a")'),
	'an argument without a type': param('{ "x", NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, false }'),
	'an argument without its names': param('{ "x", NULL, &quash_param_enum, NULL, 0, 0, 0, 0, 0, 0, false }'),
	'a text without room': param('{ "x", NULL, &quash_param_text, NULL, 0, 0, 0, 0, 0, 0, false }'),
	'a field outside of its struct': param('QUASH_ARG_INT(struct other, far, 1, 9, "a")'),
	'a range without a value': param('QUASH_ARG_INT(struct turn, other, 9, 1, "a")'),
	'a default out of its range': param('QUASH_ARG_INT_OR(struct turn, other, 1, 9, 10, "a")'),
	'a default that is no name': param('QUASH_ARG_ENUM_OR(struct turn, mood, moods, 2, "a")'),
	'a default text that is too long': param('QUASH_ARG_TEXT_OR(struct turn, text, "four", "a")'),
	'a default number out of its range': param('QUASH_ARG_NUMBER_OR(struct turn, number, &half, "a")'),

	'two methods of one name': method('.name = "turn", .handler = handler', '"turn", handler)'),
	'a method without a name': method('.handler = handler', 'nullptr, handler)'),
	'a method with a long name': method(`.name = "${longer}", .handler = handler`, `"${longer}", handler)`),
	'a name that its dialect has': method('.name = "$/cancelRequest", .handler = handler', '"$/cancelRequest", handler)'),
	'a name that LSP has': method('.name = "$/cancelRequest", .handler = handler', '"$/cancelRequest", handler)', 'quash_lsp'),
	'a name that finds no room': method(`.name = "${long}", .handler = handler`, `"${long}", handler)`),
	'a method without a handler': method('.name = "x"', '"x", nullptr)'),
	'marks of requests and notifications': method('.name = "x", .handler = handler, .marks = QUASH_NOTIFICATION | QUASH_PARTIAL', '"x", handler).marks(QUASH_NOTIFICATION | QUASH_PARTIAL)'),
	'a method that moves without end': method('.name = "x", .handler = handler, .motion = { .longest = 9 }', '"x", handler).moves(nullptr, 9, 0, nullptr)'),
	'a method that moves for ever': method('.name = "x", .handler = handler, .motion = { .end = off }', '"x", handler).moves(off, 0, 0, nullptr)'),
	'a method whose time is too long': method('.name = "x", .handler = handler, .motion = { .end = off, .longest = 2147483648u }', '"x", handler).moves(off, 2147483648u, 0, nullptr)'),
	'a method whose lease is too long': method('.name = "x", .handler = handler, .motion = { .end = off, .longest = 9, .lease = 2147483648u }', '"x", handler).moves(off, 9, 2147483648u, nullptr)'),
	'a state that finds no room': method('.name = "x", .handler = handler, .state_size = 9', '"x", handler).state_size(9)'),

	'a server without a name': server(whole.replace('.name = "s", ', ''), made.replace('"s"', 'nullptr')),
	'a server without a version': server(whole.replace('.version = "1", ', ''), made.replace('"1"', 'nullptr')),
	'a server without a session': server(whole.replace('.session = &session, ', ''), `${made}.session(nullptr)`),
	'a lease that nobody serves': server(whole.replace(', .leases = &quash_mcp_leases', ''), `${made}.leases(nullptr)`),
	'an era that nobody serves': server(whole.replace(', .modern = &quash_mcp_modern', ''), `${made}.modern(nullptr)`),
	'an era whose method is missing': server(whole, made, { entries: 'QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server)' }),
	'tools whose methods are missing': server(whole, made, { entries: 'QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server)' }),
	'tools of no server': server(whole, made, { entries: 'QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(NULL)' }),
	'methods without their part': server(whole, made, { entries: 'QUASH_MCP_METHODS(&server), QUASH_MCP_LOGGING(&server)' }),
	'methods of another part': parted(['QUASH_MCP_LOGGING(&server)', 'QUASH_MCP_PROMPTS(&server)'], [logging]),
	'prompts without their methods': parted([], [prompts]),
	'resources without their methods': parted([], [resources]),
	'completion without its method': parted([], [completion]),
	'a log without its method': parted([], [logging]),
	'a prompt that is never got': parted(['QUASH_MCP_METHOD_("prompts/list", quash_mcp_prompts_list_, &server, 0)'], [prompts]),
	'a reading that does not end': parted(['QUASH_MCP_METHOD_("resources/list", quash_mcp_resources_list_, &server, 0)',
		'QUASH_MCP_METHOD_("resources/read", quash_mcp_resources_read_, &server, 0)'], [resources]),
	'changes of what is in no part': server(`${whole}, .changes = QUASH_MCP_PROMPTS_CHANGE`, `${made}.changes(QUASH_MCP_PROMPTS_CHANGE)`),
	'changes of what is in another part': parted(['QUASH_MCP_LOGGING(&server)'], [logging], [', .changes = QUASH_MCP_RESOURCES_CHANGE', '.changes(QUASH_MCP_RESOURCES_CHANGE)']),
	'subscriptions that nobody takes': parted(['QUASH_MCP_RESOURCES(&server)'], [resources], [', .watches = &watches', '.watches(&watches)'],
		'QUASH_MCP_WATCHES(watches, 1, 9);\n'),
	'subscriptions without room': parted(['QUASH_MCP_RESOURCES(&server)', 'QUASH_MCP_SUBSCRIBE(&server)'], [resources]),
	'no room for a server': server(whole, made, { state: '8' }),
	'no room for a tool': server(whole, made, { state: 'QUASH_MCP_STATE(0, 0)' }),
	'no entry of a server': server(whole, made, { entries: 'QUASH_MCP_TOOLS(&server)' }),
	'an entry without its server': server(whole, made, { entries: 'QUASH_MCP_METHODS(NULL)', hooks: { cxx: '.dialect(&quash_mcp).methods(methods).check(quash_mcp_check)' } }),
	'sessions that are never cleared': server(whole, made, { hooks: { c: '.new_session = NULL', cxx: '.dialect(&quash_mcp).methods(methods).check(quash_mcp_check)' } }),

	'a prompt without a name': prompt('.get = handler', 'nullptr, "", handler)'),
	'a prompt with an empty name': prompt('.name = "", .get = handler', '"", "", handler)'),
	'two prompts of one name': prompt('.name = "greet", .get = handler', '"greet", "", handler)'),
	'a prompt that nobody gets': prompt('.name = "x"', '"x", "", nullptr)'),
	'a prompt whose time is too long': prompt('.name = "x", .get = handler, .deadline = 2147483648u', '"x", "", handler).deadline(2147483648u)'),
	'a mark that prompts have not': prompt('.name = "x", .get = handler, .marks = QUASH_PARTIAL', '"x", "", handler).marks(QUASH_PARTIAL)'),
	'a resource without a URI': resource('.name = "x", .read = handler', 'nullptr, "x", handler)'),
	'a resource with an empty URI': resource('.uri = "", .name = "x", .read = handler', '"", "x", handler)'),
	'two resources of one URI': resource('.uri = "a:b", .name = "x", .read = handler', '"a:b", "x", handler)'),
	'a resource without a name': resource('.uri = "a:x", .read = handler', '"a:x", nullptr, handler)'),
	'a resource that nobody reads': resource('.uri = "a:x", .name = "x"', '"a:x", "x", nullptr)'),
	'a resource whose time is too long': resource('.uri = "a:x", .name = "x", .read = handler, .deadline = 2147483648u', '"a:x", "x", handler).deadline(2147483648u)'),
	'a mark of resources that do not end': resource('.uri = "a:x", .name = "x", .read = handler, .marks = QUASH_FINISHES', '"a:x", "x", handler).marks(QUASH_FINISHES)'),
	'no room for a prompt': large('QUASH_MCP_PROMPTS', 'prompt', '{ "a", NULL, NULL, NULL, handler, NULL, NULL, 0, 0 }, { "b", NULL, NULL, &large_params, handler, NULL, NULL, 0, 0 }', 'list, 2'),
	'no room for a resource': large('QUASH_MCP_RESOURCES', 'resource', '{ "a:b", "b", NULL, NULL, NULL, handler, NULL, NULL, 0, 0, 0, sizeof(struct large), 0 }', 'list, NULL, 1, 0'),
	'no room for a template': large('QUASH_MCP_RESOURCES', 'resource', '{ "a:{b}", "b", NULL, NULL, NULL, handler, NULL, NULL, 0, 0, 0, sizeof(struct large), 0 }', 'NULL, list, 0, 1'),

	'a config without a dialect': config('.method_count = 0', ''),
	'no slots': { ...config('.dialect = &quash_jsonrpc, .slot_count = 0', '.dialect(&quash_jsonrpc)'),
		cxx: 'QUASH_STORAGE(store, 2, 24, 8, 64, 64);\nenum { store_none };\nextern const quash_config config;\nconstexpr quash_config config = quash::config(0, 24, 56, 64, 64, 8, store.slots, &store.word, store.ids, store.states, store.arena, store.tx, nullptr).dialect(&quash_jsonrpc);\n' },
	'a small id': config('.dialect = &quash_jsonrpc', '.dialect(&quash_jsonrpc)', '2, 16, 8, 64, 64'),
	'a small arena': config('.dialect = &quash_jsonrpc', '.dialect(&quash_jsonrpc)', '2, 24, 8, 15, 64'),
	'a small TX': config('.dialect = &quash_jsonrpc', '.dialect(&quash_jsonrpc)', '2, 24, 8, 64, 63'),
	'tags without their array': config('.dialect = &quash_jsonrpc, .tag_size = 9', '.dialect(&quash_jsonrpc).tags(nullptr, 9)'),
};

const cut = (cxx) => server(whole, `${made}${cxx}`).cxx;
const field = (type, row) => `struct wrong_field { ${type} f; uint8_t count; };\nstatic constexpr quash_param list[] = { ${row} };\n`;
const row = (cxx) => tool('', cxx).cxx;

/** What only C++ says, and the words; and if it takes long, the compiler that is asked. */
export const said = {
	'a progress token that is cut': [cut('.token_size(300)'), 'server::token_size_is_too_large'],
	'a page that is cut': [cut('.page(256)'), 'server::page_is_too_large'],
	'marks that are cut': [row('"x", "", handler).marks(256)'), 'tools::marks_do_not_go_together'],
	'a time that is cut': [row('"x", "", handler).moves(off, 5000000000, 0, nullptr)'), 'tools::motion_longest_is_too_large'],
	'a time below 0': [row('"x", "", handler).moves(off, 9, -9, nullptr)'), 'tools::motion_lease_is_too_large'],
	'a state that is cut': [method('', '"x", handler).state_size(5000000000)').cxx, 'methods::state_size_is_too_large'],
	'slots that are cut': [config('', '.dialect(&quash_jsonrpc)', '300, 24, 8, 64, 64').cxx, 'config::slot_count_is_too_large'],
	'256 tools': [device('', Array.from({ length: 256 }, (_, i) => `{ "t${i}", 0, 0, 0, 0, 0, handler, { 0, 0, 0, 0 }, 0, 0, 0, 0 }`).join()).cxx, 'server: tool_count is too large', 'g++ -std=c++11'],
	'256 keeps': [`static const quash_keep keeps[256] = {};\n${cut('.keeps(keeps)')}`, 'server: keep_count is too large'],
	'a handler that returns nothing': [row('"x", "", nothing)'), 'a handler, and an end, is int32_t name(quash_request *request)'],
	'a method that returns nothing': [method('', '"x", nothing_of_two)').cxx, 'a handler, and an end, is int32_t name(quash_request *request)'],
	'an end that returns nothing': [row('"x", "", handler).moves(nothing_of_three, 9, 9, nullptr)'), 'a handler, and an end, is int32_t name(quash_request *request)'],
	'a handler without its request': [row('"x", "", alone)'), 'a handler, and an end, is int32_t name(quash_request *request)'],
	'a prompt that returns nothing': [prompt('', '"x", "", nothing_of_short)').cxx, 'a handler, and an end, is int32_t name(quash_request *request)'],
	'a resource whose state is cut': [resource('', '"a:x", "x", handler).state_size(5000000000)').cxx, 'resources::state_size_is_too_large'],
	'a temporary table of tools': [`static quash_mcp_session session;\nextern const quash_mcp_server server;
constexpr quash_mcp_server server = quash::mcp_server("s", "1").session(&session).tools({ ${first.cxx} });\n`, 'a temporary table is gone with its line'],
	'a temporary table of methods': [`QUASH_STORAGE(store, 2, 24, 8, 64, 64);\nextern const quash_config config;
constexpr quash_config config = quash::config(QUASH_STORED(store)).dialect(&quash_jsonrpc).methods({ quash::method("x", handler), quash::method("y", handler) });\n`, 'a temporary table is gone with its line'],
	'parts that QUASH_MCP_DEVICE does not serve': [`static constexpr quash_mcp_logging logging = { { &quash_mcp_logging_kind }, 1 };
static constexpr const quash_mcp_part *parts[] = { &logging.part, nullptr };
static constexpr quash_mcp_tool tools[] = { ${first.cxx} };\nQUASH_MCP_DEVICE(config, tools, quash::mcp_server("s", "1").parts(parts));\n`,
	'server::parts_are_not_served_by_QUASH_MCP_DEVICE'],
	'an integer in another field': [field('int16_t', 'QUASH_ARG_INT(wrong_field, f, 1, 9, "a")'), 'params: the field of an integer is an int32_t'],
	'an integer in an unsigned field': [field('uint32_t', 'QUASH_ARG_INT(wrong_field, f, 1, 9, "a")'), 'params: the field of an integer is an int32_t'],
	'a boolean in another field': [field('uint8_t', 'QUASH_ARG_BOOL(wrong_field, f, "a")'), 'params: the field of a boolean is a bool'],
	'a name in another field': [field('int32_t', 'QUASH_ARG_ENUM(wrong_field, f, moods, "a")'), "params: the field of a name's index, or of a count, is a uint8_t"],
	'a text by its pointer': [field('char *', 'QUASH_ARG_TEXT(wrong_field, f, "a")'), 'params: the field of a text is an array of char'],
	'a number in another field': [field('float', 'QUASH_ARG_NUMBER(wrong_field, f, &half, "a")'), 'params: the field of a number is a double'],
	'integers in other fields': [`struct wrong_field { int16_t f[3]; uint8_t count; };\nstatic constexpr quash_param list[] = { QUASH_ARG_INTS(wrong_field, f, count, 1, 9, "a") };\n`,
		'params: the field of integers is an array of int32_t'],
	'a bound that is cut': [field('int32_t', 'QUASH_ARG_INT(wrong_field, f, 1, 3000000000, "a")'), 'params: a value is cut'],
};
