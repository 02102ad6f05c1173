/* SPDX-License-Identifier: MIT
 * Servers and agents that behave as told, well or badly, for tests of a client.
 *
 *     node scripted.mjs BEHAVIOUR [acp|lsp|mcp]
 *
 * Each behaviour is an object of handlers by method; a handler gets the message and says what it wants. What has no
 * handler is answered like a good server would. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { onStdio, playing } from '../common/device.mjs';

const [behaviour, protocol = 'mcp'] = process.argv.slice(2);
const line = onStdio(protocol);
const say = (message) => line.send(message), sayText = say;
const answer = (message, result) => line.answer(message, result);
const refuse = (message, code, words) => line.refuse(message, code, words);
const progress = (n) => say({ method: 'notifications/progress', params: { progressToken: 1, progress: n, message: `step ${n}` } });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const update = (sessionUpdate, more) =>
	say({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, ...more } } });
const chunk = (words) => update('agent_message_chunk', { content: { type: 'text', text: words } });

let running; /* the request that waits for its cancel */
let ticker;
const keep = (message) => { running = message; };
const nothing = () => {};

const properties = {
	steps: { type: 'integer', minimum: 1 }, ratio: { type: 'number' }, on: { type: 'boolean' }, name: { type: 'string' },
	list: { type: 'array' }, some: { type: ['integer', 'string'] }, any: {}, 'dotted.name': { type: 'string' },
};
const tools = [
	{ name: 'work', description: 'Works', inputSchema: { type: 'object', properties, required: ['steps'] } },
	{ name: 'rest', inputSchema: { type: 'object' } },
];

/* What the other side does unless the behaviour says otherwise. */
const wellBehaved = {
	mcp: {
		initialize: (m) => answer(m, { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '9' } }),
		ping: (m) => answer(m, {}),
		'tools/list': (m) => answer(m, m.params?.cursor ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: 'p2' }),
		'tools/call': (m) => answer(m, text(JSON.stringify(m.params.arguments))),
	},
	acp: {
		initialize: (m) => answer(m, { protocolVersion: 1 }),
		'session/new': (m) => answer(m, { sessionId: 's1' }),
		'session/prompt': (m) => { chunk('Hello, '); chunk('world'); answer(m, { stopReason: 'end_turn' }); },
	},
	lsp: {
		initialize: (m) => answer(m, { capabilities: { hoverProvider: true } }),
		shutdown: (m) => answer(m, null),
		exit: () => process.exit(0),
	},
}[protocol];

const askPermission = (m) => {
	running = m;
	update('tool_call', { toolCallId: 't1', title: 'Remove all', status: 'pending' });
	say({ id: 'perm', method: 'session/request_permission', params: {
		sessionId: 's1',
		toolCall: { toolCallId: 't1', title: 'Remove all' },
		options: [
			{ optionId: 'yes-id', name: 'Yes', kind: 'allow_once' },
			{ optionId: 'no-id', name: 'No', kind: 'reject_once' },
		],
	} });
};
const tellOutcome = ({ result, error }) => {
	chunk(JSON.stringify(error ?? result.outcome));
	answer(running, { stopReason: error || result.outcome.outcome === 'cancelled' ? 'cancelled' : 'end_turn' });
};

const hostile = ['', 'x', 'xy', 'xyz'].map((begin) => `${begin}\x1b[2J\x07\x7f\x9b2J\u202e\u2066\u061c\u200f\u2028\u2029\r\ncancelled: forged\0${'ä€𝄞'.repeat(600)}`);
const forged = '\ncancelled: no answer, as MCP demands\x1b[2J\x9b2J';

