/* SPDX-License-Identifier: MIT
 * A host on a terminal of its own: what it shows, and what a user types. */

import { childrenOf, commandOf } from '../common/process.mjs';
import { hostProgram } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { spawned } from '../common/start.mjs';

const terminalProgram = hostProgram('tests/hosts/terminal');
const esc = '\x1b';

/* What programs ask a terminal, and how it answers. */
const questions = [
	[/\x1b\[6n/, `${esc}[1;1R`],              /* where is the cursor */
	[/\x1b\[\??0?c/, `${esc}[?62;22c`],       /* what are you */
	[/\x1b\[\?u/, `${esc}[?0u`],              /* which keys are told apart */
	[/\x1b\]10;\?(?:\x07|\x1b\\)/, `${esc}]10;rgb:ffff/ffff/ffff${esc}\\`],
	[/\x1b\]11;\?(?:\x07|\x1b\\)/, `${esc}]11;rgb:0000/0000/0000${esc}\\`],
];
const anyQuestion = new RegExp(questions.map(([question]) => question.source).join('|'), 'g');

const answers = (text) => (text.match(anyQuestion) ?? []).map((found) => questions.find(([question]) => question.test(found))[1]).join('');

const withoutControls = (text) => text.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[[(][0-9;?<>=]*[A-Za-z@]|\x1b[=>78PM]/g, ' ').replace(/[^\S\n]+/g, ' ');

const descendantsOf = (pid) => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

export class Terminal {
	/** Starts a program for one test. At its end the program and everything that it has started is killed. */
	static async start(t, words, { cwd, env }) {
		const terminal = new Terminal(words, cwd, env);
		t.after(() => terminal.close());
		await until('the program', () => terminal.pid);
		return terminal;
	}

	#raw = '';
	#reports = '';

	constructor(words, cwd, env) {
		this.child = spawned(null, [terminalProgram, ...words], { cwd, env });
		this.child.stdout.setEncoding('utf8').on('data', (text) => {
			this.#raw += text;
			this.type(answers(text));
		});
		this.child.stderr.setEncoding('utf8').on('data', (text) => { this.#reports += text; });
	}

	/** The id of the program. */
	get pid() {
		return Number(/^started (\d+)$/m.exec(this.#reports)?.[1] ?? 0);
	}

	/** The ids of the program, of what it has started and of what that has left behind. */
	get processes() {
		return descendantsOf(this.child.pid).filter((pid) => commandOf(pid) !== terminalProgram);
	}

	/** Its exit code once it has ended, else null. What it has started may live on. */
	get code() {
		const found = /^ended (\d+)$/m.exec(this.#reports);
		return found ? Number(found[1]) : null;
	}

	/** What it has shown, in the order in which it was written. */
	get shown() {
		return withoutControls(this.#raw);
	}

	type(keys) {
		if (keys) this.child.stdin.write(keys);
	}

	async close() {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		this.child.stdin.end();
		await this.child.ended;
	}
}
