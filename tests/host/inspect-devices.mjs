/* SPDX-License-Identifier: MIT
 * inspect with devices that are no command: serial lines (ptys), sockets, locks. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Inspect, tool, toolbox } from './inspect-program.mjs';
import { cable } from '../common/cable.mjs';
import { Plugged, pico, uno } from '../common/plugged.mjs';
import { test as testOf } from '../common/runner.mjs';
import { version } from '../common/version.mjs';
import { folderFor, started } from '../common/start.mjs';

/* They mostly wait. */
const test = (name, body) => testOf(name, body, { together: true });

const start = (t, command) => started(t, command, { endBy: 'SIGTERM' });

/** A server of sockets with a program behind each connection, `first` deciding what the client must send first. */
async function listen(t, where, first = null) {
	const seen = [];
	const server = createServer((socket) => {
		const child = start(t, [toolbox]);
		socket.on('error', () => {});
		child.stdin.on('error', () => {});
		child.stdout.pipe(socket);
		if (first === null) socket.pipe(child.stdin);
		else socket.once('data', (data) => {
			const end = data.indexOf('\n');
			seen.push(data.subarray(0, end).toString());
			child.stdin.write(data.subarray(end + 1));
			socket.pipe(child.stdin);
		});
	});
	t.after(() => server.close());
	await new Promise((resolve) => server.listen(where, resolve));
	return { port: server.address().port, seen };
}

/** Starts it with these words and no command. */
const inspect = (t, ...words) => new Inspect(t, words);

const echo = tool('echo', 'text=over there');
const echoed = '{"text":"over there"}\n';

/* ---------------------------------------------------------------------------------------------- serial lines */

test('inspect: a serial device', async (t) => {
	const { link: tty } = await cable(t);
	const first = await inspect(t, '--tty', tty, '--baud', '115200', ...echo).exits(0);
	assert.equal(first.shown, echoed);
	const second = await inspect(t, '--tty', tty, ...echo).exits(0);
	assert.equal(second.shown, echoed, 'it is free again');
});

test('inspect: Ctrl-C stops the motor at a serial device', async (t) => {
	const { link: tty } = await cable(t);
	const turning = inspect(t, '--tty', tty, ...tool('stepper', 'steps=100000'));
	await turning.says(/^progress \d+ of/m);
	turning.interrupt();
	await turning.exits(130);
	assert.match(turning.said, /^cancelled: no answer, as MCP demands; ping answered after \d+ ms; no progress in the 300 ms since$/m);
});

test('inspect: a serial device is unplugged', async (t) => {
	const { link: tty, unplug } = await cable(t);
	const turning = inspect(t, '--tty', tty, ...tool('stepper', 'steps=100000'));
	await turning.says(/^progress \d+ of/m);
	await unplug();
	await turning.exits(3);
	assert.match(turning.said, /^link lost: no answer to tools\/call will come$/m);
});

test('inspect: noise of a serial line is noted, and nothing of it is answered', async (t) => {
	const boots = `IFS= read -r line; printf 'ets Jun  8 2016\\r\\n[0.1] up\\n\\n\\033[0mlog '
		{ printf '%s\\n' "$line"; cat; } | ${toolbox}`;
	const { link: tty } = await cable(t, { command: ['sh', '-c', boots] });
	const { shown, said } = await inspect(t, '--trace', '--tty', tty, ...echo).exits(0);
	assert.equal(shown, echoed);
	assert.deepEqual(said.split('\n').filter((line) => line.startsWith('noise: ')),
		['noise: ets Jun  8 2016', 'noise: [0.1] up', 'noise: \\u001b[0mlog ']);
	assert.doesNotMatch(said, /-32700|^note: /m);
});

test('inspect: a board that boots when its line is opened gets the greeting again', async (t) => {
	const boots = `IFS= read -r lost; printf 'boot\\r\\n'; exec ${toolbox}`;
	const { link: tty } = await cable(t, { command: ['sh', '-c', boots] });
	const { shown, said } = await inspect(t, '--trace', '--tty', tty, ...echo).exits(0);
	assert.equal(shown, echoed);
	assert.match(said, /^noise: boot$/m);
	assert.equal(said.match(/^-> and again$/mg).length, 1);
	assert.doesNotMatch(said, /^note: /m);
});

test('inspect: a board that takes long for its answer gets no second greeting once it has sent something', async (t) => {
	const log = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'up' } });
	const slow = `IFS= read -r line; echo '${log}'; sleep 1.3; { printf '%s\\n' "$line"; cat; } | ${toolbox}`;
	const { link: tty } = await cable(t, { command: ['sh', '-c', slow] });
	const { said } = await inspect(t, '--trace', '--tty', tty, ...echo).exits(0);
	assert.match(said, /^log info: up$/m);
	assert.doesNotMatch(said, /and again/);
});

