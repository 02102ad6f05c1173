/* SPDX-License-Identifier: MIT
 * What a client says to a bridge while a record of a release is made. */

const request = (id, method, params) => ({ say: { id, method, params } });
const ask = (id, method, params) => [request(id, method, params), { ends: id }];
const notify = (method, params) => ({ say: { method, params } });
const call = (name, args = {}, more = {}) => ({ name, arguments: args, ...more });

/* --- MCP of 2025-11-25 */

const clientInfo = { name: 'client', version: '1' };
const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };

const greeting = [...ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }), notify('notifications/initialized')];

const cancel = (requestId, reason) => notify('notifications/cancelled', { requestId, reason });
const withProgress = { _meta: { progressToken: 'p' } };

const tools = [
	...greeting,
	...ask(2, 'ping'), ...ask(3, 'tools/list', {}),
	...ask(4, 'tools/call', call('echo', { text: 'ä "text"\n' })),
	...ask(5, 'tools/call', call('led', { on: true })), ...ask(6, 'tools/call', call('led', { on: 'yes' })), ...ask(7, 'tools/call', call('led')),
	...ask(8, 'tools/call', call('led', { on: true, off: 1 })), ...ask(9, 'tools/call', call('none')), ...ask(10, 'tools/call', {}),
	...ask(11, 'unknown/method', {}),
	...ask(12, 'tools/call', call('slow', { ms: 120 }, withProgress)),
	request(13, 'tools/call', call('slow', { ms: 60000 })), { pass: 50 }, cancel(13, 'enough'), { pass: 50 },
	...ask(14, 'tools/call', call('stepper', { steps: 250 }, withProgress)),
	request(15, 'tools/call', call('stepper', { steps: 60000 })), { pass: 50 }, ...ask(16, 'tools/call', call('stepper', { steps: 5 })),
	cancel(15), { pass: 50 }, ...ask(17, 'tools/call', call('stepper', { steps: 5 })),
	cancel(17), cancel(99), ...ask(18, 'ping'),
];

/* The bridge stands still, as one whose machine sleeps: no sign of life comes. */
const lease = [
	...greeting,
	request(2, 'tools/call', call('stepper', { steps: 100000 })), { pass: 1500, still: 2600, ends: 2 },
	...ask(3, 'tools/call', call('stepper', { steps: 5 })),
];

/* Nothing of it comes for longer than its lease, so a bridge looks whether the device is there. */
const quiet = [...greeting, request(2, 'tools/call', call('stepper', { steps: 2500 })), { pass: 2100 }, ...ask(3, 'tools/list', { cursor: '?' }), { ends: 2 }];

const longest = [
	...greeting, ...ask(2, 'tools/list', {}),
	...ask(3, 'tools/call', call('run', { ms: 0 }, withProgress)), ...ask(4, 'tools/call', call('state')),
	...ask(5, 'tools/call', call('run', { ms: 100 })),
];

const shelf = [
	...greeting,
	...ask(2, 'resources/list', {}), ...ask(3, 'resources/list', { cursor: '3' }), ...ask(4, 'resources/templates/list', {}),
	...ask(5, 'resources/read', { uri: 'gallery://text' }), ...ask(6, 'resources/read', { uri: 'gallery://rooms/hall/temperature' }),
	...ask(7, 'resources/read', { uri: 'gallery://none' }), ...ask(8, 'resources/read', { uri: 'gallery://late' }),
	request(9, 'resources/read', { uri: 'gallery://wait' }), { pass: 50 }, cancel(9), { pass: 50 }, ...ask(10, 'resources/read', { uri: 'gallery://counts' }),
	...ask(11, 'resources/subscribe', { uri: 'gallery://text' }), ...ask(12, 'tools/call', call('touch', { uri: 'gallery://text' })),
	...ask(13, 'resources/unsubscribe', { uri: 'gallery://text' }), ...ask(14, 'tools/call', call('touch', { uri: 'gallery://text' })),
	...ask(15, 'prompts/list', {}), ...ask(16, 'prompts/get', { name: 'greet', arguments: { name: 'Ada', mood: 'gloomy' } }),
	...ask(17, 'prompts/get', { name: 'greet', arguments: {} }), ...ask(18, 'prompts/get', { name: 'hello' }),
	...ask(19, 'completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'Ad' } }),
	...ask(20, 'tools/call', call('log')), ...ask(21, 'logging/setLevel', { level: 'debug' }), ...ask(22, 'tools/call', call('log')),
	...ask(23, 'logging/setLevel', { level: 'loud' }), ...ask(24, 'tools/call', call('change')), { hears: 'notifications/tools/list_changed' },
	...ask(25, 'tools/list', {}), ...ask(26, 'tools/list', { cursor: '3' }),
];

const asked = (id, name, method, result) => [request(id, 'tools/call', call(name)), { answer: [method, result] }, { ends: id }];

const questions = [
	...greeting,
	...asked(2, 'elicit', 'elicitation/create', { action: 'accept', content: { name: 'Ada', age: 36 } }),
	...asked(3, 'sample', 'sampling/createMessage', { role: 'assistant', content: { type: 'text', text: 'a bird' }, model: 'm' }),
	...asked(4, 'roots', 'roots/list', { roots: [{ uri: 'file:///home', name: 'home' }] }),
	request(5, 'tools/call', call('roots')), { hears: 'roots/list', pass: 100 }, cancel(5, 'never mind'), { pass: 100 }, ...ask(6, 'ping'),
];

/* --- MCP of 2026-07-28 */

const meta = (more = {}) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': clientInfo,
	'io.modelcontextprotocol/clientCapabilities': capabilities, ...more } });
