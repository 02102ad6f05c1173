/* SPDX-License-Identifier: MIT
 * The suites in the table of docs/tests.md: each once, with figures whose sum is right, which are those that tests/run.sh goes by. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';

const levels = ['test', 'more', 'all'];
const read = (path) => readFileSync(join(root, path), 'utf8');
const [, table] = /^## The suites\n[^]*?\n\|---[^\n]*\n((?:\|.*\n)+)/m.exec(read('docs/tests.md'));
const figure = (cell) => Number(cell.replaceAll(',', ''));

/** Suite -> the seconds of each level, 0 where there is nothing; a row may have several suites, of which each has these. */
const figures = new Map(table.trim().split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
	.flatMap(([, names, , ...cells]) => names.split(', ').map((name) => [name, cells.slice(0, 3).map(figure)])));
const all = figures.get('all');
figures.delete('all');

const listed = (name) => new RegExp(`^${name} = (.*)$`, 'm').exec(read('tests/tests.mk'))[1].split(' ');

test('docs/tests.md has every suite, with seconds for each level on which it has something', () => {
	const on = (i) => [...figures].filter(([, cells]) => cells[i] > 0).map(([name]) => name).filter((name) => name !== 'build').sort();
	assert.deepEqual(levels.map((_, i) => on(i)), ['IN_TEST', 'IN_MORE', 'IN_ALL'].map((name) => listed(name).sort()));
});

test('the row `all` of docs/tests.md is the sum of the others', () => {
	assert.deepEqual(all, levels.map((_, i) => [...figures.values()].reduce((sum, cells) => sum + cells[i], 0)));
});

/* What functions of tests/budget.sh print; errors of the shell are seen. */
const shell = (script) => printed('sh', ['-c', `. tests/budget.sh; { ${script}; } 2>&1`]);

test('tests/run.sh goes by the figures of docs/tests.md', () => {
	const asked = [...figures.keys(), 'unit-fast', 'talk-fast', 'not-there'].flatMap((name) => [...levels, 'whole'].map((level) => [name, level]));
	const wanted = asked.map(([name, level]) => {
		const cells = figures.get(name.replace(/-fast$/, '')) ?? [0, 0, 0];
		return cells[levels.indexOf(level)] ?? cells.reduce((sum, cell) => sum + cell);
	});
	const found = shell(asked.map(([name, level]) => `budget ${name} ${level}`).join('; ')).trim().split('\n');
	assert.deepEqual(found.map((line, i) => [...asked[i], line]), wanted.map((n, i) => [...asked[i], `${n}`]));
});

test('who has taken more than its figure is named, and nobody else', (t) => {
	const log = join(root, 'build/readme/log');
	t.after(() => rmSync(log, { recursive: true, force: true }));
	mkdirSync(log, { recursive: true });
	const [least] = figures.get('build'), has = (name) => figures.get(name)[0];
	const took = { build: least + 1, suite: has('suite'), unit: has('unit') + 1, talk: has('talk') + 6 };
	for (const [name, seconds] of Object.entries(took)) {
		writeFileSync(join(log, `${name}.counts`), '1 0 0\n');
		writeFileSync(join(log, `${name}.times`), `0m9.000000s 0m9.000000s\n${Math.floor((seconds - 2) / 60)}m${(seconds - 2) % 60}.500000s 0m2.250000s\n`);
	}
	/* The build is what the others are measured by. */
	const line = (name, limit) => `over budget: ${name} took ${took[name]} s of processor and has ${limit} s\n`;
	assert.equal(shell(`over ${log} test 1`), line('talk', has('talk')) + line('unit', has('unit')));
	assert.equal(shell(`over ${log} test 1.1`), line('talk', Math.floor(has('talk') * 1.1)));
	assert.equal(shell(`slowness ${log} no/such`), `${Number(((least + 1) / least).toPrecision(6))}\n`);
	assert.equal(shell('slowness no/such'), '1\n');
});
