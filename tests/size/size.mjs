/* SPDX-License-Identifier: MIT
 * What the library weighs on a Cortex-M0+: prints it as a Markdown table and compares it with the file `budget`.
 * With --write the file, and the README's table, are made anew from what was measured. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import * as objects from './objects.mjs';

const budgetFile = join(root, 'tests/size/budget');
const build = join(root, 'build/size');
const growth = 1.02;

/** Stack of what comes from outside, in Debian's libgcc and newlib for ARMv6-M, as their code was read. */
const outsideStack = [[/^__gnu_thumb1_case/, 8], [/^__aeabi_u?idiv/, 8], [/^__aeabi_lmul/, 28], [/^__aeabi_u?ldivmod/, 84],
	[/^memcmp$/, 12], [/^(mem|__aeabi_mem)/, 20]];
const known = (name) => outsideStack.find(([pattern]) => pattern.test(name))?.[1] ?? 0;

/** Not counted as the peer: what a program may leave out, or what only handlers use. */
const besidesPeer = /^(batch|dialect|value|decimal|integer|number|call\w*|forward\w*|params\w*|token|mcp\w*|acp\w*|lsp\w*)$/;

function measure() {
	const tools = objects.toolchain();
	if (!tools.prefix) throw new Error('arm-none-eabi-gcc is missing');
	rmSync(build, { recursive: true, force: true });
	objects.compile(tools, root, build, objects.sourcesOf(root));
	const files = objects.modulesIn(build).map((module) => ({ module, ...objects.sizes(tools, build, module) }));
	const graph = objects.callGraph(build);
	objects.addHelperCalls(tools, graph, build);
	const needs = objects.outsideNeeds(tools, build);
	const types = objects.typeSizes(tools, root, build, 'quash/peer.h', ['quash_peer', 'quash_request']);
	const linked = (...defines) => objects.linkedSize(tools, root, build, 'tests/size/two_way.c', defines);
	const twoWay = linked('-DASKS') - linked();
	return { version: objects.compilerVersion(tools), files, graph, needs, types, twoWay };
}

const flash = ({ code, constants, data }) => code + constants + data;
const sumOf = (files, wanted) => files.filter(({ module }) => wanted(module)).reduce((sum, file) => sum + flash(file), 0);

/* The functions of a file that are reached by pointers only. */
function reachedByPointer(graph, source) {
	const called = new Set([...graph.values()].flatMap(({ calls }) => [...calls]));
	return [...graph].filter(([title, { file }]) => file === source && !called.has(title)).map(([title]) => title);
}

