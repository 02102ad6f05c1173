/* SPDX-License-Identifier: MIT
 * A command that speaks on its stdin and stdout. It has a group of its own, so that Ctrl-C on the terminal is ours alone. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { StreamLink } from './stream.mjs';

const fateMs = 20;

const fateOf = ({ exitCode, signalCode }) => (signalCode ? `was ended by signal ${constants.signals[signalCode]}` : `exited with ${exitCode}`);
const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;
const soon = () => new Promise((resolve) => { setImmediate(resolve); });
const within = (ms, event) => Promise.race([event, new Promise((resolve) => { setTimeout(resolve, ms).unref(); })]);

class CommandLink extends StreamLink {
	#heard = false;
	#fails = false;

	constructor(line, child) {
		super(line, child.stdout, child.stdin);
		this.child = child;
		this.ended = new Promise((resolve) => { child.on('exit', resolve); });
		this.reads.on('data', () => { this.#heard = true; });
		child.on('exit', () => this.#isLost());
	}

	inputEnds() {
		this.#isLost();
	}

	breaks() {
		this.#isLost();
	}

	/* What it has written until then is still read, whoever else has its pipe. */
	async #isLost() {
		if (this.#fails) return;
		this.#fails = true;
		do {
			this.#heard = false;
			await soon();
			await soon();
		} while (this.#heard || !this.line.isRead);
		if (!hasEnded(this.child)) await within(fateMs, this.ended);
		this.line.loses(hasEnded(this.child) ? fateOf(this.child) : 'closed its input or output');
	}

	hangUp() {
		this.writes.end();
	}

	#signals(name) {
		try {
			process.kill(-this.child.pid, name);
		} catch {
			this.child.kill(name);
		}
	}

	async close(ms) {
		this.writes.end();
		this.reads.resume();
		for (const signal of ['SIGTERM', 'SIGKILL']) {
			if (!hasEnded(this.child)) await within(ms, this.ended);
			if (!hasEnded(this.child)) this.#signals(signal);
		}
		if (!hasEnded(this.child)) await this.ended;
		super.close();
	}
}

function open({ command: [program, ...words] }, line) {
	const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], detached: process.platform !== 'win32' });
	child.on('error', (error) => line.failed(error));
	if (child.pid !== undefined) line.opened(new CommandLink(line, child));
}

export const kind = { name: 'exec', rank: 0, open };
