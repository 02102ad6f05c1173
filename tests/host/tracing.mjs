/* SPDX-License-Identifier: MIT
 * The traces of the host's tools: events with their names, reasons in words. */

import assert from 'node:assert/strict';
import { Program, hostProgram } from '../common/program.mjs';
import { Inspect, scripted } from './inspect-program.mjs';
import { test } from '../common/runner.mjs';

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
const linesOf = (program) => program.stderr.split('\n').filter(Boolean);

async function startBridge(t, options = ['--trace']) {
	const program = Program.start(t, hostProgram('quash-bridge'), [...options, '--', hostProgram('toolbox')], { dialect: 'mcp' });
	program.send(initialize);
	assert.equal((await program.next()).id, 1);
	return program;
}

test('tracing: bridge --trace shows the life of a request', async (t) => {
	const program = await startBridge(t);
	program.end();
	assert.equal((await program.exit()).code, 0);
	assert.deepEqual(linesOf(program).filter((line) => line.includes(' -- ')),
		['received', ...['parked', 'started', 'recorded', 'written', 'freed'].map((event) => `${event} initialize`)]
			.map((event) => `quash-bridge: trace: client 1: -- ${event}`));
});

test('tracing: bridge --trace shows why', async (t) => {
	const program = await startBridge(t);
	program.send(request(2, 'no/such\u001b[2Jmethod'));
	assert.equal((await program.next()).error.code, -32601);
	program.send(request(3, 'tools/call', { name: 'slow', arguments: { ms: 60000 } }),
		{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }, request(4, 'tools/list'));
	assert.equal((await program.next()).id, 4);
	program.end();
	assert.equal((await program.exit()).code, 0);
	const lines = linesOf(program);
	assert.ok(lines.includes('quash-bridge: trace: client 1: -- flagged tools/call by the other side'), program.stderr);
	assert.ok(lines.includes('quash-bridge: trace: client 1: -- silenced tools/call: the other side cancelled it'), program.stderr);
	const answered = lines.filter((line) => line.endsWith('the handler answered with an error'));
	assert.equal(answered.length, 1, 'it is told once, and of no result');
	assert.match(answered[0], /client 1: -- recorded .* -32601: the handler answered with an error$/);
	assert.doesNotMatch(program.stderr, /[\x00-\x09\x0b-\x1f\x7f]/, 'nothing of it came from outside');
});

test('tracing: inspect --trace shows why it refuses', async (t) => {
	const inspect = Inspect.start(t, ['--trace', '--tool', 'x'], scripted('asking'));
	await inspect.exits(0);
	assert.match(inspect.said, /^-- refused -32601: nobody serves the method$/m);
});
