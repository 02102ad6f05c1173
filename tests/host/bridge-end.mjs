/* SPDX-License-Identifier: MIT
 * quash-bridge when somebody dies, or takes too long: what is open is cancelled, on the device too. */

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { Bridge, check, greet, joined } from './bridge-program.mjs';
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
	const all = await busy(t, { words: ['--grace', '60m'] });
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
	line.notify('notifications/message', { level: 'info', data: 'behind it' });
	await client.takes('notifications/message');
	assert.equal(client.answersTo(id).length, 1);
});

/* --- Longest times */

const moving = (ms, longest, more) => ({ device: { handlers: { initialize: () => ({ protocolVersion: '2025-11-25',
	serverInfo: { name: 'moves', version: '1' },
	capabilities: { tools: {}, ...more, experimental: { 'quash/lifeSign': { ms }, 'quash/longest': longest } } }) } } });
const moves = moving(400, { work: 300, slow: 60000, odd: 'soon', none: 0 });
const words = (tool) => `${tool}: the device has not stopped it in its longest time of 300 ms, so it was cancelled`;

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

check('beyond 64 tools a longest time is not looked after, and the log says so', async (t) => {
	const many = Object.fromEntries(Array.from({ length: 66 }, (_, i) => [`work${i}`, 300]));
	const { bridge, client } = await joined(t, moving(400, many));
	await bridge.says(/^quash-bridge: warning: device: 2 longest times beyond the first 64 are not looked after$/m);
	const ids = [63, 64].map((i) => client.ask('tools/call', { name: `work${i}` }));
	assert.equal((await client.answerTo(ids[0])).result.content[0].text, words('work63'));
	assert.deepEqual(client.answersTo(ids[1]), []);
});

/* --- A program that does not start */

check('a program that cannot start is named in the answer to the first request, in every protocol', async (t) => {
	for (const protocol of ['mcp', 'acp', 'lsp', 'jsonrpc']) {
		const bridge = Bridge.start(t, ['--protocol', protocol, '--', '/no/such/program'], { protocol });
		/* Asked at once: the bridge waits for it only so long. */
		const params = { protocolVersion: protocol === 'mcp' ? '2025-11-25' : 1, capabilities: {} };
		const [error] = await Promise.all([bridge.client.error('initialize', params), bridge.says(/never became ready/)]);
		assert.deepEqual(error, { code: -32603, message: '/no/such/program never became ready: No such file or directory' }, protocol);
		await bridge.exits(1);
	}
});
