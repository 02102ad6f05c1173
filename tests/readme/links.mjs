/* SPDX-License-Identifier: MIT
 * Links of pages lead to files that are there, and to headings that they have; the map of the pages has them all. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';
import { withoutBlocks } from './blocks.mjs';
import { pagesOf } from './prose.mjs';

/* What a link has behind its `#` for a heading. */
const anchorOf = (heading) => heading.trim().toLowerCase().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
	.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');

const anchorsOf = (text) => [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

/** The links of a text at `page` that lead nowhere. */
function deadLinks(page, text) {
	const targets = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter((target) => !/^https?:/.test(target));
	return targets.filter((target) => {
		const [path, anchor] = target.split('#');
		const file = path ? join(root, dirname(page), path) : join(root, page);
		if (!existsSync(file)) return true;
		return anchor !== undefined && !anchorsOf(path ? readFileSync(file, 'utf8') : text).includes(anchor);
	});
}

test('the links of pages lead somewhere', () => {
	const pages = pagesOf(root).map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));
	assert.deepEqual(pages.flatMap(({ page, text }) => deadLinks(page, text).map((target) => `${page}: ${target}`)), []);
});

test('docs/README.md names every page', () => {
	const map = readFileSync(join(root, 'docs/README.md'), 'utf8');
	const paths = pagesOf(root).filter((page) => /^(docs|port)\//.test(page)).map((page) => relative('docs', page));
	assert.deepEqual(paths.filter((path) => !map.includes(`](${path})`)), ['README.md']);
});

test('links that lead nowhere are found', () => {
	const text = '# A title: `x`, *two*\n[a](#a-title-x-two) [b](#a-title) [c](memory.md#arena) [d](memory.md#nowhere) [e](nowhere.md) [f](https://a.b/c)';
	assert.deepEqual(deadLinks('docs/README.md', text), ['#a-title', 'memory.md#nowhere', 'nowhere.md']);
});
