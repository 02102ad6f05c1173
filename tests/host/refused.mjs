/* SPDX-License-Identifier: MIT
 * A toolbox whose word is shorter than its methods' names: it answers each request so, on the host and on a board. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Program, hostProgram } from '../common/program.mjs';
import { isThere, make, root, started, told } from '../common/start.mjs';
import { Bridge } from './bridge-program.mjs';
import { clientInfo, greet } from '../common/client.mjs';
import { skip, test, until } from '../common/runner.mjs';

const folder = 'build/refused';
const line = 'config: word_size 32, needs 46';
const ids = [1, 'two'];
const asked = ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`).join('');
const answers = ids.map((id) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: line } }));

function built(board, program, [place, define] = [folder, 'QUASH_WORD=32']) {
	const path = `${place}/${board}/${program}`;
	make(path, `BOARD=${board}`, `BUILD=${place}`, `CFLAGS=-Os -D${define}`);
	return join(root, path);
}

const messages = (text) => text.split('\n').filter((part) => part !== '').map((part) => JSON.parse(part));

test('a refused config is answered in words on the host, and shown on stderr', () => {
	const { stdout, stderr, status } = told(built('host', 'toolbox'), [], { input: asked });
	assert.deepEqual(messages(stdout), answers);
	assert.equal(stderr, `toolbox: bad config: ${line}\n`);
	assert.equal(status, 2);
});

test('quash-inspect --doctor shows it', () => {
	const { stdout, status } = told(hostProgram('quash-inspect'), ['--doctor', '--', built('host', 'toolbox')]);
	assert.equal(stdout, `refused: initialize is answered with -32603: ${line}\nremedy: mend what its words name: its config, the arguments, or the machine\n`);
	assert.equal(status, 1);
});

test('quash-bridge passes it on, and does not call its device ready', async (t) => {
	const bridge = Bridge.start(t, ['--', built('host', 'toolbox')]);
	bridge.client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	assert.deepEqual(await bridge.client.answerTo(1), answers[0]);
	await bridge.says(new RegExp(`device: refuses initialize: .*"${line}"`));
	assert.doesNotMatch(bridge.stderr, /ready/);
});

test('among several devices of quash-bridge it is refusing, and the others serve', async (t) => {
	const devices = { ill: built('host', 'toolbox'), well: hostProgram('toolbox') };
	const bridge = Bridge.start(t, Object.entries(devices).flatMap(([name, path]) => ['--device', `${name}=exec:${path}`]));
	await greet(bridge.client);
	await bridge.says(/ill: refuses initialize: /);
	await bridge.says(/well: ready: /);
	const [ill, well] = await until('the tools', async () => {
		const { structuredContent } = await bridge.client.result('tools/call', { name: 'devices' });
		return structuredContent.devices[1].tools > 0 && structuredContent.devices;
	});
	const { tools } = await bridge.client.result('tools/list');
	assert.deepEqual(ill, { name: 'ill', state: 'refusing', line: devices.ill, server: '', version: '', tools: 0 });
	assert.deepEqual([well.state, well.server], ['ready', 'quash-toolbox']);
	assert.deepEqual(tools.filter(({ name }) => name.startsWith('ill_')), []);
	assert.equal(tools.filter(({ name }) => name.startsWith('well_')).length, well.tools);
});

const board = 'mps2-an385', emulator = 'qemu-system-arm';
const emulated = (image) => ['-M', board, '-display', 'none', '-monitor', 'none', '-serial', 'stdio', '-kernel', image];
const isEmulated = isThere(emulator) && isThere('arm-none-eabi-gcc');
const onBoard = (title, body) => (isEmulated ? test(title, body) : skip(title, 'emulator or compiler is missing'));

onBoard(`a refused config is answered in words on ${board}`, async (t) => {
	const device = Program.start(t, emulator, emulated(built(board, 'toolbox.elf')));
	device.sendBytes(asked);
	assert.deepEqual([await device.next(), await device.next()], answers);
});

onBoard(`a config that can answer nothing says so in a line on the UART of ${board}, again and again`, async (t) => {
	const device = started(t, [emulator, ...emulated(built(board, 'toolbox.elf', ['build/silent', 'TOOLBOX_TX=63']))]);
	await until('two lines', () => device.said.split('\n').length > 2);
	assert.match(device.said, /^(config: tx_size 63, needs 64\n){2}/);
});
