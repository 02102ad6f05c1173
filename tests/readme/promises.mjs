/* SPDX-License-Identifier: MIT
 * Each sentence of docs/bridge.md and docs/network.md is held by a scene of tests/talk/bridge, or stands in its file `elsewhere`. Both
 * quote the page, so that a name goes with the words that it stands for: a sentence that is new or says something else is open, and a
 * quote of one that has gone leads nowhere. Alone, `node promises.mjs --open` prints the sentences that are open.
 *
 *     shows PAGE WORDS            a line of a scene; the page's words without their marks
 *     shows PAGE WORDS ... WORDS  from there to there, in one paragraph, item or row
 *
 * In `elsewhere` a head `KIND: REASON` stands in front of its quotes, `PAGE WORDS`. KIND is what makes it a black box, with the file of
 * tests that has it at the end of REASON; or `words`, which promise nothing by themselves. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

const pages = ['bridge.md', 'network.md'];
const folder = 'tests/talk/bridge';
const boxes = ['signals', 'ttys', 'systemd', 'pipes', 'files', 'sockets', 'processes', 'strangers'];
const read = (path) => readFileSync(join(root, path), 'utf8');
const plain = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '').replace(/\\\|/g, '|').replace(/\s+/g, ' ').trim();

/* Paragraphs, items and rows of a page; code and heads of tables are none. */
function blocksOf(text) {
	const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/^ {4}.*$/gm, '').replace(/^\|.*\n\|[-:| ]*\|$/gm, '').replace(/^#.*$/gm, '');
	return prose.split(/\n\s*\n|\n(?=- |\|)/).map((block) => plain(block.replace(/^\s*- /, '').replace(/^\s*\| | \|\s*$/g, ''))).filter((block) => block !== '');
}

/* Where sentences of a block end. */
const sentencesOf = (block) => block.split(/(?<=[.;?]) (?=[A-Z`-])/);

/* From where to where in the block the quote stands; null: nowhere. */
function rangeOf(block, quote) {
	const [from, to] = quote.split(' ... ');
	const start = block.indexOf(from), end = to === undefined ? start + from.length : block.indexOf(to, start + from.length) + to.length;
	return start < 0 || (to !== undefined && end < start + from.length + to.length) ? null : [start, end];
}

/** The sentences that nobody quotes, and the quotes that stand nowhere. */
function compare(blocks, quotes) {
	const found = new Set(), open = [];
	for (const block of blocks) {
		const ranges = quotes.map((quote) => [quote, rangeOf(block, quote)]).filter(([, range]) => range !== null);
		for (const [quote] of ranges) found.add(quote);
		let at = 0;
		for (const sentence of sentencesOf(block)) {
			const end = at + sentence.length;
			if (!ranges.some(([, [from, to]]) => from < end && to > at)) open.push(sentence);
			at = end + 1;
		}
	}
	return { open, lost: quotes.filter((quote) => !found.has(quote)) };
}

const quotesIn = (text, head) => [...text.matchAll(new RegExp(`^${head}(${pages.join('|')}) (.+)$`, 'gm'))].map(([, page, words]) => ({ page, words }));
const scenes = () => readdirSync(join(root, folder)).filter((name) => name.endsWith('.talk')).map((name) => read(join(folder, name)));
const elsewhere = () => read(join(folder, 'elsewhere'));
const all = () => [...scenes().flatMap((text) => quotesIn(text, 'shows ')), ...quotesIn(elsewhere(), ' +')];
const compared = () => pages.map((page) => {
	const quotes = all().filter((quote) => quote.page === page).map(({ words }) => words);
	return { page, ...compare(blocksOf(read(join('docs', page))), [...new Set(quotes)]) };
});

test('each promise of the pages of quash-bridge is held by a scene, or has a reason why it is not', () => {
	assert.deepEqual(compared().flatMap(({ page, open }) => open.map((sentence) => `${page} ${sentence}`)), []);
});

test('what scenes of quash-bridge show stands on the pages', () => {
	assert.deepEqual(compared().flatMap(({ page, lost }) => lost.map((quote) => `${page} ${quote}`)), []);
});

test('each scene of quash-bridge names what it shows', () => {
	const without = scenes().flatMap((text) => text.split(/^(?=scene )/m).slice(1)).filter((scene) => quotesIn(scene, 'shows ').length === 0);
	assert.deepEqual(without.map((scene) => scene.split('\n', 1)[0]), []);
});

test('what no scene shows has a reason of a kind that is known, and a file of tests that is there', () => {
	const heads = elsewhere().split('\n').filter((line) => /^\w/.test(line)).map((line) => /^(\w+): (.+)$/.exec(line));
	assert.ok(heads.every((head) => head !== null && [...boxes, 'words'].includes(head[1])), 'heads');
	const files = heads.filter(([, kind]) => kind !== 'words').map(([, , reason]) => /\S+$/.exec(reason)[0]);
	assert.deepEqual(files.filter((file) => !existsSync(join(root, 'tests', file))), []);
});

test('a sentence that nobody holds is found, and so is a quote that leads nowhere', () => {
	const blocks = blocksOf('# A\n\nOne [holds](x.md).\nTwo does: `it`. Three\n\n| a | b |\n|---|---|\n| c | Four. Five |\n| d | Six |\n\n    code\n\n- Seven. Eight. Nine\n');
	assert.deepEqual(blocks, ['One holds. Two does: it. Three', 'c | Four. Five', 'd | Six', 'Seven. Eight. Nine']);
	const { open, lost } = compare(blocks, ['One', 'it.', 'Five', 'd | Six', 'Seven ... Nine', 'Ten', 'Nine ... Seven']);
	assert.deepEqual(open, ['Two does: it.', 'Three', 'c | Four.'].slice(1));
	assert.deepEqual(lost, ['Ten', 'Nine ... Seven']);
});

if (process.argv.includes('--open')) {
	for (const { page, open } of compared()) console.log(open.map((sentence) => `${page} ${sentence}`).join('\n'));
}
