/* SPDX-License-Identifier: MIT
 * Shows that the tests find defects: builds each mutant of this folder, or the named ones, and runs the test program
 * that must fail with it. The program must pass without it.
 *
 * A mutant is a file NAME.mutant: a title, an empty line, and
 *
 *     in: tx.c                      the source, by its base name
 *     found by: unit test_tx        the finder and what it runs
 *     find:                         a text that stands in the source once, to the line `put:`
 *     put:                          what takes its place, to the end of the file; nothing to remove it */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { commandsFor, compile, failureOf, link, oneFile, readMutant } from './mutant.mjs';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(join(here, '../..'));
const out = 'build/mutants';

/* Each kind of finder: make's goal, the program among what that goal makes, its arguments, the seconds it may take. */
const finders = {
	unit: { goal: 'unit', program: (what) => what, args: () => [], seconds: 5 },
	talk: { goal: 'talk', program: () => 'talk', args: (what) => [oneFile('tests/talk', what)], seconds: 30 },
};

const commands = commandsFor([...new Set(Object.values(finders).map(({ goal }) => goal))]);
const passes = new Map();

function programOf(name) {
	const made = [...commands.keys()].filter((path) => path.endsWith(`/${name}`));
	if (made.length !== 1) throw new Error(`make makes ${made.length} programs named ${name}`);
	return made[0];
}

function run({ finder, what }, folder, object) {
	const kind = finders[finder];
	if (!kind) throw new Error(`no finder is named ${finder}`);
	return failureOf(link(commands, programOf(kind.program(what)), folder, object), kind.args(what), kind.seconds);
}

/** The same build without a change, once for each finder and what it runs. */
function failsUnchanged(mutant, source) {
	const key = `${mutant.finder} ${mutant.what}`, folder = join(out, 'unchanged');
	if (!passes.has(key)) passes.set(key, run(mutant, folder, compile(commands, source, folder)));
	return passes.get(key);
}

function judge(mutant) {
	const source = oneFile('src', mutant.file), folder = join(out, mutant.name);
	const by = `${mutant.finder} ${mutant.what}`;
	const object = compile(commands, source, folder, mutant);
	const unchanged = failsUnchanged(mutant, source);
	if (unchanged) throw new Error(`without it, ${by} fails too: ${unchanged}`);
	const failure = run(mutant, folder, object);
	if (!failure) throw new Error(`${by} does not find it: ${mutant.title}`);
	rmSync(folder, { recursive: true });
	return `${by} (${failure})`;
}

const named = process.argv.slice(2);
const names = named.length ? named : readdirSync(here).filter((name) => name.endsWith('.mutant')).map((name) => name.slice(0, -7));
let passed = 0, failed = 0;
for (const name of names.sort()) {
	try {
		console.log(`ok ${name} found by ${judge(readMutant(join(here, `${name}.mutant`)))}`);
		passed++;
	} catch (error) {
		console.log(`not ok ${name}: ${error.message}`);
		failed++;
	}
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed || !passed ? 1 : 0;
