/* SPDX-License-Identifier: MIT
 * quash-bridge when somebody dies, or takes too long: what is open is cancelled, on the device too. */

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { Bridge, Device, check, clientInfo, connectTo, greet, joined, talking } from './bridge-program.mjs';
import { patientBridge } from '../common/program.mjs';
import { scripted } from './inspect-program.mjs';
import { sleep, until } from '../common/runner.mjs';

const codeOf = (signal) => 128 + constants.signals[signal];

/** A bridge with a request that the device is at work on. */
async function busy(t, how = {}) {
	const all = await joined(t, how);
	all.client.ask('tools/call', { name: 'work' }, 'w');
	all.below = await all.line.takes('tools/call');
	return all;
}

async function isCancelled({ line, below }) {
	const { params } = await line.takes('notifications/cancelled');
	assert.equal(params.requestId, below.id);
}

const ends = {
	'the end of input': [0, (bridge) => bridge.end()],
	'a vanished client': [0, (bridge) => bridge.vanish()],
	SIGTERM: [codeOf('SIGTERM'), (bridge) => bridge.signal('SIGTERM')],
	SIGHUP: [codeOf('SIGHUP'), (bridge) => bridge.signal('SIGHUP')],
	SIGINT: [codeOf('SIGINT'), (bridge) => bridge.signal('SIGINT')],
};

for (const [what, [code, stop]] of Object.entries(ends)) {
	check(`${what} cancels`, async (t) => {
		const all = await busy(t);
		stop(all.bridge);
		await isCancelled(all);
		await all.bridge.exits(code);
		assert.equal(all.line.all('notifications/cancelled').length, 1);
	});
	check(`${what} while nothing is open`, async (t) => {
		const { bridge } = await joined(t, { words: ['--grace', '60m'] });
		stop(bridge);
		await bridge.exits(code);
	});
}

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'])
	check(`${signal} while it waits for the device`, async (t) => {
		const bridge = Bridge.start(t, ['--grace', '60m', '--unix', '/no/such/device']);
		await bridge.says(/waiting for/);
		bridge.signal(signal);
		await bridge.exits(codeOf(signal));
	});

check('a signal that was ignored at the start, as by nohup, is ignored', async (t) => {
	const program = ['/bin/sh', '-c', `trap '' HUP; exec "$0" "$@"`, ...patientBridge];
	const bridge = Bridge.start(t, ['--unix', '/no/such/device'], { program });
	await bridge.says(/waiting for/);
	bridge.signal('SIGHUP');
	await sleep(200);
	assert.equal(bridge.ended, null);
	bridge.signal('SIGTERM');
	await bridge.exits(codeOf('SIGTERM'));
}, { needs: ['ignored-signals'] });

/* --- Grace */

check('a device that writes without pause cannot keep it', async (t) => {
	const all = await busy(t);
	const ticker = setInterval(() => { for (let n = 0; n < 50; n++) all.line.notify('notifications/message', { level: 'info', data: n }); }, 1);
	t.after(() => clearInterval(ticker));
	await sleep(50);
	all.bridge.end();
	await isCancelled(all);
	await all.bridge.exits(0);
});

check('a device that does not take the cancels is waited for as long as --grace', async (t) => {
	const all = await joined(t, { words: ['--grace', '300'] });
	all.device.socket.pause();
	for (let n = 0; n < 12; n++) all.client.ask('x/big', { text: 'x'.repeat(1 << 18) }, n);
	await sleep(600); /* all that finds room has been written */
	all.bridge.signal('SIGTERM');
	const ms = await all.bridge.exits(codeOf('SIGTERM'));
	assert.ok(ms > 250, `${ms} ms`);
});

check('a program that does not read cannot keep it', async (t) => {
	const bridge = Bridge.start(t, ['--grace', '200ms', '--', ...scripted('numb')]);
	await greet(bridge.client);
	bridge.client.ask('tools/call', { name: 'x' });
	await bridge.says(/called below/);
	bridge.signal('SIGTERM');
	await bridge.exits(codeOf('SIGTERM'));
});

check('the cancel reaches a program behind -- before its end', async (t) => {
	const bridge = Bridge.start(t, ['--', ...scripted('telling')]);
	await greet(bridge.client);
	bridge.client.ask('tools/call', { name: 'x' });
	await bridge.says(/called below/);
	bridge.end();
	await bridge.says(/cancelled below/);
	await bridge.exits(0);
});

