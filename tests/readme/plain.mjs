/* SPDX-License-Identifier: MIT
 * Pages are short sentences in plain words, and there is not too much of them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { complaints, limits, measure, pagesOf, sentencesOf } from './prose.mjs';

const pages = pagesOf(root).map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

test('every page is short sentences in plain words', () => {
	assert.ok(pages.length > 20 && pages.some(({ page }) => page === 'boards/host/README.md'), 'pages are found');
	assert.deepEqual(pages.flatMap(({ page, text }) => complaints(text).map((complaint) => `${page}: ${complaint}`)), []);
});

/* Indexes, which nobody reads from beginning to end. */
const lookedUp = ['docs/functions.md', 'docs/codes.md', 'docs/systems.md'];

test('the pages do not grow back', () => {
	assert.ok(lookedUp.every((name) => pages.some(({ page }) => page === name)));
	const words = pages.filter(({ page }) => !lookedUp.includes(page)).reduce((sum, { text }) => sum + measure(text).words, 0);
	assert.ok(words <= limits.words, `${words} words of ${limits.words}`);
});

test('what is long or unwanted is found, and code is not read', () => {
	const long = Array(limits.sentence + 1).fill('word').join(' ');
	const fill = 'A short one. '.repeat(20);
	const found = (text) => complaints(`# Title\n\n${text}\n`).map((complaint) => complaint.replace(/:.*/, ''));
	const tooLong = [`${limits.sentence + 1} words`];
	assert.deepEqual(found(`${fill}${long}.`), tooLong);
	assert.deepEqual(found(`${fill}\n\n- ${long}\n- one`), tooLong);
	assert.deepEqual(found(`${fill}${long.replace('word', '[one](two)')}.`), tooLong);
	assert.deepEqual(found(`${long}. Short.`), [...tooLong, `a sentence has ${((limits.sentence + 2) / 2).toFixed(1)} words in the mean`]);
	for (const text of ['It is told so.', '| a | *doomed* |\n|---|---|', '## A law', '- "Heard"'])
		assert.deepEqual(found(text), ['unwanted word'], text);
	for (const text of [`\`\`\`\n${long} told\n\`\`\``, `    ${long}`, `| ${long} |`, `\`${long} told\``, '[a](told)',
		`<!-- make size -->\n${long} told\n<!-- end of make size -->`, `${fill}${long.replace('word', 'word.')}.`, 'untold lawn'])
		assert.deepEqual(found(text), [], text);
	assert.deepEqual(sentencesOf('# No\n\nOne `a.b c` two. [Three](x.md) is (so.) Four\n\n- five\n- six\n| no |\n\na · b'),
		['One CODE two.', 'Three is (so.)', 'Four', 'five', 'six', 'a', 'b']);
});
