/* SPDX-License-Identifier: MIT
 * A program that is told to stop, or whose client has vanished, lets go of what is live before it ends: handlers run until they
 * have let go, `end` hooks run, what is due is written. */

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { join } from 'node:path';
import { holding, startedBy } from './parents.mjs';
import { Program, hostProgram, root } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const codeOf = (signal) => 128 + constants.signals[signal];
const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
const motor = join(root, 'build/host/tests/host/motor');

async function startMotor(t, method, options) {
	const program = Program.start(t, motor, [], { dialect: 'jsonrpc', ...options });
	program.send(request(1, method));
	await program.says(/motor on/);
	return program;
}

for (const signal of signals) {
	for (const [what, method] of [['cancels, waits for the handler and writes its answer', 'turn'], ['reaches a handler that stays inside', 'stay']])
		test(`stopping: ${signal} ${what}`, async (t) => {
			const program = await startMotor(t, method);
			program.child.kill(signal);
			assert.equal((await program.next()).error.code, -32800);
			await program.exits(codeOf(signal));
			assert.match(program.stderr, /motor off/);
		});
	test(`stopping: ${signal} while nothing is to be done`, async (t) => {
		const program = Program.start(t, hostProgram('toolbox'), [], { dialect: 'mcp' });
		program.send(request(1, 'ping'));
		await program.next();
		program.child.kill(signal);
		await program.exits(codeOf(signal));
	});
}

test('stopping: a signal that was ignored at the start, as by nohup, is ignored', async (t) => {
	const program = Program.start(t, 'sh', ['-c', `trap '' HUP; exec "$0"`, motor], { dialect: 'jsonrpc' });
	program.send(request(1, 'turn'));
	await program.says(/motor on/);
	program.child.kill('SIGHUP');
	await sleep(300);
	program.send(request(2, 'unknown'));
	assert.equal((await program.next()).error.code, -32601);
	assert.doesNotMatch(program.stderr, /motor off/);
	program.child.kill('SIGTERM');
	assert.equal((await program.next()).error.code, -32800);
	await program.exits(codeOf('SIGTERM'));
});

test('stopping: a client that does not read cannot prevent it', async (t) => {
	const program = Program.start(t, motor, [], { dialect: 'jsonrpc', silentReader: true });
	for (let id = 1; id <= 20; id++) program.send(request(id, 'shout'));
	program.send(request(21, 'turn'));
	await sleep(500);
	program.child.kill('SIGTERM');
	await until('its end', () => program.child.exitCode !== null);
	assert.equal(program.child.exitCode, codeOf('SIGTERM'));
});

for (const method of ['turn', 'stay'])
	test(`stopping: the motor stands when the client has vanished: ${method}`, async (t) => {
		const program = await startMotor(t, method);
		program.vanish();
		await program.says(/motor off/);
		await program.exits(0);
	});

for (const method of ['turn', 'stay'])
	test(`stopping: the motor stands when whoever started its program has ended, and its input stays open: ${method}`, async (t) => {
		const program = holding(t, startedBy([motor]), { dialect: 'jsonrpc' });
		program.send(request(1, method));
		await program.says(/motor on/);
		program.child.kill('SIGKILL');
		assert.equal((await program.next()).error.code, -32800);
		await program.says(/motor off/);
		await program.exit();
	});

test('stopping: nothing that is live survives a client that reads no more but has not ended its input', async (t) => {
	const program = await startMotor(t, 'turn');
	program.stopReading();
	await program.says(/motor off/);
	await program.exits(0);
});

test('stopping: half a message is an error of a program, but not for a client that has vanished', async (t) => {
	const says = 'printf "{}\\n{"; cat';
	for (const [vanishes, check] of [
		[false, (end) => assert.rejects(end, /half a message at the end: \{/)],
		[true, async (end) => assert.deepEqual((await end).rest, ['{}'])],
	]) {
		const program = Program.start(t, '/bin/sh', ['-c', says]);
		await until('half a message', () => program.untaken.length);
		if (vanishes) program.vanish();
		else program.end();
		await check(program.exit());
	}
});

for (const [how, code, stop] of [
	['the end of input', 0, (program) => program.end()],
	['SIGTERM', codeOf('SIGTERM'), (program) => program.child.kill('SIGTERM')],
]) {
	test(`stopping: an \`end\` hook that takes its time is waited for: ${how}`, async (t) => {
		const program = await startMotor(t, 'ramp');
		assert.equal((await program.next()).result, null, 'its answer does not wait for it');
		assert.doesNotMatch(program.stderr, /motor off/);
		stop(program);
		assert.equal((await program.exit()).code, code);
		assert.match(program.stderr, /motor off\n$/);
	});
	test(`stopping: an \`end\` hook that never ends is named: ${how}`, async (t) => {
		const program = await startMotor(t, 'runaway');
		assert.equal((await program.next()).result, null);
		stop(program);
		assert.equal((await program.exit()).code, code || 1);
		assert.match(program.stderr, /^motor: runaway: has not come to rest$/m);
	});
}

const live = {
	toolbox: { dialect: 'mcp', said: [initialize,
		request(2, 'tools/call', { name: 'slow', arguments: { ms: 60000 } })] },
	testee: { dialect: 'acp', said: [request(1, 'echo', []), request(2, 'wait', { ms: 60000 })] },
};

for (const [name, { dialect, said }] of Object.entries(live))
	test(`stopping: ${name} answers what it cancels`, async (t) => {
		const program = Program.start(t, hostProgram(name), [], { dialect });
		program.send(...said);
		assert.equal((await program.next()).id, 1);
		program.child.kill('SIGTERM');
		const { rest, code } = await program.exit();
		assert.equal(code, codeOf('SIGTERM'));
		assert.equal(rest.length, 1, rest.join());
		assert.ok(JSON.parse(rest[0]).error, rest[0]);
	});

test('stopping: at the end of input what is live has its second, however often notifications wake the program', async (t) => {
	const program = Program.start(t, hostProgram('testee'), ['--tx', '256'], { dialect: 'acp' });
	program.send(request(1, 'late', { ms: 600 }), request(2, 'notify', { count: 20000 }));
	program.end();
	const { rest, code, ms } = await program.exit();
	assert.equal(code, 0);
	assert.deepEqual(rest.map((line) => JSON.parse(line)).filter(({ id }) => id).map(({ id }) => id).sort(), [1, 2]);
	assert.ok(ms > 590, `cancelled ${ms} ms after the end of input`);
});
