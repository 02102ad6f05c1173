/* SPDX-License-Identifier: MIT
 * A toolbox whose word is shorter than its methods' names: it answers each request so, on the host and on a board. */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hostProgram, root } from './program.mjs';
import { skip, test, until } from './runner.mjs';

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
	const { stdout, stderr, status } = spawnSync(built('host', 'toolbox'), { input: asked, encoding: 'utf8', timeout: 10000 });
	assert.deepEqual(messages(stdout), answers);
	assert.equal(stderr, `toolbox: bad config: ${line}\n`);
	assert.equal(status, 2);
}, { seconds: 120 });

test('quash-inspect --doctor shows it', () => {
	const { stdout, status } = spawnSync(hostProgram('quash-inspect'), ['--doctor', '--', built('host', 'toolbox')], { encoding: 'utf8', timeout: 20000 });
	assert.equal(stdout, `refused: initialize is answered with -32603: ${line}\nremedy: mend what its words name: its config, the arguments, or the machine\n`);
	assert.equal(status, 1);
}, { seconds: 120 });

test('quash-bridge passes it on, and does not call its device ready', async () => {
	const bridge = spawn(hostProgram('quash-bridge'), ['--', built('host', 'toolbox')]);
	let heard = '', log = '';
	bridge.stdout.on('data', (data) => { heard += data; });
	bridge.stderr.on('data', (data) => { log += data; });
	try {
		bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25',
			capabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`);
		await until('an answer', () => heard.includes('\n'));
		assert.deepEqual(messages(heard), answers.slice(0, 1));
		assert.match(log, new RegExp(`device: refuses initialize: .*"${line}"`));
		assert.doesNotMatch(log, /ready/);
	} finally {
		bridge.kill('SIGKILL');
	}
}, { seconds: 120 });

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
}, { seconds: 120 });
