/* SPDX-License-Identifier: MIT
 * Messages of MCP, of each era and of none, and what a device alone and the doors of a bridge to it answer differently.
 *
 * A scene is what one client says, from its connection on: `{ title, program, greet, lines }`. Without `greet` it opens no session. A
 * line is `{ label, text }`. */

import { clientInfo, modernMeta, modernVersion } from '../common/client.mjs';

export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const version = versions.at(-1);
const versionKey = 'io.modelcontextprotocol/protocolVersion', capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/* --- Lines */

const line = (label, text) => ({ label, text });
const written = (message) => JSON.stringify({ jsonrpc: '2.0', ...message });
const said = (label, message) => line(label, written(message));

/* Ids are told apart by what they are the id of. */
const asked = (method, params, label = method, id = label.slice(0, 60)) => said(label, { id, method, params });

const modern = (params = {}, meta = modernMeta()) => ({ ...params, _meta: meta });

/* --- Methods, with params that fit */

const tools = {
	'tools/list': {},
	'tools/call': { name: 'echo', arguments: { text: 'x' } },
};
const others = {
	'resources/list': {},
	'resources/templates/list': {},
	'resources/read': { uri: 'gallery://text' },
	'resources/subscribe': { uri: 'gallery://text' },
	'resources/unsubscribe': { uri: 'gallery://text' },
	'prompts/list': {},
	'prompts/get': { name: 'greet', arguments: { name: 'Bob' } },
	'completion/complete': { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } },
	'logging/setLevel': { level: 'error' },
};
const always = {
	'ping': {},
	'server/discover': {},
	'subscriptions/listen': { notifications: { toolsListChanged: true } },
	'no/such': {},
	'notifications/initialized': {},
	'notifications/cancelled': { requestId: 'none' },
};
const methodsOf = { toolbox: { ...always, ...tools, ...others }, gallery: { ...always, 'tools/list': {}, ...others } };

const each = (methods, line_) => Object.entries(methods).map(([name, params]) => line_(name, params));
const eachLegacy = (program) => each(methodsOf[program], (name, params) => asked(name, params));
const eachModern = (program) => each(methodsOf[program], (name, params) => asked(name, modern(params), `modern ${name}`));

/* Of methods that are judged alike one does. */
const alike = ['no/such', 'notifications/initialized', 'notifications/cancelled', 'resources/list', 'resources/templates/list', 'prompts/list', 'completion/complete'];
const eachOf = (program, label, meta) => eachLegacy(program).filter((one) => !alike.includes(one.label))
	.map((one) => asked(one.label, modern(methodsOf[program][one.label], meta), `${label} ${one.label}`));

/* --- Params and arguments that do not fit */

