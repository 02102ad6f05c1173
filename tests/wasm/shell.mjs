/* SPDX-License-Identifier: MIT
 * The module and its shell: what it imports, ends that are no crash, time, late events, what is done on Windows. The black-box tests of the bridge run with it, too. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { NoMemory, levels } from '../../boards/wasm/engine.mjs';
import { nodeClock } from '../../boards/wasm/node.mjs';
import { connectTo, greet } from '../common/client.mjs';
import { Device } from '../common/device.mjs';
import { Program } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { folderFor, root, told } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { until } from '../common/waits.mjs';
import { endsWithItsHost, holding, startedBy } from '../host/parents.mjs';
import { leftOut, marks } from './left-out.mjs';
import { TestClock, bridge, call, device, initialize, initialized, module } from './rig.mjs';
import './windows.mjs';

test('the module imports nothing but its memory and what wasm_host.h names', () => {
	const named = readFileSync(join(root, 'boards/wasm/wasm_host.h'), 'utf8').matchAll(/^WASM_IMPORT\((\w+)\)/gm);
	const imported = WebAssembly.Module.imports(module).map((one) => `${one.module}.${one.name}`);
	assert.deepEqual(imported.sort(), ['env.memory', ...[...named].map(([, name]) => `shell.${name}`)].sort());
});

test('what black-box tests leave out with this shell stands in the table of its page', () => {
	const ofSystems = ['tty', 'proc', 'linux'];
	assert.ok(leftOut.length > 0);
	assert.deepEqual(marks().filter((word) => !ofSystems.includes(word)).sort(), [...leftOut].sort());
});

/* --- Ends */

/* The files of a package, some of which are others. */
function packed(t, change) {
	const folder = folderFor(t);
	cpSync(join(root, 'boards/wasm'), folder, { recursive: true, filter: (path) => !/\.(c|h|mk|md)$/.test(path) });
	cpSync(join(root, 'build/wasm/bridge.wasm'), join(folder, 'bridge.wasm'));
	for (const [file, from, to] of change) {
		const text = from ? readFileSync(join(folder, file), 'utf8') : '';
		assert.ok(text.includes(from), `${from} is in ${file}`);
		writeFileSync(join(folder, file), text.replace(from, to) || to);
	}
	return folder;
}

/* What the program says then. */
const run = (t, change, words, input = '') => told(process.execPath, [join(packed(t, change), 'quash-bridge.mjs'), ...words], { input });

const pattern = (words) => new RegExp(`^quash-bridge \\S+: ${words}; it ends, and devices come to rest by their leases\n$`, 'm');

test('files of a package run where they are, and know their version', (t) => {
	const { status, stdout } = run(t, [], ['--version']);
	assert.deepEqual([status, stdout], [0, `quash-bridge ${version}\n`]);
});

test('hosts start a package by its name and version, and files that are none by their path', (t) => {
	const started = (name) => {
		const folder = packed(t, [['package.json', '', JSON.stringify({ name })]]);
		const { stdout } = told(process.execPath, [join(folder, 'quash-bridge.mjs'), '--print-config', 'gemini', '--unix', '/a']);
		return { folder, server: JSON.parse(stdout).mcpServers.device };
	};
	assert.deepEqual(started('quash-bridge').server, { command: 'npx', args: ['-y', `quash-bridge@${version}`, '--unix', '/a'] });
	const { folder, server } = started('another');
	assert.deepEqual(server, { command: join(folder, 'quash-bridge.mjs'), args: ['--unix', '/a'] });
});

test('a module of another version ends the shell', (t) => {
	const { status, stderr } = run(t, [['version.mjs', version, '0.0.1']], ['--version']);
	assert.equal(status, 70);
	assert.match(stderr, pattern(`bridge\\.wasm is ${version}`));
	assert.ok(stderr.startsWith('quash-bridge 0.0.1: '));
});

/* For a text of so many bytes there is no memory. */
const most = 1 << 22;
const longest = 'x'.repeat(most);

