/* SPDX-License-Identifier: MIT
 * node sim.mjs SEEDS FIRST [--defect]
 *
 * The simulator: so many seeds from FIRST on, and a quarter as many under sanitizers, ten million further on; the same runs on
 * a board; and with --defect a library with a defect put in, which must be found, shrunk, and fail alike on host and board. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { make, root, started, told } from '../common/start.mjs';

const [seeds, first] = process.argv.slice(2, 4).map(Number);
const board = 'mps2-an385';
const sim = (build, ...args) => told(join(root, build, 'host/tests/sim/sim'), args);

function bytesOf(seed) {
	return sim('build', '--bytes', String(seed)).stdout.trim();
}

/** What a board's simulator says to each line. */
function onBoard(t, build, lines) {
	const emulator = told('make', ['-s', `BOARD=${board}`, 'unit-plan'])
		.stdout.match(/^emulator (.*)$/m)[1].split(' ');
	const child = started(t, [...emulator, join(root, build, board, 'tests/sim/board.elf')]);
	return new Promise((resolve, reject) => {
		let sent = 0;
		child.on('exit', () => reject(new Error(`the board has ended: ${child.said}`)));
		child.stdout.on('data', () => {
			const answers = child.said.split('\n').slice(1, -1);
			if (answers.length === lines.length && child.said.startsWith('ready\n')) resolve(answers);
			else if (child.said.startsWith('ready\n') && answers.length === sent) child.stdin.write(`${lines[sent++]}\n`);
		});
	});
}

for (const [what, build, count, from] of [['seeds', 'build', seeds, first], ['seeds under sanitizers', 'build/sanitized', seeds / 4, first + 1e7]])
	test(`${count} ${what}`, () => {
		const { status, stdout, stderr } = sim(build, '--seeds', String(count), '--first', String(from));
		console.log(stdout.trim());
		assert.equal(status, 0, stderr.slice(-4000));
		assert.equal(Number(stdout.match(/ to (\d+) hold/)[1]), from + count - 1);
	});

test(`the same runs on ${board}`, async (t) => {
	make(`BOARD=${board}`, 'sim-board');
	const some = Array.from({ length: 24 }, (_, i) => first + i);
	const there = await onBoard(t, 'build', some.map(bytesOf));
	assert.deepEqual(there, some.map((seed) => sim('build', '--seed', String(seed)).stdout.trim()));
});

/* A member of a batch that is answered counts as one of the next batch. */
const defect = ['slot->answer = quash_own_ANSWER_WRITTEN;\n\tquash_slot_unmark(slot, quash_own_MARK_MEMBER);', 'slot->answer = quash_own_ANSWER_WRITTEN;'];

const findDefect = () => test('a defect is found, is shrunk, and fails alike on host and board', async (t) => {
	const build = 'build/defect';
	make('one-file');
	const source = readFileSync(join(root, 'build/quash.c'), 'utf8');
	assert.equal(source.split(defect[0]).length, 2, 'the text of the defect stands once');
	mkdirSync(join(root, build), { recursive: true });
	for (const name of ['quash.c', 'quash.h'])
		writeFileSync(join(root, build, name), readFileSync(join(root, 'build', name), 'utf8').replace(defect[0], defect[1]));
	const variables = [`BUILD=${build}`, `SOURCES=${build}/quash.c`];
	make(...variables, 'sim-program');
	make(...variables, `BOARD=${board}`, 'sim-board');
	const found = sim(build, '--seeds', '20000');
	assert.equal(found.status, 1, 'the defect is found');
	const shortest = found.stdout.match(/^replay: ([0-9a-f]*)$/m)[1];
	console.log(found.stdout.trim());
	assert.ok(shortest.length < bytesOf(found.stdout.match(/seed (\d+)/)[1]).length, 'it is shorter');
	const here = sim(build, '--replay', shortest).stdout.trim();
	assert.match(here, /^FAIL: /);
	assert.deepEqual(await onBoard(t, build, [shortest]), [here]);
	assert.match(sim('build', '--replay', shortest).stdout, /^ok, /);
}, { seconds: 400 });
if (process.argv.includes('--defect')) findDefect();
