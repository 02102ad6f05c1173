/* SPDX-License-Identifier: MIT
 * What is tried in Wine. Each case gives what was seen in words, and how long it took, if that tells something. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { lives } from '../common/process.mjs';
import { hostProgram, root } from '../common/program.mjs';
import { sleep, until } from '../common/waits.mjs';
import { hasMoved, monotonic, readMotions } from '../hosts/motor.mjs';
import { Client, folder, homeOf, leastNode, leastVersion, nodeProgram, onDrive, seen } from './wine.mjs';

const moved = 400, motorLongest = 30000, leaseMs = 2000;
const unread = 4000; /* answers: more than pipes hold */
const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'wine', version: '1' } };
const tools = ['echo', 'slow', 'stats', 'led', 'stepper'];
const far = { steps: 60000 };

/** The COM ports, and what stands behind them while a case runs. */
export const ports = { COM1: join(folder, 'com1'), COM10: join(folder, 'com10') };

/** Ports that Windows lists: a board, and a device that no bridge may open unasked. */
export const known = {
	COM1: { device: 'USB\\VID_2341&PID_0043\\75330303035351F0A1B1', FriendlyName: 'Arduino Uno (COM1)', Mfg: 'Arduino LLC (www.arduino.cc)' },
	COM4: { device: 'BTHENUM\\{00001101-0000-1000-8000-00805F9B34FB}\\7&1&0&2', FriendlyName: 'Standard Serial over Bluetooth link (COM4)', Mfg: 'Microsoft' },
};

/** Names of users: files of the package, and the folder of temporary files, have them in their paths. */
const users = { plain: 'volunteer', odd: 'Jörg von der Höh' };
const packageFolder = join(root, 'build/npm/package'), bundleFolder = join(root, 'build/mcpb/bundle');

export const packageOf = () => JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
const between = seen(join(root, 'tests/wine/between.mjs'));

/* A motor behind a port, and a client in Wine. */
async function setUp(t, { port = 'COM1', user = users.plain, node = nodeProgram } = {}) {
	const log = join(folder, 'motor.log'), link = ports[port];
	for (const path of [log, link]) rmSync(path, { force: true });
	const line = await cable(t, { link, command: ['/usr/bin/env', `MOTOR_LOG=${log}`, hostProgram('tests/hosts/watched'), '--longest', String(motorLongest)] });
	const { home, program, env } = homeOf(user, packageFolder), client = await Client.start(t);
	t.explain = () => `${client.stderr}\n${JSON.stringify(readMotions(log))}`;
	return { line, client, log, env, home, command: [node, program, '--tty', port] };
}

const textOf = ({ content }) => content[0].text;

async function connected(t, how) {
	const all = await setUp(t, how);
	return { ...all, ...await all.client.asks('starts', all) };
}

/* Gives the number of its call. */
async function calling({ client, log }) {
	const { id } = client.asks('calls', { name: 'stepper', args: far, reports: true });
	await until('the motor to move', () => hasMoved(log, 0));
	await sleep(moved);
	return id;
}

/* What ended the motion, and how many milliseconds after `at`. */
async function rests(log, at) {
	const motion = await until('the motor to rest', () => readMotions(log).find(({ off }) => off !== null));
	return { cause: motion.cause, ms: (motion.off - at) * 1000 };
}

/** Of this machine: the processes that run the package's program in Wine. */
const bridges = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
	try {
		return lives(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('npm\\node_modules\\quash-bridge\\quash-bridge.mjs\0--');
	} catch {
		return false;
	}
});

/* How many milliseconds after `at` the bridge is gone. */
async function gone(at) {
	await until('the end of quash-bridge', () => bridges().length === 0);
	return (monotonic() - at) * 1000;
}

const rounded = (ms) => Math.round(ms).toLocaleString('en-US');

const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const calls = (id, name, args) => request(id, 'tools/call', { name, arguments: args });

/* Starts the command without a client that would read, and has the motor moved. Gives its process in Wine. */
async function movesUnread({ client, log, ...how }) {
	const pid = await client.asks('spawns', how);
	client.asks('writes', { text: request('i', 'initialize', greeting) + calls('m', 'stepper', far) });
	await until('the motor to move', () => hasMoved(log, 0));
	return pid;
}

/* Something happens to the bridge of `all` while the motor moves, which is at rest `by` what it should be, and in time. The bridge `ends`. */
async function happens(all, fault, { by = 'cancel', ends = true, moves = calling } = {}) {
	const call = await moves(all), at = monotonic();
	assert.notEqual(bridges().length, 0);
	await fault({ ...all, call });
	const [{ cause, ms }, end] = await Promise.all([rests(all.log, at), ends ? gone(at) : null]);
	assert.equal(cause, by);
	assert.ok(ms < leaseMs + 1000, `the motor is at rest after ${rounded(ms)} ms`);
	return { words: `motor at rest by ${cause}${ends ? `, the bridge gone after ${rounded(end)} ms` : ''}`, ms };
}

