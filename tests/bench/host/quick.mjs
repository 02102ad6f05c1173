/* SPDX-License-Identifier: MIT
 * What `make test` holds of `make bench`: answers are results, instructions keep their budget, and a message costs the same
 * with any number of peers. Of times it asks only what no busy machine turns round. */

import assert from 'node:assert/strict';
import { skip, test } from '../../common/runner.mjs';
import { isThere } from '../../common/start.mjs';
import { compareHost } from './budget.mjs';
import { peerCosts, pingCosts, spread, spreadLimit } from './instructions.mjs';
import { areInstalled, measureServers, ours, rivals, sides } from './servers.mjs';

const size = { rounds: 1, warm: 5, bursts: 10, turns: 50, cancels: 10 };
const least = 2; /* times as many pings as the faster of the others */

function testServers() {
	const [own, others] = sides(measureServers([...ours, ...rivals()], size));
	const fastest = Math.max(...others.map(([, { pings }]) => pings));
	for (const [name, { pings }] of own)
		assert.ok(pings > least * fastest, `${name}: ${pings / fastest} times as many pings as the faster of the others`);
}

function testOurs() {
	const figures = measureServers(ours, size);
	assert.equal(figures.size, ours.length);
	for (const { pings } of figures.values()) assert.ok(pings > 0);
}

const made = {};

function testBudget() {
	assert.ok(made.pings && made.peers, 'not measured');
	const { passed, failed, notes } = compareHost(made);
	assert.equal(failed, 0, notes.join('\n'));
	if (passed === 0) console.log(notes.join('\n'));
}

test('the toolbox answers with results, also with its config known', testOurs);
if (areInstalled()) test('so do the official servers, more slowly', testServers);
else skip('official servers', 'an npm package of tests/interop is missing');

if (isThere('valgrind')) {
	test('a message costs the same with one peer and with 10,000', () => {
		made.peers = peerCosts();
		assert.ok(spread(made.peers) <= spreadLimit, `${100 * spread(made.peers)} % between them`);
	});
	test('every ping is answered with its result', () => {
		made.pings = pingCosts();
	});
	test('instructions keep their budget', testBudget);
} else {
	skip('instructions', 'valgrind is missing');
}
