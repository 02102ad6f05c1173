/* SPDX-License-Identifier: MIT
 * quash-bridge --listen-http: sessions of the legacy era, single requests of the modern one, and whoever goes away. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge, check, folderFor } from './bridge-program.mjs';
import { clockOf, timed } from './inspect-program.mjs';
import { call, done, greeted, leased, served } from './http-served.mjs';
import { modernMeta, modernVersion } from '../common/client.mjs';
import { Connection, HttpClient, hasStatus, requestText } from '../common/http-client.mjs';
import { processorTicks } from '../common/process.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';

/* --- A session of the legacy era */

check('HTTP: initialize opens a session, DELETE ends it', async (t) => {
	const { client } = await served(t);
	const one = client();
	const { serverInfo, protocolVersion } = await one.greet();
	assert.deepEqual([serverInfo.name, protocolVersion], ['played', '2025-11-25']);
	const { json } = await one.post({ id: 5, method: 'tools/list' }).answer();
	assert.equal(json.result.tools[0].name, 'work');
	assert.equal((await one.send('DELETE').whole()).status, 204);
	assert.equal((await one.post({ id: 6, method: 'tools/list' }).answer()).status, 404);
	assert.equal((await one.send('DELETE').whole()).status, 404);
});

check('HTTP: a byte order mark in front of a body is passed over, and null params are none', async (t) => {
	const { client } = await greeted(t);
	const { status, json } = await client.postText('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping","params":null}').answer();
	assert.deepEqual([status, json.result], [200, {}]);
	assert.equal((await client.postText('\ufeff\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}').answer()).status, 400);
});

check('HTTP: initialize with a session that is gone begins a new one', async (t) => {
	const { client } = await served(t);
	const one = client();
	await one.greet();
	const { session } = one;
	assert.equal((await one.send('DELETE').whole()).status, 204);
	assert.equal((await one.post({ id: 1, method: 'tools/list' }).answer()).status, 404);
	await one.greet();
	assert.notEqual(one.session, session);
	assert.equal((await one.post({ id: 1, method: 'tools/list' }).answer()).status, 200);
});

check('HTTP: each revision of the legacy era is spoken', async (t) => {
	const { client } = await served(t);
	for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) assert.equal((await client().greet({ version })).protocolVersion, version);
});

check('HTTP: ids come back as they were, and two connections may use the same one', async (t) => {
	const { line, client } = await greeted(t);
	const ids = [7, 7, '7', 'a\u00e9"b', 12345678901234];
	const asked = ids.map((id, n) => client.post(call(id, `work${n}`)));
	for (let n = 0; n < ids.length; n++) {
		const below = await line.takes('tools/call');
		line.answer(below, { content: [{ type: 'text', text: below.params.name }] });
	}
	for (const [n, connection] of asked.entries()) {
		const { json } = await connection.answer();
		assert.deepEqual([json.id, json.result.content[0].text], [ids[n], `work${n}`]);
	}
});

check('HTTP: progress and log messages come on the stream of their request, the rest on that of GET', async (t) => {
	const { line, client } = await greeted(t);
	const listening = await client.get().streams();
	const one = client.post(call(1, 'work', { _meta: { progressToken: 'p' } })), below = await line.takes('tools/call');
	const other = client.post(call(2, 'work', { _meta: { progressToken: 'q' } })), second = await line.takes('tools/call');
	line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1 });
	line.notify('notifications/message', { level: 'info', data: 'of two', _meta: { 'quash/request': second.id } });
	line.notify('notifications/message', { level: 'info', data: 'of none' });
	line.notify('notifications/tools/list_changed');
	await one.take('progress', ({ method }) => method === 'notifications/progress');
	await other.take('the log', ({ method }) => method === 'notifications/message');
	await listening.take('the list', ({ method }) => method === 'notifications/tools/list_changed');
	line.answer(below, done);
	line.answer(second, done);
	await Promise.all([one.whole(), other.whole()]);
	assert.deepEqual(one.messages.map(({ method, id, params }) => [method ?? id, params]),
		[['notifications/progress', { progressToken: 'p', progress: 1 }], [1, undefined]]);
	assert.deepEqual(other.messages.map(({ method, id, params }) => [method ?? id, params]),
		[['notifications/message', { level: 'info', data: 'of two' }], [2, undefined]], 'what names the request is taken off');
	assert.deepEqual(listening.messages.map(({ method, params }) => [method, params?.data]),
		[['notifications/message', 'of none'], ['notifications/tools/list_changed', undefined]]);
});

