/* SPDX-License-Identifier: MIT
 * The run that the picture shows. An official MCP client starts quash-bridge, which has a device on a serial line of
 * 115,200 baud. The client calls the tool `move`, and cancels the call. The motor is not observed on that line: its
 * program notes each step in memory that is read here when all is over. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../common/npm/modules.mjs';
import { Context } from '../../common/runner.mjs';
import { cable } from '../../common/cable.mjs';
import { folderFor, root } from '../../common/start.mjs';
import { sleep, until } from '../../common/waits.mjs';

export const baud = 115200;
export const ramp = 100;    /* ms, as in picture.mk */
const called = 10000;       /* ms that the motor is asked to move for */
const stopped = 600;        /* ms from the call to Stop */
export const shown = 900;   /* ms from the call until nothing is looked at any more */
const moved = 60;           /* steps at least before Stop */
const every = 10;           /* ms between two positions */

const built = (name) => join(root, 'build/host', name);

/* The clock of the motor's notes, in ms. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

/* The notes of the motor: struct log of tests/safe/log.h. */
const head = 8, entry = 16, entries = 1 << 14;
const emptyLog = () => Buffer.alloc(head + entry * entries);

function notesIn(log) {
	const count = log.readUInt32LE(0);
	if (count === entries) throw new Error('the motor has noted more than there is room for');
	return Array.from({ length: count }, (_, i) => head + i * entry)
		.map((at) => ({ ms: Number(log.readBigInt64LE(at)) / 1e6, what: String.fromCharCode(log.readUInt32LE(at + 12)) }));
}

/* What the bridge traces of the device's line: when each message was written, or was there. */
function watchLine(stderr) {
	const messages = [];
	let open = '';
	stderr.setEncoding('utf8').on('data', (text) => {
		const lines = (open + text).split('\n');
		open = lines.pop();
		for (const [, way, message] of lines.map((line) => /: device: (->|<-) (\{.*)$/.exec(line)).filter(Boolean))
			messages.push({ ms: now(), way: way === '->' ? 'out' : 'in', bytes: Buffer.byteLength(message) + 1, method: JSON.parse(message).method ?? 'result' });
	});
	return messages;
}

function newClient() {
	const { Client } = load('@modelcontextprotocol/client');
	const { StdioClientTransport } = load('@modelcontextprotocol/client/stdio');
	return { client: new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } }),
		transport: (words) => new StdioClientTransport({ command: built('quash-bridge'), args: words, stderr: 'pipe' }) };
}

/* Makes the call and stops it; gives both times, and whether an answer came. On a machine that is slow the motor begins and rests later. */
async function callAndStop(client, notes) {
	const stop = new AbortController();
	const call = now();
	let outcome = 'nothing';
	const ended = client.callTool({ name: 'move', arguments: { ms: called } }, { signal: stop.signal, onprogress() {} })
		.then(() => { outcome = 'an answer'; }, () => { outcome = 'cancelled'; });
	await sleep(stopped);
	await until('the motor to move', () => notes().filter(({ what }) => what === 'S').length > moved);
	const pressed = now();
	stop.abort('Stop');
	await sleep(shown - stopped);
	await ended;
	await until('the motor to rest', () => notes().some(({ what }) => what === 'R'));
	return { call, pressed, outcome };
}

const rounded = (ms) => Math.round(ms * 10) / 10;

/* All that the picture shows, in ms from the call. */
function measured({ call, pressed, outcome }, messages, notes) {
	const since = (ms) => rounded(ms - call);
	const steps = notes.filter(({ what }) => what === 'S').map(({ ms }) => ms - call);
	const at = (ms) => steps.filter((step) => step <= ms).length;
	const rest = since(notes.find(({ what }) => what === 'R').ms), line = messages.filter(({ ms }) => ms >= call);
	const end = Math.max(shown, rest, since(line.at(-1).ms)); /* a slow machine is looked at for longer */
	return {
		called, outcome, stop: since(pressed), firstStep: rounded(steps[0]), lastStep: rounded(steps.at(-1)), rest,
		line: line.map(({ ms, way, bytes, method }) => [since(ms), way, bytes, method]),
		positions: Array.from({ length: Math.ceil(end / every) + 1 }, (_, i) => [i * every, at(i * every)]),
	};
}

/** Runs it; gives what was measured. */
export async function record() {
	const { client, transport } = newClient();
	const run = new Context(), log = join(folderFor(run), 'log');
	writeFileSync(log, emptyLog());
	try {
		/* The motor, at the pace of the wire. */
		const { link } = await cable(run, { command: [built('emulate'), '--baud', String(baud), built('tests/readme/picture/mover'), log] });
		const bridge = transport(['--trace', '--tty', link]);
		const messages = watchLine(bridge.stderr);
		await client.connect(bridge);
		await client.listTools();
		const notes = () => notesIn(readFileSync(log));
		const made = await callAndStop(client, notes);
		await until('the cancel on the line', () => messages.some(({ method }) => method === 'notifications/cancelled'));
		return measured(made, messages, notes());
	} finally {
		await client.close();
		await run.cleanUp();
	}
}
