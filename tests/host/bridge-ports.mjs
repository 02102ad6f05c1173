/* SPDX-License-Identifier: MIT
 * quash-bridge and names of serial ports: which there are, the only board, and one that is plugged in anywhere. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge, check as checkOf, greet } from './bridge-program.mjs';
import { hostProgram, patientBridge } from '../common/program.mjs';
import { Plugged, adapter, esp, modem, pico, uno } from '../common/plugged.mjs';
import { root, told } from '../common/start.mjs';

const check = (name, body, needs = []) => checkOf(name, body, { needs: ['tty', ...needs] });

/* A bridge that sees these ports. */
const start = (t, ports, words, program = patientBridge) => Bridge.start(t, words, { program: [...ports.words, ...program] });

function printed(ports, words) {
	const [env, ...more] = ports.words;
	return told(env, [...more, hostProgram('quash-bridge'), ...words]);
}

const listed = (ports) => JSON.parse(printed(ports, ['--list', '--json']).stdout);
const isReady = (bridge) => bridge.says(/device: ready: quash-toolbox \d/);

/* --- The list */

check('--list has a line for each port, and --json an object', async (t) => {
	const ports = new Plugged(t);
	assert.deepEqual(listed(ports), []);
	assert.match(printed(ports, ['--list']).stderr, /there is no serial port/);
	ports.show('ttyS0');
	ports.show('ttyACM10', esp);
	ports.show('ttyACM2', { ...uno, vid: '2341' });
	ports.show('ttyUSB0', adapter);
	assert.deepEqual(listed(ports), [{ path: '/dev/ttyACM2', ...uno }, { path: '/dev/ttyACM10', ...esp }, { path: '/dev/ttyUSB0', ...adapter }, { path: '/dev/ttyS0' }]);
	const { status, stdout, stderr } = printed(ports, ['--list']);
	assert.deepEqual([status, stderr], [0, '']);
	assert.deepEqual(stdout.split('\n'), [
		'/dev/ttyACM2  Arduino Uno  usb:2341:0043:7573531303335  opening it resets the board',
		'/dev/ttyACM10  Espressif USB JTAG/serial debug unit  usb:303a:1001:34:85:18:AA:B7:C8  opening it may reset the board',
		'/dev/ttyUSB0  USB Serial  usb:1a86:7523  opening it may reset the board',
		'/dev/ttyS0  serial port', '']);
});

check('what a device says of itself reaches no terminal as it is', async (t) => {
	const ports = new Plugged(t), product = 'Uno\x1b[2J"\\';
	ports.show('ttyACM0', { ...uno, product, serial: '1\x07"2' });
	ports.show('ttyACM1', pico);
	const [first] = listed(ports), { stdout } = printed(ports, ['--list']), { stderr } = printed(ports, ['--tty', 'auto']);
	assert.deepEqual([first.product, first.serial], [product, '1\x07"2']);
	for (const text of [stdout, stderr]) {
		assert.match(text, /Uno\\u001b/);
		assert.doesNotMatch(text, /[\x07\x1b]/);
	}
});

/* --- The only board */

check('auto is the only board, which the log names', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyS0');
	ports.show('ttyUSB7', modem);
	await ports.plug(t, 'ttyACM0', uno);
	const bridge = start(t, ports, ['--tty', 'auto']);
	await greet(bridge.client);
	await bridge.says(/^quash-bridge: info: device: auto is \/dev\/ttyACM0, Arduino Uno \(usb:2341:0043:7573531303335\); opening it resets the board$/m);
});

check('auto waits for a board, and takes one that is plugged in later', async (t) => {
	const ports = new Plugged(t);
	const bridge = start(t, ports, ['--tty', 'auto']);
	await bridge.says(/device: waiting for auto: no board is plugged in$/m);
	await ports.plug(t, 'ttyACM0', pico);
	assert.equal((await greet(bridge.client)).serverInfo.name, 'quash-toolbox');
});

check('auto opens nothing but a board', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyS0');
	await ports.plug(t, 'ttyUSB7', modem);
	const bridge = start(t, ports, ['--tty', 'auto']);
	await bridge.says(/waiting for auto: no board of a maker that auto knows is plugged in, see quash-bridge --list$/m);
	assert.doesNotMatch(bridge.stderr, /auto is /);
});

