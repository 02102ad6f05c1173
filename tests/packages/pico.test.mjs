/* SPDX-License-Identifier: MIT
 * The package for the pico-sdk, from its archive alone. pico-sdk and TinyUSB are stand-ins: CMake is real and the SDK's functions
 * are stubs, the headers state what is used, and a device stack of the tests' own drives the USB registers of an emulated
 * RP2040. The USB host is played too. The clients are the official ones. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOf } from '../common/npm/modules.mjs';
import { Program } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { root, started, told } from '../common/start.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { emptyFolder, forTheRun, pageOf, putArchive, run, unpack } from './archives.mjs';
import { autoFlavour, clientTestWith, legacyFlavour, modernFlavour, sdkFlavour, Session, textOf } from './client.mjs';
import { servesHosts } from './hosts-served.mjs';
import { testWith } from './tools.mjs';

const stubs = join(root, 'tests/packages/pico');
const environment = { ...process.env, PICO_SDK_PATH: join(stubs, 'sdk') };
const tools = ['cmake', 'arm-none-eabi-gcc'];
const test = testWith(...tools);
const emulator = { name: 'rp2040js', command: 'test', args: ['-d', partOf('rp2040js')] };
const clientTest = clientTestWith(...tools, emulator);
const soon = 50; /* milliseconds: the cancel's way through USB, and the emulator's slices */

/* The example, built once by the commands of the page. */
let image;
function motor() {
	if (image) return image;
	const folder = emptyFolder(forTheRun);
	putArchive('pico', folder);
	const [commands] = textsOf(pageOf(unpack('pico', emptyFolder(forTheRun))), 'sh');
	const output = run('sh', ['-ec', commands], { cwd: folder, env: environment });
	assert.match(output, /STAND-IN for the pico-sdk/);
	return (image = join(folder, 'quash/examples/motor/build/motor.elf'));
}

/* --- What is published and compiled */

test('the build file names every source, and none by a pattern', (t) => {
	const package_ = unpack('pico', emptyFolder(t));
	const lists = readFileSync(join(package_, 'CMakeLists.txt'), 'utf8');
	const named = [...lists.matchAll(/^\t\$\{CMAKE_CURRENT_LIST_DIR\}\/(\S+\.c)$/gm)].map(([, name]) => name);
	assert.doesNotMatch(lists, /GLOB|@/);
	assert.ok(named.length > 50 && named.every((name) => existsSync(join(package_, name))));
	assert.deepEqual(run('sh', ['-c', 'ls src/*/*.c port/usb/*.c *.c'], { cwd: package_ }).trim().split('\n').sort(), named.sort());
});

test('the port for TinyUSB compiles with all warnings, as C99 and C11', (t) => {
	const package_ = unpack('pico', emptyFolder(t));
	const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-fsyntax-only'];
	const includes = [join(stubs, 'stated'), join(package_, 'examples/motor'), join(package_, 'port'), join(package_, 'include'), package_].map((path) => `-I${path}`);
	for (const standard of ['c99', 'c11']) for (const compiler of ['gcc', 'arm-none-eabi-gcc'])
		for (const source of ['port/usb/usb.c', 'port/usb/usb_tinyusb.c', 'quash_pico.c'])
			run(compiler, [`-std=${standard}`, ...strict, ...includes, join(package_, source)]);
	for (const header of ['port/usb/usb_tinyusb.h', 'quash_pico.h']) {
		writeFileSync(join(package_, 'alone.cc'), `#include "${header}"\nint a_unit_is_not_empty;\n`);
		run('g++', ['-std=c++11', ...strict, ...includes, join(package_, 'alone.cc')]);
	}
});

test('the commands of the page build the example, and the page has its sizes', (t) => {
	const [text, data, bss] = run('arm-none-eabi-size', [motor()]).trim().split('\n')[1].trim().split(/\s+/).map(Number);
	const page = readFileSync(pageOf(unpack('pico', emptyFolder(t))), 'utf8');
	const [, flash, ram] = page.match(/stand-ins for both, `-Os` \| (\d+) \| (\d+) \|/).map(Number);
	console.log(`        motor: ${text + data} bytes of flash, ${data + bss} of RAM, with the stand-ins`);
	assert.ok(Math.abs(text + data - flash) <= flash / 50 && Math.abs(data + bss - ram) <= ram / 50, `${text + data} and ${data + bss}`);
	assert.throws(() => run('cmake', ['-S', '.', '-B', 'none'], { cwd: join(motor(), '../..'), env: { ...process.env, PICO_SDK_PATH: '/none' } }), /pico_sdk_import/);
});

/* --- It runs */

/** An emulated Pico with the example, and the host that it is plugged into. */
class Pico {
	static async start(t) {
		const pico = new Pico(t, join(emptyFolder(t), 'port'));
		await pico.tells('ready');
		await pico.tells('configured');
		return pico;
	}

	constructor(t, path) {
		this.path = path;
		this.host = started(t, ['node', join(stubs, 'usb_host.mjs'), motor(), path]);
	}

	/** What it has told, as `[milliseconds, words]`. */
	get told() {
		return this.host.said.split('\n').slice(0, -1).map((line) => [Number(line.split(' ')[0]), line.slice(line.indexOf(' ') + 1)]);
	}

	/** When it tells that, for the first time behind the line number `from`. */
	async tells(words, from = 0) {
		const found = await until(words, () => this.told.slice(from).find(([, told]) => told === words));
		return found[0];
	}

	order(command) {
		this.host.stdin.write(`${command}\n`);
	}

