/* SPDX-License-Identifier: MIT
 * The faults on docs/checking.md are those of the tests: what quash_init says in C, and the words of C++ that wrong.mjs reads out of
 * compilers' errors. */

import assert from 'node:assert/strict';
import { found } from '../builds/wrong_cases.mjs';
import { sideBySide } from '../builds/wrong_lines.mjs';
import { test } from '../common/runner.mjs';
import { readPlace } from '../size/page.mjs';

test('docs/checking.md has the faults in C and in C++ side by side', () => {
	assert.equal(readPlace('docs/checking.md', 'wrong-tables').trim(), sideBySide(), 'make wrong-tables');
});

test('a row is for each wrong table, and has what both say', () => {
	const [, , ...rows] = sideBySide(Object.keys(found).map(() => `tools[1] ${'n'.repeat(129)}: state_size 8, needs 16`)).split('\n');
	assert.deepEqual(rows.map((row) => row.slice(2).split(' | ')[0]), Object.keys(found));
	assert.match(rows[0], /\| `tools\[1\] n\.\.\.: state_size 8, needs 16` \| `tools::state_size_is_too_small` \|$/);
});
