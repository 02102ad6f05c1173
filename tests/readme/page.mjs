/* SPDX-License-Identifier: MIT
 * docs/page.md has the limits of the page as its sources have them, the browsers as the page itself names them, and what stands on the page in
 * its words. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { root } from '../common/start.mjs';

const folder = 'boards/page';
const read = (path) => readFileSync(join(root, path), 'utf8');
const page = read('docs/page.md');
const sources = readdirSync(join(root, folder)).filter((name) => /\.(mjs|html)$/.test(name)).map((name) => read(join(folder, name))).join('\n');

/* Rows of *Limits*, and the constants whose values they have, in this order. */
const limits = {
	'connections for calls, of all tabs': ['mostStreams'],
	tools: ['mostListed', 'shownFirst'],
	'tools that are offered to an agent': ['mostOffered'],
	'arguments of a tool': ['mostFields'],
	'choices of an argument': ['mostChoices'],
	'lines of the log': ['mostLines'],
	'lines of the wire': ['mostWireLines'],
	'ended calls in the list': ['mostEnded'],
	'calls of others in the list': ['mostOthers'],
	'resources in the list': ['mostResources'],
	'parts of a result': ['mostItems'],
	'a text in a result': ['mostShown'],
	'rows of a table in a result': ['mostRows'],
	'a picture in a result': ['mostImage'],
	'parts of a resource': ['mostContents', 'mostContent'],
	'lines over time of a tool': ['mostShownLines', 'mostPoints'],
	'between two repeated calls': ['leastSeconds'],
	'questions of one call': ['mostRounds'],
};

/* Those that nobody meets. */
const inner = ['mostPages', 'mostKept', 'mostNumbers', 'mostSteps', 'mostBusyMs'];

const constants = new Map([...sources.matchAll(/\b((?:most|least|shown)[A-Z]\w*) = ([\d.e]+)/g)].map(([, name, value]) => [name, Number(value)]));
const numbersIn = (cell) => [...cell.matchAll(/(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d/g)].map(([text]) => Number(text.replaceAll(',', '')));

const [, part] = /^## Limits\n([^]*?)^## /m.exec(page);
const rows = new Map([...part.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1).map(([, what, limit]) => [what, numbersIn(limit)]));

test('docs/page.md has each limit of the page, and no other', () => {
	assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(Object.entries(limits).map(([what, names]) => [what, names.map((name) => constants.get(name))])));
	assert.deepEqual([...constants.keys()].filter((name) => ![...Object.values(limits).flat(), ...inner].includes(name)), [], 'a limit without a row');
	assert.deepEqual(numbersIn('the last 5,000, of 0.2 each; a64 b'), [5000, 0.2]);
});

test('docs/page.md has how often the page looks, and how often it tries to stop', () => {
	const value = (name) => Number(new RegExp(`\\b${name} = (\\d+)`).exec(sources)[1]);
	assert.ok(page.includes(`looks every ${value('lookHiddenMs') / 1000} s, not every second`) && value('lookMs') === 1000);
	assert.ok(page.includes(`tries ${value('stopTries')} times`));
	assert.ok(page.includes(`(${value('usualRate')} is the usual one)`));
});

test('docs/page.md has the browsers that the page names', () => {
	const [, said] = /'This browser has no Web Serial\. ([^']+)'/.exec(sources);
	const [, table] = /^#### Browsers with Web Serial\n([^]*?)^Browsers /m.exec(page);
	const versions = numbersIn(said);
	assert.equal(versions.length, 3);
	assert.deepEqual(numbersIn(table).sort(), versions.sort());
});

/* What the page has written in slanted letters, but for titles and what devices say. */
test('what docs/page.md quotes of the page stands there', () => {
	const [, troubles] = /^## When it does not work\n([^]*?)^## /m.exec(page), [, seen] = /^## What one sees\n([^]*?)^## /m.exec(page);
	const quoted = [...`${troubles}${seen}`.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, words]) => words.replace(/ \.\.\.$/, ''));
	assert.ok(quoted.length > 12);
	assert.deepEqual(quoted.filter((words) => !sources.includes(words)), []);
});
