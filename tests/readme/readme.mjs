/* SPDX-License-Identifier: MIT
 * The pages are true: what stands on the README (front.mjs), figures, which are those that the budgets hold, and what the
 * files that are imported here compare. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';
import { numbers, version } from '../common/version.mjs';
import { pagesOf } from './blocks.mjs';
import './snippets.mjs';
import './suites.mjs';
import * as counted from '../bench/meanings.mjs';
import { readBudget } from '../size/budget.mjs';
import { readPlace } from '../size/page.mjs';
import * as sizes from '../size/tables.mjs';
import './bridge.mjs';
import './checking.mjs';
import './connect.mjs';
import './contributing.mjs';
import './driven.mjs';
import './faults.mjs';
import './front.mjs';
import './life.mjs';
import './links.mjs';
import './loops.mjs';
import './named.mjs';
import './newcomer.mjs';
import './page.mjs';
import './pages.mjs';
import './picture.mjs';
import './ports.mjs';
import './promises.mjs';
import './reference.mjs';
import './sources.mjs';
import './upgraded.mjs';
import './upgrading.mjs';
import './where.mjs';

const build = join(root, 'build/readme');
mkdirSync(build, { recursive: true });

/* Behind the name of a program or an archive, as a tag, and in the name that a linker does not find. */
const printedVersion = /(?:\bquash-[\w-]+[ -]|\btag (?:-s v|`)|\bquash_init_)(\d+([._])\d+\2\d+(?:[-_]dev)?)(?=\b|_)/g;

test('the version is that of the header', () => {
	assert.ok(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(version === numbers ? `## [${version}]` : '## [Unreleased]'), `${version} in CHANGELOG.md`);
	const named = pagesOf(root).flatMap((page) => [...readFileSync(join(root, page), 'utf8').matchAll(printedVersion)]
		.map(([text, its]) => ({ page, text, its: its.replace(/_dev$/, '-dev').replaceAll('_', '.') })));
	assert.ok(named.length > 7, named.map(({ text }) => text).join(', '));
	assert.deepEqual(named.filter(({ its }) => its !== version), []);
});

const budgets = Object.fromEntries(Object.entries({ size: 'size/budget', boards: 'size/budget_programs', count: 'bench/budget' })
	.map(([name, path]) => [name, readBudget(join(root, 'tests', path))]));

/* The cells of a table's rows. */
const rowsOf = (text) => text.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));

test('the figures of the README are those of the budgets', () => {
	const words = (text) => text.trim().split(/\s+/);
	assert.deepEqual(words(readPlace('README.md', 'size')), words(sizes.figureList(budgets.size)));
	assert.deepEqual(words(readPlace('README.md', 'count')), words(counted.figureList(budgets.count)));
});

test('the tables of docs/measured.md are those of the budgets', () => {
	const { goalTable, programTable, structTable, stackTable } = sizes;
	const tables = { size: [goalTable, programTable, structTable, stackTable], boards: [sizes.boardTable],
		count: [counted.goalTable, counted.countTable] };
	for (const [place, makers] of Object.entries(tables))
		for (const maker of makers)
			assert.ok(`\n${readPlace('docs/measured.md', place)}`.includes(`\n${maker(budgets[place])}\n`), `${place}: ${maker.name}`);
});

test('the structs of docs/memory.md are those of the budget', () => {
	const [, ...rows] = rowsOf(readPlace('docs/memory.md', 'size'));
	assert.ok(rows.length > 4);
	for (const [words, ...cells] of rows)
		for (const [column, target] of [sizes.goalsOf, 'atmega2560'].entries())
			assert.equal(Number(cells[column]), budgets.size.get(target).figures.get(`ram ${/`(\w+)`/.exec(words)[1]}`), words);
});

/* A document without its line breaks. */
const flat = (document) => readFileSync(join(root, document), 'utf8').replace(/\s+/g, ' ');

const says = (document, text) => assert.ok(flat(document).includes(text), `${document} does not say: ${text}`);

const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

test('what docs/memory.md says of sizes is so', () => {
	const claims = join(build, 'claims');
	const params = [{ steps: 3 }, { name: 'stepper', arguments: { steps: 6000 }, _meta: { progressToken: 1 } }];
	printed('gcc', ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Iinclude', 'tests/readme/claims.c',
		'build/host/libquash.a', '-o', claims]);
	const claimed = printed(claims, params.map((one) => request(1, 'turn', one)));
	const found = new Map(claimed.trim().split('\n').map((line) => line.split(' ')));
	const n = (name) => Number(found.get(name)).toLocaleString('en-US');
	const [steps, call] = [...claimed.matchAll(/^arena (\d+)$/gm)].map(([, bytes]) => bytes);
	says('docs/memory.md', `\`${JSON.stringify(params[0])}\` takes 5 + 10 + 6 = ${steps}.`);
	says('docs/memory.md', `\`${JSON.stringify(params[1])}\`, takes ${call}.`);
	for (const member of ['slot_count', 'id_size', 'word_size', 'method_count'])
		says('docs/memory.md', `| \`${member}\` | ${n(`least-${member}`)} | ${n(`most-${member}`)} |`);
	for (const member of ['arena_size', 'tx_size'])
		says('docs/memory.md', `| \`${member}\` | ${n(`least-${member}`)} |`);
	assert.equal(n('served-in-8'), '8', 'requests that are served at once in 8 slots');
	assert.equal(n('kept-beside-8'), '1', 'requests that are kept beside them');
	const digits = 3; /* of the TX that holds it */
	says('docs/memory.md', `needs its own length + ${n('beside-line')} byte with lines, and + ${found.get('beside-header') - digits} and the digits of \`tx_size\` with Content-Length.`);
});

test('what the docs say of the toolbox is so', () => {
	const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'readme', version: '1' } };
	const input = [request(1, 'initialize', client), `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
		request(2, 'tools/list'), request(3, 'tools/call', { name: 'slow', arguments: { ms: 200 }, _meta: { progressToken: 7 } })];
	const lines = printed(join(root, 'build/host/toolbox'), [], { input: input.join('') }).trim().split('\n');
	const messages = lines.map((line) => JSON.parse(line));
	const tools = messages.find(({ id }) => id === 2).result.tools;
	const progress = lines.find((line) => line.includes('notifications/progress'));
	const { params } = JSON.parse(progress);
	const bytes = progress.length + 1 - `${params.progressToken}${params.progress}${params.total}`.length;
	says('docs/mcp.md', `a complete server with ${['no', 'one', 'two', 'three', 'four', 'five', 'six'][tools.length]} tools`);
	says('docs/memory.md', `MCP progress** needs ${bytes} bytes + the token as JSON + the digits of \`progress\` and \`total\``);
});

test('the pages count the proofs and the seeded bugs', () => {
	const proofs = readFileSync(join(root, 'tests/proof/run.sh'), 'utf8').match(/^peer-\w+ +peer /gm).length;
	const bugs = readdirSync(join(root, 'tests/proof/bugs')).length;
	says('docs/tests.md', `of a peer in ${['five', 'six', 'seven', 'eight', 'nine', 'ten'][proofs - 5]} configurations`);
	says('docs/tests.md', `${bugs} bugs that are planted`);
});