check('HTTP: a question of the device comes on the stream of its request, and its answer with a POST', async (t) => {
	const { line, client } = await greeted(t, { greet: { capabilities: { elicitation: {} } } });
	const asking = client.post(call(1));
	const below = await line.takes('tools/call');
	line.ask('elicitation/create', { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, _meta: { 'quash/request': below.id } }, 'q');
	const question = await asking.take('the question', ({ method }) => method === 'elicitation/create');
	assert.deepEqual(question.params, { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } });
	assert.equal((await client.post({ id: question.id, result: { action: 'accept', content: {} } }).whole()).status, 202);
	assert.deepEqual((await line.answerTo('q')).result, { action: 'accept', content: {} });
	line.answer(below, done);
	await asking.whole();
	assert.equal(asking.messages.at(-1).id, 1);
});

check('HTTP: notifications/cancelled reaches the device, and the stream of its request ends', async (t) => {
	const { line, client } = await greeted(t);
	const one = client.post(call('x')), first = await line.takes('tools/call');
	const other = client.post(call('y')), second = await line.takes('tools/call');
	assert.equal((await client.post({ method: 'notifications/cancelled', params: { requestId: 'x', reason: 'Stop' } }).whole()).status, 202);
	const { params } = await line.takes('notifications/cancelled');
	assert.equal(params.requestId, first.id);
	await one.whole();
	assert.deepEqual(one.messages, [], 'in MCP a cancel is not answered');
	line.answer(second, done);
	assert.equal((await other.answer()).json.id, 'y');
	assert.equal((await client.post({ method: 'notifications/cancelled', params: { requestId: 'z' } }).whole()).status, 202);
	await line.getsNo('notifications/cancelled');
});

/* --- Streams that break off */

check('HTTP: a stream that breaks off goes on by Last-Event-ID, and nothing of it is lost or comes twice', async (t) => {
	const { line, client } = await greeted(t);
	const one = client.post(call(1, 'work', { _meta: { progressToken: 't' } }));
	const below = await line.takes('tools/call');
	const report = (progress) => line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress });
	report(1);
	await one.take('the first', ({ params }) => params?.progress === 1);
	const { id } = one.events.at(-1);
	one.vanish();
	await sleep(100);
	report(2);
	await sleep(50);
	await line.getsNo('notifications/cancelled', 100);
	const again = await client.get({ 'Last-Event-ID': id }).streams();
	await again.take('the second', ({ params }) => params?.progress === 2);
	report(3);
	line.answer(below, done);
	await again.whole();
	assert.deepEqual(again.messages.map(({ params, id: answered }) => params?.progress ?? answered), [2, 3, 1]);
	const once = await client.get({ 'Last-Event-ID': again.events[0].id }).whole();
	assert.deepEqual(once.messages.map(({ params, id: answered }) => params?.progress ?? answered), [3, 1], 'also after its end');
});

check('HTTP: an event that is not kept, or names no stream, is refused', async (t) => {
	const { client } = await greeted(t);
	for (const id of ['9-1', 'x', '0', '', '0-1x', '1-']) {
		const { status } = await client.get({ 'Last-Event-ID': id }).answer();
		assert.equal(status, 400, id);
	}
});

