/* SPDX-License-Identifier: MIT
 * Devices that do not work, for tests of what is found of them.
 *
 *     node sick.mjs AILMENT
 *
 * It writes `awake` to stderr once it listens, and `said N` when it has had `initialize`: so many bytes were its answer. */

import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { framed } from '../common/program.mjs';

/** The command that starts one. */
export const sick = (ailment) => [process.execPath, fileURLToPath(import.meta.url), ailment];

/** What a UART reads whose bits are `ratio` times as long as those of the sender. */
export function misread(bytes, ratio) {
	const levels = [...bytes].flatMap((byte) => [0, ...Array.from({ length: 8 }, (_, i) => byte >> i & 1), 1]);
	const level = (at) => levels[Math.floor(at)] ?? 1;
	const read = [];
	for (let at = 0; at < levels.length;) {
		if (level(at) === 1) {
			at = Math.floor(at) + 1;
			continue;
		}
		read.push(Array.from({ length: 8 }, (_, i) => level(at + (1.5 + i) * ratio) << i).reduce((sum, bit) => sum | bit, 0));
		at += 9.5 * ratio;
		while (at < levels.length && level(at) === 0) at++;
	}
	return Buffer.from(read);
}

/** The lines of what comes. */
const eachLine = (hear) => {
	let unread = '';
	return (bytes) => {
		const lines = (unread + bytes).split('\n');
		unread = lines.pop();
		for (const line of lines) hear(line);
	};
};

const once = (answer) => {
	let answered = false;
	return () => { if (!answered) answer(); answered = true; };
};
let length = 0;
const say = (text) => { length += writeSync(1, text); };
const message = (text) => { try { return JSON.parse(text); } catch { return {}; } };
const answerTo = ({ id }, result) => JSON.stringify({ jsonrpc: '2.0', id, result });
const refusal = ({ id }, code, words, data) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: words, data } });
const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'sick', version: '7' } };
const tool = { name: 'work', inputSchema: { type: 'object' } };
const tellTime = once(() => { say('{"uptime":1}\n'); setInterval(() => say('{"uptime":2}\n'), 50); });

/** A server that is well but for what these handlers answer, as text, and for the end of its lines. */
const server = (handlers, end = '\n') => eachLine((line) => {
	const asked = message(line);
	const well = {
		initialize: () => answerTo(asked, greeting),
		'tools/list': () => answerTo(asked, { tools: [tool] }),
		'tools/call': () => (asked.params.name === 'work' ? answerTo(asked, { content: [] }) : refusal(asked, -32602, 'Unknown tool')),
	};
	const handler = { ...well, ...handlers }[asked.method];
	const text = handler ? handler(asked) : asked.id !== undefined && refusal(asked, -32601, 'Method not found');
	if (text) say(text + end);
});

const room = { reason: 'it is larger than the arena', is: 40, needs: 97 };
const progressOf = ({ params }) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress',
	params: { progressToken: params._meta.progressToken, progress: 1 } });

