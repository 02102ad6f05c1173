/* SPDX-License-Identifier: MIT
 * The suites in the table of docs/tests.md: each once, with figures whose sum is right, which are those that tests/run.sh goes by. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

const unwritten = 15;
const extents = ['quick', 'rest', 'full'];
const read = (path) => readFileSync(join(root, path), 'utf8');
const [, table] = /^## The suites\n[^]*?\n\|---[^\n]*\n((?:\|.*\n)+)/m.exec(read('docs/tests.md'));
const figure = (cell) => (cell === '' ? null : Number(cell.replaceAll(',', '')));

/** Suite -> [figure of `make test`, figure of the rest], null where there is none; a row may have several suites, of which each has these. */
const figures = new Map(table.trim().split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
	.flatMap(([, names, , ...cells]) => names.split(', ').map((name) => [name, cells.slice(0, 2).map(figure)])));
const all = figures.get('all');
figures.delete('all');

const listed = (name) => new RegExp(`^${name} = (.*)$`, 'm').exec(read('tests/tests.mk'))[1].split(' ');

test('docs/tests.md has every suite, and a figure for the rest of those that have one', () => {
	assert.deepEqual([...figures.keys()].sort(), ['build', ...listed('SUITES')].sort());
	assert.deepEqual([...figures].filter(([, [, rest]]) => rest !== null).map(([name]) => name).sort(), listed('HAVE_REST').sort());
});

test('the row `all` of docs/tests.md is the sum of the others', () => {
	const sum = (column, without) => [...figures.values()].reduce((n, cells) => n + (cells[column] ?? without), 0);
	assert.deepEqual(all, [sum(0, unwritten), sum(1, 0)]);
});

/* What functions of tests/budget.sh print; errors of the shell are seen. */
const shell = (script) => execFileSync('sh', ['-c', `. tests/budget.sh; { ${script}; } 2>&1`], { cwd: root, encoding: 'utf8' });

test('tests/run.sh goes by the figures of docs/tests.md', () => {
	const asked = [...figures.keys(), 'unit-quick', 'talk-quick', 'not-there'].flatMap((name) => extents.map((extent) => [name, extent]));
	const wanted = asked.map(([name, extent]) => {
		const [quick, rest] = figures.get(name.replace(/-quick$/, '')) ?? [null, null];
		return { quick: quick ?? unwritten, rest: rest ?? 0, full: (quick ?? unwritten) + (rest ?? 0) }[extent];
	});
	const found = shell(asked.map(([name, extent]) => `budget ${name} ${extent}`).join('; ')).trim().split('\n');
	assert.deepEqual(found.map((line, i) => [...asked[i], line]), wanted.map((n, i) => [...asked[i], `${n}`]));
});

test('who has taken more than its figure is named, and nobody else', (t) => {
	const log = join(root, 'build/readme/log');
	t.after(() => rmSync(log, { recursive: true, force: true }));
	mkdirSync(log, { recursive: true });
	const [least] = figures.get('build');
	const took = { build: least + 1, suite: unwritten, unit: unwritten + 1, cost: 60 };
	for (const [name, seconds] of Object.entries(took)) {
		writeFileSync(join(log, `${name}.counts`), '1 0 0\n');
		writeFileSync(join(log, `${name}.times`), `0m9.000000s 0m9.000000s\n${Math.floor((seconds - 2) / 60)}m${(seconds - 2) % 60}.500000s 0m2.250000s\n`);
	}
	/* The build is what the others are measured by. */
	const line = (name, has) => `over budget: ${name} took ${took[name]} s of processor and has ${has} s\n`;
	assert.equal(shell(`over ${log} quick 1`), line('cost', figures.get('cost')[0]) + line('unit', unwritten));
	assert.equal(shell(`over ${log} full 1`), line('unit', unwritten));
	assert.equal(shell(`over ${log} quick 1.1`), line('cost', Math.floor(figures.get('cost')[0] * 1.1)));
	assert.equal(shell(`slowness ${log} no/such`), `${Number(((least + 1) / least).toPrecision(6))}\n`);
	assert.equal(shell('slowness no/such'), '1\n');
});
