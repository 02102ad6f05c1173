/* SPDX-License-Identifier: MIT
 * Comments of C are short sentences in words of the field, as pages are (comments.mjs). */

import assert from 'node:assert/strict';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { publicNames, readBelow, readFile, split } from './comments.mjs';
import { limits } from './prose.mjs';

/* Those that are held to them. */
const held = ['src', 'include', 'port', 'boards'];

test('comments of C are short sentences in plain words', () => {
	const { files, found } = readBelow(root, held);
	assert.ok(files > 100, `${files} files`);
	assert.deepEqual(found, []);
});

const found = (path, text) => readFile(path, text, publicNames(['int quash_behind; /**< one */'])).found
	.map(({ line, what }) => `${line} ${what.replace(/^(\d+ words|unwanted \w+: \w+|.* in the mean).*/s, '$1')}`);

test('long sentences and unwanted words are found in comments, and code is not read', () => {
	const long = Array(limits.sentence + 1).fill('word').join(' ');
	for (const text of [`/* ${long}. */`, `/** One.\n *\n * Two.\n * ${long}. */`, `int a; /**< ${long} */`, `/** @param a  ${long} */`, `// ${long}`, `/* - one\n * - ${long} */`])
		assert.deepEqual(found('port/a.c', text), [`${text.split('\n').findIndex((line) => line.includes('word word')) + 1} ${limits.sentence + 1} words`], text);
	for (const text of [`/* ${long.replace(' ', '. ')} */`, `/* Code:\n *\n *     ${long} */`, `"/* ${long} */"`, `/* \`${long}\` */`, `/** @return ${long.replace(' ', '; ')} */`,
		`/* --- ${long} */`, `/* A_b_c\n *${long} */`.replace(long, ' d'), '/* SPDX-License-Identifier: MIT */'])
		assert.deepEqual(found('port/a.c', text), [], text);
	assert.deepEqual(found('port/a.c', `/* ${`${Array(limits.mean + 1).fill('word').join(' ')}. `.repeat(30)} */`), [`1 a sentence has ${limits.mean + 1}.0 words in the mean`]);
	assert.deepEqual(found('src/core/a.c', '/* One.\n * That is behind it. */\n/* A reason: `reason`. */'), ['2 unwanted word: behind', '3 unwanted word: reason']);
	assert.deepEqual(found('src/json/a.c', 'int x; /* it is kept */'), ['1 unwanted word: kept']);
	assert.deepEqual(found('src/core/a.c', 'int kept; /* it is kept, and was told */'), ['1 unwanted word: told']);
	assert.deepEqual(found('src/core/a.c', 'int behind_it,\n\tquash_behind, NOBODY, unbehind;'), ['1 unwanted name: behind_it', '2 unwanted name: NOBODY']);
	assert.deepEqual(found('boards/a.c', 'int behind; /* a reason, kept by nobody\'s */'), ['1 unwanted word: nobody']);
	assert.deepEqual(split('a /* b\n */ "/*" \'"\' // c\n/* d */').comments.map(({ line, trails }) => [line, trails]), [[1, true], [2, true], [3, false]]);
});