/* What a file calls in batch.c through the pointers of `quash_batch`; every other pointer leads to the program's own code. */
function batchCalls(graph) {
	const functions = reachedByPointer(graph, 'src/batch.c');
	const calls = (file) => [...readFileSync(join(root, file), 'utf8').matchAll(/batch->(\w+)\(/g)].map((match) => match[1]);
	return ({ file }) => (file ? functions.filter((title) => calls(file).some((name) => title.split(':').pop() === name)) : []);
}

function stackRows({ graph }) {
	const through = batchCalls(graph);
	const row = (what, name, options) => (graph.has(name) ? [{ what, ...objects.deepest(graph, name, options) }] : []);
	return [
		...row('stack quash_feed', 'quash_feed', { known }),
		...['quash_feed', 'quash_out', 'quash_step'].flatMap((name) => row(`stack ${name} with batches`, name, { known, through })),
	];
}

const goals = [['lex', 1024], ['the peer', 6144], ['two-way traffic', 1536], ['stack quash_feed', 144]];

const distinct = (list) => [...new Set(list.map(({ name }) => name))].sort();

function needLines({ needs }) {
	return Object.entries({ 'Memory functions': needs.memory, 'Compiler helpers': needs.helpers,
		'Floating point helpers': needs.floats, 'Anything else': needs.others })
		.map(([what, list]) => `${what} from outside: ${distinct(list).length}${list.length ? ` (${distinct(list).map((n) => `\`${n}\``).join(', ')})` : ''}.`);
}

function table(measured, figures) {
	const rows = measured.files.map((file) => `| \`${file.module}\` | ${file.code} | ${file.constants} | ${file.data} |`);
	const goalRows = goals.filter(([what]) => figures.has(what)).map(([what, limit]) => {
		const over = figures.get(what) - limit;
		return `| ${what} | ${figures.get(what)} | ${limit} | ${over > 0 ? `${over} over` : 'kept'} |`;
	});
	return [
		`Bytes on a Cortex-M0+, ${measured.version}, \`-Os\`:`, '',
		'| file | code | constants | data |', '|---|--:|--:|--:|', ...rows, '',
		'| | bytes | goal | |', '|---|--:|--:|---|', ...goalRows, '',
		'| struct in RAM | bytes |', '|---|--:|', ...[...measured.types].map(([type, bytes]) => `| \`${type}\` | ${bytes} |`), '',
		'| worst stack | bytes | its way |', '|---|--:|---|',
		...stackRows(measured).map(({ what, bytes, path }) =>
			`| ${what.replace('stack ', '')} | ${bytes} | ${path.map((title) => title.replace(/^.*:/, '')).join(' → ')} |`), '',
		...needLines(measured), '',
	].join('\n');
}

/* What the README shows of it, between two marks. */
function writeReadme(measured, figures) {
	const path = join(root, 'README.md');
	const from = '<!-- make size -->\n', to = '<!-- end of make size -->';
	const text = readFileSync(path, 'utf8');
	const [start, end] = [text.indexOf(from) + from.length, text.indexOf(to)];
	const short = table(measured, figures).replace(/^\| worst stack.*$/m, '| worst stack | bytes |').replace(/^\|---\|--:\|---\|(?=\n\| quash_)/m, '|---|--:|')
		.replace(/^(\| quash_\w+[^|]*\| \d+ \|).*$/gm, '$1');
	writeFileSync(path, text.slice(0, start) + short + text.slice(end));
}

function figuresOf(measured) {
	const figures = new Map(measured.files.map((file) => [file.module, flash(file)]));
	figures.set('lex', sumOf(measured.files, (module) => module.startsWith('lex')));
	figures.set('the peer', sumOf(measured.files, (module) => !besidesPeer.test(module)));
	figures.set('two-way traffic', measured.twoWay);
	for (const [type, bytes] of measured.types) figures.set(`struct ${type}`, bytes);
	for (const { what, bytes } of stackRows(measured)) figures.set(what, bytes);
	return figures;
}

function readBudget() {
	const lines = existsSync(budgetFile) ? readFileSync(budgetFile, 'utf8').split('\n') : [];
	const version = lines.find((line) => line.startsWith('compiler '))?.slice('compiler '.length);
	const figures = lines.map((line) => /^(\w[^#]*?)\s+(\d+)$/.exec(line)).filter(Boolean);
	return { version, figures: new Map(figures.map(([, what, bytes]) => [what, Number(bytes)])) };
}

function writeBudget(version, figures) {
	const rows = [...figures].map(([what, bytes]) => `${what.padEnd(32)} ${bytes}`);
	writeFileSync(budgetFile, [
		'# Bytes of flash, of stack or of RAM on a Cortex-M0+ at -Os. A figure may grow by 2 % before `make test` fails; then either',
		'# the code shrinks or `node tests/size/size.mjs --write` says that the growth is meant.',
		`compiler ${version}`, ...rows, '',
	].join('\n'));
}

/** One verdict for each figure. Of another compiler's code nothing is said. */
function compare(budget, version, figures) {
	if (budget.version && budget.version !== version)
		return { passed: 0, failed: 0, skipped: figures.size, notes: [`skipped: the budget was measured with ${budget.version}, not ${version}`] };
	const notes = [];
	for (const [what, bytes] of figures) {
		const allowed = budget.figures.get(what);
		if (allowed === undefined) notes.push(`FAIL ${what}: ${bytes} bytes, of which the budget knows nothing`);
		else if (bytes > allowed * growth) notes.push(`FAIL ${what}: ${bytes} bytes, budget ${allowed}`);
	}
	return { passed: figures.size - notes.length, failed: notes.length, skipped: 0, notes };
}

const measured = measure();
const figures = figuresOf(measured);
console.log(table(measured, figures));
if (process.argv.includes('--write')) {
	writeBudget(measured.version, figures);
	writeReadme(measured, figures);
}
const { passed, failed, skipped, notes } = compare(readBudget(), measured.version, figures);
for (const note of notes) console.log(note);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed ? 1 : 0;
