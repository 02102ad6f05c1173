/* SPDX-License-Identifier: MIT
 * node size.mjs [TARGET...] [--write]
 *
 * What the library weighs for each processor: flash, structs, stack. Prints Markdown and compares it with the file `budget`.
 * With --write the budget, docs/measured.md and the README are made anew from what was measured. */

import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { close, compare, writeBudget } from './budget.mjs';
import { basicStructs, eightSlots, figuresOf, measure, measureHost } from './library.mjs';
import { goals, number, table, writePlace } from './page.mjs';
import { isThere, targets } from './targets.mjs';

const budgetFile = join(root, 'tests/size/budget');
const goalsOf = 'cortex-m0plus';

const limits = [
	['flash: two-way peer without profiles and batches', 'flash two-way peer', 7168],
	['stack of `quash_feed`', 'stack quash_feed', 112],
	['stack of `quash_step` without the handler', 'stack quash_step', 256],
	['RAM: 8 slots with ids of 40 bytes, no states; arena and TX besides', `ram ${eightSlots}`, 640],
];

function goalTable(all) {
	const figures = all.has(goalsOf) ? figuresOf(all.get(goalsOf)) : new Map();
	return goals(limits.map(([what, figure, limit]) => [what, figures.get(figure), limit]));
}

const wordOf = new Map([['memory', 'memory functions'], ['helpers', 'helpers'], ['floats', 'floating point'], ['others', 'else']]);

function needRows({ target, needs }) {
	const names = (list) => [...new Set(list.map(({ name }) => name))].sort().map((name) => `\`${name}\``).join(' ');
	return Object.entries(needs).filter(([, list]) => list.length > 0).map(([kind, list]) => [target.name, wordOf.get(kind), names(list)]);
}

const shortWay = (path) => path.map((title) => title.replace(/^.*:/, '')).join(' → ');

/** A table with a column for each target; `rowsOf` gives [name, number] for one. */
function across(all, head, rowsOf) {
	const columns = [...all.values()].map((measured) => new Map(rowsOf(measured)));
	const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
	return table([head, ...all.keys()], names.map((name) => [`\`${name}\``, ...columns.map((column) => number(column.get(name)))]));
}

function flashTable(all) {
	const list = [...all.values()];
	const [{ files, twoWay, target }] = list;
	const rows = files.map(({ module }, i) => [`\`${module}\``, ...list.map((measured) => {
		const { code, constants, data } = measured.files[i];
		return number(code + constants + data);
	}), number(twoWay.get(module))]);
	const whole = list.map((measured) => figuresOf(measured).get('flash two-way peer'));
	return table(['file', ...all.keys(), `two-way, ${target.name}`], [...rows, ['**two-way peer**', ...whole.map(number), number(whole[0])]]);
}

/** For docs/memory.md. */
function memoryPage(all) {
	const [small, avr, host] = [all.get(goalsOf), all.get('atmega2560'), measureHost()];
	const [peer, request] = ['quash_peer', 'quash_request'].map((type) => small.types.get(type));
	const machine = process.arch === 'x64' ? 'x86-64' : process.arch;
	return [
		table(['struct', 'Cortex-M0+', 'AVR (ATmega2560)', machine], basicStructs.map(([type, remark]) =>
			[`\`${type}\`${remark}`, ...[small, avr, host].map(({ types }) => number(types.get(type)))])),
		`\`sizeof\` of ${[small, avr, host].map(({ compiler }) => compiler).join(', ').replace(/, (?=[^,]*$)/, ' and ')}. An example for a Cortex-M0+: 4 slots, ids of 24 bytes, `
			+ `states of 16, an arena of 256, TX of 128: ${peer} + 4 * (${request} + 24 + 16) + 256 + 128 = ${peer + 4 * (request + 40) + 384} bytes. `
			+ '`QUASH_STORAGE` rounds the state up to a multiple of 8 and adds 8 bytes.',
	].join('\n\n');
}

