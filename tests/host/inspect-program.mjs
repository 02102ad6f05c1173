/* SPDX-License-Identifier: MIT
 * inspect at work, as a person or a script would start it. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../common/runner.mjs';
import { hostProgram } from '../common/program.mjs';
import { root, spawned } from '../common/start.mjs';

/** `said` is its stderr, `shown` its stdout. */
export class Inspect {
	shown = '';
	said = '';

	static start(t, options, command, how) {
		return new Inspect(t, [...options, '--', ...command], how);
	}

	/** `clock`: its time is that of clockOf. */
	constructor(t, words, { input = 'ignore', group = false, clock } = {}) {
		assert.ok(existsSync(hostProgram('quash-inspect')), 'quash-inspect is not built');
		this.child = spawned(t, [hostProgram('quash-inspect'), ...words], { stdio: [input, 'pipe', 'pipe'], group, env: { ...process.env, ...clock?.env } });
		this.child.stdout.setEncoding('utf8').on('data', (text) => { this.shown += text; });
		this.child.stderr.setEncoding('utf8').on('data', (text) => { this.said += text; });
		this.ended = this.child.ended;
	}

	says(pattern) {
		return until(`${pattern}`, () => {
			const found = pattern.exec(this.said + this.shown);
			if (!found && this.child.exitCode !== null) throw new Error(`${pattern} has not come: ${this.said}`);
			return found;
		});
	}

	interrupt(signal = 'SIGINT') {
		this.child.kill(signal);
	}

	async exits(code, why = '') {
		const ended = await this.ended;
		assert.equal(ended, code, `${why} exit code; stderr: ${this.said}`);
		return this;
	}
}

/** A time that stands until it `passes`, at once, when the program has read so many bytes: clock.c. */
export function clockOf(t) {
	const folder = mkdtempSync(join(tmpdir(), 'clock-')), file = join(folder, 'clock');
	t.after(() => rmSync(folder, { recursive: true }));
	const library = join(root, 'build/host/tests/host/clock.so');
	assert.ok(existsSync(library), `${library} is not built`);
	return { env: { LD_PRELOAD: library, CLOCK: file },
		passes(bytes) {
			writeFileSync(`${file}.new`, `${bytes}`);
			renameSync(`${file}.new`, file);
		} };
}

/** The command of a program with such a time. */
export const timed = ({ env }, program, ...words) => ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), program, ...words];

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