test('memory that is refused ends the shell', (t) => {
	const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: longest })}\n`;
	const { status, stderr } = run(t, [['engine.mjs', '2 ** 31 - pageBytes', `${most}`]], ['--unix', '/no/such/device'], input);
	assert.equal(status, 70);
	assert.match(stderr, pattern('no memory is left for \\d+ bytes'));
});

/* Its one instruction is a trap. */
const traps = 'new WebAssembly.Instance(new WebAssembly.Module(Buffer.from("0061736d01000000010401600000030201000801000a05010300000b", "hex")))';

test('a trap closes all lines: the device and the clients see their end, and nothing more comes', async (t) => {
	const device = await Device.open(t), where = join(folderFor(t), 'clients');
	const folder = packed(t, [['line.mjs', 'takes(bytes) {', `takes(bytes) {\n\t\tif (\`\${bytes}\`.includes('"trap"')) ${traps};`]]);
	const bridge = Program.start(t, process.execPath, [join(folder, 'quash-bridge.mjs'), '--listen-unix', where, '--unix', device.path]);
	await bridge.says(/listening on /);
	const [moves, breaks] = [await connectTo(t, where), await connectTo(t, where)];
	for (const client of [moves, breaks]) await greet(client);
	const line = await device.ready();
	moves.ask('tools/call', { name: 'work' });
	await line.takes('tools/call');
	breaks.ask('trap');
	await bridge.exits(70);
	assert.match(bridge.stderr, pattern('unreachable'));
	await Promise.all([line.closes(), moves.closes(), breaks.closes()]);
});

test('behind npx it ends with the host, though npx and its shell live on and its input stays open', async (t) => {
	const device = await Device.open(t), folder = packed(t, []);
	mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
	symlinkSync('../../quash-bridge.mjs', join(folder, 'node_modules/.bin/quash-bridge'));
	writeFileSync(join(folder, 'package.json'), '{"name":"test","version":"1.0.0"}');
	const npx = ['npx', '--offline', '--prefix', folder, 'quash-bridge', '--initialize-timeout', '60m', '--unix', device.path];
	await endsWithItsHost(holding(t, startedBy(npx, 3), { at: 3 }), device);
});

test('memory that is refused in a call is an error, not a bridge that goes on', async () => {
	const { engine } = await bridge(['--', 'device'], { most });
	assert.throws(() => engine.say(levels.info, longest), NoMemory);
});

/* --- Time */

test('the clock wraps at 2^32 ms', () => {
	const clock = new TestClock();
	clock.at.awake = 2 ** 32 - 5;
	clock.turn();
	assert.equal(clock.now, 2 ** 32 - 5);
	clock.at.awake += 8;
	clock.turn();
	assert.equal(clock.now, 3);
});

for (const countsSleep of [false, true])
	test(`a sleep is seen, and is no time of the bridge's, where the clock ${countsSleep ? 'counts it' : 'does not count it'}`, () => {
		const clock = new TestClock({ countsSleep });
		clock.asks(5000);
		clock.at.awake += 3000;
		assert.equal(clock.turn(), false);
		clock.asks(2000);
		clock.at.awake += 2000;
		clock.at.asleep += 3600000;
		assert.equal(clock.turn(), true);
		assert.equal(clock.now, 5000);
		clock.asks(1000);
		clock.at.awake += 1500;
		assert.equal(clock.turn(), false, 'once');
		assert.equal(clock.now, 6500);
	});

test('a process that is held up on a system whose clock counts no sleep has not slept', () => {
	const clock = new TestClock();
	clock.asks(10);
	clock.at.awake += 60000;
	assert.equal(clock.turn(), false);
	assert.equal(clock.now, 60000);
});

test('the clock of the system only goes on', () => {
	const clock = nodeClock();
	clock.turn();
	const before = clock.now;
	assert.equal(clock.turn(), false);
	assert.ok(clock.now >= before);
});

/** Whether it is so yet, as turns go on. */
async function comes(what, is) {
	await until(what, async () => {
		await soon();
		return is();
	});
}

test('after a sleep of the machine a session of a device ends as with a lost line, and timeouts go on', async () => {
	const answers = [], devices = { silent: (message) => (message.method === 'tools/call' ? [] : device(message)) };
	const one = await bridge(['--timeout', '60s', '--', 'silent'], { devices });
	const client = await one.opens((message) => { answers.push(message); });
	client.says(initialize(1));
	await comes('the first answer', () => answers.length === 1);
	client.says(initialized, call(2));
	await comes('a call under way', () => one.engine.idle() > 0);
	one.clock.at.awake += 2000;
	one.clock.at.asleep += 3600000;
	one.shell.wake();
	await comes('the end of the call', () => answers.some(({ id }) => id === 2));
	assert.equal(answers.find(({ id }) => id === 2).error.message, 'Link lost');
	assert.equal(one.clock.now, 2000);
	await comes('a session anew', () => {
		one.clock.at.awake += 10;
		one.shell.wake();
		return one.log.match(/device: ready/g)?.length === 2;
	});
});

