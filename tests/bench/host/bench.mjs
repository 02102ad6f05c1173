/* SPDX-License-Identifier: MIT
 * `make bench`: all that is measured on the host beside others, and the pages that show it: docs/bench.md and its charts, and
 * the budget that `make test` holds. They are written only when nothing failed and nothing was missing. */

import assert from 'node:assert/strict';
import { skip, test } from '../../common/runner.mjs';
import { isThere as has } from '../../common/start.mjs';
import { number, writePlace } from '../../size/page.mjs';
import { writeHostBudget } from './budget.mjs';
import { drawBars } from './charts.mjs';
import { peerCosts, pingCosts, spread, spreadLimit, timePeers } from './instructions.mjs';
import { buildParser, isThere, measureParsers, messages, parsers, versionOf } from './parsers.mjs';
import { areInstalled, measureServers, ours, rivals } from './servers.mjs';
import { goalTable, parserRatios, parserTable, peerTable, serverRatios, serverTable } from './tables.mjs';

const page = 'docs/bench.md';
const made = {};
const there = { valgrind: has('valgrind'), gnuplot: has('gnuplot'), packages: areInstalled(), parsers: parsers.filter(isThere) };

const wordsOf = (name) => {
	const parser = parsers.find((one) => one.name === name);
	return parser.package ? `${parser.words} ${versionOf(parser) ?? ''}`.trim() : parser.words;
};

function show(title, ...tables) {
	console.log(`\n## ${title}\n\n${tables.join('\n\n')}\n`);
}

function measure(name, missing, body) {
	if (missing) skip(name, `${missing} is missing`);
	else test(name, body);
}

measure('servers answer everything with results', !there.packages && 'an npm package of tests/interop', () => {
	made.servers = measureServers([...ours, ...rivals()], { rounds: 7, warm: 50, bursts: 60, turns: 300, cancels: 50 });
	show('Servers: how many times better quash is', serverRatios(made.servers), serverTable(made.servers));
});

for (const parser of parsers.filter((one) => !there.parsers.includes(one))) skip(`parser ${parser.words}`, `${parser.package} is missing`);

measure('parsers find the same', !there.valgrind && 'valgrind', () => {
	there.parsers.forEach(buildParser);
	made.parsers = measureParsers(there.parsers, 5);
	show('Parsers: how many times the instructions of quash', parserRatios(made.parsers, wordsOf), parserTable(made.parsers, wordsOf));
});

measure('a message costs the same with one peer and with 10,000', !there.valgrind && 'valgrind', () => {
	made.peers = peerCosts().map((costs) => ({ ...costs, ...timePeers(costs) }));
	show('Peers', peerTable(made.peers));
	assert.ok(spread(made.peers) <= spreadLimit, `${100 * spread(made.peers)} % between them`);
});

measure('every ping is answered with its result', !there.valgrind && 'valgrind', () => {
	made.pings = pingCosts();
	if (made.servers) show('Goals', goalTable(made.pings, made.servers));
});

function draw() {
	const instructions = [...made.parsers].map(([name, of]) => [wordsOf(name), of.instructions.at(-1)]);
	drawBars('bench-pings', 'pings answered in a second, 100 at once',
		[...made.servers].map(([name, { pings }]) => [name, pings, number(Math.round(pings))]));
	drawBars('bench-parsers', 'instructions for a byte of 10,000 messages',
		instructions.map(([name, n]) => [name, n, number(n)]));
	drawBars('bench-peers', 'instructions for a message, by the number of peers in one program',
		made.peers.map(({ peers, instructions: n }) => [number(peers), n, number(Math.round(n))]));
}

function write() {
	writePlace(page, 'bench ratios', [serverRatios(made.servers), goalTable(made.pings, made.servers)].join('\n\n'));
	writePlace(page, 'bench parsers', parserRatios(made.parsers, wordsOf));
	writePlace(page, 'bench figures', [serverTable(made.servers), parserTable(made.parsers, wordsOf), peerTable(made.peers)].join('\n\n'));
	writeHostBudget(made);
}

const missing = [[there.valgrind, 'valgrind'], [there.gnuplot, 'gnuplot'], [there.packages, 'an npm package'],
	[there.parsers.length === parsers.length, 'a parser']].find(([is]) => !is)?.[1];

measure(`${page}, its charts and the budget are written`, missing, () => {
	assert.ok(made.servers && made.parsers && made.peers && made.pings, 'something has failed: nothing is written');
	assert.equal(made.parsers.get('quash').instructions.length, messages.length);
	draw();
	write();
});
