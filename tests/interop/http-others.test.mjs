/* SPDX-License-Identifier: MIT
 * The clients over HTTP through nginx with TLS and a token, and many clients at once. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { Bridge } from '../host/bridge-program.mjs';
import { HttpClient } from '../common/http-client.mjs';
import { testClients } from './http-clients.mjs';
import { behindNginx } from './http-ways.mjs';

testClients('behind nginx with TLS and a token', behindNginx);

test('200 clients over HTTP on eight devices: each request is answered once', async (t) => {
	const devices = Array.from({ length: 8 }, (_, n) => ['--device', `d${n}=exec:${hostProgram('toolbox')}`]).flat();
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