const modern = (name, args, more) => ({ name, arguments: args, ...meta(more) });

const toolsModern = [
	...ask(1, 'server/discover', meta()), ...ask(2, 'tools/list', meta()),
	...ask(3, 'tools/call', modern('echo', { text: 'ä "text"\n' })), ...ask(4, 'tools/call', modern('led', { on: 'yes' })),
	...ask(5, 'tools/call', modern('none', {})), ...ask(6, 'unknown/method', meta()),
	...ask(7, 'tools/call', modern('slow', { ms: 120 }, { progressToken: 7 })),
	request(8, 'tools/call', modern('stepper', { steps: 60000 })), { pass: 50 }, ...ask(9, 'tools/call', modern('stepper', { steps: 5 })),
	cancel(8), { pass: 50 }, ...ask(10, 'tools/call', modern('stepper', { steps: 5 })),
	...ask(11, 'server/discover', { _meta: { ...meta()._meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } }),
];

const leaseModern = [
	...ask(1, 'server/discover', meta()),
	request(2, 'tools/call', modern('stepper', { steps: 100000 })), { pass: 1500, still: 2600, ends: 2 },
];

const shelfModern = [
	...ask(1, 'server/discover', meta()),
	...ask(2, 'resources/read', { uri: 'gallery://text', ...meta() }), ...ask(3, 'resources/read', { uri: 'gallery://none', ...meta() }),
	...ask(4, 'prompts/get', { name: 'greet', arguments: { name: 'Ada' }, ...meta() }),
	...ask(5, 'tools/call', modern('log', {}, { 'io.modelcontextprotocol/logLevel': 'debug' })), ...ask(6, 'tools/call', modern('log', {})),
	...ask(7, 'tools/call', modern('elicit', {})),
	request(8, 'subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['gallery://text'] }, ...meta() }), { pass: 100 },
	...ask(9, 'tools/call', modern('touch', { uri: 'gallery://text' })), ...ask(10, 'tools/call', modern('change', {})), { pass: 100 },
	cancel(8), { pass: 100 }, ...ask(11, 'tools/call', modern('touch', { uri: 'gallery://text' })),
];

/* --- ACP, LSP */

const prompt = (id, text) => request(id, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text }] });
const allowed = { outcome: { outcome: 'selected', optionId: 'allow' } };

const agent = [
	...ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false } }),
	...ask(2, 'session/new', { cwd: '/', mcpServers: [] }),
	prompt(3, 'mode think plan'), { ends: 3 }, prompt(4, 'permission'), { answer: ['session/request_permission', allowed] }, { ends: 4 },
	prompt(5, 'slow'), { pass: 700 }, notify('session/cancel', { sessionId: 's1' }), { ends: 5 },
	...ask(6, 'session/set_mode', { sessionId: 's1', modeId: 'act' }), ...ask(7, 'session/none', {}),
];

const langserver = [
	...ask(1, 'initialize', { processId: null, rootUri: null, capabilities: {} }), notify('initialized', {}),
	...ask(2, 'test/echo', ['ä€😀', 1.5, { deep: [[[]]] }]),
	...ask(3, 'test/slow', { ms: 45, workDoneToken: 'w', partialResultToken: 'p' }),
	request(4, 'test/slow', { ms: 60000 }), { pass: 50 }, notify('$/cancelRequest', { id: 4 }), { ends: 4 },
	...ask(5, 'test/slow', { ms: -1 }), ...ask(6, 'textDocument/hover', {}), ...ask(7, 'shutdown'), ...ask(8, 'test/echo', {}),
];

const gallery = 'tests/gallery/gallery';

/** Name of the record, the device's program, and what is said. */
export const conversations = [
	{ name: 'toolbox', device: 'toolbox', said: tools },
	{ name: 'toolbox-modern', device: 'toolbox', said: toolsModern },
	{ name: 'lease', device: 'toolbox', said: lease },
	{ name: 'quiet', device: 'toolbox', said: quiet },
	{ name: 'lease-modern', device: 'toolbox', said: leaseModern },
	{ name: 'longest', device: 'relay', said: longest },
	{ name: 'gallery', device: gallery, said: shelf },
	{ name: 'gallery-modern', device: gallery, said: shelfModern },
	{ name: 'questions', device: gallery, said: questions },
	{ name: 'agent', device: 'agent', protocol: 'acp', said: agent },
	{ name: 'langserver', device: 'langserver', protocol: 'lsp', said: langserver },
];
