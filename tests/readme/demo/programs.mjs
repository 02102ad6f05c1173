/* SPDX-License-Identifier: MIT
 * The programs of the demo, each as a person would start it: a board on a cable, the bridge, its clients. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cable } from '../../common/cable.mjs';
import { spawned } from '../../common/start.mjs';
import { until } from '../../common/waits.mjs';
import { abbreviated, bold, cyan, dim, show } from './show.mjs';

const built = (name) => fileURLToPath(new URL(`../../../build/host/${name}`, import.meta.url));
const toolbox = process.env.TOOLBOX ?? built('toolbox');
const bridge = process.env.BRIDGE ?? built('quash-bridge');
const inspector = process.env.INSPECT ?? built('quash-inspect');

const folder = mkdtempSync(join(tmpdir(), 'quash-demo-'));
const tty = join(folder, 'ttyBOARD');
const socket = join(folder, 'socket');
const running = new Set();

process.on('exit', () => {
	for (const child of running) child.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});

export function check(good, what) {
	if (!good) throw new Error(`this must hold and does not: ${what}`);
}

function eachLine(stream, take) {
	let open = '';
	stream.setEncoding('utf8').on('data', (text) => {
		const lines = (open + text).split('\n');
		open = lines.pop();
		lines.forEach(take);
	});
}

/** Starts a program. `code` is how it ended, once it has. */
function start(program, words) {
	check(existsSync(program), `${relative(process.cwd(), program)} is built (make)`);
	const child = spawned(null, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
	running.add(child);
	const started = { child, code: null, lines: [] };
	child.on('close', (code, signal) => {
		running.delete(child);
		started.code = signal ?? code;
	});
	return started;
}

/** The name of the temporary folder is of no interest. */
const short = (text) => text.replaceAll(`${folder}/`, '').replaceAll(process.cwd() + '/', '');

const showCommand = (program, words) => show(`  ${bold(`$ ${short([program, ...words].join(' '))}`)}`);

/** The toolbox on a pseudo terminal. */
export async function switchOn() {
	const board = await cable(null, { link: tty, command: [toolbox] });
	running.add(board.process);
	return board;
}

export async function switchOff({ process: board }) {
	board.signal('SIGTERM');
	const { code } = await board.exit();
	running.delete(board);
	return code;
}

/* Each call here is a client of its own. */
const comings = /: client \d+: (connected|gone)$/;

/** quash-bridge between the board and whoever connects. What it logs is shown, but for
 * comings and goings. */
export class Bridge {
	static async open() {
		const words = ['--tty', tty, '--listen-unix', socket];
		showCommand(bridge, words);
		const opened = new Bridge();
		opened.process = start(bridge, words);
		eachLine(opened.process.child.stderr, (line) => opened.#log(line));
		await opened.logs(/: ready: /);
		return opened;
	}

	#log(line) {
		this.process.lines.push(line);
		if (!comings.test(line)) show(`  ${dim(abbreviated(short(line)))}`);
	}

	/** Waits until a line of its log that is newer than the last `mark` matches. */
	logs(pattern) {
		const from = this.marked ?? 0;
		return until(`${pattern} in the log`, () => this.process.lines.slice(from).some((line) => pattern.test(line)));
	}

	mark() {
		this.marked = this.process.lines.length;
	}

	async stop() {
		this.process.child.kill('SIGTERM');
		await until('the end of the bridge', () => this.process.code !== null);
		return this.process.code;
	}
}

/** Runs quash-inspect as a client of the bridge, to its end. Gives its exit code, what it printed, and its log. */
export async function inspect(words, { onProgress, onLine = () => {}, quiet } = {}) {
	const all = [...words, '--unix', socket];
	if (!quiet) showCommand(inspector, all);
	const client = start(inspector, all);
	const printed = [];
	eachLine(client.child.stdout, (line) => {
		printed.push(line);
		if (!quiet) show(`  ${abbreviated(line)}`);
	});
	eachLine(client.child.stderr, (line) => {
		const [, done, total] = /^progress (\d+) of (\d+)/.exec(line) ?? [];
		if (done) return onProgress?.(Number(done), Number(total), client.child);
		client.lines.push(line);
		onLine();
		if (!quiet) show(`  ${cyan(abbreviated(line))}`);
	});
	await until('the end of quash-inspect', () => client.code !== null);
	return { code: client.code, printed, logged: client.lines };
}

/** What a call gave. */
export async function result(words, options) {
	const { code, printed } = await inspect(words, options);
	check(code === 0, `${words.join(' ')} ends with 0 (${code})`);
	return printed.join('\n');
}
