/* SPDX-License-Identifier: MIT
 * quash-bridge: options, exit codes, what it writes beside the messages. */

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, Device, cable, check, folderFor, greet, joined, listening } from './bridge-program.mjs';
import { server, started } from './homes.mjs';
import { hostProgram } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { version } from '../common/version.mjs';

const unix = ['--unix', '/no/such'];
const shown = (bridge) => bridge.client.lines.map(({ text }) => text);

/* --- Options */

const badOptions = [
	[], ['--nonsense', ...unix], ['stray'], ['--'], ['--unix'], [...unix, '--tcp', '127.0.0.1:1'], [...unix, '--', 'true'],
	['--tty'], ['--tty', '/dev/null', '--baud', 'fast'], ['--tty', '/dev/null', '--baud', '0'], ['--baud', '9600', ...unix],
	['--tcp', '127.0.0.1'], ['--tcp', '127.0.0.1:0'], ['--tcp', '127.0.0.1:65536'], ['--tcp', 'example.org:80'], ['--tcp', ':80'],
	['--protocol', 'klingon', ...unix], ['--protocol', ...unix], ['--grace', 'long', ...unix], ['--grace', '-1', ...unix],
	['--timeout', '', ...unix], ['--timeout', '5y', ...unix], ['--wait', '1.5.2', ...unix], ['--log', 'loud', ...unix],
	['--clients', '0', ...unix], ['--clients', 'many', ...unix], ['--listen-tcp', '127.0.0.1:http', ...unix],
	['--listen-tcp', '127.0.0.1:70000', ...unix], ['--listen-tcp', 'example.org:0', ...unix],
	['--token-file', '/no/such/token', '--listen-tcp', '0', ...unix], ['--print-config', 'notepad', ...unix],
];

for (const words of badOptions)
	check(`bad options are refused: ${JSON.stringify(words.join(' '))}`, async (t) => {
		const bridge = Bridge.start(t, words);
		await bridge.exits(2);
		assert.deepEqual(bridge.client.lines, [], 'nothing on stdout');
		assert.match(bridge.stderr, /^quash-bridge: [^\n]+\n/, 'stderr has the reason');
		assert.ok(bridge.stderr.split('\n').length <= 4, bridge.stderr);
	});

check('an empty token is refused', async (t) => {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, '\nsecond line\n');
	const bridge = Bridge.start(t, ['--listen-tcp', '0', '--token-file', file, ...unix]);
	await bridge.exits(2);
	assert.match(bridge.stderr, /token/);
});

check('--help names every option, on stdout', async (t) => {
	const bridge = Bridge.start(t, ['--help']);
	await bridge.exits(0);
	const text = shown(bridge).join('\n');
	for (const option of ['--tty', '--baud', '--reset', '--tcp', '--unix', '--device', '--protocol', '--listen-unix', '--listen-tcp', '--token-file',
		'--clients', '--wait', '--grace', '--timeout', '--idle-timeout', '--log', '--trace', '--record', '--print-config', '--help', '--version'])
		assert.ok(text.includes(option), option);
	assert.equal(bridge.stderr, '');
});

check('--version', async (t) => {
	const bridge = Bridge.start(t, ['--version']);
	await bridge.exits(0);
	assert.deepEqual(shown(bridge), [`quash-bridge ${version}`]);
});

/* --- The log */

check('--log error is quiet, --log debug is not', async (t) => {
	const quiet = await joined(t, { words: ['--log', 'error'] });
	const plain = await joined(t);
	const loud = await joined(t, { words: ['--log', 'debug'] });
	for (const { client } of [quiet, plain, loud]) await client.result('tools/list');
	assert.equal(quiet.bridge.stderr, '');
	for (const line of plain.bridge.stderr.split('\n').slice(0, -1)) assert.match(line, /^quash-bridge: (error|warning|info): /);
	assert.ok(loud.bridge.stderr.length >= plain.bridge.stderr.length);
});