check('HTTP: what comes while nobody listens is there for the next GET, once', async (t) => {
	const { line, client } = await greeted(t);
	line.notify('notifications/tools/list_changed');
	await sleep(100);
	const first = await client.get().streams();
	await first.take('the list', ({ method }) => method === 'notifications/tools/list_changed');
	const second = await client.get().streams();
	line.notify('notifications/tools/list_changed');
	await second.take('the list', ({ method }) => method === 'notifications/tools/list_changed');
	assert.deepEqual([first.isWhole, first.messages.length, second.messages.length], [false, 1, 1], 'a message comes on the newer stream alone, and the older one stays open');
	second.vanish();
	await until('the older one is the only one', async () => {
		line.notify('notifications/tools/list_changed');
		await sleep(20);
		return first.messages.length > 1;
	});
	const again = await client.get({ 'Last-Event-ID': second.events.at(-1).id }).streams();
	line.notify('notifications/tools/list_changed');
	await again.take('the list', ({ method }) => method === 'notifications/tools/list_changed');
	assert.deepEqual(again.events.map(({ id }) => id), ['2-2'], 'it goes on with its own numbers');
});

check('HTTP: a session has so many streams, and none of them is ended for another', async (t) => {
	const { line, client } = await greeted(t);
	const open = [];
	while (open.length < 8) open.push(await client.get().streams());
	assert.equal((await client.get().answer()).status, 409);
	open.pop().vanish();
	await until('a place', async () => (await client.get().streams().then((stream) => open.push(stream), () => 0)) > 0);
	const asked = client.post(call(1, 'work', { _meta: { progressToken: 't' } })), below = await line.takes('tools/call');
	line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1 });
	await asked.take('progress', ({ params }) => params?.progress === 1);
	open.pop().vanish();
	const resumed = () => client.get({ 'Last-Event-ID': asked.events.at(-1).id });
	await until('a second connection of its stream', async () => {
		const again = resumed();
		await until('its head', () => again.head);
		if (again.status === 200) open.push(again);
		return again.status === 200;
	});
	assert.equal(asked.isWhole, false);
	line.answer(below, done);
	await Promise.all([asked.whole(), open.at(-1).whole()]);
	assert.deepEqual([asked.messages.at(-1).id, open.at(-1).messages.at(-1).id], [undefined, 1], 'the newest one has the answer, and both have ended');
	assert.equal((await resumed().whole()).messages.at(-1).id, 1);
});

check('HTTP: a stream that has ended, and of which nothing is left, is not given again', async (t) => {
	const { line, client } = await greeted(t);
	const asked = client.post(call('x')), below = await line.takes('tools/call');
	line.notify('notifications/message', { level: 'info', data: 'one', _meta: { 'quash/request': below.id } });
	await asked.take('the log', ({ method }) => method === 'notifications/message');
	await client.post({ method: 'notifications/cancelled', params: { requestId: 'x' } }).whole();
	await line.takes('notifications/cancelled');
	await asked.whole();
	const [first, ...rest] = asked.events.map(({ id }) => id);
	assert.equal((await client.get({ 'Last-Event-ID': rest.at(-1) ?? first }).whole()).status, 405, 'stopped, with all that was sent');
	const failed = client.post(call('y'));
	await failed.streams();
	line.refuse(await line.takes('tools/call'), -1);
	await failed.whole();
	assert.equal(failed.messages.at(-1).error.code, -1);
	const ids = failed.events.map(({ id }) => id);
	assert.equal((await client.get({ 'Last-Event-ID': ids.at(-1) }).whole()).status, 405, 'an error is an answer, too');
	assert.deepEqual((await client.get({ 'Last-Event-ID': ids[0] }).whole()).messages.map(({ error }) => error.code), [-1], 'what was missed is there');
	const quiet = client.post(call('z'));
	await quiet.streams();
	await line.takes('tools/call');
	await client.post({ method: 'notifications/cancelled', params: { requestId: 'z' } }).whole();
	await quiet.whole();
	assert.equal((await client.get({ 'Last-Event-ID': quiet.events[0].id }).whole()).status, 405, 'it had no message');
});

check('HTTP: only 2025-11-25 gets a first event without a message', async (t) => {
	const { line, client } = await served(t);
	for (const version of ['2025-06-18', '2025-11-25']) {
		const one = client();
		await one.greet({ version });
		const asked = one.post(call(1));
		const below = await line.takes('tools/call');
		await asked.streams();
		line.answer(below, done);
		await asked.whole();
		assert.deepEqual(asked.events.map(({ message }) => message === null), version === '2025-11-25' ? [true, false] : [false], version);
	}
});