test('a timeout that the wrap of the clock divides ends when it is over, and not before', async () => {
	const answers = [], devices = { silent: (message) => (message.method === 'tools/call' ? [] : device(message)) };
	const one = await bridge(['--timeout', '60s', '--', 'silent'], { devices, clock: new TestClock({ wraps: 30000 }) });
	const client = await one.opens((message) => { answers.push(message); });
	client.says(initialize(1));
	await comes('the first answer', () => answers.length === 1);
	client.says(initialized, call(2));
	await comes('a call under way', () => one.engine.idle() > 0);
	const passes = async (ms) => {
		one.clock.at.awake += ms;
		one.shell.wake();
		for (let turn = 0; turn < 10; turn++) await soon();
	};
	await passes(59000);
	assert.equal(one.clock.now, 29000);
	assert.equal(answers.length, 1);
	await passes(2000);
	await comes('the end of the call', () => answers.some(({ id, error }) => id === 2 && error));
});

/* --- Memory */

test('24 devices with calls under way, and 64 clients of which no more is read ahead, take at most 256 MiB', async () => {
	const names = Array.from({ length: 24 }, (_, n) => `arm${n}`), count = 64, answers = [], busy = new Set();
	const silent = (name) => (message) => {
		if (message.method !== 'tools/call') return device(message);
		busy.add(name);
		return [];
	};
	const one = await bridge(['--listen-unix', '/clients', '--clients', `${count}`, ...names.flatMap((name) => ['--device', `${name}=exec:${name}`])],
		{ devices: Object.fromEntries(names.map((name) => [name, silent(name)])), most: 256 << 20 });
	await one.listens();
	const goesOn = (what, is) => comes(what, () => {
		one.clock.at.awake++;
		one.shell.wake();
		return is();
	});
	await goesOn('all devices', () => one.log.match(/: ready/g)?.length === names.length);
	const clients = Array.from({ length: count }, () => one.comes((message) => { answers.push(message); }));
	for (const client of clients) client.says(initialize(1));
	await goesOn('all first answers', () => answers.length === count);
	for (const client of clients) client.says(initialized, { id: 2, method: 'tools/list' });
	await goesOn('all lists', () => answers.length === 2 * count);
	/* So many of its requests are under way, or about to be; the others are read ahead. */
	const places = 200, text = 'x'.repeat(60000);
	for (const client of clients) {
		const calls = Array.from({ length: places + 20 }, (_, n) => ({ id: 3 + n, method: 'tools/call',
			params: { name: `${names[n % names.length]}_work`, arguments: n < places ? {} : { text } } }));
		client.says(...calls);
	}
	await goesOn('calls at all devices, and the end of reading', () => busy.size === names.length && clients.every(({ isPaused }) => isPaused));
	assert.ok(answers.length === 2 * count && answers.every(({ result }) => result), JSON.stringify(answers.at(-1)));
});

/* --- Late events */

test('an event of a line that has ended hits no other', async () => {
	const one = await bridge(['--listen-unix', '/clients', '--', 'device']);
	await one.listens();
	const numbers = new Set();
	for (let n = 0; n < 100; n++) {
		const number = one.engine.client(1);
		assert.ok(number > 0 && !numbers.has(number), 'a number is given once');
		numbers.add(number);
		for (const past of numbers) if (past !== number) one.engine.lost(past, 'late');
		assert.equal(one.engine.reads(number), true);
		one.engine.lost(number, 'closed the connection');
		for (let wish, closed = false; !closed;) {
			one.engine.tick(n);
			while ((wish = one.engine.wish())) {
				if (wish.line === number) one.engine.closed(number);
				closed = closed || wish.line === number;
			}
		}
		assert.equal(one.engine.feed(number, Buffer.from('late\n')), 5, 'nobody reads it');
	}
});
