/* SPDX-License-Identifier: MIT
 * What agent hosts send, in shape, order and length: members of the same kinds, depths and lengths as theirs, with names and
 * values of our own where the protocol does not prescribe them. docs/hosts.md has the lengths, and hosts.mjs compares them. */

import assert from 'node:assert/strict';
import { Program, framed } from '../common/program.mjs';
import { sleep } from '../common/waits.mjs';

const uuid = '5e0f3c2a-91b7-4d68-8a34-6b1d7c90e2f5';
const filled = (bytes, text = 'made up for tests; ') => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);

const revision = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';

/* What stands in each request of the modern era. */
const modernMeta = (clientInfo, clientCapabilities) =>
	({ [`${prefix}protocolVersion`]: revision, [`${prefix}clientInfo`]: clientInfo, [`${prefix}clientCapabilities`]: clientCapabilities });

/* A client that names itself at length. */
const wordy = { name: filled(11), title: filled(11), version: filled(7, '1.2'), description: filled(31), websiteUrl: filled(30, 'https://example.org/a') };
const wordyAbilities = { roots: { listChanged: true }, elicitation: { form: {}, url: {} } };

/* Where the user works, and as whom: what a host adds to a call for servers of its own. */
const context = {
	call_2: filled(28),
	'x-agent-turn-metadata': {
		session_is: uuid, thread_is: uuid, model: filled(14), turn_is: uuid, turn_started_at_wall_ms: 1234567890123, thread_maker: 'user',
		turn_beginner: filled(4), walls: 'none', walls_mode: filled(18), auto_answer_enabled: false, some_long_answer_is_required: false,
		node_runs_disabled: false,
		folders: { [filled(32, '/a/folder/')]: {
			associated_addresses_x: { origin: filled(33, 'https://example.org/') }, latest_commit_of_work_: filled(40, '89ab4567'), is_changed_: false } },
		agent_version: filled(7, '1.2'),
	},
	threadIs: uuid, sessionIs: uuid, windowIs: `${uuid}:0`, itemIs: filled(51),
};

/* How a host speaks in one era: its first request that must be served, and the `_meta` of its calls beside the token. */
const modern = (clientInfo, capabilities, more = {}) => {
	const meta = modernMeta(clientInfo, capabilities);
	return { greeting: ['server/discover', { _meta: meta }], meta: { ...meta, ...more } };
};
const legacy = (protocolVersion, capabilities, clientInfo, meta = {}) =>
	({ greeting: ['initialize', { protocolVersion, capabilities, clientInfo }], meta });

const brief = { name: filled(11), version: filled(7, '1.2') };
const callMark = { [filled(20)]: filled(30) };
const view = { 'io.modelcontextprotocol/ui': { mimeTypes: [filled(25)] } };
const longest = { experimental: { [filled(17)]: {} }, elicitation: { form: {}, url: {} } };

/* In which order they write the members of a request, and those of a call's params. */
const idFirst = ['jsonrpc', 'id', 'method', 'params'];
const idLast = ['method', 'params', 'jsonrpc', 'id'];
const metaFirst = ['_meta', 'name', 'arguments'];
const metaLast = ['name', 'arguments', '_meta'];
const nameLast = ['_meta', 'arguments', 'name'];

const inOrder = (members, order) => Object.fromEntries(order.map((name) => [name, members[name]]).filter(([, value]) => value !== undefined));

/* One that has both eras begins with the modern one, and takes the other when that is refused. */
export const hosts = [
	{ name: 'Claude Code', token: 1, order: [idLast, metaLast], reason: filled(25),
		modern: modern(wordy, wordyAbilities, callMark), legacy: legacy('2025-11-25', wordyAbilities, wordy, callMark) },
	{ name: 'Codex CLI', token: 1, order: [idFirst, metaFirst], reason: filled(31),
		legacy: legacy('2025-06-18', longest, { name: filled(16), title: filled(5), version: filled(7, '1.2') }, context) },
	{ name: 'Copilot CLI', token: 1, order: [idFirst, nameLast], reason: filled(17),
		modern: modern(brief, { sampling: {} }), legacy: legacy('2025-11-25', { sampling: {} }, brief) },
	{ name: 'opencode', token: 2, order: [idLast, metaLast], reason: filled(38),
		legacy: legacy('2025-11-25', { roots: {} }, { name: filled(8), version: filled(7, '1.2') }) },
	{ name: 'Qwen Code', token: 4, order: [idLast, metaLast], reason: filled(29),
		legacy: legacy('2025-11-25', { extensions: view, roots: {} }, { name: filled(26), version: filled(5, '1.2') }) },
	{ name: 'Gemini CLI', token: uuid, order: [idLast, metaLast],
		legacy: legacy('2025-06-18', { roots: { listChanged: true } }, { name: filled(21), version: filled(6, '1.2') }) },
];