/* --- A client of the legacy era that goes away */

/* The bridge's time stands until the test lets it pass. */
const hasten = (t) => {
	const clock = clockOf(t);
	return { clock, program: timed(clock, hostProgram('quash-bridge')), words: ['--session-idle', '0'] };
};

for (const [device, handlers, ms] of [['with a lease', leased(2000), 2000], ['without a lease', {}, 30000]])
	check(`HTTP: at a device ${device}, a call whose POST was closed and that nobody asks for again is cancelled`, async (t) => {
		const { clock, ...how } = hasten(t);
		const { line, client, bridge } = await greeted(t, { ...how, device: { handlers } });
		const standing = await client.get().streams();
		const asked = client.post(call(1, 'work', { _meta: { progressToken: 't' } })), below = await line.takes('tools/call');
		line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1 });
		await asked.take('progress', ({ params }) => params?.progress === 1);
		const { id } = asked.events.at(-1);
		asked.vanish();
		clock.passes(0, ms + 100);
		assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id, 'a standing GET is not of that call');
		await bridge.says(new RegExp(`nobody has asked for a stream again in ${ms} ms, its request is cancelled`));
		const back = await client.get({ 'Last-Event-ID': id }).whole();
		assert.deepEqual(back.messages, [{ jsonrpc: '2.0', id: 1, error: { code: -32800, message: 'Request cancelled',
			data: { reason: `its stream was closed, and not asked for again in ${ms} ms` } } }]);
		assert.equal(standing.isWhole, false);
		assert.equal((await client.get({ 'Last-Event-ID': back.events.at(-1).id }).whole()).status, 405);
		assert.equal((await client.post({ id: 2, method: 'tools/list' }).answer()).status, 200, 'the session is still there');
	});

check('HTTP: a call that somebody has, or has asked for again, is not cancelled', async (t) => {
	const { line, client, bridge } = await greeted(t, { device: { handlers: leased(600) } });
	const kept = await client.post(call(1)).streams();
	let asked = await client.post(call(2)).begins();
	const below = [await line.takes('tools/call'), await line.takes('tools/call')], [{ id }] = asked.events;
	for (let times = 0; times < 2; times++) {
		const again = await client.get({ 'Last-Event-ID': id }).streams();
		asked.vanish();
		await line.getsNo('notifications/cancelled', 700);
		asked = again;
	}
	line.answer(below[1], done);
	await asked.whole();
	assert.equal(asked.messages.at(-1).id, 2);
	kept.vanish();
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below[0].id);
	await bridge.says(/in 600 ms, its request is cancelled/);
});

check('HTTP: the lease counts again for what is asked after it has cancelled something', async (t) => {
	const { line, client } = await greeted(t, { greet: { version: '2025-03-26' }, device: { handlers: leased(300) } });
	for (let times = 0; times < 2; times++) {
		const one = client.post(call(times)), below = await line.takes('tools/call');
		one.vanish();
		assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	}
});

check('HTTP: a cancel finds its request, however the id is written', async (t) => {
	const { line, client } = await greeted(t);
	client.post(call('a\u00e9'));
	const below = await line.takes('tools/call');
	assert.equal((await client.postText('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\\u0061\\u00e9"}}').whole()).status, 202);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
});

check('HTTP: a session whose beginning nobody waits for takes no place', async (t) => {
	const bridge = Bridge.start(t, ['--listen-http', '127.0.0.1:0', '--unix', join(folderFor(t), 'away')]);
	const [, number] = await bridge.says(/listening on http:\/\/\S+:(\d+)\/mcp$/m);
	const asked = new HttpClient(t, Number(number)).post({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } });
	await sleep(200);
	asked.vanish();
	await bridge.says(/has not waited for its beginning/);
});

check('HTTP: a device without a lease: --session-idle ends the session, and cancels', async (t) => {
	const { line, client } = await greeted(t, { words: ['--session-idle', '2000'] });
	const one = await client.post(call(1)).streams();
	const below = await line.takes('tools/call');
	await line.getsNo('notifications/cancelled', 2500);
	one.vanish();
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	assert.equal((await client.post({ id: 2, method: 'tools/list' }).answer()).status, 404);
});