check('--log debug adds why a line was lost', async (t) => {
	for (const [level, notes] of [['info', 0], ['debug', 1]]) {
		const { bridge, device } = await joined(t, { words: ['--log', level] });
		await device.unplug();
		await bridge.says(/^quash-bridge: warning: device: lost$/m);
		await bridge.says(/waiting for/);
		const [, behind] = bridge.stderr.split('device: lost\n');
		assert.equal([...behind.matchAll(/^quash-bridge: debug: device: (?!waiting)/gm)].length > 0 ? 1 : 0, notes, bridge.stderr);
	}
});

check('--trace shows each message, and events with their reason in words', async (t) => {
	const { bridge, client, line } = await joined(t, { words: ['--trace'] });
	client.ask('tools/call', { name: 'work\u001b[2J' }, 'c');
	const below = await line.takes('tools/call');
	client.notify('notifications/cancelled', { requestId: 'c' });
	await line.takes('notifications/cancelled');
	await client.result('tools/list');
	await bridge.says(/cancelled it/);
	assert.ok(bridge.stderr.includes('"method":"tools/call"'), bridge.stderr);
	assert.ok(bridge.stderr.includes(`${below.id}`), 'what goes to the device too');
	assert.doesNotMatch(bridge.stderr, /[\x00-\x08\x0b-\x1f\x7f]/, 'nothing of it can steer a terminal');
});

/* --- The record */

check('--record: what passes on the line, in a file of its own', async (t) => {
	const file = join(folderFor(t), 'record');
	const { device, bridge, client, line } = await joined(t, { words: ['--record', file] });
	const id = client.ask('tools/call', { name: 'work' });
	line.sendBytes('boot "1"\n');
	line.answer(await line.takes('tools/call'), { content: [] });
	await client.answerTo(id);
	await device.unplug();
	await device.plug();
	await device.ready(2);
	await bridge.endsByInput();
	assert.equal(statSync(file).mode & 0o777, 0o600);
	const [first, ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -1);
	assert.equal(first, '# quash-bridge record 1 mcp');
	for (const text of lines) assert.match(text, /^\d+ device (>|> \{.*\}|< \{.*\}|! .+)$/);
	const times = lines.map((text) => Number(text.split(' ')[0]));
	assert.deepEqual(times, times.toSorted?.((a, b) => a - b) ?? [...times].sort((a, b) => a - b));
	const recorded = (sign) => lines.filter((text) => text.split(' ')[2] === sign).map((text) => text.replace(/^\S+ \S+ \S+ ?/, ''));
	const sent = () => device.lines.flatMap((end) => end.lines.map(({ text }) => text));
	await until('all of it at the device', () => sent().length >= recorded('>').length);
	assert.deepEqual(recorded('>'), sent());
	assert.ok(recorded('<').some((text) => JSON.parse(text).result?.content));
	const events = recorded('!').join('\n');
	assert.match(events, /connected[^]*boot \\"1\\"[^]*lost[^]*connected/);
});

check('--record: what is recorded is replayed', async (t) => {
	const folder = folderFor(t);
	const file = (name) => join(folder, name);
	const command = ['--', hostProgram('toolbox')];
	const bridge = Bridge.start(t, ['--record', file('same'), ...command]);
	await greet(bridge.client);
	await bridge.client.result('tools/call', { name: 'echo', arguments: { text: 'one' } });
	await bridge.client.result('tools/call', { name: 'slow', arguments: { ms: 120 }, _meta: { progressToken: 1 } });
	await bridge.endsByInput();
	const text = readFileSync(file('same'), 'utf8');
	writeFileSync(file('other'), text.replace('"structuredContent":{"text":"one"}', '"structuredContent":{"text":"two"}'));
	for (const [name, code] of [['same', 0], ['other', 1]]) {
		const replay = Bridge.start(t, ['--replay', file(name), ...command], { program: [hostProgram('quash-inspect')] });
		await replay.exits(code);
	}
});