const odd = [
	asked('tools/list', undefined, 'no params'),
	line('params null', '{"jsonrpc":"2.0","id":"params null","method":"tools/list","params":null}'),
	asked('tools/list', [], 'params an array'),
	asked('tools/list', { cursor: 'x' }, 'a cursor that is none'),
	asked('tools/list', { cursor: 7 }, 'a cursor that is a number'),
	asked('tools/call', {}, 'no name'),
	asked('tools/call', { name: 7 }, 'a name that is a number'),
	asked('tools/call', { name: 'nobody' }, 'a tool that is none'),
	asked('tools/call', { name: 'echo', arguments: 7 }, 'arguments that are a number'),
	asked('tools/call', { name: 'echo', arguments: {} }, 'an argument that is missing'),
	asked('tools/call', { name: 'echo', arguments: { text: 7 } }, 'an argument of the wrong type'),
	asked('tools/call', { name: 'echo', arguments: { text: 'x', more: 1 } }, 'an argument that nobody named'),
];
const oddOfParts = [
	asked('resources/read', {}, 'read without uri'),
	asked('resources/read', { uri: 7 }, 'read uri 7'),
	asked('resources/read', { uri: 'gallery://none' }, 'read none'),
	asked('resources/subscribe', {}, 'subscribe without uri'),
	asked('resources/subscribe', { uri: 7 }, 'subscribe uri 7'),
	asked('resources/subscribe', { uri: 'gallery://none' }, 'subscribe none'),
	asked('resources/unsubscribe', {}, 'unsubscribe without uri'),
	asked('resources/unsubscribe', { uri: 7 }, 'unsubscribe uri 7'),
	asked('resources/unsubscribe', { uri: 'gallery://none' }, 'unsubscribe none'),
	asked('prompts/get', {}, 'get without name'),
	asked('prompts/get', { name: 7 }, 'get name 7'),
	asked('prompts/get', { name: 'nobody' }, 'get none'),
	asked('prompts/get', { name: 'greet', arguments: { name: 7 } }, 'get wrong argument'),
	asked('completion/complete', {}, 'complete without ref'),
	asked('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } }, 'complete without argument'),
	asked('completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'x', value: '' } }, 'complete none'),
	asked('completion/complete', { ref: 7, argument: { name: 'x', value: '' } }, 'complete ref 7'),
	asked('logging/setLevel', {}, 'no level'),
	asked('logging/setLevel', { level: 7 }, 'level 7'),
	asked('logging/setLevel', { level: 'loud' }, 'level loud'),
	line('level params null', '{"jsonrpc":"2.0","id":"level params null","method":"logging/setLevel","params":null}'),
	asked('subscriptions/listen', {}, 'legacy listen without notifications'),
];

const withMeta = (meta) => ({ label, text }) => {
	const message = JSON.parse(text);
	return said(`modern ${label}`, { ...message, id: `modern ${label}`, params: modern(Array.isArray(message.params) ? {} : message.params ?? {}, meta) });
};

/* --- Envelopes */

const wrongIds = ['true', 'false', 'null', '1.5', '1e3', '{}', '[]', '9007199254740993', '"\\ud800"', `"${'x'.repeat(65)}"`, `"${'x'.repeat(256)}"`, '""'];
const listing = '"method":"tools/list","params":{}';
const modernListing = `"method":"tools/list","params":{"_meta":${JSON.stringify(modernMeta())}}`;
const doubled = (rest) => [
	['jsonrpc twice', `{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,${rest}}`],
	['id twice', `{"jsonrpc":"2.0","id":1,"id":2,${rest}}`],
	['id twice, once null', `{"jsonrpc":"2.0","id":1,"id":null,${rest}}`],
	['method twice', `{"jsonrpc":"2.0","id":1,"method":"tools/list",${rest}}`],
	['params twice', `{"jsonrpc":"2.0","id":1,"params":{},${rest}}`],
	['a notification with method twice', '{"jsonrpc":"2.0","method":"notifications/initialized","method":"notifications/initialized"}'],
	['ping with params twice', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}'],
	['initialize with id twice', `{"jsonrpc":"2.0","id":1,"id":1,"method":"initialize","params":{"protocolVersion":"${version}","capabilities":{}}}`],
].map(([label, text]) => line(label, text));

const envelopes = (rest) => [
	...wrongIds.map((id) => line(`id ${id.slice(0, 20)}${id.length > 20 ? `, of ${id.length - 2} bytes` : ''}`, `{"jsonrpc":"2.0","id":${id},${rest}}`)),
	...wrongIds.slice(0, 4).map((id) => line(`ping with id ${id}`, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)),
	...doubled(rest),
	line('no jsonrpc', `{"id":1,${rest}}`),
	line('jsonrpc 1.0', `{"jsonrpc":"1.0","id":1,${rest}}`),
	line('jsonrpc 2', `{"jsonrpc":2,"id":1,${rest}}`),
	line('no jsonrpc, a notification', '{"method":"notifications/initialized"}'),
	line('no jsonrpc, wrong id', `{"id":true,${rest}}`),
	line('method 7', '{"jsonrpc":"2.0","id":1,"method":7}'),
	line('method null', '{"jsonrpc":"2.0","id":1,"method":null}'),
	line('method 7, no id', '{"jsonrpc":"2.0","method":7}'),
	line('an empty method', '{"jsonrpc":"2.0","id":1,"method":""}'),
	line('params 7', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":7}'),
	line('params "x"', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}'),
	line('params true, ping', '{"jsonrpc":"2.0","id":1,"method":"ping","params":true}'),
	line('a notification with params 7', '{"jsonrpc":"2.0","method":"notifications/initialized","params":7}'),
	line('method and result', `{"jsonrpc":"2.0","id":1,"result":{},${rest}}`),
	line('method and error', `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"},${rest}}`),
	line('method and result, no id', '{"jsonrpc":"2.0","method":"notifications/initialized","result":{}}'),
	line('id alone', '{"jsonrpc":"2.0","id":1}'),
	line('params alone', '{"jsonrpc":"2.0","params":{}}'),
	line('an empty object', '{}'),
	line('a response to nothing', '{"jsonrpc":"2.0","id":77,"result":{}}'),
	line('an error to nothing', '{"jsonrpc":"2.0","id":77,"error":{"code":-1,"message":"x"}}'),
	line('an error without id', '{"jsonrpc":"2.0","error":{"code":-1,"message":"x"}}'),
	line('an error with id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}'),
	line('a response with id true', '{"jsonrpc":"2.0","id":true,"result":{}}'),
	line('result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-1,"message":"x"}}'),
	line('a response with result twice', '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}'),
	line('an empty batch', '[]'),
	line('a batch', `[{"jsonrpc":"2.0","id":1,${rest}}]`),
	line('a batch of two', `[{"jsonrpc":"2.0","id":1,${rest}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`),
	line('a batch of a notification', '[{"jsonrpc":"2.0","method":"notifications/initialized"}]'),
	line('a batch of a number', '[1]'),
	line('a number', '1'),
	line('a string', '"x"'),
	line('null', 'null'),
	line('no JSON', '{"jsonrpc":"2.0","id":1,'),
	line('no JSON, a word', 'hello'),
	line('too deep', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${'['.repeat(40)}${']'.repeat(40)}}}`),
	line('further members', `{"jsonrpc":"2.0","more":[1],"id":1,${rest}}`),
	said('notifications/initialized', { method: 'notifications/initialized' }),
	said('notifications/initialized again', { method: 'notifications/initialized', params: {} }),
	said('a notification that nobody knows', { method: 'notifications/nobody', params: { x: 1 } }),
	said('a request\'s method as a notification', { method: 'tools/list' }),
	said('ping as a notification', { method: 'ping' }),
	said('a cancel of nothing', { method: 'notifications/cancelled', params: { requestId: 'nothing' } }),
	said('a cancel with a wrong id', { method: 'notifications/cancelled', params: { requestId: true } }),
	said('a cancel without params', { method: 'notifications/cancelled' }),
	said('progress of nothing', { method: 'notifications/progress', params: { progressToken: 'x', progress: 1 } }),
	said('modern notification', { method: 'notifications/cancelled', params: modern({ requestId: 'nothing' }) }),
];

/* --- initialize */

const greeting = (more = {}) => ({ protocolVersion: version, capabilities: {}, clientInfo, ...more });
const greets = (label, params) => asked('initialize', params, label);

/* What opens a session stands at the end of its scene; what is behind it asks whether it has. */
const after = [asked('ping', {}, 'ping after it'), asked('tools/list', {}, 'a list after it')];
const opening = (title, ...first) => ({ title, program: 'toolbox', lines: [...first, ...after] });

const noOpening = [
	greets('initialize without params', undefined),
	line('initialize with params null', '{"jsonrpc":"2.0","id":"initialize with params null","method":"initialize","params":null}'),
	greets('initialize with an array', []),
	greets('initialize without protocolVersion', { capabilities: {}, clientInfo }),
	greets('initialize with protocolVersion 7', greeting({ protocolVersion: 7 })),
	greets('initialize with protocolVersion null', greeting({ protocolVersion: null })),
	greets('initialize of the modern era', modern({})),
	greets('initialize of an unknown era', modern({}, modernMeta({ [versionKey]: '1999-01-01' }))),
	said('initialize as a notification', { method: 'initialize', params: greeting() }),
	line('initialize with id true', `{"jsonrpc":"2.0","id":true,"method":"initialize","params":${JSON.stringify(greeting())}}`),
	line('initialize with id null', `{"jsonrpc":"2.0","id":null,"method":"initialize","params":${JSON.stringify(greeting())}}`),
];

/* --- Scenes */

const unknown = modernMeta({ [versionKey]: '1999-01-01' });
const noCapabilities = { [versionKey]: modernVersion };
const metas = [
	['of an unknown version', unknown],
	['of a version that is a number', modernMeta({ [versionKey]: 7 })],
	['of a version that is null', modernMeta({ [versionKey]: null })],
	['of a legacy version', modernMeta({ [versionKey]: version })],
	['without capabilities', noCapabilities],
	['with capabilities null', { ...noCapabilities, [capabilitiesKey]: null }],
	['with capabilities alone', { [capabilitiesKey]: {} }],
	['with an empty _meta', {}],
	['with _meta 7', 7],
	['with _meta null', null],
];
const ofMetas = (program) => metas.flatMap(([label, meta]) => eachOf(program, label, meta));

const bothStates = (title, program, lines) => [{ title: `${title}, without a session`, program, lines }, { title: `${title}, in a session`, program, greet: version, lines }];

export const scenes = [
	...['toolbox', 'gallery'].flatMap((program) => [
		{ title: 'methods of neither era', program, lines: eachLegacy(program) },
		...bothStates('methods of 2026-07-28', program, eachModern(program)),
		{ title: 'methods with odd _meta, without a session', program, lines: ofMetas(program) },
	]),
	{ title: 'methods with odd _meta, in a session', program: 'gallery', greet: version, lines: ofMetas('gallery') },
	...versions.map((greet) => ({ title: `methods of ${greet}`, program: 'gallery', greet, lines: eachLegacy('gallery') })),
	{ title: 'methods of a legacy session', program: 'toolbox', greet: version, lines: eachLegacy('toolbox') },
	...bothStates('odd params', 'toolbox', [...odd, ...odd.map(withMeta(modernMeta()))]),
	...bothStates('odd params of parts', 'gallery', [...oddOfParts, ...oddOfParts.map(withMeta(modernMeta())), ...oddOfParts.map(withMeta(unknown))]),
	...bothStates('envelopes', 'toolbox', envelopes(listing)),
	...bothStates('modern envelopes', 'toolbox', envelopes(modernListing)),
	opening('initialize that opens nothing', ...noOpening),
	...versions.map((wish) => opening(`initialize of ${wish}`, greets('initialize', greeting({ protocolVersion: wish })))),
	opening('initialize of a revision that is none', greets('initialize', greeting({ protocolVersion: '1999-01-01' }))),
	opening('initialize of 2026-07-28', greets('initialize', greeting({ protocolVersion: modernVersion }))),
	opening('initialize without capabilities', greets('initialize', { protocolVersion: version })),
	opening('initialize with the marks of both eras', greets('initialize', modern(greeting()))),
	opening('initialize with an unknown version in _meta', greets('initialize', modern(greeting(), unknown))),
	{ title: 'a second initialize', program: 'toolbox', greet: version, lines: [greets('initialize', greeting()), ...after,
		greets('initialize with another version', greeting({ protocolVersion: versions[0] })), ...after.map(({ label, text }) => line(`${label}, again`, text)),
		...noOpening, asked('tools/list', {}, 'a list at last')] },
];

/* --- What differs */

const answer = (messages) => messages[0] ?? {};
const codeOf = (messages) => answer(messages).error?.code;
const resultOf = (messages) => answer(messages).result;
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const methodOf = ({ text }) => /"method":"([^"]*)"/.exec(text)?.[1];

/* Without what a bridge adds to capabilities, and takes off them. */
function plain(result) {
	const { experimental, ...capabilities } = result.capabilities;
	for (const name of ['tools', 'prompts', 'resources']) if (capabilities[name]) capabilities[name] = { ...capabilities[name], listChanged: true };
	return { ...result, capabilities };
}

const isGreeting = (alone, there) => resultOf(alone)?.capabilities !== undefined && resultOf(there)?.capabilities !== undefined;
const kindsOfLists = ['tools', 'prompts', 'resources', 'resourceTemplates'];
const listOf = (messages) => kindsOfLists.map((kind) => resultOf(messages)?.[kind]).find(Boolean);
const isNotFound = (alone) => codeOf(alone) === -32601;
const hasSession = ({ greet, title }) => greet !== undefined || title.startsWith('initialize of');

/** Where an answer differs, and why. `doors` have it; `covers` is true of an answer of that kind. The first three members stand in
 * docs/bridge.md. */
export const differences = [
	{ at: 'each door', message: '`initialize`, `server/discover`', differs: 'lists may change (`listChanged`), since the line comes and goes. Lease and longest times are missing: they are [this hop\'s](#life-signs)',
		doors: ['stdio', 'unix', 'http'], covers: (alone, there) => isGreeting(alone, there) && isSame(plain(resultOf(alone)), plain(resultOf(there))) },
	{ at: 'each door', message: 'an id longer than the device takes (`id_size`), up to 255 bytes', differs: 'it is served: the device never sees it',
		doors: ['stdio', 'unix', 'device', 'http'], covers: (alone, there, { label }) => label.endsWith('of 65 bytes') && codeOf(alone) === -32600 && codeOf(there) !== -32600 },
	{ at: '`--device`', message: '`initialize`, `server/discover`', differs: 'the bridge is the server, and offers all that any device may: tools, prompts, resources, logging, completions',
		doors: ['device'], covers: (alone, there) => isGreeting(alone, there) && resultOf(alone).protocolVersion === resultOf(there).protocolVersion },
	{ at: '`--device`', message: 'lists', differs: 'those of all devices in one page, with the tool `devices`; a modern one has the bridge\'s cache times',
		doors: ['device'], covers: (alone, there) => listOf(alone)?.every((item) => listOf(there)?.some((other) => isSame(item, other))) },
	{ at: '`--device`', message: 'a method that no device has', differs: 'is judged as any other: lists are empty, names are unknown, a level is taken',
		doors: ['device'], covers: (alone, there, line, { program }) => program === 'toolbox' && methodOf(line) in others && isNotFound(alone) && there.length === 1 },
	{ at: '`--device`', message: '`subscriptions/listen`', differs: '-32601: it is not served',
		doors: ['device'], covers: (alone, there, line) => methodOf(line) === 'subscriptions/listen' && isNotFound(there) },
	{ at: 'HTTP', message: 'one of no session and without a version in `_meta`', differs: 'HTTP 400, -32600: it names no session',
		doors: ['http'], covers: (alone, there, line, scene) => !hasSession(scene) && codeOf(there) === -32600 && /^It names no session/.test(answer(there).error.message) },
	{ at: 'HTTP', message: 'a modern one whose body has no name for the field `Mcp-Name`', differs: 'HTTP 400, -32020',
		doors: ['http'], covers: (alone, there) => codeOf(alone) !== undefined && codeOf(there) === -32020 },
	{ at: 'HTTP', message: 'what is no message and gets no answer', differs: 'HTTP 400, -32600 without id: each POST has a response',
		doors: ['http'], covers: (alone, there) => alone.length === 0 && codeOf(there) === -32600 && !('id' in answer(there)) },
	{ at: 'HTTP', message: 'a batch', differs: 'the words name the revision. In 2025-03-26 it is served, request by request',
		doors: ['http'], covers: (alone, there, { label }) => label.startsWith('a batch') && codeOf(alone) === -32600 && codeOf(there) === -32600 },
];