check('HTTP: one that only fetches what it has missed keeps its session', async (t) => {
	const { line, client } = await greeted(t, { words: ['--session-idle', '4000'] });
	const one = await client.post(call(1)).streams();
	line.answer(await line.takes('tools/call'), done);
	const [{ id }] = (await one.whole()).events;
	for (let times = 0; times < 4; times++) {
		await client.get({ 'Last-Event-ID': id }).whole();
		await sleep(1200);
	}
	assert.equal((await client.post({ id: 2, method: 'tools/list' }).answer()).status, 200);
});

check('HTTP: DELETE cancels everything of the session, and of no other one', async (t) => {
	const { line, client, more } = await greeted(t);
	const other = more();
	await other.greet();
	const one = await client.post(call(1)).streams(), two = await other.post(call(1)).streams();
	const [first, second] = [await line.takes('tools/call'), await line.takes('tools/call')];
	assert.equal((await client.send('DELETE').whole()).status, 204);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, first.id);
	await one.whole();
	line.answer(second, done);
	await two.whole();
	assert.equal(two.messages.at(-1).id, 1);
});

/* --- The modern era */

check('HTTP: a modern request needs no session', async (t) => {
	const { line, client } = await served(t);
	const asked = client().ask('tools/call', { name: 'work' }, { id: 'm' });
	const below = await line.takes('tools/call');
	assert.equal(below.params._meta['io.modelcontextprotocol/protocolVersion'], modernVersion);
	line.answer(below, { resultType: 'complete', ...done });
	const { status, json, fields } = await asked.answer();
	assert.deepEqual([status, json.id, json.result.resultType, fields['mcp-session-id']], [200, 'm', 'complete', undefined]);
});

check('HTTP: whoever closes a modern stream cancels its request, at once and while nothing is sent', async (t) => {
	const { line, client } = await served(t);
	const asked = await client().ask('tools/call', { name: 'work' }).streams(), other = client().ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call'), second = await line.takes('tools/call');
	await sleep(200);
	asked.vanish();
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	line.answer(second, { resultType: 'complete', ...done });
	await other.whole();
	await line.getsNo('notifications/cancelled');
});

check('HTTP: a request that names its revision in the head alone is no legacy one', async (t) => {
	const { line, client } = await served(t);
	const asks = (version) => client().postText(JSON.stringify({ jsonrpc: '2.0', ...call(1) }), { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'work' });
	for (const [version, error] of [[modernVersion, { code: -32602, message: '_meta lacks io.modelcontextprotocol/protocolVersion' }],
		['2099-01-01', { code: -32022, message: 'Unsupported protocol version', data: { supported: [modernVersion] } }]]) {
		const { status, json } = await asks(version).answer();
		assert.deepEqual([status, json.error], [400, error]);
	}
	await line.getsNo('tools/call');
});

check('HTTP: an end that may stand behind much that nobody reads', async (t) => {
	const { line, client } = await served(t);
	const asked = client().ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	asked.write('x'.repeat(1 << 20));
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
}, { needs: ['linux'] });

check('HTTP: the status of a modern error', async (t) => {
	const { client } = await served(t, { device: { handlers: {
		'tools/call': ({ params: { name }, id }, line) => { line.refuse({ id }, Number(name)); },
		'no/such': ({ id }, line) => { line.refuse({ id }, -32601); },
	} } });
	for (const [code, status] of [[-32601, 404], [-32020, 400], [-32021, 400], [-32022, 400], [-32602, 200], [-32603, 200], [-32012, 200]]) {
		const answer = await client().ask('tools/call', { name: String(code) }).answer();
		assert.equal(answer.json.error.code, code);
		hasStatus(answer, status, code);
	}
	for (const method of ['no/such', 'initialize', 'ping', 'logging/setLevel'])
		hasStatus(await client().ask(method).answer(), 404, method);
});

