/* SPDX-License-Identifier: MIT
 * quash-bridge --listen-http: who is let in, by Host, Origin, target and token, and whose connections give way. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, check, folderFor } from './bridge-program.mjs';
import { call, greeted, served } from './http-served.mjs';
import { clockOf, timed } from './inspect-program.mjs';
import { Connection, hasStatus, requestText } from '../common/http-client.mjs';
import { hostProgram } from '../common/program.mjs';
import { until } from '../common/runner.mjs';

check('HTTP: a Host or an Origin of elsewhere is refused, before the body has come', async (t) => {
	const { client, number } = await served(t, { words: ['--http-host', 'arm.example'] });
	for (const fields of [{ Host: 'evil.example' }, { Host: 'localhost.evil.example' }, { Origin: 'http://evil.example' }, { Origin: 'null' },
		{ Origin: 'http://127.0.0.1.evil.example' }, { Origin: 'http://localhost@evil.example' }, { Host: 'localhost:80@evil.example' }]) {
		const connection = new Connection(t, number).write(requestText('POST', { Accept: '*/*', 'Content-Type': 'application/json', 'Content-Length': 9999, ...fields }));
		await connection.whole();
		assert.equal(connection.status, 403, JSON.stringify(fields));
		assert.equal(connection.fields['access-control-allow-origin'], undefined);
	}
	for (const fields of [{}, { Host: '127.0.0.1:1' }, { Host: '[::1]' }, { Host: 'ARM.example:8080' }, { Origin: 'http://localhost:6274' }, { Origin: 'https://arm.example' }])
		hasStatus(await client(fields).ask('server/discover').answer(), 404, JSON.stringify(fields));
});

check('HTTP: a page of this machine may ask from its browser', async (t) => {
	const { client } = await served(t);
	const page = client({ Origin: 'http://localhost:6274' });
	const asked = await page.send('OPTIONS', { 'Access-Control-Request-Method': 'POST' }).whole();
	assert.deepEqual([asked.status, asked.fields['access-control-allow-origin'], asked.fields['access-control-allow-headers']],
		[204, 'http://localhost:6274', 'Authorization, *']);
	const { fields } = await page.post({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } } }).answer();
	assert.deepEqual([fields['access-control-allow-origin'], fields['access-control-expose-headers']], ['http://localhost:6274', 'Mcp-Session-Id, WWW-Authenticate']);
});

check('HTTP: --token-file: whoever does not show the token is refused', async (t) => {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, 'secret 123\n', { mode: 0o600 });
	const { client } = await served(t, { address: '0.0.0.0:0', words: ['--token-file', file] });
	for (const Authorization of [undefined, 'Bearer secret', 'Bearer secret 1234', 'Basic secret 123', 'secret 123', 'Bearer ']) {
		const refused = await client({ Authorization }).ask('tools/list').whole();
		assert.deepEqual([refused.status, refused.fields['www-authenticate']], [401, 'Bearer'], Authorization);
	}
	for (const Authorization of ['Bearer secret 123', 'bearer  secret 123'])
		assert.equal((await client({ Authorization }).ask('tools/list').answer()).status, 200, Authorization);
});

check('HTTP: a page asks without its token whether it may ask with one', async (t) => {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, 'secret\n', { mode: 0o600 });
	const { client } = await served(t, { words: ['--token-file', file] });
	const asks = async (fields) => (await client(fields).send('OPTIONS', {}).whole()).status;
	assert.equal(await asks({ Origin: 'http://localhost:6274', 'Access-Control-Request-Method': 'POST' }), 204);
	assert.equal(await asks({ Origin: 'http://localhost:6274' }), 401);
	assert.equal(await asks({ Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }), 403);
});

/* --- Many connections. The bridge's time stands until the test lets it pass, so none is too slow. */

const most = 1024;
const standing = (t) => {
	const clock = clockOf(t);
	return { clock, program: timed(clock, hostProgram('quash-bridge')), words: ['--session-idle', '0'] };
};
const note = (client) => requestText('POST', { Accept: '*/*', 'Content-Type': 'application/json', 'Mcp-Session-Id': client.session },
	JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }));
const many = (count, one) => Promise.all(Array.from({ length: count }, one));
const connected = async (connection) => {
	await until('a connection', () => !connection.socket.connecting);
	return connection;
};