function pageOf(all) {
	const list = [...all.values()];
	const leaving = new Map(list.flatMap(({ leaving }) => [...leaving]).map(([what, callers]) =>
		[what, [...new Set(callers.map((title) => title.replace(/^.*:/, '')))].sort()]));
	const first = list[0];
	return [
		`Made by ${[...new Set(list.map(({ compiler }) => compiler))].join(', ')}, at \`-Os\`, in bytes. Goals, on a ${goalsOf}:`,
		goalTable(all),
		'The two-way peer is what the linker keeps of the library in a program that answers a method and asks for another one, in the '
			+ 'dialect of ACP (`tests/size/two_way.c`), code and constants, without the functions that compilers call from outside.',
		'### Flash by source file',
		`Code, constants and first values of variables. What a program does not call is not linked; the last column is what of it the `
			+ `two-way peer keeps on a ${first.target.name}.`,
		flashTable(all),
		'### RAM by struct',
		across(all, 'struct', ({ types }) => [...types]).replace(`\`${eightSlots}\``, eightSlots),
		'### Worst-case stack',
		'From the call graph. Recursion, stack of unknown size and unknown calls through pointers make `make size` fail. The second number '
			+ 'is with batches and calls of our own in use, which the core reaches through pointers; a cancel then runs down to the calls made '
			+ 'for the cancelled request. What an interrupt puts on the stack is not in it, nor are the program\'s own functions: see below.',
		table(['function', ...all.keys()], first.rows.map(({ name }) => [`\`${name}\``, ...list.map(({ rows }) => {
			const row = rows.find((other) => other.name === name);
			return row.alone.bytes === row.all.bytes ? number(row.all.bytes) : `${number(row.alone.bytes)} / ${number(row.all.bytes)}`;
		})])),
		`The deepest ways on a ${first.target.name}:`,
		['quash_feed', 'quash_step'].map((name) => first.rows.find((row) => row.name === name)).flatMap(({ name, alone, all: whole }) =>
			[`- ${name}: ${shortWay(alone.path)}`, `- with batches and calls: ${shortWay(whole.path)}`]).join('\n'),
		'Frames are those that the compilers tell. Of the functions from outside they are the sum of what their machine code pushes. On '
			+ 'AVRs the return address is in them, three bytes a call.',
		'### Calls through pointers',
		'Within the library they are followed: the tables of batches, calls, parts of MCP and types of params. These lead to functions '
			+ 'of the program, of a profile or of forwarding, whose stack comes on top:',
		table(['type', 'called by'], [...leaving].sort().map(([what, callers]) => [what, callers.map((name) => `\`${name}\``).join(' ')]), []),
		'### From outside',
		'What compilers call by themselves. Floating point comes with `quash_double` and `QUASH_ARG_NUMBER` only.',
		table(['', 'what', 'functions'], list.flatMap(needRows), []),
	].join('\n\n');
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const chosen = targets.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const all = new Map(chosen.filter(isThere).map((target) => [target.name, measure(target)]));
const missing = chosen.filter((target) => !isThere(target)).map(({ name, prefix }) => ({ target: name, reason: `${prefix}gcc is missing` }));
const made = new Map([...all].map(([name, measured]) => [name, { compiler: measured.compiler, figures: figuresOf(measured) }]));
const problems = [...all].flatMap(([name, measured]) => measured.problems.map((problem) => `FAIL ${name}: ${problem}`));
if (all.size > 0 && problems.length === 0) console.log(pageOf(all));
if (process.argv.includes('--write')) {
	if (all.size < targets.length || problems.length > 0) throw new Error('only what was measured for all targets, without a failure, is written');
	writeBudget(budgetFile, ['Bytes of flash, of RAM and of stack at -Os. Each may grow by 2 % before `make test` fails; then either the code',
		'shrinks, or `node tests/size/size.mjs --write` says that the growth is meant.'], made);
	writePlace('docs/measured.md', 'size', pageOf(all));
	writePlace('README.md', 'size', goalTable(all));
	writePlace('docs/memory.md', 'size', memoryPage(all));
}
const verdict = compare(budgetFile, made, missing);
const sound = [...all.values()].filter((measured) => measured.problems.length === 0).length;
close({ ...verdict, passed: verdict.passed + sound, failed: verdict.failed + problems.length, notes: [...problems, ...verdict.notes] });