check('HTTP: fields of a modern request that differ from its body', async (t) => {
	const { line, client } = await served(t);
	const known = line.messages.length;
	for (const fields of [{ 'MCP-Protocol-Version': undefined, 'Mcp-Session-Id': undefined }, { 'MCP-Protocol-Version': '2025-11-25' }, { 'Mcp-Method': undefined },
		{ 'Mcp-Method': 'tools/list' }, { 'Mcp-Method': 'Tools/call' }, { 'Mcp-Name': undefined }, { 'Mcp-Name': 'other' }, { 'Mcp-Name': '=?base64?b3RoZXI=?=' },
		{ 'Mcp-Name': '=?base64?!?=' }, { 'Mcp-Name': '=?base64?d29yawB4?=' }, { 'Mcp-Method': '=?base64?dG9vbHMvY2FsbA==?=' }]) {
		const { status, json } = await client().ask('tools/call', { name: 'work' }, { id: 'h', fields }).answer();
		assert.deepEqual([status, json.error?.code, json.id], [400, -32020, 'h'], JSON.stringify(fields));
	}
	assert.deepEqual(line.messages.slice(known).map(({ method }) => method).filter((method) => method === 'tools/call'), [], 'nothing of them reached the device');
	for (const name of ['=?base64?d29yaw==?=', 'work']) {
		const asked = client().ask('tools/call', { name: 'work' }, { fields: { 'Mcp-Name': name } });
		line.answer(await line.takes('tools/call'), done);
		assert.equal((await asked.answer()).status, 200, name);
	}
});

check('HTTP: arguments that a schema marks stand in fields', async (t) => {
	const inputSchema = { type: 'object', properties: { pin: { type: 'integer', 'x-mcp-header': 'Pin' }, on: { type: 'boolean', 'x-mcp-header': 'On' },
		at: { type: 'object', properties: { room: { type: 'string', 'x-mcp-header': 'Room' } } }, other: { type: 'string' } } };
	const { line, client } = await served(t, { device: { handlers: { 'tools/list': () => ({ tools: [{ name: 'work', inputSchema }] }) } } });
	const asks = (fields, more) => client().ask('tools/call', { name: 'work', arguments: more }, { fields });
	for (const [fields, more] of [[{}, { pin: 1 }], [{ 'Mcp-Param-Pin': '2' }, { pin: 1 }], [{ 'Mcp-Param-Pin': '1' }, {}], [{ 'mcp-param-room': 'b' }, { at: { room: 'a' } }],
		[{ 'Mcp-Param-On': 'True' }, { on: true }], [{ 'Mcp-Param-Pin': '0x1' }, { pin: 1 }]])
		assert.equal((await asks(fields, more).answer()).json.error.code, -32020, JSON.stringify([fields, more]));
	for (const [fields, more] of [[{ 'Mcp-Param-Pin': '1' }, { pin: 1 }], [{ 'Mcp-Param-Pin': '1.0' }, { pin: 1 }], [{}, { pin: null, other: 'x' }], [{ 'Mcp-Param-Unknown': '1' }, {}],
		[{ 'mcp-param-room': '=?base64?w7Y=?=', 'mcp-param-on': 'false' }, { at: { room: '\u00f6' }, on: false }]]) {
		const asked = asks(fields, more);
		line.answer(await line.takes('tools/call'), done);
		assert.equal((await asked.answer()).status, 200, JSON.stringify([fields, more]));
	}
});

/* --- What is no request of MCP */