check('two boards: exit code 2, and what to write for each', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyACM0', uno);
	await ports.plug(t, 'ttyACM1', esp);
	ports.show('ttyUSB0', adapter);
	ports.show('ttyUSB1', adapter);
	ports.show('ttyUSB7', modem);
	const { status, stdout, stderr } = printed(ports, ['--tty', 'auto']);
	assert.deepEqual([status, stdout], [2, '']);
	assert.deepEqual(stderr.split('\n'), [
		'quash-bridge: auto: fits several ports; write one of these in its place:',
		'quash-bridge: usb:2341:0043:7573531303335: is /dev/ttyACM0, Uno',
		'quash-bridge: usb:303a:1001:34:85:18:AA:B7:C8: is /dev/ttyACM1, USB JTAG/serial debug unit',
		'quash-bridge: /dev/ttyUSB0: is /dev/ttyUSB0, USB Serial',
		'quash-bridge: /dev/ttyUSB1: is /dev/ttyUSB1, USB Serial', '']);
	const bridge = start(t, ports, ['--tty', 'usb:303A:1001:34:85:18:AA:B7:C8']);
	await greet(bridge.client);
	await bridge.says(/device: usb:303A:1001:34:85:18:AA:B7:C8 is \/dev\/ttyACM1, /);
});

check('a name of USB that fits two ports is refused in the same way', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyUSB0', adapter);
	ports.show('ttyUSB1', adapter);
	const { status, stderr } = printed(ports, ['--device', 'arm=tty:usb:1a86:7523,9600', '--device', 'lamp=unix:/no/such']);
	assert.equal(status, 2);
	assert.match(stderr, /^quash-bridge: usb:1a86:7523: fits several ports; [^\n]+\nquash-bridge: \/dev\/ttyUSB0: [^\n]+\nquash-bridge: \/dev\/ttyUSB1: /);
});

/* --- One that is plugged in anywhere */

check('a board that comes back under another number is found again', async (t) => {
	const ports = new Plugged(t);
	const first = await ports.plug(t, 'ttyACM0', uno);
	const bridge = start(t, ports, ['--tty', 'usb:2341:0043:7573531303335']);
	await greet(bridge.client);
	await isReady(bridge);
	await first.unplug();
	await bridge.says(/device: lost$/m);
	await ports.plug(t, 'ttyACM3', uno);
	await bridge.says(/device: usb:2341:0043:7573531303335 is \/dev\/ttyACM3, Arduino Uno; opening it resets the board$/m);
	await bridge.says(/ready: [^]*ready: /);
});

check('auto stays with its board', async (t) => {
	const ports = new Plugged(t);
	const first = await ports.plug(t, 'ttyACM0', uno);
	const bridge = start(t, ports, ['--tty', 'auto']);
	await greet(bridge.client);
	await isReady(bridge);
	await ports.plug(t, 'ttyACM1', pico);
	await first.unplug();
	await bridge.says(/device: waiting for auto: the board that it was is not plugged in$/m);
	await ports.plug(t, 'ttyACM2', uno);
	await bridge.says(/auto is \/dev\/ttyACM2, Arduino Uno /);
	await bridge.says(/ready: [^]*ready: /);
	assert.doesNotMatch(bridge.stderr, /ttyACM1/);
});

check('names stand for several devices', async (t) => {
	const ports = new Plugged(t);
	await ports.plug(t, 'ttyACM0', uno);
	await ports.plug(t, 'ttyACM1', pico);
	const bridge = start(t, ports, ['--device', 'arm=tty:usb:2341:0043,115200', '--device', 'lamp=tty:usb:2e8a:000a:e66038b7']);
	await greet(bridge.client);
	await bridge.says(/arm: ready: /);
	await bridge.says(/lamp: ready: /);
	await bridge.says(/arm: usb:2341:0043 is \/dev\/ttyACM0, /);
	await bridge.says(/lamp: usb:2e8a:000a:e66038b7 is \/dev\/ttyACM1, /);
});

/* --- Locks, between the native program and this one, either way */

const native = join(root, 'build/host/quash-bridge');
const programs = [...new Set([native, hostProgram('quash-bridge')])];
for (const first of programs)
	check(`a board that ${first === native ? 'the native bridge' : 'this bridge'} has is in use for another one`, async (t) => {
		const second = programs.find((program) => program !== first) ?? first;
		const ports = new Plugged(t);
		await ports.plug(t, 'ttyACM0', uno);
		const has = start(t, ports, ['--tty', 'auto'], [first]);
		await greet(has.client);
		await isReady(has);
		const waits = start(t, ports, ['--tty', 'auto', '--wait', '0', '--grace', '0', '--protocol', 'jsonrpc'], [second]);
		await waits.exits(3);
		assert.match(waits.stderr, new RegExp(`auto is in use by \\S+ \\(${has.pid}\\)`));
	}, ['linux']);
