/* SPDX-License-Identifier: MIT
 * quash-bridge names in its log what is wrong with a line or a device, and calls ready only who is. */

import assert from 'node:assert/strict';
import { Bridge, Device, cable, check, clientInfo, greet, joined } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { sick } from './sick.mjs';
import { sleep } from '../common/runner.mjs';

/** A bridge to a device that ails, on a cable; its client has asked for a session. */
async function ailing(t, ailment, words = []) {
	const { link } = await cable(t, { command: sick(ailment) });
	const bridge = Bridge.start(t, [...words, '--tty', link]);
	bridge.client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'i');
	return bridge;
}

const rate = 'give the rate of the board as --baud; ground to ground';
const wiring = 'connect TX with the RX of the other side, not with its own; switch off the local echo of an adapter or terminal';
const others = 'its text says who writes: load the program that serves, move what it prints to another line, or name another device';
const power = 'give the board power, load the program, let its loop run; TX to RX, RX to TX, ground to ground; its rate as --baud; or it is another device';

/** What the log says, word for word. */
const said = {
	silent: `silent: nothing came; remedy: ${power}`,
	echo: `echo: what is sent to it comes back; remedy: ${wiring}`,
	terminal: `echo: what is sent to it comes back; remedy: ${wiring}`,
	prompt: `another program: text that is no message: "raspberrypi login: "; remedy: ${others}`,
	http: `another program: text that is no message: "HTTP/1.1 400 Bad Request"; remedy: ${others}`,
	telemetry: `another program: text that is no message: "{\\"uptime\\":1}"; remedy: ${others}`,
	headed: 'another protocol: it writes headers, as LSP does; remedy: name what it speaks: --protocol, --modern',
	unended: 'no end of line: a message came, and no line feed behind it; remedy: end each message with a line feed',
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const warning = (words) => new RegExp(`^quash-bridge: warning: device: ${words}$`, 'm');

for (const [ailment, words] of Object.entries(said))
	check(`diagnosis: ${ailment}`, async (t) => {
		const bridge = await ailing(t, ailment);
		await bridge.says(warning(escaped(words)));
		assert.doesNotMatch(bridge.stderr, /ready|refuses/);
		assert.deepEqual(bridge.client.messages, [], 'the client waits');
	});

for (const ailment of ['fast', 'slow'])
	check(`diagnosis: garbage without a line feed: ${ailment}`, async (t) => {
		const bridge = await ailing(t, ailment);
		await bridge.says(warning(`garbage: \\d+ of \\d+ bytes are no text; remedy: ${escaped(rate)}`));
		assert.doesNotMatch(bridge.stderr, /ready/);
	});

check('diagnosis: an answer has an id of another type', async (t) => {
	const bridge = await ailing(t, 'texts');
	await bridge.says(warning('wrong id: an answer has the id "\\d+", and what was asked has a number; remedy: answer with the id that came: .*'));
});

check('diagnosis: one answer of many has an id of another type', async (t) => {
	const { bridge, client, line } = await joined(t, { device: { handlers: { 'tools/call': () => undefined } } });
	for (const [id, kept] of [[1, (below) => `${below}`], [2, (below) => `${below}`], [3, (below) => below]]) {
		client.ask('tools/call', { name: 'work' }, id);
		const asked = await line.takes('tools/call');
		line.send({ id: kept(asked.id), result: { content: [] } });
	}
	await client.answerTo(3);
	assert.equal(bridge.stderr.match(/wrong id: an answer has the id "\d+", and what was asked has a number; remedy: /g)?.length, 1, 'once on a connection');
});

check('diagnosis: each is named once, and what is well afterwards is ready', async (t) => {
	const device = await Device.open(t, { handlers: { initialize: () => undefined } });
	const bridge = Bridge.start(t, ['--unix', device.path]);
	bridge.client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'i');
	const line = await device.lineNumber(1);
	for (let i = 0; i < 2; i++) await line.takes('initialize');
	line.answer(await line.takes('initialize'), { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'late' } });
	await bridge.says(/device: ready: late$/m);
	assert.equal(bridge.stderr.match(/silent: /g).length, 1);
	assert.equal(bridge.stderr.match(/no answer to initialize, asked again/g).length, 2);
});

check('diagnosis: an echo reaches no client, and what answers behind it is served', async (t) => {
	const { bridge, client, line } = await joined(t, { device: { handlers: { initialize: ({ id, params }, end) => {
		end.send({ id, method: 'initialize', params });
		return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'behind' } };
	}, 'tools/call': ({ id, params }, end) => {
		end.send({ id, method: 'tools/call', params });
		return { content: [] };
	} } } });
	await bridge.says(warning('echo: what is sent to it comes back, and messages of its own too; remedy: [^\n]+|echo: what is sent to it comes back; remedy: [^\n]+'));
	await bridge.says(/device: ready: behind$/m);
	assert.deepEqual(await client.result('tools/call', { name: 'work' }), { content: [] });
	assert.deepEqual(line.messages.filter(({ error }) => error), [], 'no echo is answered');
	assert.deepEqual(client.messages.filter(({ method }) => method), []);
});

