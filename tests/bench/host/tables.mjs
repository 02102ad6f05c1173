/* SPDX-License-Identifier: MIT
 * What the figures of `make bench` mean, as tables. */

import { number, table } from '../../size/page.mjs';
import { messages } from './parsers.mjs';

/** The goals: instructions of the toolbox for a ping, and how many times as many of them as the official server answers. */
const goals = { ping: 4000, pings: 12 };

/** [figure, words, more is better, divided by, digits] */
const serverRows = [
	['pings', 'pings a second, 100 at once', true, 1, 0],
	['long', 'pings a second, 1,000 at once', true, 1, 0],
	['echoes', 'calls of `echo` a second, 100 at once', true, 1, 0],
	['turn', 'a ping and its answer, one at a time, µs', false, 1, 1],
	['cancel', 'a cancel and the answer to the ping behind it, µs', false, 1, 1],
	['first', 'start of the process to its first answer, ms', false, 1000, 1],
	['processor pings', 'processor time for a ping, µs', false, 1, 2],
	['processor echoes', 'processor time for a call of `echo`, µs', false, 1, 2],
	['memory', 'resident memory at most, KB', false, 1, 0],
];

const rounded = (n, digits) => n.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const times = (ratio) => `× ${ratio >= 20 ? rounded(ratio, 0) : ratio >= 2 ? rounded(ratio, 1) : rounded(ratio, 2)}`;

/** How many times better ours is than each of the others. */
export function serverRatios(figures) {
	const [ours, ...others] = [...figures.values()];
	return table(['', ...[...figures.keys()].slice(1).map((name) => `\`${name}\``)], serverRows.map(([figure, words, more]) =>
		[words.replace(/, \S+$/, (unit) => (/µs|ms|KB/.test(unit) ? '' : unit)),
			...others.map((other) => times(more ? ours[figure] / other[figure] : other[figure] / ours[figure]))]));
}

export const serverTable = (figures) => table(['', ...[...figures.keys()].map((name) => `\`${name}\``)],
	[...serverRows, ['answers', 'answers that were read; each is a result', true, 1, 0]].map(([figure, words, , by, digits]) =>
		[words, ...[...figures.values()].map((of) => rounded(of[figure] / by, digits))]));

/** How many times the instructions of ours each of the others needs, for each file. */
export const parserRatios = (figures, words) => table(['', ...messages.map(({ name }) => `\`${name}\``)],
	[...figures].slice(1).map(([name, { instructions }]) =>
		[words(name), ...instructions.map((n, i) => times(n / figures.get('quash').instructions[i]))]));

export const parserTable = (figures, words) => table(['instructions for a byte', ...messages.map(({ name }) => `\`${name}\``), 'MB/s'],
	[...figures].map(([name, { instructions, speed }]) => [words(name), ...instructions.map((n) => rounded(n, 1)), rounded(speed, 0)]));

export const peerTable = (costs) => table(['peers in one program', 'instructions for a message', 'nanoseconds', 'bytes of a peer'],
	costs.map(({ peers, instructions, nanoseconds, bytes }) =>
		[number(peers), rounded(instructions, 0), rounded(nanoseconds, 0), number(bytes)]), [0, 1, 2, 3]);

/** What was to be reached: [words, is, goal, kept]. */
export function goalTable(ping, figures) {
	const [ours, ...others] = [...figures.values()];
	const least = Math.min(...others.map((other) => ours.pings / other.pings));
	return table(['', 'is', 'goal', ''], [
		['instructions of the toolbox for a ping, in to out', number(Math.round(ping)), `at most ${number(goals.ping)}`,
			ping > goals.ping ? `${number(Math.round(ping - goals.ping))} over` : 'kept'],
		['pings a second beside the faster official server', times(Math.floor(10 * least) / 10), `× ${goals.pings}`, least < goals.pings ? 'missed' : 'kept'],
	], [1, 2]);
}