/* A port by a name that means COM1. */
async function named(t, name) {
	const all = await setUp(t), { client } = all;
	const { ms } = await client.asks('starts', { ...all, command: [...all.command.slice(0, -1), name] });
	assert.deepEqual(await client.asks('lists'), tools);
	const [line] = await client.says(/^quash-bridge: .*COM1.*$/m);
	return { words: `the list of tools; \`${line}\``, ms };
}

export const cases = {
	'start, and the list of tools': async (t) => {
		const { client, ms, server } = await connected(t);
		assert.deepEqual(await client.asks('lists'), tools);
		return { words: `${server.name} ${server.version}: ${tools.join(', ')}`, ms };
	},
	'call': async (t) => {
		const { client } = await connected(t), text = 'grün \u{1f600} \\ C:\\';
		const since = monotonic();
		assert.deepEqual(JSON.parse(textOf(await client.asks('calls', { name: 'echo', args: { text } }))), { text });
		return { words: 'the result, of characters beyond ASCII', ms: (monotonic() - since) * 1000 };
	},
	'progress': async (t) => {
		const { client } = await connected(t);
		assert.equal(textOf(await client.asks('calls', { name: 'stepper', args: { steps: 1000 }, reports: true })), 'stepped 1000');
		const all = client.progress.map(({ progress }) => progress);
		assert.deepEqual(all, [...new Set(all)].sort((a, b) => a - b));
		assert.ok(all.length > 1);
		return { words: `${all.length} notifications before the result` };
	},
	'cancel': async (t) => happens(await connected(t), ({ client, call }) => client.asks('aborts', { call }), { ends: false }),
	'the client closes': async (t) => happens(await connected(t), ({ client }) => { client.asks('closes'); }),
	'the client is killed; it runs on Node, which has Windows end what it has started': async (t) =>
		happens(await connected(t), ({ client }) => { client.child.kill('SIGKILL'); }, { by: 'lease' }),
	'a client that does not do so is killed': async (t) => {
		const all = await setUp(t);
		await movesUnread({ ...all, detached: true });
		return happens(all, ({ client }) => { client.child.kill('SIGKILL'); }, { moves: () => {} });
	},
	'the bridge is killed': async (t) => happens(await connected(t), ({ client, pid }) => client.asks('kills', { pid }), { by: 'lease' }),
	'its parent is killed, and another program holds its input': async (t) => {
		const all = await setUp(t), { command: [node, ...words] } = all;
		const pid = await movesUnread({ ...all, command: [node, between, node, ...words] });
		return happens(all, ({ client }) => client.asks('kills', { pid }), { moves: () => {} });
	},
	'`cmd /c` has started it, and is killed': async (t) => {
		const all = await setUp(t), { command } = all;
		const { pid } = await all.client.asks('starts', { ...all, command: ['cmd', '/c', ...command] });
		assert.deepEqual(await all.client.asks('lists'), tools);
		return happens(all, ({ client }) => client.asks('kills', { pid }));
	},
	'nobody reads what it says': async (t) => {
		const all = await setUp(t), { client, log } = all;
		await movesUnread(all);
		client.asks('writes', { text: Array.from({ length: unread }, (_, i) => calls(i, 'echo', { text: 'x'.repeat(200) })).join('') });
		await sleep(leaseMs + 1000);
		assert.equal(readMotions(log)[0].cause, null, 'the motor moves on');
		const { words, ms } = await happens(all, () => client.asks('ends'), { moves: () => {} });
		return { words: `the motor moves on; then its input ends: ${words}`, ms };
	},
	'HTTP': async (t) => {
		const { client, log, command, env } = await setUp(t);
		const pid = await client.asks('spawns', { command: [...command, '--listen-http', '0'], env });
		const [, url] = await client.says(/listening on (http\S+)/);
		const { ms } = await client.asks('connects', { url });
		assert.deepEqual(await client.asks('lists'), tools);
		const seen = await happens({ client, log }, ({ call }) => client.asks('aborts', { call }), { ends: false });
		client.asks('kills', { pid });
		return { words: `list; progress; cancel after ${rounded(seen.ms)} ms`, ms };
	},
	'HTTP, and the client is killed': async (t) => {
		const { client, log, command, env } = await setUp(t), other = await Client.start(t);
		await client.asks('spawns', { command: [...command, '--listen-http', '0'], env });
		const [, url] = await client.says(/listening on (http\S+)/);
		await other.asks('connects', { url });
		return happens({ client: other, log }, () => { other.child.kill('SIGKILL'); }, { ends: false });
	},
	'the cable is pulled, and plugged in again': async (t) => {
		const all = await connected(t), { client, line } = all;
		const { words, ms } = await happens(all, () => line.unplug(), { by: 'lease', ends: false });
		const [answer] = await client.says(/1 request answered with Link lost/);
		await line.plug();
		await until('the device', () => client.stderr.match(/device: ready/g).length === 2);
		assert.deepEqual(await client.asks('lists'), tools);
		return { words: `${answer}, ${words}; then the list of tools`, ms };
	},
	'COM10': async (t) => {
		const { client, ms } = await connected(t, { port: 'COM10' });
		assert.deepEqual(await client.asks('lists'), tools);
		return { words: 'the list of tools', ms };
	},
	'`--list`, with a board on COM1 and a telephone on COM4': async (t) => {
		const { client, env, command: [node, program] } = await setUp(t);
		const { code, stdout } = await client.asks('runs', { env, command: [node, program, '--list'] });
		assert.equal(code, 0);
		assert.match(stdout, /^COM1 .* usb:2341:0043:75330303035351F0A1B1 /m);
		return { words: stdout.trim().split('\n').map((line) => `\`${line.trim()}\``).join('; ') };
	},
	'`--tty auto`, with both': async (t) => named(t, 'auto'),
	'`--tty usb:2341:0043`': async (t) => named(t, 'usb:2341:0043'),
	[`the user is *${users.odd}*`]: async (t) => {
		const { client, env, command } = await setUp(t, { user: users.odd });
		const { ms } = await client.asks('starts', { env, command: [...command, '--record', `${env.TEMP}\\record`] });
		assert.deepEqual(await client.asks('lists'), tools);
		assert.match(readFileSync(onDrive(`${env.TEMP}\\record`), 'utf8'), /tools\/list/);
		return { words: 'the list of tools; a record in the folder of temporary files', ms };
	},
	'`--install claude`, and Claude Desktop starts what its file has; a batch file plays `npx`': async (t) => {
		const all = await setUp(t, { user: users.odd }), { client, env, home, command: [node, program] } = all;
		const folderOfClaude = `${env.LOCALAPPDATA}\\Packages\\Claude_0123456789abc\\LocalCache\\Roaming\\Claude`;
		mkdirSync(onDrive(folderOfClaude), { recursive: true });
		writeFileSync(onDrive(`${home}\\npx.cmd`), `@"${node}" "%APPDATA%\\npm\\node_modules\\quash-bridge\\quash-bridge.mjs" %3 %4\r\n`);
		const { code, stderr } = await client.asks('runs', { env, command: [node, program, '--install', 'claude', '--tty', 'auto'] });
		assert.equal(code, 0, stderr);
		const { command, args } = JSON.parse(readFileSync(onDrive(`${folderOfClaude}\\claude_desktop_config.json`), 'utf8')).mcpServers.device;
		await client.asks('starts', { env: { ...env, PATH: `${home};C:\\windows\\system32` }, command: [command, ...args] });
		assert.deepEqual(await client.asks('lists'), tools);
		const { words, ms } = await happens(all, () => { client.asks('closes'); });
		return { words: `\`${[command, ...args].join(' ')}\`: the list of tools; the host closes: ${words}`, ms };
	},
	'the bundle, with empty settings': async (t) => {
		const { client, env } = await setUp(t, { user: users.odd }), place = `${env.APPDATA}\\Claude\\Claude Extensions\\quash-bridge`;
		cpSync(bundleFolder, onDrive(place), { recursive: true });
		const { args } = JSON.parse(readFileSync(join(bundleFolder, 'manifest.json'), 'utf8')).server.mcp_config;
		const filled = args.map((text) => text.replace('${__dirname}', place).replace(/\$\{user_config\.\w+\}/, ''));
		const { ms } = await client.asks('starts', { env, command: [nodeProgram, ...filled] });
		assert.deepEqual(await client.asks('lists'), tools);
		return { words: 'the list of tools', ms };
	},
	[`Node ${leastVersion}`]: async (t) => {
		const { client, ms } = await connected(t, { node: leastNode });
		assert.deepEqual(await client.asks('lists'), tools);
		return { words: 'the list of tools', ms };
	},
	'a command is the device; the client closes': async (t) => {
		const all = await setUp(t), { command: [node, program, ...port] } = all;
		await all.client.asks('starts', { ...all, command: [node, program, '--', node, program, ...port] });
		assert.deepEqual(await all.client.asks('lists'), tools);
		return happens(all, ({ client }) => { client.asks('closes'); });
	},
	'`report.mjs COM1`, what a volunteer sends': async (t) => {
		const { client, env, command: [node, program] } = await setUp(t), since = monotonic();
		const { code, stdout } = await client.asks('runs', { env, command: [node, program.replace(/quash-bridge\.mjs$/, 'report.mjs'), 'COM1'] });
		assert.equal(code, 0, stdout);
		assert.match(stdout, /^Windows_NT /);
		return { words: `${[...stdout.matchAll(/^ok /gm)].length} steps, ${stdout.trim().split('\n').at(-1)}`, ms: (monotonic() - since) * 1000 };
	},
	'a port that is not there': async (t) => {
		const { client, env, command: [node, program] } = await setUp(t);
		await client.asks('spawns', { env, command: [node, program, '--tty', 'COM7'] });
		const [line] = await client.says(/^quash-bridge: .*COM7.*$/m);
		return { words: `\`${line}\`` };
	},
};
