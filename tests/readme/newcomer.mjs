/* SPDX-License-Identifier: MIT
 * The table *What a user can do* of docs/tests.md names suites, tests and packages that are there. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/* The folder of a suite, and which of its files. */
const folders = { boards: 'boards', bridge: 'host', host: 'host', interop: 'interop', packages: 'packages', readme: 'readme', headers: 'builds', safe: 'safe' };
const filesOf = (suite) => readdirSync(join(root, 'tests', folders[suite])).filter((file) => file.endsWith('.mjs'))
	.filter((file) => folders[suite] !== 'host' || file.startsWith('bridge') === (suite === 'bridge'));

/* The titles of a file, as its source has them. */
const titlesIn = (source) => [...source.matchAll(/(?:\b(?:\w*[tT]est|testWith\([^()]*\)|clientTestWith\([^()]*\)|check|title)\(|\btitle(?:: | = .*?=> ))(['`])((?:\\.|(?!\1).)+)\1/g)]
	.map(([, , title]) => title.replace(/\\(.)/g, '$1'));
const titlesOf = (suite, file) => titlesIn(read(`tests/${folders[suite]}/${file}`));

/* A title that is named may be shortened at both ends. */
const hasTitle = (suite, named) => named.length > 8 && filesOf(suite).some((file) => titlesOf(suite, file).some((title) => title.includes(named)));
const hasFile = (suite, named) => filesOf(suite).some((file) => file.split('.')[0] === named && titlesOf(suite, file).length > 0);

/* What a cell names and is not there: `suite: *a title*, *another*`, or files whose tests are meant, as code. */
function missingIn(cell) {
	const missing = [];
	let suite = null;
	for (const [, next, title, file, other] of cell.matchAll(/(\w+): (?=[*`])|\*([^*]+)\*|`([^`]+)`|([^,; ]+)/g)) {
		if (next !== undefined) suite = next;
		else if (suite in folders && title !== undefined && hasTitle(suite, title)) continue;
		else if (suite in folders && file !== undefined && hasFile(suite, file)) continue;
		else missing.push(title ?? file ?? other);
	}
	return suite === null ? [...missing, 'a suite'] : missing;
}

test('what docs/tests.md lets a user do is tested where it names it', () => {
	const [, table] = /^## What a user can do\n[^]*?\n\|---[^\n]*\n((?:\|.*\n)+)/m.exec(read('docs/tests.md'));
	const rows = table.trimEnd().split('\n').map((row) => row.slice(2, -2).split(' | '));
	assert.ok(rows.length > 12 && rows.every((cells) => cells.length === 3), 'rows of three cells');
	assert.deepEqual(rows.flatMap(([, , tested]) => missingIn(tested)), []);
});

test('a test or package that is not there is found', () => {
	assert.deepEqual(missingIn('host: *inspect: --version*; bridge: *--help names every option*; packages: `pair`'), []);
	assert.deepEqual(missingIn('packages: `pair`, `cobol`'), ['cobol']);
	for (const wrong of ['host: *--help names every option*', 'bridge: *it flies away*', 'readme: all', 'nowhere: *inspect: --version*', '*inspect: --version*'])
		assert.ok(missingIn(wrong).length > 0, wrong);
});