check('HTTP: requests that are refused, and why', async (t) => {
	const { client, number } = await greeted(t);
	const json = 'application/json', both = 'application/json, text/event-stream', body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
	const { session } = client;
	const cases = [
		['POST', {}, body, 200], ['POST', { 'Mcp-Session-Id': undefined }, body, 400], ['POST', { 'Mcp-Session-Id': 'x' }, body, 404],
		['POST', { 'Content-Type': 'text/plain' }, body, 415], ['POST', { 'Content-Type': `${json}; charset=utf-8` }, body, 200],
		...['text/plain; a=b, application/json', 'application/json, text/plain', 'application/jsonx', 'application/json x', 'application/json; charset', 'application/json; a="b', 'application',
			'', '*/*', `${json}\r\nContent-Type: text/plain`].map((type) => ['POST', { 'Content-Type': type }, body, 415]),
		...['application/JSON', `${json};charset="utf-8"`, `${json} ; a="b, \\"c"; d=e`, `${json};`].map((type) => ['POST', { 'Content-Type': type }, body, 200]),
		...[`${json};q=0, text/event-stream`, `${json}, text/event-stream;q=0`, '*/*;q=0', `*/*, ${json};q=0.000`, `application/*;q=0, ${both};q=0`, `${json};q=2, text/event-stream`, 'x', '',
			`text/html; a="${both}"`].map((Accept) => ['POST', { Accept }, body, 406]),
		...[`${json};q=0.001, text/event-stream;q=1.000`, `*/*;q=0, ${both}`, `application/*;q=0, text/*; Q=0.5, ${json}; a="b;q=0"`, undefined].map((Accept) => ['POST', { Accept }, body, 200]),
		['POST', { Accept: json }, body, 406], ['POST', { Accept: 'text/event-stream' }, body, 406], ['POST', { Accept: 'application/*, text/*' }, body, 200],
		['POST', {}, '{"jsonrpc":', 400], ['POST', {}, '', 400], ['POST', {}, '{"id":1}', 400], ['POST', {}, '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', 400],
		['POST', {}, `[${body}]`, 400], ['POST', { 'MCP-Protocol-Version': '2025-11-25' }, body, 200], ['POST', { 'MCP-Protocol-Version': '1999-01-01' }, body, 400],
		['POST', {}, body.replace(',', ',\r\n\t'), 200], ['PUT', {}, body, 405], ['GET', { 'MCP-Protocol-Version': '1999-01-01' }, undefined, 400], ['DELETE', { 'MCP-Protocol-Version': '1999-01-01' }, undefined, 400], ['GET', { 'Mcp-Session-Id': undefined }, undefined, 405],
		['GET', { Accept: json }, undefined, 406], ['GET', { 'Mcp-Session-Id': 'x' }, undefined, 404], ['DELETE', { 'Mcp-Session-Id': undefined }, undefined, 405],
		['POST', { 'Content-Length': '9437185' }, body, 413], ['POST', { 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }, body, 400],
		['POST', { Host: undefined }, body, 400], ['POST', { 'X-Long': 'x'.repeat(17000) }, body, 431],
	];
	for (const [method, fields, text, status] of cases) {
		const connection = new Connection(t, number).write(requestText(method, { Accept: both, 'Content-Type': json, 'Mcp-Session-Id': session, ...fields }, text));
		await connection.whole();
		assert.equal(connection.status, status, `${method} ${JSON.stringify(fields).slice(0, 80)} ${text}: ${connection.body}`);
	}
	assert.equal((await client.send('POST', {}, body, '/other').whole()).status, 404);
	const none = new Connection(t, number).write(requestText('HEAD', { Connection: 'close' }));
	await none.closes();
	assert.deepEqual([none.status, Number(none.fields['content-length']) > 0, none.head.rest.length], [405, true, 0]);
});

check('HTTP: a batch of 2025-03-26: each of its requests is answered on one stream', async (t) => {
	const { line, client } = await greeted(t, { greet: { version: '2025-03-26' } });
	const asked = client.postText(JSON.stringify([{ jsonrpc: '2.0', ...call(1) }, { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }, { jsonrpc: '2.0', ...call(2) }]));
	const [first, second] = [await line.takes('tools/call'), await line.takes('tools/call')];
	line.answer(second, done);
	line.answer(first, done);
	await asked.whole();
	assert.deepEqual(asked.messages.map(({ id }) => id).sort(), [1, 2]);
	assert.equal((await client.postText('[{"jsonrpc":"2.0","method":"notifications/initialized"}]').whole()).status, 202);
});