check('a client that does not read cannot keep it', async (t) => {
	const { bridge, client, line } = await joined(t);
	bridge.child.stdout.pause();
	for (let n = 0; n < 12; n++) client.ask('x/big', {}, n);
	for (let n = 0; n < 12; n++) line.answer(await line.takes('x/big'), 'x'.repeat(1 << 18));
	client.ask('tools/call', { name: 'work' });
	await sleep(200);
	bridge.signal('SIGTERM');
	await until('its end', () => bridge.child.exitCode !== null);
	assert.equal(bridge.child.exitCode, codeOf('SIGTERM'));
});

/* --- Times */

/* `since` is a time before the bridge's clock begins. */
async function answeredAfter(client, id, since, least) {
	const { error } = await client.answerTo(id);
	const ms = performance.now() - since;
	assert.equal(error?.code, -32800);
	assert.ok(Math.ceil(ms) >= least, `${ms} ms`);
}

check('--timeout ends a request, progress or not', async (t) => {
	const { client, line } = await joined(t, { words: ['--timeout', '300'] });
	const since = performance.now();
	const id = client.ask('tools/call', { name: 'work', _meta: { progressToken: 1 } });
	const { id: below, params } = await line.takes('tools/call');
	const { progressToken } = params._meta;
	let progress = 0;
	const ticker = setInterval(() => line.notify('notifications/progress', { progressToken, progress: ++progress }), 50);
	t.after(() => clearInterval(ticker));
	await answeredAfter(client, id, since, 300);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below);
	clearInterval(ticker);
	line.answer({ id: below }, { content: [] });
	await client.result('tools/list');
	assert.equal(client.answersTo(id).length, 1);
});

check('--idle-timeout begins anew with progress', async (t) => {
	const { client, line } = await joined(t, { words: ['--idle-timeout', '2s'] });
	const id = client.ask('tools/call', { name: 'work', _meta: { progressToken: 1 } });
	const { id: below, params } = await line.takes('tools/call');
	const sent = [performance.now()];
	for (let progress = 1; progress <= 6; progress++) {
		await sleep(400);
		sent.push(performance.now());
		line.notify('notifications/progress', { progressToken: params._meta.progressToken, progress });
	}
	await until('an answer', () => client.answersTo(id).length > 0);
	const last = client.all('notifications/progress').at(-1)?.params.progress ?? 0; /* a device that was too late was not heard */
	const since = sent[last];
	await answeredAfter(client, id, since, 2000);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below);
});

check('without them a request takes as long as it takes', async (t) => {
	const { client, line } = await joined(t, { words: ['--timeout', '5m', '--idle-timeout', '1m'] });
	const id = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	await sleep(700);
	line.answer(below, { content: [] });
	assert.deepEqual((await client.answerTo(id)).result, { content: [] });
});

/* --- Longest times */

const moving = (ms, longest, more) => ({ device: { handlers: { initialize: () => ({ protocolVersion: '2025-11-25',
	serverInfo: { name: 'moves', version: '1' },
	capabilities: { tools: {}, ...more, experimental: { 'quash/lifeSign': { ms }, 'quash/longest': longest } } }) } } });
const moves = moving(400, { work: 300, slow: 60000, odd: 'soon', none: 0 });
const slowly = moving(600000, { work: 300 }); /* there is time for an answer, however slow the device is */
const words = (tool) => `${tool}: the device has not stopped it in its longest time of 300 ms, so it was cancelled`;

