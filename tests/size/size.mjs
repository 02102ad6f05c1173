/* SPDX-License-Identifier: MIT
 * node size.mjs [TARGET...] [--write]
 *
 * What the library weighs for each processor: flash, structs, stack. Prints Markdown and compares it with the file `budget`.
 * With --write the budget, the README, docs/measured.md and docs/memory.md are made anew; the tables of every file and function are
 * printed only. */

import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { close, compare, writeBudget } from './budget.mjs';
import { figuresOf, measure, measureHost } from './library.mjs';
import { number, table, writePlace } from './page.mjs';
import { refusedPrograms } from './programs.mjs';
import { alsoInUse, figureList, fileTable, goalTable, goalsOf, machineTable, programTable, stackTable, structTable } from './tables.mjs';
import { isThere, targets } from './targets.mjs';

const budgetFile = join(root, 'tests/size/budget');

const wordOf = new Map([['memory', 'memory functions'], ['helpers', 'helpers'], ['floats', 'floating point'], ['others', 'else']]);

function needRows({ target, needs }) {
	const names = (list) => [...new Set(list.map(({ name }) => name))].sort().map((name) => `\`${name}\``).join(' ');
	return Object.entries(needs).filter(([, list]) => list.length > 0).map(([kind, list]) => [target.name, wordOf.get(kind), names(list)]);
}

const shortWay = (path) => path.map((title) => title.replace(/^.*:/, '')).join(' → ');

/* Programs of which the files do not weigh what the program does. */
const unevenOf = ({ target, programs }) => programs.filter(({ modules, bytes }) =>
	modules.size > 1 && [...modules.values()].reduce((total, of) => total + of, 0) !== bytes)
	.map(({ name }) => `FAIL ${target.name}: the files of ${name} do not weigh what it does`);

/* What of each file the one-way and the two-way peer keep. */
function keptTable({ target, files, programs }) {
	const asFiles = programs.filter(({ modules }) => modules.size > 1);
	const rows = files.map(({ module }) => [`\`${module}\``, ...asFiles.map(({ modules }) => number(modules.get(module)))]);
	return table(['file', ...asFiles.map(({ name }) => `${name}, ${target.name}`)], [
		...rows.filter(([, ...cells]) => cells.some(Boolean)), ['**sum**', ...asFiles.map(({ bytes }) => number(bytes))]]);
}

/* The largest functions of a program. */
function functionTable({ target, programs }, way, count) {
	const { functions, bytes } = programs.find(({ name }) => name === way);
	const rows = functions.slice(0, count).map(({ name, module, bytes: of }) => [`\`${name}\``, `\`${module}\``, number(of)]);
	const rest = bytes - functions.slice(0, count).reduce((total, { bytes: of }) => total + of, 0);
	return table([`${way}, ${target.name}`, 'file', 'bytes'], [...rows, ['all else', '', number(rest)]], [2]);
}

const textsOf = ({ programs, target }) =>
	`of text on a ${target.name}: ${programs.map(({ name, texts }) => `${name} ${number(texts)}`).join(', ')}`;

const enumerated = (words) => words.join(', ').replace(/, (?=[^,]*$)/, ' and ');

/** For docs/memory.md. */
function memoryPage(made, host) {
	const [small, avr] = [made.get(goalsOf), made.get('atmega2560')];
	const [peer, request, word, counters] = ['quash_peer', 'quash_request', 'quash_word', 'quash_counters'].map((type) => small.figures.get(`ram ${type}`));
	return [
		machineTable(made, [
			['quash_peer', '`quash_peer`'], ['quash_word', '`quash_word`'], ['quash_counters', '`quash_counters`'], ['quash_request', '`quash_request`'],
			['quash_call', '`quash_call`, each [call](calls.md#memory), wherever you put it'],
			['quash_config', '`quash_config`, may live in flash'], ['quash_method', '`quash_method`, flash, one for each method'],
		], host.types),
		`\`sizeof\` of ${enumerated([small, avr, host].map(({ compiler }) => compiler))}. An example for a Cortex-M0+: 4 slots, ids of 24 bytes, `
			+ `states of 16, an arena of 256, TX of 128: ${peer} + ${word} + ${counters} + 4 * (${request} + 24 + 16) + 24 + 256 + 128 = ${peer + word + counters + 4 * (request + 40) + 408} bytes. `
			+ '`QUASH_STORAGE` rounds the state up to a multiple of 8.',
	].join('\n\n');
}

