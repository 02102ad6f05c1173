/* SPDX-License-Identifier: MIT
 * A toolbox whose word is shorter than its methods' names: it answers each request so, on the host and on a board. */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hostProgram, root } from '../common/program.mjs';
import { skip, test, until } from '../common/runner.mjs';

const folder = 'build/refused';
const line = 'config: word_size 32, needs 46';
const ids = [1, 'two'];
const asked = ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`).join('');
const answers = ids.map((id) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: line } }));

function built(board, program) {
	const path = `${folder}/${board}/${program}`;
	execFileSync('make', ['-s', path, `BOARD=${board}`, `BUILD=${folder}`, 'CFLAGS=-Os -DQUASH_WORD=32'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
	return join(root, path);
}

const messages = (text) => text.split('\n').filter((part) => part !== '').map((part) => JSON.parse(part));

test('a refused config is answered in words on the host, and shown on stderr', () => {
	const { stdout, stderr, status } = spawnSync(built('host', 'toolbox'), { input: asked, encoding: 'utf8' });
	assert.deepEqual(messages(stdout), answers);
	assert.equal(stderr, `toolbox: bad config: ${line}\n`);
	assert.equal(status, 2);
});

test('quash-inspect --doctor shows it', () => {
	const { stdout, status } = spawnSync(hostProgram('quash-inspect'), ['--doctor', '--', built('host', 'toolbox')], { encoding: 'utf8' });
	assert.equal(stdout, `refused: initialize is answered with -32603: ${line}\nremedy: mend what its words name: its config, the arguments, or the machine\n`);
	assert.equal(status, 1);
});

/* What the bridge says on stdout, its log, and a way to ask it; it ends with `body`. */
async function bridged(words, body) {
	const bridge = spawn(hostProgram('quash-bridge'), words);
	const said = { heard: '', log: '', ask: (id, method, params) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`) };
	bridge.stdout.on('data', (data) => { said.heard += data; });
	bridge.stderr.on('data', (data) => { said.log += data; });
	try {
		await body(said);
	} finally {
		bridge.kill('SIGKILL');
	}
}

const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

test('quash-bridge passes it on, and does not call its device ready', () => bridged(['--', built('host', 'toolbox')], async (said) => {
	said.ask(1, 'initialize', greeting);
	await until('an answer', () => said.heard.includes('\n'));
	assert.deepEqual(messages(said.heard), answers.slice(0, 1));
	assert.match(said.log, new RegExp(`device: refuses initialize: .*"${line}"`));
	assert.doesNotMatch(said.log, /ready/);
}));

test('among several devices of quash-bridge it is refusing, and the others serve', () => {
	const devices = { ill: built('host', 'toolbox'), well: hostProgram('toolbox') };
	return bridged(Object.entries(devices).flatMap(([name, path]) => ['--device', `${name}=exec:${path}`]), async (said) => {
		let id = 0;
		const ask = async (method, params) => {
			said.ask(++id, method, params);
			return (await until(`an answer to ${method}`, () => messages(said.heard.replace(/[^\n]*$/, '')).find((message) => message.id === id))).result;
		};
		await ask('initialize', greeting);
		await until('both', () => /ill: refuses initialize: /.test(said.log) && /well: ready: /.test(said.log));
		const [ill, well] = await until('the tools', async () => {
			const { structuredContent } = await ask('tools/call', { name: 'devices' });
			return structuredContent.devices[1].tools > 0 && structuredContent.devices;
		});
		const { tools } = await ask('tools/list');
		assert.deepEqual(ill, { name: 'ill', state: 'refusing', line: devices.ill, server: '', version: '', tools: 0 });
		assert.deepEqual([well.state, well.server], ['ready', 'quash-toolbox']);
		assert.deepEqual(tools.filter(({ name }) => name.startsWith('ill_')), []);
		assert.equal(tools.filter(({ name }) => name.startsWith('well_')).length, well.tools);
	});
});

const board = 'mps2-an385', emulator = 'qemu-system-arm';
const title = `a refused config is answered in words on ${board}`;

if (spawnSync(emulator, ['--version']).error || spawnSync('arm-none-eabi-gcc', ['--version']).error) skip(title, 'emulator or compiler is missing');
else test(title, async () => {
	const elf = built(board, 'toolbox.elf');
	const device = spawn(emulator, ['-M', board, '-display', 'none', '-monitor', 'none', '-serial', 'stdio', '-kernel', elf]);
	let heard = '';
	device.stdout.on('data', (data) => { heard += data; });
	try {
		device.stdin.write(asked);
		await until('two answers', () => heard.split('\n').length > ids.length);
		assert.deepEqual(messages(heard), answers);
	} finally {
		device.kill('SIGKILL');
	}
});
