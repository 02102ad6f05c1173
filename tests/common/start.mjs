/* SPDX-License-Identifier: MIT
 * The ways to start a program: to its end, or beside a test, which ends it. They stand in the root of the tree unless told
 * otherwise, and what they say is text. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const usual = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 };

/** Runs a program: `{ status, signal, error, stdout, stderr }`. */
export const told = (program, words = [], how = {}) => spawnSync(program, words, { ...usual, ...how });

/** What a program prints. An exit code that is not 0 is an error, with what it says on stderr. */
export const printed = (program, words = [], how = {}) => execFileSync(program, words, { ...usual, ...how });

/** Makes these, with variables among the words. What make says is left out, but for errors. */
export const make = (...words) => printed('make', ['-s', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });

/** Whether there is such a tool. */
export const isThere = (tool) => told(tool, ['--version']).status === 0;

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/* What it has started itself goes with it, if it has a group of its own. */
function end(child, signal, group) {
	if (child.pid === undefined) return;
	try {
		if (group) process.kill(-child.pid, signal);
		else if (!hasEnded(child)) child.kill(signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/** Starts a program beside a test, which ends it by its id, or the whole of its `group`, and waits for that; without a test whoever
 * has it does. `ended` gives its exit code, or the signal. */
export function spawned(t, [program, ...words], { stdio = ['pipe', 'pipe', 'pipe'], endBy = 'SIGKILL', group = false, ...how } = {}) {
	const child = spawn(program, words, { cwd: root, stdio, detached: group, ...how });
	child.stdin?.on('error', () => {}); /* it may have ended: its exit is what is looked at */
	child.ended = new Promise((resolve) => child.on('error', resolve).on('close', (code, signal) => resolve(signal ?? code)));
	t?.after(() => {
		end(child, endBy, group);
		for (const stream of child.stdio) stream?.destroy(); /* which somebody else may hold */
		return child.ended;
	});
	return child;
}

/** The same, read as text: `said` and `errors` are what has come of it so far. */
export function started(t, command, how) {
	const child = spawned(t, command, { stdio: ['pipe', 'pipe', 'inherit'], ...how });
	child.said = child.errors = '';
	child.stdout?.setEncoding('utf8').on('data', (text) => { child.said += text; });
	child.stderr?.setEncoding('utf8').on('data', (text) => { child.errors += text; });
	return child;
}

/** An empty folder that goes with the test. */
export function folderFor(t) {
	const folder = mkdtempSync(join(tmpdir(), 'quash-'));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return folder;
}