check('--record: the names of several devices', async (t) => {
	const file = join(folderFor(t), 'record');
	const devices = [await Device.open(t), await Device.open(t)];
	const bridge = Bridge.start(t, ['--record', file, '--device', `arm=unix:${devices[0].path}`, '--device', `eye=unix:${devices[1].path}`]);
	await greet(bridge.client);
	await bridge.says(/arm: ready/);
	await bridge.says(/eye: ready/);
	const text = readFileSync(file, 'utf8');
	for (const name of ['arm', 'eye']) {
		assert.match(text, new RegExp(`^\\d+ ${name} ! connected`, 'm'));
		assert.match(text, new RegExp(`^\\d+ ${name} > .*"initialize"`, 'm'));
		assert.match(text, new RegExp(`^\\d+ ${name} < .*"serverInfo"`, 'm'));
	}
});

check('--record: life signs are empty lines, LSP has no headers', async (t) => {
	const folder = folderFor(t);
	const capabilities = { experimental: { 'quash/lifeSign': { ms: 150 } } };
	const leased = { handlers: { initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'l', version: '1' } }) } };
	const mcp = await joined(t, { words: ['--record', join(folder, 'mcp')], device: leased });
	mcp.client.ask('tools/call', { name: 'work' });
	await until('life signs', () => /^\d+ device >$/m.test(readFileSync(join(folder, 'mcp'), 'utf8')));
	const lsp = await joined(t, { words: ['--record', join(folder, 'lsp')], protocol: 'lsp' });
	await lsp.client.result('initialize', { capabilities: {} });
	await until('its messages', () => /^\d+ device > \{"jsonrpc".*"initialize"/m.test(readFileSync(join(folder, 'lsp'), 'utf8')));
	assert.match(readFileSync(join(folder, 'lsp'), 'utf8'), /^# quash-bridge record 1 lsp\n/);
});

/* --- What to paste elsewhere */

const line = ['--tty', '/dev/tty with blank', '--baud', '115200', '--idle-timeout', '30s'];
const hosts = { claude: 'mcpServers', cursor: 'mcpServers', vscode: 'servers', zed: 'context_servers' };

/** All objects in a value, itself included. */
const objectsIn = (value) => (value && typeof value === 'object' ? [value, ...Object.values(value).flatMap(objectsIn)] : []);

for (const [host, member] of Object.entries(hosts))
	check(`--print-config ${host} gives JSON that starts just this`, async (t) => {
		const bridge = Bridge.start(t, ['--print-config', host, ...line], { program: [hostProgram('quash-bridge')] });
		await bridge.exits(0);
		const text = shown(bridge).join('\n');
		const config = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
		assert.ok(member in config, text);
		const entry = objectsIn(config).find(({ args }) => Array.isArray(args));
		assert.deepEqual([entry.command, entry.args], [server(line).command, server(line).args]);
	});

for (const host of ['claude-code', 'codex', 'acp', 'lsp'])
	check(`--print-config ${host} has the absolute path and every word`, async (t) => {
		const bridge = Bridge.start(t, ['--print-config', host, ...line], { program: [hostProgram('quash-bridge')] });
		await bridge.exits(0);
		const text = shown(bridge).join('\n');
		for (const word of [...started, ...line]) assert.ok(text.includes(word), `${word} in ${text}`);
	});

/* --- Bridges behind bridges */

check('a bridge whose device is a listening bridge', async (t) => {
	const { bridge: lower, where } = await listening(t, {});
	const upper = Bridge.start(t, ['--unix', where]);
	assert.equal((await greet(upper.client)).serverInfo.name, 'played');
	assert.equal((await upper.client.result('tools/list')).tools[0].name, 'work');
	await upper.endsByInput();
	await lower.says(/client 1: gone/);
});

check('a toolbox on a cable, from beginning to end', async (t) => {
	const { link } = await cable(t);
	const bridge = Bridge.start(t, ['--tty', link, '--baud', '115200']);
	const { client } = bridge;
	await greet(client);
	assert.deepEqual((await client.result('tools/call', { name: 'echo', arguments: { text: 'grün' } })).structuredContent, { text: 'grün' });
	await bridge.endsByInput();
	assert.ok(bridge.stderr.includes(`device: connected (${link})`), bridge.stderr);
}, { needs: ['tty'] });