check('HTTP: more clients than there are places connect at once, and all are served', async (t) => {
	const { number } = await served(t, standing(t));
	const all = await many(most + 200, () => connected(new Connection(t, number)));
	for (const connection of all) connection.write(requestText('GET', {}, undefined, '/other'));
	await many(all.length, (_, n) => all[n].whole());
	assert.ok(all.every(({ status }) => status === 404));
});

for (const [what, text] of [['half a head', 'POST /mcp HTTP/1.1\r\nHost: '], ['a head without its body', requestText('POST', { 'Content-Length': 9 })]])
	check(`HTTP: connections with ${what} give way to clients, and take no place of theirs`, async (t) => {
		const { clock, ...how } = standing(t);
		const { number, line, client } = await greeted(t, how);
		const kept = await new Connection(t, number).write(note(client)).whole();
		kept.forget();
		client.post(call(1));
		const below = await line.takes('tools/call');
		const strangers = await many(most + 40, async () => (await connected(new Connection(t, number))).write(text));
		const newcomer = (await connected(new Connection(t, number))).write(requestText('GET', {}, undefined, '/other'));
		clock.passes(0, 5000);
		await newcomer.whole();
		assert.equal(newcomer.status, 404);
		assert.ok(strangers.filter(({ closed }) => closed).length < most / 2, 'not all of them had to be late');
		assert.equal(kept.closed, false);
		assert.equal((await kept.write(note(client)).whole()).status, 202);
		assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	});

check('HTTP: a client that has asked before and does not finish its next request gives way, too', async (t) => {
	const { clock, ...how } = standing(t);
	const { number } = await served(t, how);
	const all = await many(most, async () => {
		const connection = await new Connection(t, number).write(requestText('GET', {}, undefined, '/other')).whole();
		connection.forget();
		return connection.write('GET /');
	});
	const newcomer = (await connected(new Connection(t, number))).write(requestText('GET', {}, undefined, '/other'));
	clock.passes(0, 5000);
	await newcomer.whole();
	assert.ok(all.filter(({ closed }) => closed).length < most / 2);
});

check('HTTP: an address that is not loopback wants a token, and another protocol has no HTTP', async (t) => {
	const open = Bridge.start(t, ['--listen-http', '0.0.0.0:0', '--unix', '/no/such']);
	await open.exits(2);
	assert.match(open.stderr, /--listen-http .*--token-file/);
	const acp = Bridge.start(t, ['--listen-http', '0', '--protocol', 'acp', '--unix', '/no/such']);
	await acp.exits(2);
	assert.match(acp.stderr, /--listen-http is for MCP/);
});

/* The status of a request with these fields; its body need not come. A method that needs none of the device shows who is let in: 404. */
async function statusOf(t, number, fields, target = '/other') {
	const connection = new Connection(t, number).write(requestText('GET', fields, undefined, target));
	await connection.whole();
	return connection.status;
}

check('HTTP: a Host is an address, localhost or a name that was given, to the letter', async (t) => {
	const { number } = await served(t, { words: ['--http-host', 'arm.example'] });
	for (const Host of ['[evil.com]', '[]', '...', '', '1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1..2.3', '127.0.0.1.', 'localhost.', 'arm.example.', '.arm.example',
		'[::1', '::1', '[::1]x', '[:1]', '[1:]', '[::1::]', '[:::]', '[1:2:3:4:5:6:7:8:9]', '[1:2:3:4:5:6:7]', '[1:2:3:4:5:6:7::8]x', '[::12345]', '[::g]', '[::1.2.3]', '[1.2.3.4]',
		'[::1%25eth0]', '[v1.x]', '[fe80::1]evil.com', 'localhost:65536', 'localhost:8o', 'localhost:-1', 'localhost:1:2', 'localhost/', 'user@localhost', 'localhost, localhost',
		'127.0.0.1 evil.com', '0x7f.0.0.1', '2130706433'])
		assert.equal(await statusOf(t, number, { Host }), 403, Host);
	for (const Host of ['localhost', 'LOCALHOST:1', 'localhost:', '127.0.0.1', '10.0.0.255:65535', '[::1]:8765', '[::]', '[fe80::1]', '[1:2:3:4:5:6:7:8]', '[1::8]', '[::ffff:127.0.0.1]',
		'[1:2:3:4:5:6:1.2.3.4]', '[ABCD::]', 'Arm.Example:1'])
		assert.equal(await statusOf(t, number, { Host }), 404, Host);
});

