/* SPDX-License-Identifier: MIT
 * The picture of the README is drawn from what was measured, and that obeys what it claims. tests/interop/picture.test.mjs
 * measures again. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { complaints } from './picture/claims.mjs';
import { dataOf, draw } from './picture/draw.mjs';

const path = 'docs/stop.svg';
const svg = readFileSync(join(root, path), 'utf8');
const data = dataOf(svg);

test(`${path} is what is drawn of the data in it`, () => {
	assert.equal(draw(data), svg);
	assert.ok(readFileSync(join(root, 'README.md'), 'utf8').includes(`](${path})`), 'the README shows it');
});

test(`the data of ${path} obey its claims`, () => {
	assert.ok(data.positions.length > 80 && data.line.length > 4, 'there is enough of them');
	assert.deepEqual(complaints(data), []);
});

test('data that do not obey the claims are found', () => {
	const grown = data.positions.map(([ms, position]) => [ms, position + (ms > 850 ? 1 : 0)]);
	const wrong = [
		[{ positions: grown }, 'the position did not grow after the stop'],
		[{ outcome: 'an answer' }, 'the call was cancelled'],
		[{ lastStep: data.rest + 1 }, 'no step was made at rest'],
		[{ rest: data.stop + 300 }, 'it was at rest in time'],
		[{ line: [...data.line, [data.rest, 'in', 60, 'result']] }, 'no answer came'],
		[{ line: data.line.filter(([, , , method]) => method !== 'notifications/cancelled') }, 'the line has the call and the cancel'],
		[{ line: [...data.line, [data.stop + 70, 'in', 60, 'notifications/progress']] }, 'no progress came behind the cancel'],
	];
	for (const [change, claim] of wrong) assert.ok(complaints({ ...data, ...change }).includes(claim), claim);
});

test('docs/safety.svg shows the host\'s rows of its page, and names its line', () => {
	const [chart, page] = ['docs/safety.svg', 'docs/safety.md'].map((file) => readFileSync(join(root, file), 'utf8'));
	const rows = page.split('\nThe host: ')[1].split('\n\n')[1].split('\n').slice(2, -1).map((row) => row.split('|').map((cell) => cell.trim()));
	assert.ok(rows.length > 10, 'rows are found');
	for (const [, name, , , , , most, bound] of rows)
		for (const text of [name.replaceAll('`', ''), most, `the bound: ${bound} ms`]) assert.ok(chart.includes(`>${text}<`), `no ${text}`);
});
