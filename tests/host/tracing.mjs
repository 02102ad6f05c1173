/* SPDX-License-Identifier: MIT
 * The traces of the host's tools: events with their names, reasons in words. */

import assert from 'node:assert/strict';
import { Bridge } from './bridge-program.mjs';
import { clientInfo } from '../common/client.mjs';
import { hostProgram } from '../common/program.mjs';
import { Inspect, scripted } from './inspect-program.mjs';
import { test } from '../common/runner.mjs';

/* A bridge whose client does this in its session; the lines of its trace. */
async function traced(t, does = () => {}) {
	const bridge = Bridge.start(t, ['--trace', '--', hostProgram('toolbox')]);
	await bridge.result('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	await does(bridge);
	await bridge.endsByInput();
	return bridge.stderr.split('\n').filter(Boolean);
}

test('tracing: bridge --trace shows the life of a request', async (t) => {
	assert.deepEqual((await traced(t)).filter((line) => line.includes(' -- ')),
		['received', ...['parked', 'started', 'recorded', 'written', 'freed'].map((event) => `${event} initialize`)]
			.map((event) => `quash-bridge: trace: client 1: -- ${event}`));
});

test('tracing: bridge --trace shows why', async (t) => {
	const lines = await traced(t, async (bridge) => {
		assert.equal((await bridge.error('no/such\u001b[2Jmethod')).code, -32601);
		bridge.send({ id: 3, method: 'tools/call', params: { name: 'slow', arguments: { ms: 60000 } } },
			{ method: 'notifications/cancelled', params: { requestId: 3 } });
		await bridge.result('tools/list');
	});
	assert.ok(lines.includes('quash-bridge: trace: client 1: -- flagged tools/call by the other side'), lines.join('\n'));
	assert.ok(lines.includes('quash-bridge: trace: client 1: -- silenced tools/call: the other side cancelled it'), lines.join('\n'));
	const answered = lines.filter((line) => line.endsWith('the handler answered with an error'));
	assert.equal(answered.length, 1, 'it is told once, and of no result');
	assert.match(answered[0], /client 1: -- recorded .* -32601: the handler answered with an error$/);
	assert.doesNotMatch(lines.join('\n'), /[\x00-\x09\x0b-\x1f\x7f]/, 'nothing of it came from outside');
});

test('tracing: inspect --trace shows why it refuses', async (t) => {
	const inspect = Inspect.start(t, ['--trace', '--tool', 'x'], scripted('asking'));
	await inspect.exits(0);
	assert.match(inspect.said, /^-- refused -32601: nobody serves the method$/m);
});
