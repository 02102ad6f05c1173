/* SPDX-License-Identifier: MIT
 * planted.mjs [--quick | --host | --rest | NAME...]
 *
 * Shows that the tests find defects: builds each mutant of planted.txt, or the named ones, and runs what must find it. That must find
 * nothing without it. --quick leaves out the finders that take long; of these --host has those that mostly wait, and --rest the
 * others, so that the two can run side by side.
 *
 * No limit depends on the machine: a mutant that makes its finder wait is found when that takes much longer than it took without it. */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { finders } from './finders.mjs';
import { commandsFor, compile, link, readMutants } from './mutant.mjs';
import { outcomeOf } from './run.mjs';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(join(here, '../..'));

const longer = (took) => 10 * took + 10000;

function kindOf({ finder }) {
	if (!finders[finder]) throw new Error(`no finder is named ${finder}`);
	return finders[finder];
}

/** A finder's program, linked with a source that was compiled with the mutant's change, or as it is without one. */
function programWith({ finder, what }, folder, source, mutant) {
	const kind = kindOf({ finder }), commands = commandsFor(kind.goal);
	return link(commands, kind.program(what), folder, compile(commands, source, folder, mutant), source);
}

const withoutMutant = new Map();

/** How the finder, or one run of it, does without the mutant. Each once. */
async function unchanged(by, source, again) {
	const key = [by.finder, by.what, ...again ?? []].join(' '), folder = join(out, 'unchanged');
	if (!withoutMutant.has(key)) {
		const program = programWith(by, folder, source);
		withoutMutant.set(key, await (again ? outcomeOf(program, again) : kindOf(by).find(program, by.what, { folder })));
	}
	const found = withoutMutant.get(key);
	if (found.failure) throw new Error(`without it, ${by.finder} ${by.what} fails too: ${found.failure}`);
	return found;
}

/** How it is found. */
async function judge(mutant, by) {
	const kind = kindOf(by), folder = join(out, mutant.name), tried = `${by.finder} ${by.what}`;
	const limit = kind.again ? undefined : longer((await unchanged(by, mutant.file)).took);
	const program = programWith(by, folder, mutant.file, mutant);
	const { failure, again } = await kind.find(program, by.what, { folder, limit });
	if (!failure) throw new Error(`${tried} does not find it: ${mutant.title}`);
	if (again && !(await outcomeOf(program, again)).failure) throw new Error(`${tried} finds it, but not again: ${failure}`);
	if (again) await unchanged(by, mutant.file, again);
	rmSync(folder, { recursive: true });
	return `${tried} (${failure})`;
}

const [option] = process.argv.slice(2).filter((word) => word.startsWith('--'));
const named = process.argv.slice(2).filter((word) => word !== option);
const parts = ['--quick', '--host', '--rest'];
const out = `build/mutants${named.length ? '-named' : option ?? ''}`; /* others may run meanwhile */
const isWanted = (by) => option === (kindOf(by).left ?? '--quick') || !parts.includes(option);
const all = readMutants(readFileSync(join(here, 'planted.txt'), 'utf8'));
let passed = 0, failed = 0;

async function test(mutant, by) {
	try {
		console.log(`ok ${mutant.name} found by ${await judge(mutant, by)}`);
		passed++;
	} catch (error) {
		console.log(`not ok ${mutant.name}: ${error.message}`);
		failed++;
	}
}

const strange = named.filter((name) => !all.some((mutant) => mutant.name === name));
if (strange.length) throw new Error(`no mutant is named ${strange.join(', ')}`);
for (const mutant of all.filter(({ name }) => !named.length || named.includes(name)))
	for (const by of mutant.foundBy.filter(isWanted)) await test(mutant, by);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed || !passed ? 1 : 0;