/** What each does with bytes that come. */
const ailments = {
	silent: () => {},
	/* What it answers is read at 12 times its rate, or at a 12th. */
	fast: () => say(misread(Buffer.from(answerTo({ id: 1 }, greeting)), 1 / 12)),
	slow: () => say(misread(Buffer.from(`${answerTo({ id: 1 }, { ...greeting, instructions: 'Mind the motor. '.repeat(60) })}\n`), 12)),
	echo: (bytes) => say(bytes),
	/* It prints what is no message. */
	chatty: server({
		'tools/list': (asked) => `tick 1 \x1b[0m\n{"uptime":2}\ntick 3 ${answerTo(asked, { tools: [tool] })}`,
		'tools/call': (asked) => `${refusal(asked, -32602, 'Unknown tool')}\ntick 4`,
	}),
	ticking: server({ 'tools/list': (asked) => {
		setInterval(() => say('tick\n'), 200);
		return answerTo(asked, { tools: [tool] });
	} }),
	/* Ids of another type, or of nobody. */
	texts: server({ initialize: (asked) => answerTo({ id: `${asked.id}` }, greeting) }),
	fractions: server({ initialize: (asked) => answerTo(asked, greeting).replace(/"id":(\d+)/, '"id": $1.0') }),
	objects: server({ initialize: (asked) => answerTo({ id: { n: 1, m: 2 } }, greeting) }),
	nobody: server({ initialize: () => answerTo({ id: null }, greeting) }),
	unnamed: server({ initialize: () => answerTo({}, greeting) }),
	others: server({ initialize: () => answerTo({ id: 4711 }, greeting) }),
	/* Its line loses a byte of a message, and changes one. */
	losing: server({ initialize: (asked) => `${answerTo(asked, greeting)}\n{"jsonrpc":"2.0","id":2,"result":{"tools:[]}}`, 'tools/list': () => '' }),
	changing: server({ initialize: (asked) => answerTo(asked, greeting).replace('"result":', '"result"z') }),
	/* Line feeds become carriage returns, as on a terminal. */
	terminal: (bytes) => say(`${bytes}`.replaceAll('\n', '\r')),
	shell: eachLine((line) => say(`${line}\r\n-sh: ${line.slice(0, 9)}: not found\r\n$ `)),
	prompt: once(() => say('raspberrypi login: ')),
	http: eachLine(() => say('HTTP/1.1 400 Bad Request\r\n\r\n')),
	telemetry: tellTime,
	unended: server({}, ''),
	half: server({ 'tools/list': () => '' }),
	/* A language server that answers whatever comes. */
	headed: () => say(framed('lsp', answerTo({ id: 1 }, { capabilities: {} }))),
	foreign: server({ initialize: (asked) => answerTo(asked, { protocolVersion: 1, agentCapabilities: {} }) }),
	old: server({ initialize: (asked) => answerTo(asked, { ...greeting, protocolVersion: '1999-01-01' }) }),
	unserving: server({ initialize: (asked) => refusal(asked, -32601, 'Method not found') }),
	misconfigured: server({ initialize: (asked) => refusal(asked, -32603, 'tools[0] move: state_size 64, needs 66') }),
	cramped: server({ initialize: (asked) => refusal(asked, -32011, 'Message too large', room) }),
	narrow: server({ 'tools/call': (asked) => refusal(asked, -32011, 'Message too large', room) }),
	busy: server({ 'tools/list': (asked) => refusal(asked, -32010, 'Busy') }),
	well: server({}),
	reporting: server({ 'tools/call': (asked) => `${progressOf(asked)}\n${answerTo(asked, { content: [] })}` }),
	/* Progress for a long token is left out. */
	forgetting: server({ 'tools/call': (asked) => `${JSON.stringify(asked.params._meta.progressToken).length < 9 ? `${progressOf(asked)}\n` : ''}${answerTo(asked, { content: [] })}` }),
	mumbling: eachLine((line) => message(line).id !== undefined && say(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })}\n`)),
	straying: server({ 'tools/list': (asked) => `${answerTo({ id: 999 }, {})}\n${answerTo(asked, { tools: [tool] })}` }),
	muttering: server({ 'tools/list': (asked) => `${refusal({ id: null }, -32700, 'Parse error')}\n${answerTo(asked, { tools: [tool] })}` }),
	dying: () => process.exit(3),
};

const isGreeted = (text) => /"initialize".*\n$/s.test(text);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const ailment = ailments[process.argv[2]];
	let heard = '';
	process.stdin.on('data', (bytes) => {
		const isNew = !isGreeted(heard);
		heard += bytes;
		ailment(bytes);
		if (isNew && isGreeted(heard)) writeSync(2, `said ${length}\n`);
	});
	process.stdin.on('end', () => process.exit());
	writeSync(2, 'awake\n');
}
