/* SPDX-License-Identifier: MIT
 * Devices of chosen sizes, and clients whose traffic is recorded as quash-bridge records it. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, hostProgram } from '../common/program.mjs';
import { make, root } from '../common/start.mjs';
import { Inspect } from './inspect-program.mjs';
import { until } from '../common/runner.mjs';

/** What defines these of an app's sizes (SLOTS, ID_SIZE, TOKEN_SIZE, ARENA, TX, REASON ...) for a compiler. */
export const definitions = (app, sizes) => Object.entries(sizes).map(([name, size]) => `-D${app.toUpperCase()}_${name}=${size}`);

/** Where an app's sizes stand. */
export const sources = (app) => [`boards/apps/${app}.c`];

const built = new Set();

/** An app with these of its sizes, for the host: the path of its program. */
export function sizedApp(app, sizes) {
	const path = join('build/sized', [app, ...Object.entries(sizes).flat()].join('_'));
	if (!built.has(path))
		make(path, `SIZED=${path}`, `APP=${app}`, `SIZES=${definitions(app, sizes).join(' ')}`);
	built.add(path);
	return join(root, path);
}

export const sizedToolbox = (sizes) => sizedApp('toolbox', sizes);

export const uuid = (n) => `${n}`.padStart(8, '0') + '-1111-4222-8333-444455556666';
export const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
export const call = (id, name, args, _meta) => request(id, 'tools/call', { name, arguments: args, ..._meta && { _meta } });

/** A device with a client that keeps what passes, with times. */
export class Session {
	answers = new Map();
	notifications = [];
	entries = [];
	#start = Date.now();

	constructor(t, path, args = [], dialect = 'mcp') {
		this.dialect = dialect;
		this.program = Program.start(t, path, args, { dialect });
		this.reading = this.#read();
	}

	async #read() {
		for (;;) {
			const text = await this.program.nextText().catch(() => null);
			if (text === null) return;
			this.#keep('<', `${text}`);
			const message = JSON.parse(text);
			if (message.method) this.notifications.push(message);
			else this.answers.set(message.id ?? 'none', message);
		}
	}

	#keep(way, text) {
		this.entries.push(`${Date.now() - this.#start} device ${way} ${text}`);
	}

	send(...messages) {
		for (const message of messages) this.#keep('>', JSON.stringify(message));
		this.program.send(...messages);
	}

	answer(id) {
		return until(`the answer to ${id}`, () => this.answers.get(id));
	}

	async ask(message) {
		this.send(message);
		return this.answer(message.id);
	}

	async greet() {
		await this.ask(request('hello', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }));
		this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	/** How many were refused for want of room, or of room for their ids. */
	get refused() {
		return [...this.answers.values()].filter(({ error }) => error && [-32010, -32011, -32600].includes(error.code)).length;
	}

	async stats() {
		const message = await this.ask(this.dialect === 'mcp' ? call('stats', 'stats', {}) : request('stats', 'stats'));
		return this.dialect === 'mcp' ? JSON.parse(message.result.content[0].text) : message.result;
	}

	async end() {
		this.program.end();
		await this.program.exit();
		await this.reading;
	}

	get record() {
		return ['# quash-bridge record 1 ' + this.dialect, ...this.entries, ''].join('\n');
	}
}

/** Writes texts to files that go with the test; gives their paths. */
export function files(t, ...texts) {
	const folder = mkdtempSync(join(root, 'build/advise-'));
	t.after(() => rmSync(folder, { recursive: true }));
	return texts.map((text, i) => {
		writeFileSync(join(folder, `file${i}`), text);
		return join(folder, `file${i}`);
	});
}

/** A file with what a device has counted. */
export const counters = (t, stats) => files(t, JSON.stringify(stats))[0];

/** What is advised: the sizes to change by member, and all that was shown. */
export async function advised(t, code, ...words) {
	const inspect = new Inspect(t, ['--advise', '--json', ...words]);
	await inspect.exits(code, inspect.shown);
	const all = JSON.parse(inspect.shown);
	const changes = Object.fromEntries(all.buffers.filter(({ change }) => change).map(({ member, needs }) => [member, needs]));
	return { ...all, changes };
}

/** The least of 1..most for which `works`; `most` must. */
export async function least(most, works) {
	let low = 0, high = most;
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (await works(middle)) high = middle;
		else low = middle;
	}
	return high;
}

export const isNear = (is, least_, what) => assert.ok(is >= least_ && is <= least_ * 1.25 + 16, `${what}: ${is} is advised, ${least_} would do`);
export const testeeProgram = hostProgram('testee');
