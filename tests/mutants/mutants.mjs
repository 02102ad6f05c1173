/* SPDX-License-Identifier: MIT
 * mutants.mjs [--write | NAME...]
 *
 * Shows that the tests find defects: builds each mutant of this folder, or the named ones, and runs the test program
 * that must fail with it. The program must pass without it. With --write the table in docs/tests.md is made of the results;
 * else it must have a row for each mutant.
 *
 * A mutant is a file NAME.mutant: a title, an empty line, and
 *
 *     in: tx.c                      the source, by its base name
 *     found by: unit test_tx        the finder and what it runs
 *     find:                         a text that stands in the source once, to the line `put:`
 *     put:                          what takes its place, to the end of the file; nothing to remove it
 *
 * The finders are
 *
 *     unit PROGRAM                  a program of unit tests
 *     talk FILE                     the runner of transcripts, with that file
 *     sim RULE SEEDS [FIRST]        the simulator: a failure by that rule, or that begins as RULE does, within so many seeds */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { table, writePlace } from '../size/page.mjs';
import { commandsFor, compile, link, oneFile, outcomeOf, readMutant } from './mutant.mjs';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(join(here, '../..'));
const out = 'build/mutants', page = 'docs/tests.md';

/** What a mutant runs of the simulator. */
function simOf(what) {
	const found = /^(?<rule>.+?) (?<seeds>\d+)(?: (?<first>\d+))?$/.exec(what);
	if (!found) throw new Error(`"${what}" names no rule and how many seeds`);
	return found.groups;
}

function simArgs(what) {
	const { rule, seeds, first } = simOf(what);
	return ['--rule', rule, '--seeds', seeds, '--first', first ?? '1'];
}

/* Each kind of finder: make's goal, the program among what that goal makes, its arguments, the seconds it may take, what a
 * page says of it; `seed` where only a failure with a seed counts. The simulator does not run without the change first:
 * its own suite has run the seeds, by all rules. */
const finders = {
	unit: { goal: 'unit', program: (what) => what, args: () => [], seconds: 5, named: (what) => `\`${what}\`` },
	talk: {
		goal: 'talk', program: () => 'talk', args: (what) => [oneFile('tests/talk', what)], seconds: 30,
		named: (what) => `talk, \`${what}\``,
	},
	sim: {
		goal: 'sim-program', program: () => 'sim', args: simArgs, seconds: 120, seed: /^FAIL seed (\d+)/m,
		named: (what) => `simulator, ${simOf(what).rule}${simOf(what).first ? `, seeds from ${simOf(what).first}` : ''}`,
	},
};

const commands = commandsFor([...new Set(Object.values(finders).map(({ goal }) => goal))]);
const passes = new Map();

function kindOf({ finder }) {
	if (!finders[finder]) throw new Error(`no finder is named ${finder}`);
	return finders[finder];
}

function programOf(name) {
	const made = [...commands.keys()].filter((path) => path.endsWith(`/${name}`));
	if (made.length !== 1) throw new Error(`make makes ${made.length} programs named ${name}`);
	return made[0];
}

function run(mutant, folder, object) {
	const kind = kindOf(mutant);
	const program = link(commands, programOf(kind.program(mutant.what)), folder, object);
	const { failure, said } = outcomeOf(program, kind.args(mutant.what), kind.seconds);
	const seed = kind.seed?.exec(said)?.[1];
	if (kind.seed) return { failure: seed ? `seed ${seed}` : null, seed };
	return { failure };
}

/** The same build without a change, once for each finder and what it runs. */
function failsUnchanged(mutant, source) {
	const key = `${mutant.finder} ${mutant.what}`, folder = join(out, 'unchanged');
	if (kindOf(mutant).seed) return null;
	if (!passes.has(key)) passes.set(key, run(mutant, folder, compile(commands, source, folder)).failure);
	return passes.get(key);
}

function judge(mutant) {
	const source = oneFile('src', mutant.file), folder = join(out, mutant.name);
	const by = `${mutant.finder} ${mutant.what}`;
	const object = compile(commands, source, folder, mutant);
	const unchanged = failsUnchanged(mutant, source);
	if (unchanged) throw new Error(`without it, ${by} fails too: ${unchanged}`);
	const { failure, seed } = run(mutant, folder, object);
	if (!failure) throw new Error(`${by} does not find it: ${mutant.title}`);
	rmSync(folder, { recursive: true });
	return { by, failure, seed };
}

const cellsOf = (mutant) => [mutant.title.replace(/\.$/, '').replaceAll('|', '\\|'), kindOf(mutant).named(mutant.what)];

/** Fails unless the page has a row for each of these mutants, and for nothing else. */
function comparePage(mutants) {
	const [, text] = /<!-- make mutants -->\n([^]*)<!-- end of make mutants -->/.exec(readFileSync(page, 'utf8'));
	const written = text.trim().split('\n').slice(2).map((line) => line.split(' | ').slice(0, -1).join(' | ')).sort();
	const wanted = mutants.map((mutant) => `| ${cellsOf(mutant).join(' | ')}`).sort();
	const wrong = [...wanted.filter((row) => !written.includes(row)), ...written.filter((row) => !wanted.includes(row))];
	if (wrong.length) throw new Error(`${page} is not up to date, see --write: ${wrong[0]}`);
}

const write = process.argv[2] === '--write';
const named = process.argv.slice(write ? 3 : 2);
const all = readdirSync(here).filter((name) => name.endsWith('.mutant')).map((name) => name.slice(0, -7));
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

const mutantOf = (name) => readMutant(join(here, `${name}.mutant`));
for (const name of (named.length ? named : all).sort()) {
	test(name, () => {
		const mutant = mutantOf(name), { by, failure, seed } = judge(mutant);
		rows.push([...cellsOf(mutant), seed ?? '']);
		return ` found by ${by} (${failure})`;
	});
}
rows.sort((a, b) => (a[2] === '') - (b[2] === '')); /* those with a seed first */
if (write && !failed && !named.length) writePlace(page, 'mutants', table(['defect', 'found by', 'seed'], rows, [2]));
if (!named.length) test('the page names them all', () => comparePage(all.map(mutantOf)) ?? '');
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed || !passed ? 1 : 0;
