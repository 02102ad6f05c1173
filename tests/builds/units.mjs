/* SPDX-License-Identifier: MIT
 * The unit tests over a library that knows its config: known-unit of tests.mk. Where only the config's place is known, each test
 * passes that not-known.txt does not list, and none that it does. Where the config is constant, a test that starts with another one
 * is left out by loop_start; the others pass, and there are as many as below. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeWith } from '../common/runner.mjs';
import { printed, root, told } from '../common/start.mjs';

/* So many tests pass at least. */
const CONSTANT = { acp: 28 };

const of = (known) => join(root, `build/known-unit-${known}/host/tests/unit`);

/* The lines of not-known.txt, and those of a test. */
const listed = readFileSync(join(root, 'tests/builds/not-known.txt'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
	.map((line) => line.split(' ')).map(([program, test, ...why]) => ({ program, test, why: why.join(' ') }));
const linesOf = (program, test) => listed.filter((line) => line.program === program && ['*', test].includes(line.test));

let passed = 0, failed = 0;
function check(holds, what, more = '') {
	if (holds) {
		passed++;
		return;
	}
	failed++;
	console.log(`FAIL ${what}\n${more}`);
}

const programs = (known) => readdirSync(of(known)).flatMap((folder) => readdirSync(join(of(known), folder))
	.filter((name) => /^test_\w+$/.test(name)).map((name) => `${folder}/${name}`));

/* What became of each test of a program: OK, SKIPPED, FAILED or ERROR; '' where it came to no end. And all that it has said. */
function run(known, program) {
	const { stdout, stderr } = told(join(of(known), program));
	const said = stdout + stderr;
	const ends = new Map([...said.matchAll(/^\[ +(OK|SKIPPED|FAILED|ERROR) +\] (test_\w+)$/gm)].map(([, end, test]) => [test, end]));
	return { said, tests: [...said.matchAll(/^\[ RUN +\] (\w+)$/gm)].map(([, test]) => ({ test, end: ends.get(test) ?? '' })) };
}

const met = new Set();
for (const program of programs('any')) {
	const { tests, said } = run('any', program);
	check(tests.length > 0, `${program} has tests`);
	for (const { test, end } of tests) {
		const lines = linesOf(program, test);
		lines.forEach((line) => met.add(line));
		if (lines.length > 0)
			check(end !== 'OK', `${program} ${test} passes, and is listed in not-known.txt`);
		else
			check(end === 'OK', `${program} ${test}: ${end}`, said);
	}
}
for (const line of listed)
	check(met.has(line) && line.why !== '', `not-known.txt: ${line.program} ${line.test} is no test, or has no reason`);

for (const [known, least] of Object.entries(CONSTANT)) {
	let count = 0;
	for (const program of programs(known)) {
		const { tests, said } = run(known, program);
		for (const { test, end } of tests.filter(({ end: how }) => how !== 'SKIPPED')) {
			count += end === 'OK';
			check(end === 'OK' || linesOf(program, test).length > 0, `${program} ${test}, ${known}: ${end}`, said);
		}
	}
	check(count >= least, `${count} tests of ${least} pass, ${known}`);
}

/* A constant config is folded away: no code looks at it but what checks it, answers with its faults, announces leases, or would change it. */
const mayLook = /^quash_(init_|check_config|move_(?:arena|tx)|own_refuse_|own_(lsp|acp)_put_)/;
for (const known of ['any', ...Object.keys(CONSTANT)]) {
	const code = printed('objdump', ['-dr', join(of(known), 'known/known.o')]);
	let within = '';
	const places = [];
	for (const line of code.split('\n')) {
		within = /^[0-9a-f]+ <(\w+)/.exec(line)?.[1] ?? within;
		if (/R_\w+\s+known_config/.test(line))
			places.push(within);
	}
	if (known === 'any')
		check(places.length > 100, `code looks at the config in ${places.length} places`);
	else
		check(places.length > 0 && places.every((place) => mayLook.test(place)), `${known}: the config is looked at in ${places.join(' ')}`);
}

closeWith({ passed, failed });
