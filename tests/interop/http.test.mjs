/* SPDX-License-Identifier: MIT
 * Official and other clients over HTTP at a motor behind quash-bridge: straight, and through nginx with TLS and a token. docs/network.md
 * has it too. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { HttpClient } from '../host/http-client.mjs';
import { Motor } from './middlemen.mjs';
import { behindNginx, clients, inspect, straight } from './http-ways.mjs';

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; /* the certificate is the test's own */
process.removeAllListeners('warning');

const all = ['echo', 'led', 'slow', 'stats', 'stepper'];
const ways = [['straight', straight], ['behind nginx with TLS and a token', behindNginx]];

for (const [way, open] of ways) {
	for (const client of clients)
		test(`${client.name} over HTTP, ${way}: lists, moves, stops`, async (t) => {
			const motor = await Motor.open(t);
			const place = await open(t, [motor.command, ...motor.args]);
			const session = await client.open(t, place);
			assert.deepEqual((await session.tools()).sort(), all);
			const abort = new AbortController(), progress = [];
			const first = session.turn(abort.signal, (report) => progress.push(report)).then(() => 'answered', () => 'refused');
			await motor.moves(0);
			if (client.progress) await until('progress', () => progress.length > 0);
			abort.abort();
			assert.equal(await first, 'refused');
			assert.equal(await motor.cause(0), 'cancel');
			await session.close();
		});

	test(`the Inspector 0.15.0 over HTTP, ${way}: lists and calls`, async (t) => {
		const place = await open(t, [hostProgram('toolbox')], open === straight ? [] : { token: false });
		const { tools } = await inspect(t, place, '--method', 'tools/list');
		assert.deepEqual(tools.map(({ name }) => name).sort(), all);
		const { content } = await inspect(t, place, '--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hi');
		assert.equal(JSON.parse(content[0].text).text, 'hi');
	});

	for (const client of clients.filter(({ asks }) => asks))
		test(`${client.name} over HTTP, ${way}: its user is asked`, async (t) => {
			const place = await open(t, [hostProgram('conformance')]);
			const session = await client.open(t, place, { capabilities: { elicitation: {} } });
			const asked = [];
			const answer = async ({ params }) => {
				asked.push(params.message);
				return { action: 'accept', content: { name: 'Ada' } };
			};
			if (client.name.startsWith('sdk')) {
				const { load } = await import('./modules.mjs');
				session.client.setRequestHandler(load('@modelcontextprotocol/sdk/types.js').ElicitRequestSchema, answer);
			} else session.client.setRequestHandler('elicitation/create', answer);
			const { content } = await session.call({ name: 'test_input_required_result_elicitation', arguments: {} });
			assert.deepEqual([content[0].text, asked], ['Hello, Ada!', ['What is your name?']]);
		});
}

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

test('200 clients over HTTP on eight devices: each request is answered once', async (t) => {
	const devices = Array.from({ length: 8 }, (_, n) => ['--device', `d${n}=exec:${hostProgram('toolbox')}`]).flat();
	const { Bridge } = await import('../host/bridge-program.mjs');
	const bridge = Bridge.start(t, ['--listen-http', '127.0.0.1:0', ...devices]);
	const [, number] = await bridge.says(/listening on http:\S+:(\d+)\/mcp$/m);
	const answers = new Map();
	const ask = async (client, modern, n, k) => {
		const id = `${n}-${k}`, name = `d${(n + k) % 8}_echo`, params = { name, arguments: { text: id } };
		const connection = modern ? client.ask('tools/call', params, { id }) : client.post({ id, method: 'tools/call', params });
		await connection.whole();
		const all = connection.fields['content-type'] === 'application/json' ? [JSON.parse(connection.body)] : connection.messages;
		for (const { id: answered, result } of all.filter((message) => 'id' in message)) {
			assert.deepEqual([answered, result && JSON.parse(result.content[0].text).text], [id, id], JSON.stringify(all));
			answers.set(id, (answers.get(id) ?? 0) + 1);
		}
	};
	await until('all devices', async () => {
		const { json } = await new HttpClient(t, Number(number)).ask('tools/list').answer();
		return json.result?.tools.length === 41;
	});
	await Promise.all(Array.from({ length: 200 }, async (_, n) => {
		const client = new HttpClient(t, Number(number)), modern = n % 2 === 0;
		if (!modern) await client.greet();
		for (let k = 0; k < 5; k++) await ask(client, modern, n, k);
	}));
	assert.equal(answers.size, 1000);
	assert.ok([...answers.values()].every((count) => count === 1));
});
