/* SPDX-License-Identifier: MIT
 * A program under test as a real process: pipes, messages in and out, and its end. */

import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { root, spawned } from './start.mjs';
import { awaited, sleep } from './waits.mjs';

export { root } from './start.mjs';


/** The path of a host program: from the environment variable NAME, else under build/host. */
export function hostProgram(name) {
	return process.env[name.replace('quash-', '').toUpperCase()] ?? `${root}build/host/${name}`;
}

const newline = 0x0a;
const headerEnd = Buffer.from('\r\n\r\n');

/* A splitter takes what is there and gives [message, rest], or null when no message is complete yet.
 * They are as strict as the strictest peer: a blank line or an odd header is an error. */
const splitters = {
	lines(bytes) {
		const end = bytes.indexOf(newline);
		if (end < 0) return null;
		if (end === 0) throw new Error('a blank line on the wire');
		return [bytes.subarray(0, end), bytes.subarray(end + 1)];
	},
	headers(bytes) {
		const end = bytes.indexOf(headerEnd);
		if (end < 0) return null;
		const header = /^Content-Length: (0|[1-9]\d*)$/.exec(bytes.toString('latin1', 0, end));
		if (!header) throw new Error(`not the header we agreed on: ${JSON.stringify(bytes.toString('latin1', 0, end))}`);
		const from = end + headerEnd.length;
		const to = from + Number(header[1]);
		return bytes.length < to ? null : [bytes.subarray(from, to), bytes.subarray(to)];
	},
};

const toText = (message) => (typeof message === 'string' ? message : JSON.stringify(message));

/** The bytes of a message (text, bytes, or an object to be written as JSON) on the wire of a dialect. */
export function framed(dialect, message) {
	const body = Buffer.isBuffer(message) ? message : Buffer.from(toText(message));
	if (dialect !== 'lsp') return Buffer.concat([body, Buffer.from('\n')]);
	return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

export class Program {
	messages = [];
	stderr = '';
	ended = null;
	#unread = Buffer.alloc(0);
	#broken = null;
	#waiting = [];
	#name;

	/** Starts a program for one test, which ends it (by its pid) whatever happens. `silentReader` reads nothing
	 * until readSlowly() is called. */
	static start(t, path, args = [], { dialect = 'acp', silentReader = false } = {}) {
		return new Program(path, args, dialect, silentReader, t);
	}

	/** Without a test whoever has it ends it. */
	constructor(path, args, dialect, silentReader = false, t = undefined) {
		if (path.includes('/') && !existsSync(path)) throw new Error(`${relative(root, path)} is not built`);
		this.#name = basename(path);
		this.dialect = dialect;
		this.split = dialect === 'lsp' ? splitters.headers : splitters.lines;
		this.child = spawned(t, [path, ...args]);
		this.child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
		if (silentReader) this.child.stdout.on('readable', this.#leave);
		else this.#readAll();
		this.child.on('close', (code, signal) => {
			this.ended = { code, signal, at: Date.now() };
			this.#wakeAll();
		});
	}

	get pid() {
		return this.child.pid;
	}

	/** Sends messages in a single write. */
	send(...messages) {
		this.child.stdin.write(Buffer.concat(messages.map((message) => framed(this.dialect, message))));
	}

	/** Sends bytes as they are. */
	sendBytes(bytes) {
		this.child.stdin.write(bytes);
	}

	/** The text of the next message. */
	async nextText() {
		while (this.messages.length === 0) {
			if (this.#broken) throw this.#broken;
			if (this.ended) throw new Error(`no further message: it ended, ${this.#howItEnded()}`);
			await this.#changed(`a message of ${this.#name}`);
		}
		return this.messages.shift();
	}

	async next() {
		return JSON.parse(await this.nextText());
	}

	/** Closes its input. */
	end() {
		this.endedInputAt = Date.now();
		this.child.stdin.end();
	}

	/** Reads nothing any more. What was half read is no mistake of the program. */
	stopReading() {
		this.child.stdout.destroy();
		this.#unread = Buffer.alloc(0);
	}

	/** Nobody reads or writes any more, as when its client is killed. */
	vanish() {
		this.stopReading();
		this.child.stdin.destroy();
	}

	/** Waits for its end: exit code, signal, milliseconds since the end of its input, all that was unread. */
	async exit() {
		while (!this.ended) await this.#changed(`the end of ${this.#name}`);
		if (this.#broken) throw this.#broken;
		if (this.#unread.length) throw new Error(`half a message at the end: ${this.#unread}`);
		const { code, signal, at } = this.ended;
		return { code, signal, ms: at - this.endedInputAt, rest: this.messages.splice(0) };
	}

	/** Reads in small portions with pauses, until as many messages have come as are wanted. */
	async readSlowly(wanted, { portion = 4096, pause = 3 } = {}) {
		while (this.messages.length < wanted) {
			const bytes = this.child.stdout.read(Math.min(portion, this.child.stdout.readableLength) || undefined);
			if (bytes) this.#take(bytes);
			if (this.#broken) throw this.#broken;
			if (this.ended) throw new Error(`${this.messages.length} of ${wanted} messages: it ended, ${this.#howItEnded()}`);
			await awaited(`${wanted} messages of ${this.#name}`, sleep(pause));
		}
		this.#readAll();
	}

	kill() {
		if (!this.ended) this.child.kill('SIGKILL');
	}

	#leave() {} /* with such a listener the stream keeps what nobody reads */

	#readAll() {
		this.child.stdout.on('data', (bytes) => this.#take(bytes));
		this.child.stdout.off('readable', this.#leave);
	}

	#take(bytes) {
		this.#unread = Buffer.concat([this.#unread, bytes]);
		try {
			for (let found = this.split(this.#unread); found; found = this.split(this.#unread)) {
				this.messages.push(found[0].toString('utf8'));
				this.#unread = found[1];
			}
		} catch (error) {
			this.#broken ??= error;
		}
		this.#wakeAll();
	}

	#howItEnded() {
		const { code, signal } = this.ended;
		return (signal ? `signal ${signal}` : `exit code ${code}`) + (this.stderr && `, stderr: ${this.stderr}`);
	}

	#wakeAll() {
		for (const wake of this.#waiting.splice(0)) wake();
	}

	#changed(what) {
		return awaited(what, new Promise((resolve) => { this.#waiting.push(resolve); }));
	}
}
