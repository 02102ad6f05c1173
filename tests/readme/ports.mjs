/* SPDX-License-Identifier: MIT
 * What opening the port of a board does: docs/trouble.md names the kinds of boards as boards/host/common/ports_known.c has them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { root } from '../common/start.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/* Names of the kinds that do that. */
function kindsOf(opening) {
	const rows = [...read('boards/host/common/ports_known.c').matchAll(/^\t\{ 0x\w+, \w+, OPENING_(\w+), \w+, "([^"]+)" \},$/gm)];
	assert.ok(rows.length > 50);
	return [...new Set(rows.filter(([, does]) => does === opening).map(([, , name]) => name))].sort();
}

const namedBehind = (words) => new RegExp(`^\\| ${words}[^|]*\\| ([^|]+) \\|$`, 'm').exec(read('docs/trouble.md'))[1].split('; ');

test('docs/trouble.md has the boards that are reset when their port is opened, and those that may be', () => {
	assert.deepEqual(namedBehind('resets the board'), kindsOf('RESETS'));
	assert.deepEqual(namedBehind('may reset it'), kindsOf('VARIES'));
});
