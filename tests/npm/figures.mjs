/* SPDX-License-Identifier: MIT
 * node figures.mjs [CALLS]
 *
 * What the package of npm costs beside the native program, in one run: processor time and round trip of a result, one call at a time, and
 * resident memory after CALLS of them. Both take turns, and of some rounds the least counts, as others use the machine. */

import { cable } from '../common/cable.mjs';
import { greet } from '../common/client.mjs';
import { memoryOf, processorTicks } from '../common/process.mjs';
import { Program, hostProgram } from '../common/program.mjs';
import { started } from '../common/start.mjs';
import { byAddon, program as packaged } from './laid.mjs';

const calls = Number(process.argv[2] ?? 15000), rounds = 3, tickUs = 10000;
const warm = calls; /* until V8 has compiled what it will */
const native = hostProgram('quash-bridge'), toolbox = hostProgram('toolbox');

async function echoes(client, count) {
	for (let i = 0; i < count; i++) {
		const { result } = await client.answerTo(client.ask('tools/call', { name: 'echo', arguments: { text: 'hello, world' } }));
		if (result?.content === undefined || result.isError) throw new Error(JSON.stringify(result));
		client.forget();
		client.lines = [];
	}
}

/* `words` gives those that name the device. */
async function costs(program, words) {
	const ends = [], t = { after: (end) => ends.unshift(end) };
	const bridge = Program.start(t, program, ['--initialize-timeout', '60m', ...await words(t)], { dialect: 'mcp' });
	await greet(bridge);
	await echoes(bridge, warm);
	const ticks = processorTicks(bridge.pid), begun = performance.now();
	await echoes(bridge, calls);
	const trip = (performance.now() - begun) * 1000 / calls;
	const figures = { processor: (processorTicks(bridge.pid) - ticks) * tickUs / calls, trip, memory: memoryOf(bridge.pid) / 1024 };
	for (const end of ends) await end();
	return figures;
}

async function nodeAlone() {
	const ends = [], child = started({ after: (end) => ends.unshift(end) }, [process.execPath, '-e', 'setInterval(() => {}, 1e9); console.log(1)']);
	while (!child.said) await new Promise((resolve) => { child.stdout.once('data', resolve); });
	const memory = memoryOf(child.pid) / 1024;
	for (const end of ends) await end();
	return memory;
}

const command = () => ['--', toolbox];
const tty = async (t) => ['--tty', (await cable(t)).link];
const after = [], whole = { after: (end) => after.unshift(end) };
const addon = byAddon(whole);
const rows = [['command, native', native, command], ['command, package', packaged, command], ['tty, native', native, tty],
	['tty, package by streams', packaged, tty], ['tty, package by the addon', addon, tty]];
const least = rows.map(() => ({ processor: Infinity, trip: Infinity, memory: Infinity }));
for (let round = 0; round < rounds; round++) {
	for (const [i, [, program, words]] of rows.entries()) {
		const one = await costs(program, words);
		for (const name of Object.keys(one)) least[i][name] = Math.min(least[i][name], one[name]);
	}
}
for (const end of after) end();

console.log(`| ${calls} calls of echo, one at a time | processor, us | to native | round trip, us | to native | resident, MiB |\n|---|--:|--:|--:|--:|--:|`);
for (const [i, [name]] of rows.entries()) {
	const it = least[i], beside = least[i < 2 ? 0 : 2], times = (what) => (it[what] / beside[what]).toFixed(1);
	console.log(`| ${name} | ${it.processor.toFixed(0)} | ${times('processor')} | ${it.trip.toFixed(0)} | ${times('trip')} | ${it.memory.toFixed(0)} |`);
}
console.log(`| Node alone | | | | | ${(await nodeAlone()).toFixed(0)} |`);
process.exit();