check('diagnosis: a request of the device that looks like ours is no echo once it has answered', async (t) => {
	const { client, line } = await joined(t);
	client.ask('sampling/createMessage', { a: 1 }, 'c');
	const { id, method, params } = await line.takes('sampling/createMessage');
	line.send({ id, method, params });
	assert.deepEqual((await client.takes('sampling/createMessage')).params, { a: 1 });
});

check('diagnosis: the board changes its rate while it is served', async (t) => {
	const { bridge, client, line } = await joined(t);
	line.sendBytes(Buffer.alloc(200, 0xe0));
	await bridge.says(/device: garbage: \d+ of 200 bytes are no text; remedy: /);
	line.sendBytes('\n');
	assert.equal((await client.result('tools/list')).tools.length, 1);
});

/* --- Who is ready */

for (const [ailment, words, remedy] of [
	['misconfigured', '\\{"code":-32603,"message":"tools\\[0\\] move: state_size 64, needs 66"\\}', 'refused; remedy: mend what its words name: its config, the arguments, or the machine'],
	['cramped', '\\{"code":-32011,"message":"Message too large","data":\\{"reason":"it is larger than the arena","is":40,"needs":97\\}\\}', 'too small; remedy: make the buffer larger that is named; quash-inspect --advise looks at all of them'],
	['unserving', '\\{"code":-32601,"message":"Method not found"\\}', 'another protocol; remedy: name what it speaks: --protocol, --modern'],
	['foreign', '\\{"code":-32603,"message":"What the device answers to initialize is of another protocol"\\}', 'another protocol; remedy: name what it speaks: --protocol, --modern'],
])
	check(`diagnosis: not ready: ${ailment}`, async (t) => {
		const bridge = await ailing(t, ailment);
		await bridge.says(warning(`refuses initialize: ${words}`));
		await bridge.says(warning(remedy));
		assert.ok((await bridge.client.answerTo('i')).error);
		assert.doesNotMatch(bridge.stderr, /ready/);
	});

check('diagnosis: not ready: an agent of ACP that answers otherwise', async (t) => {
	const { bridge, client } = await joined(t, { protocol: 'acp', device: { handlers: { initialize: () => ({ capabilities: {} }) } } });
	assert.match((await client.error('initialize', { protocolVersion: 1 })).message, /another protocol/);
	await bridge.says(warning('another protocol; remedy: [^\n]+'));
	assert.doesNotMatch(bridge.stderr, /ready/);
});

check('diagnosis: not ready: an agent of ACP that is silent', async (t) => {
	const bridge = Bridge.start(t, ['--protocol', 'acp', '--', ...sick('silent')], { protocol: 'acp' });
	bridge.client.ask('initialize', { protocolVersion: 1 });
	await bridge.says(/device: no answer to initialize, asked again$/m);
	await bridge.says(warning('silent: nothing came; remedy: [^\n]+'));
	assert.doesNotMatch(bridge.stderr, /ready/);
});

for (const protocol of ['lsp', 'jsonrpc'])
	check(`diagnosis: ${protocol} is ready once it has sent something`, async (t) => {
		const { bridge, client } = await joined(t, { protocol, device: { handlers: { 'x/ask': () => 'heard' } } });
		await bridge.says(/device: connected/);
		await sleep(100);
		assert.doesNotMatch(bridge.stderr, /ready/);
		assert.equal(await client.result('x/ask'), 'heard');
		await bridge.says(/device: ready$/m);
		await client.result('x/ask');
		assert.equal(bridge.stderr.match(/ready/g).length, 1);
	});

check('diagnosis: LSP: an echo', async (t) => {
	const bridge = Bridge.start(t, ['--protocol', 'lsp', '--', ...sick('echo')], { protocol: 'lsp' });
	bridge.client.ask('initialize', { capabilities: {} });
	await bridge.says(warning('echo: what is sent to it comes back; remedy: it sends back what it gets: start the program that serves'));
	await sleep(100);
	assert.deepEqual(bridge.client.messages, []);
	assert.doesNotMatch(bridge.stderr, /ready/);
});

check('diagnosis: LSP: a device that writes lines is not ready', async (t) => {
	const bridge = Bridge.start(t, ['--protocol', 'lsp', '--', hostProgram('toolbox')], { protocol: 'lsp' });
	bridge.client.ask('initialize', { capabilities: {} });
	await bridge.says(/device: noise: "\{\\"jsonrpc\\":/);
	await sleep(100);
	assert.doesNotMatch(bridge.stderr, /ready/);
	assert.deepEqual(bridge.client.messages, []);
});

check('diagnosis: a toolbox is well', async (t) => {
	const { link } = await cable(t);
	const bridge = Bridge.start(t, ['--tty', link]);
	await greet(bridge.client);
	await bridge.says(/device: ready: quash-toolbox \d/);
	assert.doesNotMatch(bridge.stderr, /warning/);
});

check('diagnosis: --device names which', async (t) => {
	const bridge = Bridge.start(t, ['--device', `arm=exec:${sick('echo').join(' ')}`, '--device', `lamp=exec:${hostProgram('toolbox')}`]);
	await greet(bridge.client);
	await bridge.says(/^quash-bridge: warning: arm: echo: /m);
	await bridge.says(/lamp: ready/);
});
