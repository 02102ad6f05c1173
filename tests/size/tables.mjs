/* SPDX-License-Identifier: MIT
 * The tables of what the library weighs, from figures alone, as they were measured or as a budget holds them: target ->
 * { compiler, figures }. */

import { goals, number, table } from './page.mjs';

/** The target that has goals. */
export const goalsOf = 'cortex-m0plus';

export const eightLive = '8 live requests with ids of 40 bytes';
export const eightLiveNarrow = `${eightLive}, counters of 16 bits`;

const ways = ['minimal server', 'one-way', 'two-way', 'MCP with one tool'];
const known = (way) => `${way}, config known`;
export const readmeServer = "the README's server";
const kinds = [...ways, readmeServer, ...ways.map(known), 'one-way with -flto', 'one-way in one unit', 'one-way as one file', 'two-way as one file'];

const flash = (kind, limit) => [`flash: ${kind}`, `flash ${kind}`, limit];
const ram = 'RAM: 8 live requests, ids of 40 bytes, no states, counters included; arena and TX besides';

/* [what, figure, limit, is it an aim] */
const limits = [
	flash('one-way', 14400), flash('two-way', 16700), flash('MCP with one tool', 22700),
	flash('one-way with -flto', 13200), flash('one-way in one unit', 14500),
	flash(known('minimal server'), 9800), flash(known('one-way'), 10700), flash(known('two-way'), 12900), flash(known('MCP with one tool'), 19300),
	['stack of `quash_feed`, without batches, calls, faults and reasons', 'stack quash_feed', 300],
	['stack of `quash_feed`, config known', 'stack quash_feed, config known', 232],
	[ram, `ram ${eightLive}`, 1200],
	[`${ram}, with \`QUASH_COUNT_BITS=16\``, `ram ${eightLiveNarrow}`, 1180],
	[ram, `ram ${eightLive}`, 1100, true],
];

const figuresFor = (all, target) => all.get(target)?.figures ?? new Map();

export function goalTable(all) {
	const figures = figuresFor(all, goalsOf);
	return goals(limits.map(([what, figure, limit, aim]) => [what, figures.get(figure), limit, aim]));
}

/** For the README: the figures that decide whether a device has room. */
export function figureList(all) {
	const figure = (name) => number(figuresFor(all, goalsOf).get(name));
	return `- Flash: ${figure('flash one-way')} bytes at \`-Os\` for a program that serves requests, ${figure('flash two-way')} for one that makes them too, ${figure(`flash ${readmeServer}`)} for the server above.\n`
		+ `- RAM: ${figure(`ram ${eightLive}`)} bytes for 8 requests at once with ids of 40 bytes. States, arena and TX come on top.`;
}

/* A table with a column for each target; `rows` are [name, figure, another figure]. The second one stands behind a slash where it
 * is another number. */
function across(all, head, rows) {
	const cell = (figures, [, first, second]) => [...new Set([first, second].map((figure) => number(figures.get(figure))))].filter(Boolean).join(' / ');
	return table([head, ...all.keys()], rows.map((row) => [row[0], ...[...all.values()].map(({ figures }) => cell(figures, row))]));
}

/* The names of figures that begin with a word, without it. */
function namesOf(all, word) {
	const names = [...all.values()].flatMap(({ figures }) => [...figures.keys()]);
	return [...new Set(names.filter((name) => name.startsWith(`${word} `)).map((name) => name.slice(word.length + 1)))];
}

const quoted = (name) => (/ /.test(name) ? name : `\`${name}\``);

export const programTable = (all) => across(all, 'program', kinds.map((kind) => [kind, `flash ${kind}`]));

export const fileTable = (all) =>
	across(new Map([...all].filter(([target]) => target === goalsOf)), 'file', namesOf(all, 'flash').filter((name) => !kinds.includes(name)).map((name) => [`\`${name}\``, `flash ${name}`]));

export const structTable = (all) => across(all, 'struct', namesOf(all, 'ram').map((name) => [quoted(name), `ram ${name}`]));

/** What a figure of stack is told with beside. */
export const alsoInUse = ' with batches, calls, faults and reasons';

export const stackTable = (all) => across(all, 'function', namesOf(all, 'stack').filter((name) => !name.endsWith(alsoInUse))
	.map((name) => [`\`${name}\``, `stack ${name}`, `stack ${name}${alsoInUse}`]));

/** The RAM of types on the processors that docs name, and on the machine that measures: [type, words], type -> bytes. */
export function machineTable(all, rows, host) {
	const columns = [figuresFor(all, goalsOf), figuresFor(all, 'atmega2560')].map((figures) => (type) => figures.get(`ram ${type}`));
	const machine = process.arch === 'x64' ? 'x86-64' : process.arch;
	return table(['struct', 'Cortex-M0+', 'AVR (ATmega2560)', machine],
		rows.map(([type, words]) => [words, ...[...columns, (name) => host.get(name)].map((bytes) => number(bytes(type)))]));
}

/** The programs of boards, from board -> { compiler, figures }. */
export const boardTable = (all) => table(['board', 'program', 'flash', 'RAM', 'compiler'], [...all].flatMap(([board, { compiler, figures }]) =>
	namesOf(new Map([[board, { figures }]]), 'flash').map((program) =>
		[board, program, number(figures.get(`flash ${program}`)), number(figures.get(`ram ${program}`)), compiler])), [2, 3]);
