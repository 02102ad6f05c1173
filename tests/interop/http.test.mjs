/* SPDX-License-Identifier: MIT
 * Official and other clients over HTTP at a motor behind quash-bridge, straight; http-others.test.mjs has other ways. docs/network.md
 * has it too. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { testClients } from './http-clients.mjs';
import { straight } from './http-ways.mjs';
import { Motor } from './middlemen.mjs';
import { load } from './modules.mjs';

testClients('straight', straight);

/* A client as a process of its own, which calls and says so, then waits for its end. */
const caller = (url, modern) => `
	const params = { name: 'stepper', arguments: { steps: 60000 } };
	const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
	const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
	const post = (body, headers) => fetch('${url}', { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
	(async () => {
		if (${modern}) return post({ id: 1, method: 'tools/call', params: { ...params, _meta: meta } },
			{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'stepper' });
		const greeting = await post({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } });
		await greeting.text();
		return post({ id: 1, method: 'tools/call', params }, { 'Mcp-Session-Id': greeting.headers.get('mcp-session-id') });
	})().then((response) => response.text());`;

async function killed(t, modern) {
	const motor = await Motor.open(t, 20000);
	const { url } = await straight(t, [motor.command, ...motor.args]);
	const child = started(t, [process.execPath, '-e', caller(url, modern)], { stdio: 'ignore' });
	await motor.moves(0);
	await sleep(700);
	child.kill('SIGKILL');
	return motor.cause(0);
}

test('2026-07-28: a client is killed with -9 while its stream is idle: the motor stops by a cancel', async (t) => {
	assert.equal(await killed(t, true), 'cancel');
});

test('2025-11-25: a client is killed with -9: the motor is at rest by a cancel, or by its lease', async (t) => {
	const cause = await killed(t, false);
	assert.ok(['cancel', 'lease'].includes(cause), cause);
});

test('2025-11-25: a client closes its POST in place of a Stop, and keeps its standing stream: the motor is at rest by a cancel', async (t) => {
	const motor = await Motor.open(t, 20000);
	const { url } = await straight(t, [motor.command, ...motor.args]);
	const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
	const ends = new AbortController(), closes = new AbortController();
	t.after(() => ends.abort());
	const post = (body, more, signal = ends.signal) => fetch(url, { method: 'POST', headers: { ...common, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...body }), signal });
	const greeting = await post({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } });
	const session = { 'Mcp-Session-Id': greeting.headers.get('mcp-session-id') };
	await greeting.text();
	assert.equal((await fetch(url, { headers: { ...common, ...session }, signal: ends.signal })).status, 200);
	const called = post({ id: 1, method: 'tools/call', params: { name: 'stepper', arguments: { steps: 60000 } } }, session, closes.signal);
	await motor.moves(0);
	await called;
	closes.abort();
	assert.equal(await motor.cause(0), 'cancel');
});

/* A stream that ends without a result is asked for again, a second later. */
for (const name of ['@modelcontextprotocol/sdk/client', '@modelcontextprotocol/client'])
	test(`${name}: after a Stop it asks for the stream once, and no more`, async (t) => {
		const { url } = await straight(t, [hostProgram('toolbox')]);
		const split = name.endsWith('/client') && !name.includes('sdk');
		const { Client } = load(split ? name : `${name}/index.js`), { StreamableHTTPClientTransport: Transport } = load(split ? name : `${name}/streamableHttp.js`);
		const asked = [];
		const counting = async (target, init) => {
			const response = await fetch(target, init);
			if (init.method === 'GET') asked.push([new Headers(init.headers).has('last-event-id'), response.status]);
			return response;
		};
		const client = new Client({ name: 'counting', version: '1' });
		t.after(() => client.close());
		await client.connect(new Transport(new URL(url), { fetch: counting }));
		const call = (tool, more) => (split ? client.callTool({ name: tool, arguments: { steps: 60000 } }, more) : client.callTool({ name: tool, arguments: { steps: 60000 } }, undefined, more));
		const abort = new AbortController();
		const stopped = call('stepper', { signal: abort.signal, onprogress: () => abort.abort() });
		await assert.rejects(stopped);
		await until('it asks for the stream that was stopped', () => asked.some(([resumes]) => resumes));
		await sleep(2500);
		assert.deepEqual(asked, [[false, 200], [true, 405]], 'its standing stream, and the stream of the call');
	});