test('inspect: the only board, and one by its name', async (t) => {
	const ports = new Plugged(t), seen = { clock: { env: ports.env } };
	const asked = (...words) => new Inspect(t, [...words, ...echo], seen);
	assert.match((await asked('--tty', 'auto').exits(3)).said, /^quash-inspect: auto: no board is plugged in$/m);
	await ports.plug(t, 'ttyACM0', uno);
	const only = await asked('--tty', 'auto').exits(0);
	assert.equal(only.shown, echoed);
	assert.match(only.said, /^quash-inspect: auto is \/dev\/ttyACM0, Arduino Uno \(usb:2341:0043:7573531303335\); opening it resets the board$/m);
	await ports.plug(t, 'ttyACM1', pico);
	const several = await asked('--tty', 'auto').exits(2);
	assert.deepEqual(several.said.split('\n').slice(0, 3), ['quash-inspect: auto: fits several ports; write one of these in its place:',
		'quash-inspect: usb:2341:0043:7573531303335: is /dev/ttyACM0, Uno', 'quash-inspect: usb:2e8a:000a:E66038B7: is /dev/ttyACM1, Pico']);
	assert.equal((await asked('--tty', 'usb:2E8A:000A').exits(0)).shown, echoed);
});

test('inspect: a serial device that is in use', async (t) => {
	const { link: tty } = await cable(t);
	const holder = inspect(t, '--tty', tty, ...tool('stepper', 'steps=100000'));
	await holder.says(/^progress \d+ of/m);
	const { said } = await inspect(t, '--tty', tty, '--wait', '0', ...echo).exits(3);
	assert.equal(said, `quash-inspect: ${tty} is in use by quash-inspect (${holder.child.pid})\n`);
});

test('inspect: waits for a serial device that is in use', async (t) => {
	const { link: tty } = await cable(t);
	const holder = inspect(t, '--tty', tty, ...tool('stepper', 'steps=100000'));
	await holder.says(/^progress \d+ of/m);
	const waiting = inspect(t, '--tty', tty, '--wait', '5', ...echo);
	await waiting.says(/^quash-inspect: waiting: .*\/tty is in use by quash-inspect \(\d+\)$/m);
	holder.interrupt();
	await holder.exits(130);
	await waiting.exits(0);
	assert.equal(waiting.shown, echoed);
});

test('inspect: Ctrl-C ends the waiting for a serial device', async (t) => {
	const { link: tty } = await cable(t);
	const holder = inspect(t, '--tty', tty, ...tool('stepper', 'steps=100000'));
	await holder.says(/^progress \d+ of/m);
	const waiting = inspect(t, '--tty', tty, ...echo);
	await waiting.says(/is in use/);
	waiting.interrupt();
	await waiting.exits(130);
});

test('inspect: devices that cannot be opened', async (t) => {
	const no = join(folderFor(t), 'no');
	for (const [words, trouble] of [
		[['--tty', no], 'No such file or directory'], [['--tty', '/dev/null'], 'Inappropriate ioctl for device'],
		[['--unix', no], 'No such file or directory'],
	]) {
		const { said } = await inspect(t, ...words).exits(3);
		assert.equal(said, `quash-inspect: ${words[1]}: ${trouble}\n`);
	}
	const { link: tty } = await cable(t);
	const { said } = await inspect(t, '--tty', tty, '--reset').exits(3);
	assert.match(said, /^quash-inspect: .*\/tty: [^\n]+\n$/, 'a pty has no DTR');
});

/* --------------------------------------------------------------------------------------------------- sockets */

test('inspect: a Unix socket', async (t) => {
	const path = join(folderFor(t), 'socket');
	await listen(t, { path });
	assert.equal((await inspect(t, '--unix', path, ...echo).exits(0)).shown, echoed);
});

test('inspect: TCP', async (t) => {
	const { port } = await listen(t, { host: '127.0.0.1', port: 0 });
	for (const host of ['127.0.0.1', 'localhost'])
		assert.equal((await inspect(t, '--tcp', `${host}:${port}`, ...echo).exits(0)).shown, echoed);
});

test('inspect: the token goes first', async (t) => {
	const { port, seen } = await listen(t, { host: '127.0.0.1', port: 0 }, 'token');
	const file = join(folderFor(t), 'token');
	writeFileSync(file, 'sesame\r\nsecond line\n');
	const { shown, said } = await inspect(t, '--trace', '--tcp', `127.0.0.1:${port}`, '--token-file', file, ...echo).exits(0);
	assert.equal(shown, echoed);
	assert.deepEqual(seen, ['sesame']);
	assert.doesNotMatch(said, /sesame/, 'it is shown nowhere');
});

test('inspect: nobody listens', async (t) => {
	const { port } = await new Promise((resolve) => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(address));
		});
	});
	const { said } = await inspect(t, '--tcp', `127.0.0.1:${port}`).exits(3);
	assert.equal(said, `quash-inspect: 127.0.0.1:${port}: Connection refused\n`);
});

test('inspect: a socket that closes', async (t) => {
	const path = join(folderFor(t), 'socket');
	const server = createServer((socket) => socket.on('error', () => {}).end());
	t.after(() => server.close());
	await new Promise((resolve) => server.listen(path, resolve));
	const { said } = await inspect(t, '--unix', path).exits(3);
	assert.match(said, /^link lost: no answer to initialize will come$/m);
});

/* ---------------------------------------------------------------------------------------------- other words */

test('inspect: --version', async (t) => {
	const { shown, said } = await inspect(t, '--version').exits(0);
	assert.equal(shown, `quash-inspect ${version}\n`);
	assert.equal(said, '');
});

test('inspect: times may have units', async (t) => {
	const { said } = await inspect(t, '--cancel-after', '50ms', '--grace', '5s', '--listen', '0', ...tool('slow', 'ms=60000'), '--', toolbox).exits(130);
	assert.match(said, /ping answered after \d+ ms; no progress in the 0 ms since$/m);
});
