/* SPDX-License-Identifier: MIT
 * Devices of chosen sizes, and clients whose traffic is recorded as quash-bridge records it. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../common/client.mjs';
import { Program, hostProgram } from '../common/program.mjs';
import { folderFor, make, root } from '../common/start.mjs';
import { Inspect } from './inspect-program.mjs';

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

/** A device, and a client that records what passes. */
export class Recorder extends Program {
	#sent = [];
	#start = performance.now();

	static start(t, path, args = [], dialect = 'mcp') {
		return super.start(t, path, args, { dialect });
	}

	send(...messages) {
		const at = performance.now();
		this.#sent.push(...messages.map((message) => ({ at, way: '>', text: this.framed(message).toString().replace(/^.*\r\n\r\n/, '').trim() })));
		super.send(...messages);
	}

	/** How many were refused for want of room, or of room for their ids. */
	get refused() {
		return this.messages.filter(({ error }) => error && (error.code === -32600 || ['Busy', 'Message too large'].includes(error.message))).length;
	}

	get notifications() {
		return this.messages.filter(({ method }) => method);
	}

	stats() {
		return this.dialect === 'mcp' ? statsOf(this) : this.result('stats');
	}

	async finish() {
		this.end();
		await this.exit();
	}

	get record() {
		const entries = [...this.#sent, ...this.lines.map((line) => ({ way: '<', ...line }))].sort((a, b) => a.at - b.at);
		return ['# quash-bridge record 1 ' + this.dialect, ...entries.map(({ at, way, text }) => `${Math.round(at - this.#start)} device ${way} ${text}`), ''].join('\n');
	}
}

/** Writes texts to files that go with the test; gives their paths. */
export function files(t, ...texts) {
	const folder = folderFor(t);
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
	await inspect.exits(code);
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
