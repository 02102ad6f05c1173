/* SPDX-License-Identifier: MIT
 * node figures.mjs [--write]
 *
 * What quash-bridge costs, figure by figure: `make bridge-figures`, which builds what is run here. What is counted hardly differs between
 * runs, and the suite `cost` holds it; what is timed is the median of a few runs. With --write the table on docs/bench.md is made anew. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram, root } from '../../common/program.mjs';
import { isThere, printed, told } from '../../common/start.mjs';
import { bridgeWay } from '../../layers/way.mjs';
import { number, table, writePlace } from '../../size/page.mjs';
import { memory } from './memory.mjs';

const folder = join(root, 'build/bench/bridge');
const client = join(root, 'build/host/tests/bench/host/client');
const counting = join(root, 'build/turns/host/tests/bench/turns/turns');
const plain = join(root, 'build/turns/plain/host/tests/bench/turns/turns');
const [bridge, toolbox] = ['quash-bridge', 'toolbox'].map(hostProgram);
const runs = 5;

/* --- What is counted */

function counted() {
	const said = printed(counting);
	const first = (pattern) => Number(pattern.exec(said)[1]);
	return {
		idle: first(/an idle turn .* calls (\d+) functions/),
		call: first(/a call there and back.* calls (\d+) functions/),
		passes: first(/passes the lexer (\d+) hundredths/) / 100,
		copies: first(/stands in (\d+) places/),
	};
}

/* Instructions of the bridge alone: nothing is counted while the others act. */
function instructions(calls, beside) {
	const toggles = ['shell_turn', '__wrap_posix_stdio_poll'].map((name) => `--toggle-collect=${name}`);
	const { status, stderr } = told('valgrind', ['--tool=callgrind', '--callgrind-out-file=/dev/null', ...toggles, plain, 'calls', `${calls}`, `${beside}`]);
	assert.equal(status, 0, stderr);
	return Number(/Collected : (\d+)/.exec(stderr)[1]);
}

const perCall = (beside) => (instructions(150, beside) - instructions(50, beside)) / 100;

/* --- What is timed: calls of `echo` of the toolbox, behind the bridge on stdin and stdout */

const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const echoes = (from, n) => Array.from({ length: n }, (_, i) =>
	line({ id: from + i, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello, world' } } })).join('');
const greeting = line({ id: 'greeting', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } })
	+ line({ method: 'notifications/initialized' });

function file(name, text) {
	writeFileSync(join(folder, name), text);
	return join(folder, name);
}

/* What each phase took in nanoseconds, and of the bridge's processor; and all that was answered. `on` stands before the command. */
function play(phases, on = []) {
	const answers = join(folder, 'answers');
	const words = [...on, client, answers, `turns:${file('greeting', greeting)}`, ...phases, '--', bridge, '--log', 'error', '--', toolbox];
	const said = printed(words[0], words.slice(1));
	const times = said.trimEnd().split('\n').map((one) => one.split(' ').slice(1).map(Number));
	return { of: phases.map((_, i) => ({ time: times[2 * i + 2][0], processor: times[2 * i + 3][0] })), answers: readFileSync(answers, 'utf8').trimEnd().split('\n').slice(1) };
}

const warm = 1000;
const timed = 10000;
const isResult = (text) => 'result' in JSON.parse(text);

/* With so many under way: what the calls took, and of the bridge's processor. */
function underWay(most, on) {
	const { of, answers } = play([`under:${most}:${file('warm', echoes(1, warm))}`, `under:${most}:${file('timed', echoes(1 + warm, timed))}`], on);
	assert.ok(answers.length === warm + timed && answers.every(isResult), 'each call has its result');
	return of[1];
}

/* What `figure` tells of few and of many under way, and how many times as much it is with many: pair by pair, as the machine has its
 * moods. The pair in the middle. */
function compared(few, many, figure, on) {
	const pairs = Array.from({ length: runs }, () => [few, many].map((most) => figure(underWay(most, on))));
	return pairs.map(([one, other]) => ({ few: one, many: other, ratio: other / one })).sort((a, b) => a.ratio - b.ratio)[Math.floor(runs / 2)];
}

/* While all share a processor: else it is the time to wake another one, too. */
const processors = () => compared(1, 190, ({ processor }) => processor / timed / 1000, ['taskset', '-c', '0']);
const rates = () => compared(1, 50, ({ time }) => 1e9 * timed / time);

const piped = 20000;
const pipe = () => play([`burst:${piped}:${file('pipe', echoes(1, piped))}`]).answers.filter(isResult).length;

/* --- The table */

const linesOf = (path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1;

const rounded = (n, digits = 2) => (n === undefined ? '' : n >= 100 ? number(Math.round(n)) : String(Number(n.toFixed(digits))));

async function figures() {
	mkdirSync(folder, { recursive: true });
	const counts = counted();
	const [alone, beside] = isThere('valgrind') ? [perCall(0), perCall(31)] : [];
	const [rate, processor] = [rates(), processors()];
	const room = await memory();
	console.log(`instructions of a call alone ${rounded(alone)}, beside 31 idle clients ${rounded(beside)}; results a second with 1 and 50 under way `
		+ `${rounded(rate.few)}, ${rounded(rate.many)}; microseconds of processor with 1 and 190 ${rounded(processor.few)}, ${rounded(processor.many)}; `
		+ `MB resident with ${room.clients} clients ${rounded(room.resident)}`);
	return [
		['calls of functions in an idle turn, with one client and one device', '7,717', counts.idle, 500],
		['calls of functions in a call of a tool and back, until the bridge rests', '38,983', counts.call, 9000],
		['instructions of a call beside 31 idle clients, to those of one client alone', '7.6 (time)', alone && beside / alone, 1.3],
		['results a second with 50 calls under way, to one at a time', '0.17', rate.ratio, 2, true],
		['processor time of a result with 190 calls under way, to that with 1', '7.3', processor.ratio, 1.3],
		['results of 20,000 calls in one pipe', '3,925', pipe(), piped, true],
		['files that a call enters, there and back', '44', bridgeWay(root).files.length, 30],
		['passes of a client\'s line through the lexer', '3', counts.passes, 2],
		['places of the bridge that a client\'s line is copied to', '4', counts.copies, 3],
		['resident memory of one more client, kB', '360', room.one, 64],
		[`address space with ${room.clients} clients, MB`, '5,300', room.addresses, 160],
		['lines that stand for a system in the fuzz targets', '699', linesOf('tests/fuzz/bridge/system.c'), 150],
	];
}

const kept = (is, goal, atLeast) => (is === undefined ? 'not measured' : (atLeast ? is >= goal : is <= goal) ? 'kept' : '');

const made = table(['', '0.3.0', 'is', 'goal', ''],
	(await figures()).map(([what, was, is, goal, atLeast]) => [what, was, rounded(is), number(goal), kept(is, goal, atLeast)]), [1, 2, 3]);
const day = new Date().toISOString().slice(0, 10);

console.log(`\n${made}`);
if (process.argv.includes('--write')) writePlace('docs/bench.md', 'bridge-figures', `${day}:\n\n${made}`);