check('HTTP: nothing of a batch is begun that is not taken whole', async (t) => {
	const { line, client } = await greeted(t, { greet: { version: '2025-03-26' } });
	const message = (id) => ({ jsonrpc: '2.0', ...call(id) });
	for (const batch of [Array.from({ length: 33 }, (_, id) => message(id)), [message(1), 7], [message(1), message(null)], [message(1), message({})]]) {
		const { status, json } = await client.postText(JSON.stringify(batch)).answer();
		assert.deepEqual([status, json.error.code], [400, -32600]);
	}
	await line.getsNo('tools/call');
});

check('HTTP: requests one after the other on a connection, in any pieces', async (t) => {
	const { number } = await served(t);
	const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta() } });
	const text = requestText('POST', { Accept: '*/*', 'Content-Type': 'application/json', 'MCP-Protocol-Version': modernVersion, 'Mcp-Method': 'tools/list' }, body);
	const chunked = requestText('POST', { Accept: '*/*', 'Content-Type': 'application/json', 'MCP-Protocol-Version': modernVersion, 'Mcp-Method': 'tools/list',
		'Transfer-Encoding': 'chunked' }) + `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)};x=y\r\n${body.slice(5)}\r\n0\r\nTrailer: x\r\n\r\n`;
	const connection = new Connection(t, number).write(text + chunked);
	for (const piece of [text.slice(0, 20), text.slice(20, 200), text.slice(200)]) {
		await sleep(20);
		connection.write(piece);
	}
	for (let n = 0; n < 3; n++) {
		const { status, json } = await connection.answer();
		assert.deepEqual([status, json.result.tools.length], [200, 1]);
		connection.forget();
	}
	assert.equal(connection.closed, false);
});

/* --- Nobody holds up others */

check('HTTP: one that reads nothing holds nobody up, and is closed', async (t) => {
	const { line, client, bridge, more } = await greeted(t, { device: { handlers: { big: () => ({ text: 'x'.repeat(1 << 20) }) } } });
	const slow = client.post({ id: 0, method: 'big' });
	slow.socket.pause();
	for (let n = 1; n < 12; n++) {
		const next = client.post({ id: n, method: 'big' });
		next.socket.pause();
	}
	const asked = more().ask('tools/call', { name: 'work' });
	line.answer(await line.takes('tools/call'), done);
	assert.equal((await asked.answer()).status, 200);
	assert.equal(bridge.ended, null);
});

check('HTTP: streams on which nothing happens cost no processor', async (t) => {
	const { client, bridge } = await served(t);
	const open = await Promise.all(Array.from({ length: 40 }, () => client().ask('tools/call', { name: 'work' }).streams()));
	await sleep(300);
	const before = processorTicks(bridge.pid);
	await sleep(3000);
	const used = processorTicks(bridge.pid) - before;
	assert.ok(used <= 2, `${10 * used} ms of processor in 3 s with ${open.length} streams`);
}, { needs: ['proc'] });

check('HTTP: at the end of the bridge everything is cancelled, and the streams end', async (t) => {
	const { line, client, bridge, more } = await greeted(t);
	const one = await client.post(call(1)).streams(), two = await more().ask('tools/call', { name: 'work' }).streams();
	const below = [await line.takes('tools/call'), await line.takes('tools/call')];
	bridge.signal('SIGTERM');
	const cancelled = [await line.takes('notifications/cancelled'), await line.takes('notifications/cancelled')];
	assert.deepEqual(cancelled.map(({ params }) => params.requestId).sort(), below.map(({ id }) => id).sort());
	await Promise.all([one.closes(), two.closes()]);
	await bridge.exits(143);
});

check('HTTP: a device that is lost answers Link lost, and comes back', async (t) => {
	const { device, client, more } = await greeted(t);
	const one = client.post(call(1)), two = more().ask('tools/call', { name: 'work' });
	await device.line.takes('tools/call');
	await device.line.takes('tools/call');
	await device.unplug();
	assert.equal((await one.answer()).json.error.code, -32012);
	const { code, message } = (await two.answer()).json.error;
	assert.deepEqual([code, message], [-32603, 'Link lost'], 'the modern era has none of these codes');
	await device.plug();
	await device.ready(2);
	await until('an answer', async () => (await client.post({ id: 3, method: 'tools/list' }).answer()).json.result);
});