/** The eras that a host has, by name. */
export const erasOf = (host) => ['modern', 'legacy'].filter((era) => host[era]);

/** The request by which a host begins in one of its eras. */
export const greetingOf = ({ greeting: [method, params] }, id = 'server-discover-probe-1') => ({ jsonrpc: '2.0', id, method, params });

/** Its list of tools. */
export const listOf = (host, era, id = 1) =>
	inOrder({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: { ...era.greeting[1]._meta, progressToken: 0 } } }, host.order[0]);

/** Its call of a tool. */
export const callOf = (host, era, name, args, id = 1) =>
	inOrder({ jsonrpc: '2.0', id, method: 'tools/call',
		params: inOrder({ name, arguments: args, _meta: { ...era.meta, progressToken: host.token } }, host.order[1]) }, host.order[0]);

/** Its cancel, or null: one host sends none. One of them repeats what stands in each request. */
export const cancelOf = (host, era, requestId = 1) => host.reason ? { jsonrpc: '2.0', method: 'notifications/cancelled',
	params: { requestId, reason: host.reason, ...era.greeting[0] !== 'initialize' && host.name === 'Claude Code' && era.greeting[1] } } : null;

/* A host begins, and calls a tool. `change` makes another call of it. Returns the error that refuses it, or null. */
async function visit(ask, host, name, args, change = (call) => call) {
	const greeted = host.modern ? await ask(greetingOf(host.modern)) : { error: {} };
	const begun = greeted.error ? await ask(greetingOf(host.legacy, 0)) : greeted;
	const era = greeted.error ? host.legacy : host.modern;
	const listed = begun.error ? begun : await ask(listOf(host, era));
	const { error, result } = listed.error ? listed : await ask(change(callOf(host, era, name, args)));
	assert.ok(error || result.content?.length > 0 && !result.isError, JSON.stringify(result));
	return error ?? null;
}

/** The names of the hosts whose call of a tool a device refuses, for which its length is the only reason; `ask` sends a request
 * to it and returns the answer. The hosts come one after another. */
export async function refusals(ask, name, args, { change, who = hosts } = {}) {
	const refused = [];
	for (const host of who) {
		const error = await visit(ask, host, name, args, change);
		if (!error) continue;
		assert.equal(error.message, 'Message too large', `${host.name}: ${JSON.stringify(error)}`);
		refused.push(host.name);
	}
	return refused;
}

/** Ways by which `_meta` of a call grows to 64 KiB. */
export const grown = Object.entries({
	'one long text': (meta) => ({ note: 'x'.repeat(65536), ...meta }),
	'one long name': (meta) => ({ ['x'.repeat(65536)]: 1, ...meta }),
	'many members': (meta) => ({ ...Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`name-${i}`, { deep: [i, { progressToken: i }] }])), ...meta }),
}).map(([name, grow]) => ({ name, grow: (call) => ({ ...call, params: { ...call.params, _meta: grow(call.params._meta) } }) }));

/** Pieces of random lengths, the same for a seed. */
export function piecesOf(seed, longest = 64) {
	let random = seed;
	return (bytes) => {
		const pieces = [];
		for (let at = 0; at < bytes.length; at += pieces.at(-1).length) {
			random = (Math.imul(random, 1103515245) + 12345) >>> 0;
			pieces.push(bytes.subarray(at, at + 1 + (random >>> 16) % longest));
		}
		return pieces;
	};
}

/** Starts a device for one test: its program, and what `refusals` asks with. `cut` makes pieces of a message. */
export function asking(t, path, args = [], cut = (bytes) => [bytes]) {
	const program = Program.start(t, path, args, { dialect: 'mcp' });
	const ask = async (message) => {
		for (const piece of cut(framed('mcp', message))) {
			program.sendBytes(piece);
			await new Promise(setImmediate);
		}
		return program.answerTo(message.id);
	};
	return { program, ask };
}

/** Waits until a board answers, which loses what comes before it has started. */
export async function begun(program) {
	while (!program.untaken.length && !program.ended) {
		program.ask('ping', undefined, 'begun');
		await sleep(200);
	}
	await program.next();
}