const behaviours = {
	good: {},
	mute: { initialize: nothing },
	deaf: { 'tools/call': (m) => { keep(m); progress(1); }, ping: nothing },
	obedient: { 'tools/call': (m) => { keep(m); progress(1); } },
	tireless: {
		'tools/call': () => { let n = 0; ticker = setInterval(() => progress(++n), 10); },
		'notifications/cancelled': nothing,
	},
	disobedient: { 'tools/call': (m) => { keep(m); progress(1); }, 'notifications/cancelled': () => answer(running, text('too late')) },
	fragile: { 'tools/call': (m) => { keep(m); progress(1); }, 'notifications/cancelled': () => process.exit(1) },
	cancellable: {
		work: (m) => { keep(m); if (protocol === 'lsp') say({ method: '$/progress', params: { token: 7, value: 'half' } }); },
		'$/cancel_request': ({ params }) => refuse({ id: params.requestId }, -32800, 'Request cancelled'),
		'$/cancelRequest': ({ params }) => refuse({ id: params.id }, -32800, 'Request cancelled'),
	},
	finishing: { work: keep, '$/cancel_request': () => answer(running, { partial: true }) },
	stubborn: { work: keep, '$/cancel_request': nothing, '$/cancelRequest': nothing },
	/* What it is asked and told can be seen on stderr. */
	telling: {
		'tools/call': () => { writeSync(2, 'called below\n'); },
		'notifications/cancelled': () => { writeSync(2, 'cancelled below\n'); },
	},
	/* Reads no more, and does not end by itself. */
	numb: { 'tools/call': () => { writeSync(2, 'called below\n'); process.stdin.pause(); process.on('SIGTERM', nothing); setInterval(nothing, 1000); } },
	dying: { 'tools/call': () => process.exit(3) },
	silencing: { 'tools/call': () => closeSync(1) },
	twice: { 'tools/call': ({ id }) => {
		const line = (words) => JSON.stringify({ jsonrpc: '2.0', id, result: text(words) });
		sayText(`${line('first')}\n${line('second')}`);
	} },
	junk: {
		initialize: (m) => { sayText('Server starting up!'); sayText('{"half":'); wellBehaved.initialize(m); },
		'tools/call': (m) => { sayText('[1,2'); sayText('\x00\xff junk'); answer(m, text('still here')); },
	},
	malformed: { 'tools/call': ({ id }) => sayText(`{"jsonrpc":"2.0","id":${id},"result":{},"error":{"code":1,"message":"both"}}`) },
	huge: { 'tools/call': (m) => answer(m, text('x'.repeat(3000000))) },
	flood: { 'tools/call': (m) => { for (let n = 1; n <= 5000; n++) progress(n); answer(m, text('flooded')); } },
	/* Node.js makes an stderr that it touches non-blocking, for everybody who shares it. */
	careless: { 'tools/call': (m) => {
		assert.ok(process.stderr);
		for (let n = 1; n <= 300; n++) progress(n);
		answer(m, text('x'.repeat(1000000)));
	} },
	asking: {
		'tools/call': (m) => { keep(m); say({ id: 'r', method: 'roots/list' }); say({ id: 'p', method: 'ping' }); },
		response: (m) => {
			running.said = { ...running.said, [m.id]: m.error?.code ?? m.result };
			if (Object.keys(running.said).length === 2) answer(running, text(JSON.stringify(running.said)));
		},
	},
	failing: { 'tools/call': (m) => answer(m, { ...text('the motor is stuck'), isError: true }) },
	refusing: { 'tools/call': (m) => say({ id: m.id, error: { code: -32602, message: 'Unknown tool', data: { name: m.params.name } } }) },
	rich: { 'tools/call': (m) => answer(m, { content: [
		{ type: 'text', text: 'a picture:' }, { type: 'image', mimeType: 'image/png', data: 'AAAA' },
		{ type: 'resource_link', name: 'log', uri: 'file:///log' },
		{ type: 'resource', resource: { uri: 'file:///x', text: 'inside' } }] }) },
	foreign: { initialize: (m) => answer(m, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'old', version: '0' } }) },
	endless: { 'tools/list': (m) => answer(m, { tools: [], nextCursor: m.params?.cursor === 'a' ? 'b' : 'a' }) },
	empty: { 'tools/list': (m) => answer(m, { tools: [], nextCursor: '' }) },
	counting: { 'tools/list': (m) => answer(m, { tools: [], nextCursor: `${m.id}` }) },
	logging: { 'tools/call': (m) => {
		say({ method: 'notifications/message', params: { level: 'warning', data: 'hot \x1b[31m' } });
		say({ method: 'notifications/unknown', params: {} });
		answer(m, text('done'));
	} },
	/* Whatever it says would be a line of inspect's own, or a command to a terminal. */
	forging: {
		initialize: (m) => answer(m, { protocolVersion: m.params.protocolVersion, capabilities: {}, serverInfo: { name: `x${forged}`, version: '\x9b1m' } }),
		'tools/call': (m) => {
			say({ method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: `p${forged}` } });
			say({ method: 'notifications/message', params: { level: `info${forged}`, data: `d${forged}\x7f\t\r` } });
			say({ id: m.id, error: { code: `7${forged}`, message: `m${forged}`, data: { [`k${forged}`]: `v${forged}` } } });
		},
	},
	/* So is whatever it says here, and a cut at any byte may be one inside of a character. */
	hostile: {
		initialize: (m) => {
			for (const text of hostile) sayText(text.replaceAll(/[\r\n]/g, ''));
			writeSync(1, Buffer.from([0x1b, 0x5b, 0xc2, 0x9b, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9d, 0x0a]));
			answer(m, { protocolVersion: m.params.protocolVersion, capabilities: {}, serverInfo: { name: hostile[0], version: hostile[1] } });
		},
		'tools/list': (m) => answer(m, { tools: hostile.map((name) => ({ name, description: name,
			inputSchema: { type: 'object', required: [name], properties: { [name]: { type: name, description: name, enum: [name], default: { [name]: name } } } } })) }),
		'tools/call': (m) => {
			for (const data of hostile) say({ method: 'notifications/message', params: { level: data, logger: data, data } });
			say({ method: hostile[0], params: {} });
			say({ id: hostile[0], method: hostile[0], params: {} });
			if (m.params.name === 'fails') say({ id: m.id, error: { code: -5, message: hostile[2], data: { [hostile[2]]: hostile[2] } } });
			else answer(m, { content: hostile.map((text) => ({ type: 'text', text })), structuredContent: { [hostile[3]]: hostile[3] } });
		},
	},
	echoing: { work: (m) => answer(m, m.params ?? null), 'tools/list': (m) => answer(m, m.params) },
	permission: {
		'session/prompt': askPermission,
		response: tellOutcome,
		'$/cancel_request': () => say({ method: '$/cancel_request', params: { requestId: 'perm' } }),
	},
	prompt: {
		'session/prompt': (m) => { keep(m); chunk('working'); },
		'session/cancel': ({ params }) => { chunk(` ${params.sessionId}`); answer(running, { stopReason: 'cancelled' }); },
		'$/cancel_request': ({ params }) => refuse({ id: params.requestId }, -32800, 'Request cancelled'),
	},
	/* Neither the end of input nor SIGTERM ends it. */
	undying: { 'tools/call': (m) => { process.on('SIGTERM', nothing); setInterval(nothing, 1000); answer(m, text(String(process.pid))); } },
	/* It ends, but somebody else holds its stdout. */
	orphaning: { 'tools/call': () => {
		const { pid } = spawn('sleep', ['1h'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
		writeSync(2, `orphan ${pid}\n`);
		process.exit(4);
	} },
};

const unknown = (message) => { if (message.method !== undefined && message.id !== undefined) refuse(message, -32601, 'Method not found'); };
const handlers = { ...wellBehaved, unknown, ...behaviours[behaviour] };

playing(line, handlers);
process.stdin.on('end', () => clearInterval(ticker));