function pageOf(all, made) {
	const measured = [...all.values()], [first] = measured;
	return [
		`Made by ${[...new Set(measured.map(({ compiler }) => compiler))].join(', ')}, at \`-Os\`, in bytes. Goals, on a ${goalsOf}:`,
		goalTable(made),
		'### Flash of a peer',
		'What the linker keeps of the library in a program of one method in the dialect of ACP (`tests/size/two_way.c`), `quash_init` '
			+ 'included: code, constants and first values of variables, without the functions that compilers call from outside. The '
			+ 'one-way program answers its params; the two-way one asks the other side and answers what that answered, with `-DASKS`. '
			+ 'The minimal server (`minimal.c`) reads no params and counts nothing; `one_tool.c` is the MCP server, '
			+ 'without `faults`. The README\'s server has them, as `QUASH_MCP_DEVICE` does, and a pin where it prints. '
			+ '`make size` fails unless the maps of the linker show every file of `src/call` in what asks, and none in the other. As one '
			+ 'file is what `make one-file` writes, by the same compilers and options.',
		'*Config known*: `QUASH_THE_CONFIG` names it, and the program includes `quash.c`. *In one unit*: it does so with `QUASH_API` '
			+ 'alone. With `-flto`: separate files, optimized together. There the figure is what the whole program takes, less what its '
			+ 'own object takes beside the library.',
		programTable(made),
		`A compiler puts texts of one file where the linker keeps all or nothing, so as one file those of parts that are not called stay too. Bytes ${textsOf(first)}.`,
		'### RAM by struct',
		structTable(made),
		'8 live requests: `sizeof(quash_peer) + sizeof(quash_word) + sizeof(quash_counters) + 8 * (sizeof(quash_request) + 40) + 40`, as one more '
			+ 'id is being received; without states, arena and TX.',
		'### Worst-case stack',
		'From the call graph. Recursion, stack of unknown size and unknown calls through pointers make `make size` fail. The second number '
			+ 'is with batches, calls of our own, faults and reasons in use, which the core reaches through pointers; a cancel then runs down to the calls made '
			+ 'for the cancelled request. What an interrupt puts on the stack is not in it, nor are the program\'s own functions: see below.',
		stackTable(made),
		`The deepest ways on a ${first.target.name}:`,
		['quash_feed', 'quash_out', 'quash_step'].map((name) => first.rows.find((row) => row.name === name)).flatMap(({ name, alone, all: whole }) =>
			[`- ${name}: ${shortWay(alone.path)}`, `-${alsoInUse}: ${shortWay(whole.path)}`]).join('\n'),
		'Frames are those that the compilers tell. Of the functions from outside they are the sum of what their machine code pushes. On '
			+ 'AVRs the return address is in them, three bytes a call.',
	].join('\n\n');
}

/* What is printed beside the page: each file, each function, each call through a pointer. */
function detailsOf(all, made) {
	const measured = [...all.values()], [first] = measured;
	const leaving = new Map(measured.flatMap(({ leaving: its }) => [...its]).map(([what, callers]) =>
		[what, [...new Set(callers.map((title) => title.replace(/^.*:/, '')))].sort()]));
	return [
		'### Flash by source file',
		'Code, constants and first values of variables. What a program does not call is not linked.',
		fileTable(made),
		'What of it the programs keep:',
		keptTable(first),
		'Its largest functions:',
		functionTable(first, 'two-way', 24),
		'### Calls through pointers',
		'Within the library they are followed: the tables of batches, calls, parts of MCP and types of params. These lead to functions '
			+ 'of the program, of a profile or of forwarding, whose stack comes on top:',
		table(['type', 'called by'], [...leaving].sort().map(([what, callers]) => [what, callers.map((name) => `\`${name}\``).join(' ')]), []),
		'### From outside',
		'What compilers call by themselves. Floating point comes with `quash_double` and `QUASH_ARG_NUMBER` only.',
		table(['', 'what', 'functions'], measured.flatMap(needRows), []),
	].join('\n\n');
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const chosen = targets.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const all = new Map(chosen.filter(isThere).map((target) => [target.name, measure(target)]));
const missing = chosen.filter((target) => !isThere(target)).map(({ name, prefix }) => ({ target: name, reason: `${prefix}gcc is missing` }));
const made = new Map([...all].map(([name, measured]) => [name, { compiler: measured.compiler, figures: figuresOf(measured) }]));
const problems = [...all].flatMap(([name, measured]) => measured.problems.map((problem) => `FAIL ${name}: ${problem}`))
	.concat([...all.values()].flatMap(unevenOf), refusedPrograms().map((refused) => `FAIL ${refused}`));
if (all.size > 0 && problems.length === 0) console.log(`${pageOf(all, made)}\n\n${detailsOf(all, made)}`);
if (process.argv.includes('--write')) {
	if (all.size < targets.length || problems.length > 0) throw new Error('only what was measured for all targets, without a failure, is written');
	writeBudget(budgetFile, ['Bytes of flash, of RAM and of stack at -Os. Each may grow by 2 % before `make test` fails; then either the code',
		'shrinks, or `node tests/size/size.mjs --write` says that the growth is meant.'], made);
	const host = measureHost();
	writePlace('docs/measured.md', 'size', pageOf(all, made));
	writePlace('README.md', 'size', figureList(made));
	writePlace('docs/memory.md', 'size', memoryPage(made, host));
}
const verdict = compare(budgetFile, made, missing);
const sound = [...all.values()].filter((measured) => measured.problems.length === 0).length;
close({ ...verdict, passed: verdict.passed + sound, failed: verdict.failed + problems.length, notes: [...problems, ...verdict.notes] });
