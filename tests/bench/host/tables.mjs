/* SPDX-License-Identifier: MIT
 * What the figures of `make bench` mean, as tables. */

import { goals, number, table } from '../../size/page.mjs';
import { messages } from './parsers.mjs';
import { sides } from './servers.mjs';

/** The aim: how many times as many pings as the faster official server answers. */
const aim = 12;

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

const withoutUnit = (words) => words.replace(/, (µs|ms|KB)$/, '');
const withoutScope = (name) => name.replace(/^@.*\//, '');

/** How many times better each of ours is than each of the others. */
export function serverRatios(figures) {
	const [ours, others] = sides(figures);
	const pairs = ours.flatMap(([name, one]) => others.map(([other, figuresOf]) => [`\`${name}\` beside \`${withoutScope(other)}\``, one, figuresOf]));
	return table(['', ...pairs.map(([head]) => head)], serverRows.map(([figure, words, more]) =>
		[withoutUnit(words), ...pairs.map(([, one, other]) => times(more ? one[figure] / other[figure] : other[figure] / one[figure]))]));
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

/** What is to be reached: instructions at most, and how many times as many pings at least. */
export function goalTable(pings, figures) {
	const [ours, others] = sides(figures);
	const fastest = Math.max(...others.map(([, of]) => of.pings));
	const ratios = ours.map(([name, of]) => {
		const ratio = Math.floor(10 * of.pings / fastest) / 10;
		return `| pings a second of \`${name}\` beside the faster official server | ${times(ratio)} | aim: × ${aim} | ${ratio < aim ? '' : 'kept'} |`;
	});
	return [goals(pings.map(({ words, instructions, most }) => [`instructions for a ping, in to out: ${words}`, Math.round(instructions), most])),
		...ratios].join('\n');
}
