/* SPDX-License-Identifier: MIT
 * The Inspector's command line, as a person would call it. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test, until } from '../host/runner.mjs';
import { pathOf } from './modules.mjs';
import { Tap } from './session.mjs';

const inspector = () => pathOf('@modelcontextprotocol/inspector/cli/build/cli.js');

/** The Inspector starts processes of its own: they form one group, which is ended by its pid. */
function endGroup(child) {
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

function gather(stream) {
	const all = { text: '' };
	stream.setEncoding('utf8').on('data', (text) => { all.text += text; });
	return all;
}

async function inspect(t, ...words) {
	const tap = Tap.open(t);
	const args = [inspector(), '--cli', tap.command, ...tap.args, ...words];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	t.after(() => endGroup(child));
	const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
	const code = await new Promise((resolve) => child.on('close', resolve));
	const exit = await until('the end of the server', () => tap.wires()[0]?.exit);
	assert.deepEqual([exit.code, exit.signal], [0, null], 'the server ends with its input');
	return { code, stdout: stdout.text, said: stdout.text + stderr.text };
}

async function inspected(t, ...words) {
	const { code, stdout, said } = await inspect(t, ...words);
	assert.equal(code, 0, said);
	return JSON.parse(stdout);
}

const call = (tool, ...pairs) => ['--method', 'tools/call', '--tool-name', tool, ...pairs.flatMap((pair) => ['--tool-arg', pair])];

const testInspector = (name, body) => test(`inspector 0.15.0: ${name}`, body, { seconds: 20 });

testInspector('tools/list', async (t) => {
	const { tools } = await inspected(t, '--method', 'tools/list');
	assert.deepEqual(tools.map(({ name }) => name).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
});

testInspector('tools/call echo', async (t) => {
	const result = await inspected(t, ...call('echo', 'text=hello device'));
	assert.deepEqual(result.structuredContent, { text: 'hello device' });
});

testInspector('tools/call led', async (t) => {
	assert.equal((await inspected(t, ...call('led', 'on=true'))).content[0].text, 'on');
});

testInspector('tools/call slow', async (t) => {
	assert.equal((await inspected(t, ...call('slow', 'ms=150'))).content[0].text, 'slept 150');
});

testInspector('tools/call stats', async (t) => {
	const { content } = await inspected(t, ...call('stats'));
	const { stepper_stops, stepper_position } = JSON.parse(content[0].text);
	assert.deepEqual([stepper_stops, stepper_position], [0, 0]);
});

testInspector('an argument out of bounds is an error result', async (t) => {
	const result = await inspected(t, ...call('stepper', 'steps=100001'));
	assert.equal(result.isError, true);
	assert.match(result.content[0].text, /\bsteps\b.*\b100000\b/);
});

testInspector('a missing argument is an error result', async (t) => {
	const result = await inspected(t, ...call('led'));
	assert.equal(result.isError, true);
	assert.match(result.content[0].text, /\bon\b/);
});

testInspector('an unknown tool is told and ends with 1', async (t) => {
	const { code, said } = await inspect(t, ...call('nonsense'));
	assert.equal(code, 1, said);
	assert.match(said, /-32602/);
});

testInspector('what is not offered is told and ends with 1', async (t) => {
	const { code, said } = await inspect(t, '--method', 'resources/list');
	assert.equal(code, 1, said);
	assert.match(said, /-32601/);
});
