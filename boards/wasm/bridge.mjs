/* SPDX-License-Identifier: MIT
 * The program. */

import { randomFillSync } from 'node:crypto';
import { existsSync, fchmodSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Socket, isIP } from 'node:net';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { levels, startEngine } from './engine.mjs';
import { findKinds } from './kinds.mjs';
import { node, nodeClock } from './node.mjs';
import { Output } from './output.mjs';
import { Parent } from './parent.mjs';
import { areOfPorts, lookAtPorts, namesIn, portsShown, withNames } from './ports.mjs';
import { Shell } from './shell.mjs';
import { StreamLink } from './stream.mjs';
import { system } from './system.mjs';
import { program } from './version.mjs';
import { wordsOf } from './words.mjs';

const exits = { options: 2, broken: 70, signal: 128 };
const isWindows = process.platform === 'win32';

/** Beside these files, as in a package, or where `make wasm` has put it. */
const made = (name) => [name, `../../build/wasm/${name}`].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));

function readModule() {
	const path = made('bridge.wasm');
	if (!path) throw new Error('bridge.wasm is not here: `make wasm` builds it');
	return new WebAssembly.Module(readFileSync(path));
}

/* A terminal that others have made non-blocking takes a part, or nothing for a while. */
function print(fd, bytes) {
	for (let at = 0; at < bytes.length;) {
		try {
			at += writeSync(fd, bytes, at);
		} catch (error) {
			if (error.code !== 'EAGAIN') return;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
		}
	}
}

/** Nothing of the engine is used any more: what is open is closed by the process's end, and devices come to rest by their leases. */
function breaks(error) {
	print(2, Buffer.from(`${program}: ${error instanceof Error ? error.message : error}; it ends, and devices come to rest by their leases\n`));
	process.exit(exits.broken);
}

/* --- The record */

let record, begun;

function openRecord(path) {
	record = openSync(path, 'w', 0o600);
	fchmodSync(record, 0o600); /* one that was there may have been open to all */
	begun = performance.now();
}

/* --- What the module imports */

function firstBytes(path) {
	try {
		return readFileSync(path);
	} catch {
		return null;
	}
}

const host = {
	random: (bytes) => Boolean(randomFillSync(bytes)),
	print,
	recordMs: () => performance.now() - begun,
	record: (bytes) => { writeSync(record, bytes); },
	file: firstBytes,
	folder: namesIn,
	ports: portsShown,
	page: () => firstBytes(made('page.html')),
	system,
	isAddress: (text) => isIP(text) !== 0,
};

/* --- The client on stdin and stdout */

function standardInput() {
	const is = fstatSync(0);
	return is.isFIFO() || is.isSocket() ? new Socket({ fd: 0, readable: true, writable: false }) : process.stdin;
}

let output; /* where Node's own stream would hold up everything */

function standardOutput() {
	const is = fstatSync(1);
	if (isWindows && !isatty(1)) return output = new Output(1);
	return is.isFIFO() || is.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}

/* --- A run */

async function run(engine, serial) {
	let signal = 0;
	const { record: path, noWatchParent, devices, doors } = engine.options();
	const kinds = await findKinds();
	kinds.set('tty', serial(kinds.get('tty'), engine, (line) => engine.say(levels.info, line)));
	const shell = new Shell(engine, kinds, { devices, clock: nodeClock(), ...node });
	for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', ...isWindows ? ['SIGBREAK'] : []]) {
		process.on(name, () => {
			signal = constants.signals[name];
			shell.end();
		});
	}
	try {
		if (path !== null) openRecord(path);
	} catch (error) {
		engine.say(levels.error, `${path}: ${wordsOf(error)}`);
		return exits.options;
	}
	const orphaned = () => {
		engine.say(levels.info, 'the program that has started the bridge has ended');
		shell.end();
	};
	const terminal = (line) => {
		const input = standardInput();
		if (!noWatchParent && input instanceof Socket && !input.isTTY) parent.watch(orphaned);
		return new StreamLink(line, input, standardOutput());
	};
	try {
		if (!await shell.open(doors, terminal)) return exits.options;
	} catch (words) {
		if (typeof words !== 'string') throw words;
		engine.say(levels.error, words);
		return exits.options;
	}
	const code = await shell.over;
	return code === 0 && signal !== 0 ? exits.signal + signal : code;
}

function leave(code) {
	if (output?.isStuck) process.kill(process.pid, 'SIGKILL');
	process.exit(code);
}

const parent = new Parent(); /* before the rest takes its time */
let module;

/** One that has not started. `more` is in place of what it has of this program. */
export async function newEngine(more = {}) {
	module ??= readModule();
	const engine = await startEngine(module, { ...host, ...more }, { copy: (bytes) => Buffer.from(bytes) });
	if (`quash-bridge ${engine.version}` !== program) throw new Error(`bridge.wasm is ${engine.version}`);
	return engine;
}

/** Runs the bridge with the words of a command line behind its name, and ends the process. `serial` makes the kind of serial devices, as
 * `withNames` does. */
export async function main(words, { serial = withNames } = {}) {
	process.title = 'quash-bridge'; /* the name that others see */
	process.on('uncaughtException', breaks);
	const engine = await newEngine();
	if (areOfPorts(words)) await lookAtPorts();
	const code = engine.start(['quash-bridge', ...words]);
	leave(code >= 0 ? code : await run(engine, serial));
}
