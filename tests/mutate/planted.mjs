/* SPDX-License-Identifier: MIT
 * planted.mjs [--quick | --host | --rest | --write | NAME...]
 *
 * Shows that the tests find defects: builds each mutant of this folder, or the named ones, and runs the test program
 * that must fail with it. The program must pass without it. --quick leaves out the finders that take long; of these --host has
 * those that mostly wait, and --rest the others, so that the two can run side by side.
 * With --write the table in found.md is made of the results; else it must have a row for each mutant and finder.
 *
 * A mutant is a file NAME.mutant: a title, an empty line, and
 *
 *     in: tx.c                      the source, by its base name; bridge_*.c stand in boards/host/bridge, inspect_*.c in
 *                                   boards/host/inspect, host_*.c in boards/host, lwip_*.c, posix_*.c, rtos_*.c,
 *                                   uart.c, uart_*.c, usb.c and http.c in port, others in src
 *     found by: unit test_tx        the finder and what it runs; a line for each
 *     find:                         a text that stands in the source once, to the line `put:`; white space is as good as other
 *                                   white space
 *     put:                          what takes its place, to the end of the file; nothing to remove it
 *
 * The finders are
 *
 *     unit PROGRAM                  a program of unit tests
 *     lwip PROGRAM                  a program of tests/lwip
 *     early PORT                    tests/rtos/early, with that port
 *     talk FILE                     the runner of transcripts, with that file
 *     sim RULE SEEDS [FIRST]        the simulator: a failure by that rule, or that begins as RULE does, within so many seeds;
 *                                   left to the rest
 *     fuzz TARGET RUNS              a target of tests/fuzz, from a fixed seed over the corpus; left to the rest
 *     host FILE                     tests of quash-bridge or quash-inspect in tests/host; left to --host
 *     corpus TARGET FILE RULE       one file of that target's corpus: a failure by that rule; left to the rest
 *     wakes wakes                   tests/rtos/wakes, which is a race, in three tries; left to the rest */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { table, writePlace } from '../size/page.mjs';
import { finders } from './finders.mjs';
import { commandsFor, compile, folderOf, link, oneFile, outcomeOf, readMutant } from './mutant.mjs';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(join(here, '../..'));
const page = 'tests/mutate/found.md';

const passes = new Map();

function kindOf({ finder }) {
	if (!finders[finder]) throw new Error(`no finder is named ${finder}`);
	return finders[finder];
}

/** A finder's program, linked with a source that was compiled with the mutant's change, or as it is without one. */
function programWith({ finder, what }, folder, source, mutant) {
	const kind = kindOf({ finder }), commands = commandsFor(kind.goal);
	return link(commands, kind.program(what), folder, compile(commands, source, folder, mutant), source);
}

/** Null if the same is well without the change; where one run of many has failed, that run. Each once. */
function failsUnchanged(by, source, again) {
	const key = [by.finder, by.what, ...again ?? []].join(' '), folder = join(out, 'unchanged');
	if (!passes.has(key)) {
		const program = programWith(by, folder, source);
		const run = () => (again ? outcomeOf(program, again, 30) : kindOf(by).find(program, by.what, folder)).failure;
		const first = run(); /* tests that wait may be late once on a busy machine */
		passes.set(key, first && kindOf(by).left === '--host' ? run() : first);
	}
	return passes.get(key);
}

function judge(mutant, by) {
	const source = oneFile(folderOf(mutant), mutant.file), folder = join(out, mutant.name), tried = `${by.finder} ${by.what}`;
	const program = programWith(by, folder, source, mutant);
	const { failure, number, again } = kindOf(by).find(program, by.what, folder);
	if (!failure) throw new Error(`${tried} does not find it: ${mutant.title}`);
	if (again && !outcomeOf(program, again, 30).failure) throw new Error(`${tried} finds it, but not again: ${failure}`);
	const unchanged = failsUnchanged(by, source, again);
	if (unchanged) throw new Error(`without it, ${tried} fails too: ${unchanged}`);
	rmSync(folder, { recursive: true });
	return { tried, failure, number };
}

const cellsOf = ({ title }, by) => [title.replace(/\.$/, '').replaceAll('|', '\\|'), kindOf(by).named(by.what)];

/** Fails unless the page has a row for each of these mutants and what finds it, and for nothing else. */
function comparePage(mutants) {
	const [, text] = /<!-- make mutants -->\n([^]*)<!-- end of make mutants -->/.exec(readFileSync(page, 'utf8'));
	const written = text.trim().split('\n').slice(2).map((line) => line.split(' | ').slice(0, -1).join(' | ')).sort();
	const wanted = mutants.flatMap((mutant) => mutant.foundBy.map((by) => `| ${cellsOf(mutant, by).join(' | ')}`)).sort();
	const wrong = [...wanted.filter((row) => !written.includes(row)), ...written.filter((row) => !wanted.includes(row))];
	if (wrong.length) throw new Error(`${page} is not up to date, see --write: ${wrong[0]}`);
}

const [option] = process.argv.slice(2).filter((word) => word.startsWith('--'));
const named = process.argv.slice(2).filter((word) => word !== option);
const parts = ['--quick', '--host', '--rest'];
const out = `build/mutants${named.length ? '-named' : option ?? ''}`; /* others may run meanwhile */
const isWanted = (by) => option === (kindOf(by).left ?? '--quick') || !parts.includes(option);
const all = readdirSync(join(here, 'planted')).filter((name) => name.endsWith('.mutant')).map((name) => name.slice(0, -7));
const rows = [];
let passed = 0, failed = 0;

function test(name, check) {
	try {
		console.log(`ok ${name}${check()}`);
		passed++;
	} catch (error) {
		console.log(`not ok ${name}: ${error.message}`);
		failed++;
	}
}

const mutantOf = (name) => readMutant(join(here, 'planted', `${name}.mutant`));

function judgeBy(mutant, by) {
	const { tried, failure, number } = judge(mutant, by);
	rows.push({ by, cells: [...cellsOf(mutant, by), number ?? ''] });
	return ` found by ${tried} (${failure})`;
}

for (const mutant of (named.length ? named : all).sort().map(mutantOf))
	for (const by of mutant.foundBy.filter(isWanted)) test(mutant.name, () => judgeBy(mutant, by));
const isPlain = ({ by }) => ['unit', 'lwip', 'early', 'talk'].includes(by.finder);
if (option === '--write' && !failed && !named.length) {
	const sorted = rows.sort((a, b) => isPlain(a) - isPlain(b)).map(({ cells }) => cells);
	writePlace(page, 'mutants', table(['defect', 'found by', 'seed or run'], sorted, [2]));
}
if (!named.length && option !== '--host') test('the page names them all', () => comparePage(all.map(mutantOf)) ?? '');
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed || !passed ? 1 : 0;
