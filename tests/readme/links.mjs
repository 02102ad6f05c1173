/* SPDX-License-Identifier: MIT
 * Links of pages lead to files that are there, and to headings that they have; the map of the pages has them all. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { deadLinks } from './dead-links.mjs';
import { pagesOf } from './blocks.mjs';

test('the links of pages lead somewhere', () => {
	const pages = pagesOf(root).map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));
	assert.deepEqual(pages.flatMap(({ page, text }) => deadLinks(root, page, text).map((target) => `${page}: ${target}`)), []);
});

test('docs/README.md names every page', () => {
	const map = readFileSync(join(root, 'docs/README.md'), 'utf8');
	const paths = pagesOf(root).filter((page) => /^(docs|port)\//.test(page)).map((page) => relative('docs', page));
	assert.deepEqual(paths.filter((path) => !map.includes(`](${path})`)), ['README.md']);
});

test('links that lead nowhere are found', () => {
	const text = '# A title: `x`, *two*\n[a](#a-title-x-two) [b](#a-title) [c](memory.md#arena) [d](memory.md#nowhere) [e](nowhere.md) [f](https://a.b/c)';
	assert.deepEqual(deadLinks(root, 'docs/README.md', text), ['#a-title', 'memory.md#nowhere', 'nowhere.md']);
});
