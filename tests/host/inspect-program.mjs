/* SPDX-License-Identifier: MIT
 * inspect at work, as a person or a script would start it. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program, hostProgram, root } from '../common/program.mjs';
import { folderFor } from '../common/start.mjs';
import { until } from '../common/waits.mjs';

/** `said` is its stderr, `shown` its stdout. */
export class Inspect extends Program {
	static start(t, options, command, how) {
		return new this(t, [...options, '--', ...command], how);
	}

	/** `clock`: its time is that of clockOf. */
	constructor(t, words, { input = 'ignore', group = false, clock } = {}) {
		super(hostProgram('quash-inspect'), words, 'mcp', false, t, { stdio: [input, 'pipe', 'pipe'], group, env: { ...process.env, ...clock?.env } });
	}

	get said() {
		return this.stderr;
	}

	get shown() {
		return this.lines.map(({ text }) => `${text}\n`).join('') + this.half;
	}

	says(pattern) {
		return this.waits(`${pattern}`, () => pattern.exec(this.said + this.shown));
	}

	interrupt(signal = 'SIGINT') {
		this.signal(signal);
	}

	interrupted(signal) {
		this.interrupt(signal);
		return this.exits(130);
	}

	async exits(code) {
		await super.exits(code);
		return this;
	}
}

/** A time that stands until it `passes`, at once, when the program has read so many bytes, and up to that millisecond: clock.c. */
export function clockOf(t) {
	const file = join(folderFor(t), 'clock');
	const library = join(root, 'build/host/tests/host/clock.so');
	assert.ok(existsSync(library), `${library} is not built`);
	return { file, env: { LD_PRELOAD: library, CLOCK: file },
		passes(bytes, limit = 0) {
			writeFileSync(`${file}.new`, `${bytes} ${limit}`);
			renameSync(`${file}.new`, file);
		} };
}

/** One whose program tells how far it is: `reaches` waits until it has read so many bytes, and its time that millisecond, unless it waits
 * for no time. */
export function tellingClockOf(t) {
	const { file, env, passes } = clockOf(t), tells = `${file}.tells`;
	const hasReached = (bytes, ms) => {
		const [count, at] = existsSync(tells) ? readFileSync(tells, 'utf8').split(' ').map(Number) : [];
		return count === bytes && (at === -1 || at >= ms);
	};
	return { env: { ...env, CLOCK_TELLS: tells }, passes,
		reaches(bytes, ms) {
			passes(bytes, ms);
			return until(`${ms} ms, behind ${bytes} bytes`, () => hasReached(bytes, ms));
		} };
}

/* A program of Node waits in ways that clock.c does not know. */
const ofNode = ({ CLOCK }) => ({ CLOCK, NODE_OPTIONS: `--import=${join(root, 'tests/host/clock.mjs')}` });

/** The command of a program with such a time. */
export const timed = ({ env }, program, ...words) =>
	['env', ...Object.entries(program.endsWith('.mjs') ? ofNode(env) : env).map(([name, value]) => `${name}=${value}`), program, ...words];

/** The same of one whose time passes whenever it waits. */
export function hasty(t, program, ...words) {
	const clock = clockOf(t);
	clock.passes(0);
	return timed(clock, program, ...words);
}

/** Runs it to its end, which must have this exit code. */
export const run = (t, options, command, code, more) => Inspect.start(t, options, command, more).exits(code);

/** Options that call a tool. */
export const tool = (name, ...pairs) => ['--tool', name, ...pairs.flatMap((pair) => ['--arg', pair])];

export const lines = (text) => text.split('\n').slice(0, -1);

export const toolbox = hostProgram('toolbox');

/** The command that starts a server of scripted.mjs. */
export const scripted = (behaviour, protocol = 'mcp') =>
	[process.execPath, fileURLToPath(new URL('scripted.mjs', import.meta.url)), behaviour, protocol];
