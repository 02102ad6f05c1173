/* SPDX-License-Identifier: MIT
 * What the shell of Node does on Windows: here it is told that it runs there. And which processes it watches, of a table that the test
 * changes. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Parent, windows } from '../../boards/wasm/parent.mjs';
import { greet } from '../common/client.mjs';
import { Device } from '../common/device.mjs';
import { Program } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { root, spawned } from '../common/start.mjs';
import { until } from '../common/waits.mjs';
import { endsWithItsHost, holding, startedBy } from '../host/parents.mjs';

const isWindows = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })`;
const onWindows = (...words) => [process.execPath, '--import', isWindows, join(root, 'boards/wasm/quash-bridge.mjs'), '--initialize-timeout', '60m', ...words];

/* --- Whoever started it */

/* Processes by their ids: this one is 9. `above` are the others that stand above it, from its parent on. */
function played(table) {
	const shown = (pid) => {
		const one = table[pid === 'self' ? 9 : pid];
		return one ? { ignores: 0n, ...one } : null;
	};
	return { shown, parent: () => shown('self').parent, lives: (pid) => shown('self').parent === pid, inputOf: (pid) => shown(pid)?.input ?? '',
		writes: (pid, input) => shown(pid)?.output === input };
}

const chain = () => ({
	9: { name: 'node', parent: 8, group: 5, input: 'pipe' }, 8: { name: 'sh', parent: 7, group: 5, input: 'pipe' },
	7: { name: 'npm exec', parent: 6, group: 5, input: 'pipe' }, 6: { name: 'host', parent: 5, group: 5, input: 'null' },
	5: { name: 'bash', parent: 1, group: 5, input: 'tty' },
});

/* Whether the end of each is seen, from the parent on. */
function seen(change = (table) => table) {
	return [8, 7, 6, 5].map((gone) => {
		const table = change(chain()), parent = new Parent(played(table));
		assert.ok(parent.areThere());
		for (const one of Object.values(table)) if (one.parent === gone) one.parent = 1;
		delete table[gone];
		return !parent.areThere();
	});
}

test('launchers that have handed on the input are watched, and the one above them', () => {
	assert.deepEqual(seen(), [true, true, true, false]);
});

test('a shell is watched if it has handed on its input', () => {
	const without = (table) => ({ ...table, 8: { ...table[8], input: 'other' } });
	assert.deepEqual(seen(without), [false, false, false, false]);
});

test('a parent of another process group is watched if it has the other end of the input', () => {
	const leads = (table) => ({ ...table, 9: { ...table[9], group: 9 } });
	assert.deepEqual(seen(leads), [false, false, false, false]);
	assert.deepEqual(seen((table) => leads({ ...table, 8: { ...table[8], name: 'host', input: 'null', output: 'pipe' } })), [true, false, false, false]);
});

test('what is above a launcher in the background is not watched', () => {
	const ignores = (...pids) => (table) => ({ ...table, ...Object.fromEntries(pids.map((pid) => [pid, { ...table[pid], ignores: 1n }])) });
	assert.deepEqual(seen(ignores(7)), [true, true, false, false]);
	assert.deepEqual(seen(ignores(7, 6, 5)), [true, true, true, false]);
});

test('where a system shows no processes the parent alone is watched', () => {
	let isThere = true;
	const blind = { ...played(chain()), shown: () => null, inputOf: () => '', lives: (pid) => pid === 8 && isThere };
	const parent = new Parent(blind);
	assert.equal(parent.areThere(), true);
	isThere = false;
	assert.equal(parent.areThere(), false);
	assert.equal(new Parent(blind).areThere(), true, 'one that has ended before is not watched');
});

test('on Windows a process of another user lives, and one that has ended does not', async (t) => {
	const child = spawned(t, [process.execPath, '-e', 'setInterval(() => {}, 1e9)']);
	assert.equal(windows.lives(child.pid), true);
	child.kill('SIGKILL');
	await child.ended;
	assert.equal(windows.lives(child.pid), false);
	const { kill } = process;
	t.after(() => { process.kill = kill; });
	process.kill = () => { throw Object.assign(new Error('not ours'), { code: 'EPERM' }); };
	assert.equal(windows.lives(1), true);
});

test('on Windows it ends with its parent, which cancels', async (t) => {
	const device = await Device.open(t);
	await endsWithItsHost(holding(t, startedBy(onWindows('--unix', device.path))), device);
});

/* --- Its output */

const mebibyte = 'x'.repeat(1 << 20);

test('on Windows a client that does not read holds up neither others nor the end', async (t) => {
	const device = await Device.open(t), [path, ...words] = onWindows('--unix', device.path);
	const client = Program.start(t, path, words, { silentReader: true });
	for (const message of [{ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
		{ method: 'notifications/initialized' }, { id: 2, method: 'x/big' }]) client.send({ jsonrpc: '2.0', ...message });
	const line = await device.ready();
	line.answer(await line.takes('x/big'), mebibyte);
	line.notify('notifications/message', { level: 'info', data: 1 });
	client.send({ jsonrpc: '2.0', id: 3, method: 'x/next' });
	await line.takes('x/next');
	client.signal('SIGTERM');
	await line.takes('notifications/cancelled');
	await until('its end', () => client.child.exitCode !== null || client.child.signalCode !== null);
});

test('on Windows all that is answered is written, in its order', async (t) => {
	const device = await Device.open(t), [path, ...words] = onWindows('--unix', device.path);
	const client = Program.start(t, path, words, { dialect: 'mcp' });
	await greet(client);
	const line = await device.ready();
	for (let n = 0; n < 4; n++) client.ask('x/big', {}, `big ${n}`);
	for (let n = 0; n < 4; n++) line.answer(await line.takes('x/big'), mebibyte);
	for (let n = 0; n < 4; n++) assert.equal((await client.answerTo(`big ${n}`)).result, mebibyte);
	await client.endsByInput();
});
