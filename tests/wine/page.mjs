/* SPDX-License-Identifier: MIT */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { readPlace } from '../size/page.mjs';
import { cases } from './cases.mjs';
import { nodeVersion } from './wine.mjs';

test('docs/desks.md has what make wine has found, in each of its cases, with the Node that is pinned', () => {
	const text = readPlace('docs/desks.md', 'wine');
	assert.deepEqual([...text.matchAll(/^\| ([^|]+) \|/gm)].slice(1).map(([, name]) => name), Object.keys(cases));
	assert.match(text, new RegExp(`Node ${nodeVersion} for Windows`));
});