check('a call that the device should have ended: its cancel goes to the device, and words to its client', async (t) => {
	const { bridge, client, line } = await joined(t, moves);
	assert.deepEqual(bridge.greeting.capabilities, { tools: { listChanged: true } });
	const begun = performance.now();
	const id = client.ask('tools/call', { name: 'work' });
	const others = ['slow', 'odd', 'none', 'Work'].map((name) => client.ask('tools/call', { name }));
	client.ask('prompts/get', { name: 'work' }, 'prompt');
	const modern = client.ask('tools/call', { name: 'work', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientCapabilities': {} } });
	const below = await line.takes('tools/call');
	const { result } = await client.answerTo(id);
	const ms = performance.now() - begun;
	assert.ok(ms >= 690, `after ${ms} ms`);
	assert.deepEqual(result, { isError: true, content: [{ type: 'text', text: words('work') }] });
	assert.deepEqual((await line.takes('notifications/cancelled')).params, { requestId: below.id });
	assert.deepEqual((await client.answerTo(modern)).result, { resultType: 'complete', ...result });
	await line.takes('notifications/cancelled');
	line.answer(below, { content: [] });
	await bridge.says(/^quash-bridge: warning: device: work has not ended in its longest time of 300 ms: cancelled$/m);
	await sleep(300);
	for (const other of [...others, 'prompt']) assert.deepEqual(client.answersTo(other), []);
	assert.equal(client.answersTo(id).length, 1);
	assert.equal(line.all('notifications/cancelled').length, 2);
});

check('a call that ends in its longest time is answered as ever', async (t) => {
	const { client, line } = await joined(t, slowly);
	const id = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	await sleep(500);
	line.answer(below, { content: [], isError: true });
	assert.deepEqual((await client.answerTo(id)).result, { content: [], isError: true });
	await sleep(2000);
	assert.deepEqual(line.all('notifications/cancelled'), []);
});

check('a call that has ended in its longest time, and whose answer stands behind others on a slow line, is answered as ever', async (t) => {
	const { client, line } = await joined(t, slowly);
	const list = client.ask('x/list', {});
	const first = await line.takes('x/list');
	const id = client.ask('tools/call', { name: 'work' });
	const second = await line.takes('tools/call');
	const text = JSON.stringify({ jsonrpc: '2.0', id: first.id, result: 'x'.repeat(300) });
	for (let at = 0; at < text.length; at += 10) {
		line.sendBytes(text.slice(at, at + 10));
		await sleep(80);
	}
	line.sendBytes('\n');
	line.answer(second, { content: [], isError: true });
	assert.equal((await client.answerTo(list)).result.length, 300);
	assert.deepEqual((await client.answerTo(id)).result, { content: [], isError: true });
	assert.deepEqual(line.all('notifications/cancelled'), []);
});

check('a call whose answer has come while the bridge was stopped is answered as ever', async (t) => {
	const { bridge, client, line } = await joined(t, moves);
	const id = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	bridge.signal('SIGSTOP');
	line.answer(below, { content: [] });
	await sleep(900);
	const cancels = line.all('notifications/cancelled').length; /* 1: it was stopped too late */
	bridge.signal('SIGCONT');
	const { content } = (await client.answerTo(id)).result;
	assert.deepEqual(content, cancels ? [{ type: 'text', text: words('work') }] : []);
	assert.equal(line.all('notifications/cancelled').length, cancels);
});

check('a call that goes on is ended, whatever else its device says', async (t) => {
	const { client, line } = await joined(t, moving(200, { work: 300 }, { logging: {} }));
	const begun = performance.now();
	const id = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	const ticker = setInterval(() => line.notify('notifications/message', { level: 'info', data: 'still here' }), 20);
	t.after(() => clearInterval(ticker));
	assert.equal((await client.answerTo(id)).result.content[0].text, words('work'));
	const ms = performance.now() - begun;
	assert.ok(ms >= 690, `after ${ms} ms`);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
});

check('beyond 64 tools a longest time is not looked after, and the log says so', async (t) => {
	const many = Object.fromEntries(Array.from({ length: 66 }, (_, i) => [`work${i}`, 300]));
	const { bridge, client } = await joined(t, moving(400, many));
	await bridge.says(/^quash-bridge: warning: device: 2 longest times beyond the first 64 are not looked after$/m);
	const ids = [63, 64].map((i) => client.ask('tools/call', { name: `work${i}` }));
	assert.equal((await client.answerTo(ids[0])).result.content[0].text, words('work63'));
	assert.deepEqual(client.answersTo(ids[1]), []);
});

check('of several devices each has its own longest times', async (t) => {
	const devices = [await Device.open(t, moves.device), await Device.open(t)];
	const { client } = Bridge.start(t, devices.flatMap(({ path }, i) => ['--device', `d${i}=unix:${path}`]));
	await greet(client);
	const ids = [0, 1].map((i) => client.ask('tools/call', { name: `d${i}_work` }));
	assert.equal((await client.answerTo(ids[0])).result.content[0].text, words('d0_work'));
	await sleep(300);
	assert.deepEqual(client.answersTo(ids[1]), []);
});

/* --- Life signs */

const lease = 600;
const leased = { device: { handlers: { initialize: () => ({ protocolVersion: '2025-11-25',
	capabilities: { tools: {}, experimental: { 'quash/lifeSign': { ms: lease } } }, serverInfo: { name: 'leased', version: '1' } }), 'x/mark': () => ({}) } } };
const signsOf = (line) => line.lines.filter(({ text }) => text === '');

/* How many there are is told by the bridge's clock, which ends the call: fewer where it was held up. */
check('life signs come at a third of the lease while a request is open, and only then', async (t) => {
	const { client, line } = await joined(t, { ...leased, words: ['--timeout', `${3 * lease}`] });
	await sleep(lease);
	assert.deepEqual(signsOf(line), [], 'nothing is open');
	const id = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	await line.takes('notifications/cancelled');
	const signs = signsOf(line).length;
	assert.ok(signs <= 12, `${signs} in three leases, of which three arm it`);
	line.answer(below, { content: [] });
	await client.answerTo(id);
	await client.result('x/mark');
	const known = signsOf(line).length;
	await sleep(lease);
	assert.equal(signsOf(line).length, known, 'nothing is open any more');
});

check('life signs also for a client that makes no session', async (t) => {
	const device = await Device.open(t, leased.device);
	const { client } = Bridge.start(t, ['--unix', device.path]);
	client.ask('tools/call', { name: 'work', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientInfo': clientInfo, 'io.modelcontextprotocol/clientCapabilities': {} } });
	const line = await device.lineNumber(1);
	await line.takes('tools/call');
	await until('life signs', () => signsOf(line).length >= 4);
});

check('a device without a lease gets none', async (t) => {
	const { client, line } = await joined(t);
	client.ask('tools/call', { name: 'work' });
	await line.takes('tools/call');
	await sleep(lease);
	assert.deepEqual(signsOf(line), []);
});

check('life signs end with their client', async (t) => {
	const { clients: [client, other], line } = await talking(t, 2, leased);
	client.ask('tools/call', { name: 'work' });
	await line.takes('tools/call');
	await until('life signs', () => signsOf(line).length >= 2);
	client.vanish();
	await line.takes('notifications/cancelled');
	await other.result('x/mark');
	const known = signsOf(line).length;
	await sleep(lease);
	assert.equal(signsOf(line).length, known);
});

check('life signs in ACP', async (t) => {
	const { client, line } = await joined(t, { protocol: 'acp', device: { handlers: { initialize: () => ({ protocolVersion: 1,
		agentCapabilities: { _meta: { 'quash/lifeSign': { ms: lease } } } }) } } });
	await client.result('initialize', { protocolVersion: 1, clientCapabilities: {} });
	client.ask('session/prompt', { sessionId: 's', prompt: [] });
	await line.takes('session/prompt');
	await until('life signs', () => signsOf(line).length >= 4);
});

/* --- Clients that connect */

check('a client that vanishes from a socket: its requests are cancelled, and the bridge stays', async (t) => {
	const { bridge, where, clients: [client], line } = await talking(t, 1);
	client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	client.vanish();
	await isCancelled({ line, below });
	await bridge.says(/^quash-bridge: info: client 1: gone, 1 request cancelled$/m);
	const next = await connectTo(t, where);
	assert.equal((await greet(next)).serverInfo.name, 'played');
	bridge.signal('SIGTERM');
	await bridge.exits(codeOf('SIGTERM'));
	await next.closes();
});

/* --- A program that does not start */

check('a program that cannot start is named in the answer to the first request, in every protocol', async (t) => {
	for (const protocol of ['mcp', 'acp', 'lsp', 'jsonrpc']) {
		const bridge = Bridge.start(t, ['--protocol', protocol, '--', '/no/such/program'], { protocol });
		await bridge.says(/never became ready/);
		const error = await bridge.client.error('initialize', { protocolVersion: protocol === 'mcp' ? '2025-11-25' : 1, capabilities: {} });
		assert.deepEqual(error, { code: -32603, message: '/no/such/program never became ready: No such file or directory' }, protocol);
		await bridge.exits(1);
	}
});
