/* SPDX-License-Identifier: MIT
 * A program under test as a real process, and a client on its pipes. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { End } from './client.mjs';
import { root, spawned } from './start.mjs';
import { awaited, sleep } from './waits.mjs';

export { framed } from './client.mjs';
export { root } from './start.mjs';

/** The path of a host program: from the environment variable NAME, else under build/host. */
export function hostProgram(name) {
	return process.env[name.replace('quash-', '').toUpperCase()] ?? `${root}build/host/${name}`;
}

/** The words that start the bridge for a device that takes its time: no machine is too slow for a test. */
export const patientBridge = [hostProgram('quash-bridge'), '--initialize-timeout', '60m'];

export class Program extends End {
	stderr = '';
	ended = null;
	#name;

	/** Starts a program for one test, which ends it (by its pid) whatever happens. `silentReader` reads nothing
	 * until readSlowly() is called. */
	static start(t, path, args = [], { dialect = 'acp', silentReader = false, ...how } = {}) {
		return new this(path, args, dialect, silentReader, t, how);
	}

	/** Without a test whoever has it ends it. */
	constructor(path, args, dialect, silentReader = false, t = undefined, how = {}) {
		if (path.includes('/') && !existsSync(path)) throw new Error(`${relative(root, path)} is not built`);
		const child = spawned(t, [path, ...args], how);
		super(silentReader ? null : child.stdout, child.stdin, dialect);
		this.#name = basename(path);
		this.child = child;
		child.stderr.setEncoding('utf8').on('data', (text) => {
			this.stderr += text;
			this.wake();
		});
		if (silentReader) child.stdout.on('readable', this.#leave);
		child.on('close', (code, signal) => {
			this.ended = { code, signal, at: performance.now() };
			this.wake();
		});
	}

	get pid() {
		return this.child.pid;
	}

	fate() {
		if (!this.ended) return null;
		const { code, signal } = this.ended;
		return `${this.#name} has ended, ${signal ? `signal ${signal}` : `exit code ${code}`}${this.stderr && `, stderr: ${this.stderr}`}`;
	}

	/** On stderr. */
	says(pattern) {
		return this.waits(`${pattern} on stderr`, () => pattern.exec(this.stderr));
	}

	signal(name) {
		this.stopped = performance.now();
		this.child.kill(name);
	}

	/** Closes its input. */
	end() {
		this.stopped = performance.now();
		this.child.stdin.end();
	}

	/** Reads nothing any more. What was half read is no mistake of the program. */
	stopReading() {
		this.child.stdout.destroy();
		this.takesBytes = () => {};
		this.isLeft = true;
	}

	/** Nobody reads or writes any more, as when its client is killed. */
	vanish() {
		this.stopped = performance.now();
		this.stopReading();
		this.child.stdin.destroy();
	}

	async #close() {
		if (!this.ended) await awaited(`the end of ${this.#name}`, new Promise((resolve) => { this.child.once('close', resolve); }));
		return this.ended;
	}

	/** Waits for its end: exit code, signal, milliseconds since it was asked to end, all that was not taken. */
	async exit() {
		const { code, signal, at } = await this.#close();
		if (this.broken) throw this.broken;
		if (this.half && !this.isLeft) throw new Error(`half a message at the end: ${this.half}`);
		return { code, signal, ms: at - this.stopped, rest: this.untaken };
	}

	/** It ends with this code. Gives the milliseconds since it was asked to. */
	async exits(code) {
		const ended = await this.#close();
		assert.deepEqual([ended.code, ended.signal], [code, null], `stderr: ${this.stderr}`);
		return ended.at - this.stopped;
	}

	/** Its input ends, and so does it. */
	endsByInput() {
		this.end();
		return this.exits(0);
	}

	/** Reads in small portions with pauses, until as many messages have come as are wanted. */
	async readSlowly(wanted, { portion = 4096, pause = 3 } = {}) {
		const { stdout } = this.child;
		while (this.lines.length < wanted) {
			const bytes = stdout.read(Math.min(portion, stdout.readableLength) || undefined);
			if (bytes) this.takesBytes(bytes);
			if (this.broken) throw this.broken;
			if (this.ended) throw new Error(`${this.lines.length} of ${wanted} messages: ${this.fate()}`);
			await awaited(`${wanted} messages of ${this.#name}`, sleep(pause));
		}
		this.readsFrom(stdout);
		stdout.off('readable', this.#leave);
	}

	kill() {
		if (!this.ended) this.child.kill('SIGKILL');
	}

	#leave() {} /* with such a listener the stream keeps what nobody reads */
}