check('HTTP: an Origin is that of a page of this machine, or of a name that was given, to the letter', async (t) => {
	const { number } = await served(t, { words: ['--http-host', 'arm.example'] });
	for (const Origin of ['http://', 'http://[]', 'http://...', 'http://127.0.0', 'http://127.0.0.256', 'http://127.evil.com', 'http://[::1]x', 'http://[::2]', 'http://localhost/', 'http://localhost:',
		'http://localhost:99999', 'http://localhost.', 'http:localhost', 'localhost', 'ftp://localhost', 'http://localhost http://evil.com', 'http://user@localhost', 'http://arm.example.', '',
		'chrome-extension://localhost'])
		assert.equal(await statusOf(t, number, { Origin }), 403, Origin);
	for (const Origin of ['http://127.1.2.3:1', 'https://[::1]:8765', 'http://localhost', 'https://ARM.example:65535'])
		assert.equal(await statusOf(t, number, { Origin }), 404, Origin);
});

check('HTTP: the host of a target that has one is what counts (RFC 9112 section 3.2.2)', async (t) => {
	const { number, client } = await served(t);
	for (const target of ['http://evil.com/other', 'HTTP://evil.com:80/other', 'http:///other', 'http://localhost@evil.com/other', 'http://[::1/other', 'http://evil.com', 'http://localhost.evil.com?/other'])
		assert.equal(await statusOf(t, number, {}, target), 403, target);
	assert.equal(await statusOf(t, number, { Host: 'evil.com' }, 'http://localhost:1/other'), 404, 'its own Host is ignored');
	for (const target of ['http://127.0.0.1/mcp', 'HTTP://localhost:8765/mcp?x', '/mcp/', '/mcp/?x', 'http://localhost/mcp/'])
		assert.equal((await client().send('GET', {}, undefined, target).whole()).status, 405, target);
	for (const target of ['/mcp/x', '/mcp//', '//mcp', '/mcpx', '*', 'mcp', 'ftp://localhost/mcp', 'http://localhost', '/MCP'])
		assert.equal((await client().send('GET', {}, undefined, target).whole()).status, 404, target);
});

check('HTTP: --http-origin lets in what a browser shows of an extension, and the log names what was refused', async (t) => {
	const { number, bridge, client } = await served(t, { words: ['--http-origin', 'chrome-extension://abcdef', '--http-origin', 'https://app.example', '--http-origin', 'vscode-webview://*'] });
	for (const Origin of ['chrome-extension://abcdef', 'https://app.example', 'vscode-webview://0a1b2c'])
		assert.equal(await statusOf(t, number, { Origin }), 404, Origin);
	assert.equal((await client({ Origin: 'chrome-extension://abcdef' }).send('OPTIONS').whole()).fields['access-control-allow-origin'], 'chrome-extension://abcdef');
	for (const Origin of ['chrome-extension://abcdefg', 'chrome-extension://abcde', 'https://app.example:444', 'http://app.example', 'vscode-webview://', 'vscode-webviews://x', 'vscode-webview://a/b', 'null'])
		assert.equal(await statusOf(t, number, { Origin }), 403, Origin);
	await bridge.says(/its Origin "chrome-extension:\/\/abcdefg" is not let in, see --http-origin/);
	assert.equal(await statusOf(t, number, { Host: 'evil.example' }), 403);
	await bridge.says(/its Host "evil\.example" is not let in, see --http-host/);
	assert.equal(await statusOf(t, number, {}, 'http://b.example/mcp'), 403);
	await bridge.says(/its target's host "b\.example" is not let in, see --http-host/);
	for (const value of ['null', '*', 'http://*', 'https://*', 'localhost', '://x', 'a b://c', 'http://x/', 'x://a*', 'http://']) {
		const refused = Bridge.start(t, ['--listen-http', '0', '--http-origin', value, '--unix', '/no/such']);
		await refused.exits(2);
		assert.match(refused.stderr, /--http-origin.* takes an origin/, value);
	}
});
