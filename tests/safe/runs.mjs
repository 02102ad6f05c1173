/* SPDX-License-Identifier: MIT
 * Runs build/host/tests/safe/safe, for the host's motor or for a board's, and reads what it prints. */

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { make, root, spawned } from '../common/start.mjs';
import { variable } from '../size/page.mjs';

const program = join(root, 'build/host/tests/safe/safe');

/** What each device promises, in milliseconds; as in mover.h and safe.mk. */
export const promises = { host: { lease: 60, ramp: 30, step: 1, longest: 250 }, board: { lease: 200, ramp: 50, step: 1, longest: 600 } };
export const boundOf = ({ lease, ramp, step }, kind = '') => (kind.startsWith('client-forgets') ? 0 : lease) + ramp + step;

/* All but `-- COMMAND`, whose motor only its bridge could see. */
const boardWays = 0x17;

/** The boards with a second UART, and the kinds of fault that their emulator cannot stand: when nobody reads what it transmits,
 * its processor waits in the middle of an instruction. */
export const boards = { lm3s6965evb: ['blocked-silent', 'blocked-killed'], 'mps2-an385': [] };

/** The defects of mover.h, by their numbers. */
export const defects = ['sound', 'ignores the lease', 'has a lease twice as long', 'has a ramp twice as long', 'never rests', 'starts again',
	'ignores its longest time'];

export function build(target, ...options) {
	make(...options, target);
}

const lineOf = (text) => {
	const [index, kind, way, rest, bound, late, outcome] = text.split(' ');
	return { index: Number(index), kind, way: Number(way), rest: rest / 1000, bound: bound / 1000, late: late / 1000, outcome, text };
};

/* The program ends by itself: each of its runs has an end. */
function run(options, device) {
	const folder = mkdtempSync(join(tmpdir(), 'safe-'));
	const child = spawned(null, [program, ...options, folder, ...device], { stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = () => child.kill('SIGKILL');
	process.on('exit', ended);
	let text = '';
	child.stdout.setEncoding('utf8').on('data', (part) => { text += part; });
	return new Promise((resolve) => child.on('close', () => {
		process.off('exit', ended);
		rmSync(folder, { recursive: true, force: true });
		resolve(text.split('\n').filter(Boolean).map(lineOf));
	}));
}

const named = (name, kinds) => kinds.flatMap((kind) => [name, kind]);

/** Faults of the host's motor. Times are in milliseconds. */
export const hostFaults = ({ faults, seed, defect = 0, kinds = [], jobs = 4 * availableParallelism() }) =>
	run(['--faults', faults, '--seed', seed, '--defect', defect, '--jobs', jobs, ...named('--kind', kinds)].map(String),
		['build/host/tests/safe/mover']);

/** Faults of a board's motor, for so many seconds. */
export function boardFaults(board, { seconds, seed, firmware = 'mover', kinds = [] }) {
	const { lease, ramp, longest } = promises.board;
	const emulator = variable(board, 'EMULATOR').split(' ');
	return run(['--board', '--ways', boardWays, '--faults', 1000000, '--seconds', seconds, '--seed', seed, '--lease', lease, '--ramp', ramp, '--longest', longest, '--jobs', availableParallelism(),
		...named('--kind', kinds), ...named('--but', boards[board])].map(String),
	[...emulator, `build/${board}/tests/safe/${firmware}.elf`, '-serial', 'file:/proc/self/fd/3']);
}

export const violations = (lines) => lines.filter(({ outcome }) => !['kept', 'still', 'early'].includes(outcome));
