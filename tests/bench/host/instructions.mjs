/* SPDX-License-Identifier: MIT
 * Instructions, counted by valgrind's callgrind. */

import assert from 'node:assert/strict';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root, told } from '../../common/start.mjs';
import { builds } from './builds.mjs';

export const programs = join(root, 'build/host/tests/bench/host');

/** Instructions of a command: of its function `measured`, or with `whole` of all of it. */
function count(command, { whole = false, stdin = 'ignore', stdout = 'ignore' } = {}) {
	const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null', ...(whole ? [] : ['--toggle-collect=measured'])];
	const { status, stderr } = told('valgrind', [...options, ...command], { stdio: [stdin, stdout, 'pipe'] });
	assert.equal(status, 0, stderr);
	return Number(/Collected : (\d+)/.exec(stderr)[1]);
}

/** Those of a program's function `measured`. */
export const countMeasured = (command) => count(command);

/* From a file into a file: what a pipe has ready would not be the same each time. */
function countWhole(command, input) {
	const folder = join(root, 'build/bench');
	mkdirSync(folder, { recursive: true });
	const [from, to] = ['input', 'output'].map((name) => join(folder, name));
	writeFileSync(from, input);
	const [stdin, stdout] = [openSync(from), openSync(to, 'w')];
	try {
		return { instructions: count(command, { whole: true, stdin, stdout }), output: readFileSync(to, 'utf8') };
	} finally {
		[stdin, stdout].forEach(closeSync);
	}
}

const request = (id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const answer = (id) => `${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`;
const lines = (n, line) => Array.from({ length: n }, (_, i) => line(1001 + i)).join('');

/** A whole toolbox for so many pings that it finds waiting; each is answered with its result. */
function countPings(program, n) {
	const { instructions, output } = countWhole([program], lines(n, request));
	assert.equal(output, lines(n, answer), 'every ping is answered with its result');
	return instructions;
}

/** The builds with their instructions for a ping, from its first byte read to the last one of its answer written: what a
 * thousand more of them cost. */
export const pingCosts = () => builds.map((build) =>
	({ ...build, instructions: (countPings(build.program, 2000) - countPings(build.program, 1000)) / 1000 }));

const peerCounts = [1, 10, 100, 1000, 10000];

/** Bytes of a peer, and nanoseconds for a message at best, of a program with so many peers. */
export function timePeers({ peers }) {
	const messages = 100000;
	const runs = Array.from({ length: 5 }, () => printed(join(programs, 'peers'), [`${peers}`, `${messages}`]));
	const times = runs.map((told) => told.match(/\d+/g).map(Number));
	return { bytes: times[0][0], nanoseconds: Math.min(...times.map(([, nanoseconds]) => nanoseconds)) / messages };
}

/** One program with ever more peers, a ping to each in turn: [{ peers, instructions }], for a message. */
export function peerCosts() {
	return peerCounts.map((peers) => {
		const messages = Math.max(peers, 1000);
		return { peers, instructions: countMeasured([join(programs, 'peers'), `${peers}`, `${messages}`]) / messages };
	});
}

/** How much more a message may cost with other numbers of peers. */
export const spreadLimit = 0.01;

/** How much more a message costs with the most expensive number of peers than with the cheapest: 0.01 is 1 %. */
export function spread(costs) {
	const instructions = costs.map((cost) => cost.instructions);
	return Math.max(...instructions) / Math.min(...instructions) - 1;
}