	/** The words that start a client's side of the port. */
	get program() {
		return ['node', join(stubs, 'relay.mjs'), this.path];
	}

	/** A client that writes what it likes. */
	raw(t) {
		return Program.start(t, this.program[0], this.program.slice(1), { dialect: 'mcp' });
	}
}

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const hello = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
const callMotor = (id, ms = 60000) => request(id, 'tools/call', { name: 'motor', arguments: { ms } });

async function usesTheTools(t, pico, flavour) {
	const session = await Session.open(t, flavour, { program: pico.program });
	const from = pico.told.length;
	assert.deepEqual((await session.client.listTools()).tools.map(({ name }) => name), ['led', 'motor']);
	assert.equal(textOf(await session.call('led', { on: true })), 'on');
	await pico.tells('pin 25 on', from);
	assert.equal(textOf(await session.call('led', { on: false })), 'off');
	const running = await session.start('motor', { ms: 60000 });
	assert.equal((await until('progress', () => session.wire.progressOf(running.id)[0])).total, 60000);
	running.cancel();
	assert.ok((await running.outcome).error, 'the client has given up');
	await pico.tells('pin 15 off', from);
	assert.equal(textOf(await session.call('motor', { ms: 20 })), 'the motor has run');
	assert.deepEqual(session.wire.answersTo(running.id), [], 'no answer, as MCP demands');
	assert.deepEqual(session.complaints, []);
	await session.close();
}

clientTest('official clients, one after the other, list, call and cancel over USB', async (t) => {
	const pico = await Pico.start(t);
	for (const flavour of [legacyFlavour, sdkFlavour, autoFlavour, modernFlavour]) await usesTheTools(t, pico, flavour);
});

clientTest('each agent host can call the tool', async (t) => {
	const pico = await Pico.start(t);
	await servesHosts(t, pico.program, 'led', { on: true });
});

clientTest('a pulled cable stops the motor, and the next client is served', async (t) => {
	const pico = await Pico.start(t);
	for (let times = 1; times <= 3; times++) {
		const from = pico.told.length;
		const client = pico.raw(t);
		client.send(hello, callMotor(1));
		await pico.tells('pin 15 on', from);
		pico.order('unplug');
		await pico.tells('pin 15 off', from);
		await until('the client to notice', () => client.child.exitCode !== null);
		pico.order('plug');
		await pico.tells('configured', from);
		await usesTheTools(t, pico, legacyFlavour);
	}
});

clientTest('a client that closes the port stops the motor', async (t) => {
	const pico = await Pico.start(t);
	const client = pico.raw(t);
	client.send(hello, callMotor(1));
	const on = await pico.tells('pin 15 on');
	client.child.kill('SIGKILL');
	const off = await pico.tells('pin 15 off');
	assert.ok(off - on < 5000, 'at once, and not by a lease: nobody has promised signs of life');
	await usesTheTools(t, pico, legacyFlavour);
});

clientTest('a suspended bus stops the motor, and the session goes on', async (t) => {
	const pico = await Pico.start(t);
	const client = pico.raw(t);
	client.send(hello, callMotor(1));
	await pico.tells('pin 15 on');
	pico.order('suspend');
	await pico.tells('pin 15 off');
	await pico.tells('woken');
	pico.order('resume');
	client.send(request(2, 'tools/list'));
	const answers = [];
	while (answers.length < 3) {
		const message = await client.next();
		if (message.id !== undefined) answers.push(message);
	}
	assert.deepEqual(answers.map(({ id }) => id), [0, 1, 2]);
	assert.equal(answers[1].error.code, -32800);
	assert.equal(answers[2].result.tools.length, 2);
});

clientTest('a flood is answered, each request once, and a cancel in front of it arrives', async (t) => {
	const pico = await Pico.start(t);
	const client = pico.raw(t);
	const FLOOD = 500;
	client.send(hello, callMotor(1));
	await pico.tells('pin 15 on');
	client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
		...Array.from({ length: FLOOD }, (_, i) => request(i + 2, 'ping')));
	await pico.tells('pin 15 off');
	const counts = new Map();
	for (let heard = 0; heard < FLOOD;) {
		const message = await client.next();
		if (message.id === undefined || message.id === 0) continue;
		counts.set(message.id, (counts.get(message.id) ?? 0) + 1);
		assert.deepEqual(message.result, {}, `the ping ${message.id}`);
		heard++;
	}
	assert.equal(counts.size, FLOOD);
	assert.ok(!counts.has(1), 'the cancelled call is silent');
});

clientTest('a host that has opened the port and does not read: a cancel arrives, and nothing is lost', async (t) => {
	const pico = await Pico.start(t);
	const client = pico.raw(t);
	client.send(hello);
	assert.equal((await client.next()).id, 0);
	pico.order('deaf');
	await sleep(soon);
	client.send(callMotor(1), ...Array.from({ length: 20 }, (_, i) => request(i + 2, 'tools/list')));
	await pico.tells('pin 15 on');
	const from = pico.told.length;
	client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
	pico.order('hear'); /* what came before it may have filled the slots: it is received when there is room */
	await pico.tells('pin 15 off', from);
	const heard = [];
	while (heard.length < 20) {
		const message = await client.next();
		if (message.id !== undefined) heard.push(message.id);
	}
	assert.deepEqual(heard.sort((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i + 2));
	pico.order('deaf');
	await sleep(soon);
	const again = pico.told.length;
	client.send(callMotor(30));
	await pico.tells('pin 15 on', again);
	client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 30 } });
	await pico.tells('pin 15 off', again); /* while nobody reads */
});
