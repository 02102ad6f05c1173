/* SPDX-License-Identifier: MIT
 * docs/sizing.md: what it shows of clients is what they transmit; each device of its table has the RAM that its compiler
 * lays out, and with exactly these sizes refuses nothing of its traffic. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { Bridge } from '../host/bridge-program.mjs';
import { connectTo, greet } from '../common/client.mjs';
import { run, tool, toolbox } from '../host/inspect-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { skip, test, until } from '../common/runner.mjs';
import { make, root, told } from '../common/start.mjs';
import { Recorder, advised, call, counters, definitions, sizedApp, uuid } from '../host/sized.mjs';
import { readPlace, writePlace } from '../size/page.mjs';
import { isThere, targets } from '../size/targets.mjs';
import { AcpClient } from './acp-client.mjs';
import { legacyFlavour, modernFlavour, sdkFlavour } from './flavours.mjs';
import { Session, settled } from './session.mjs';
import { clientTable, deviceTable, devices, memoryOf, page } from './sizing.mjs';

const [uno, mega, crowd, several, agent] = devices;

/** The page has this table; with --write it gets it. */
function assertWritten(place, text) {
	if (argv.includes('--write')) writePlace(page, place, text);
	assert.equal(readPlace(page, place).trim(), text);
}

/** Nothing was refused, dropped or malformed, and the advice is to leave it so. */
async function assertEnough(t, stats) {
	const { busy, too_large: large, invalid, dropped } = stats;
	assert.deepEqual({ busy, large, invalid, dropped }, { busy: 0, large: 0, invalid: 0, dropped: 0 });
	const { changes } = await advised(t, 0, '--counters', counters(t, stats));
	assert.deepEqual(changes, {});
}

/* ------------------------------------------------------------------------------------------------ clients */

/** What a client sends that lists the tools, calls two, and cancels one. */
async function visit(session) {
	await session.client.listTools();
	await session.call('led', { on: true });
	let reports = 0;
	await session.call('stepper', { steps: 250 }, { onprogress() { reports++; } });
	assert.ok(reports > 0, 'progress was reported');
	const { outcome, cancel } = await session.start('stepper', { steps: 60000 });
	cancel();
	assert.ok((await outcome).error);
	return session.stats();
}

test('sizing: what the clients of the page need', async (t) => {
	const clients = [];
	for (const flavour of [sdkFlavour, legacyFlavour, modernFlavour]) {
		const session = await Session.open(t, flavour);
		await visit(session);
		await session.close();
		clients.push([flavour.name, session.tap.wires().flatMap(({ sent }) => sent)]); /* the modern one asks another process first */
	}
	for (const [name, sent] of clients) {
		for (const { id, params } of sent.filter(({ id: known }) => known !== undefined)) {
			assert.ok(id === 'server-discover-probe-1' || (Number.isInteger(id) && id < 100), `${name}: ids are counted up`);
			assert.ok([id, undefined].includes(params?._meta?.progressToken), `${name}: the token is the id`);
		}
	}
	assertWritten('measure clients', clientTable(clients));
});

/* ------------------------------------------------------------------------------------------------ devices */

const missing = targets.filter((target) => !isThere(target));
if (missing.length) skip('sizing: the devices of the page', `no compiler for ${missing.map(({ name }) => name).join(', ')}`);
else test('sizing: the devices of the page as their compilers lay them out', () => {
	assertWritten('measure devices', deviceTable());
	for (const device of devices) {
		const { ram, sum } = memoryOf(device);
		assert.ok(ram - sum < 8, `${device.name}: ${ram} bytes, ${sum} by the sum of docs/memory.md`);
	}
});

for (const flavour of [sdkFlavour, modernFlavour]) {
	test(`sizing: ${uno.name}: ${flavour.name}`, async (t) => {
		const session = await Session.open(t, flavour, { program: [sizedApp(uno.app, uno.sizes)] });
		await assertEnough(t, await visit(session));
		await session.close();
	});

	test(`sizing: ${crowd.name}: ${flavour.name}`, async (t) => {
		const session = await Session.open(t, flavour, { program: [sizedApp(crowd.app, crowd.sizes)] });
		const calls = [session.call('slow', { ms: 200 }, { onprogress() {} }), session.call('stepper', { steps: 200 }, { onprogress() {} }),
			session.call('echo', { text: 'x'.repeat(200) })];
		await Promise.all(calls);
		await assertEnough(t, await visit(session));
		await session.close();
	});
}

test(`sizing: ${mega.name}`, async (t) => {
	const device = Recorder.start(t, sizedApp(mega.app, mega.sizes));
	await greet(device);
	device.send(call(uuid(1), 'stepper', { steps: 250 }, { progressToken: uuid(1) }), call(uuid(2), 'led', { on: true }, { progressToken: uuid(2) }));
	await device.answerTo(uuid(1));
	assert.ok(device.notifications.length > 0);
	device.send(call(uuid(3), 'stepper', { steps: 60000 }, { progressToken: uuid(3) }),
		{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: uuid(3), reason: 'enough' } });
	const stats = await device.stats();
	assert.equal(stats.cancelled_by_other_side, 1);
	await assertEnough(t, stats);
	await device.finish();
});

test(`sizing: ${several.name}`, async (t) => {
	const bridge = Bridge.start(t, ['--listen-tcp', '127.0.0.1:0', '--', sizedApp(several.app, several.sizes)]);
	const [, port] = await bridge.says(/127\.0\.0\.1:(\d+)/);
	const clients = [];
	for (let n = 0; n < 4; n++) {
		clients.push(await connectTo(t, Number(port)));
		await greet(clients[n]);
	}
	const asked = clients.flatMap((client, n) => [['slow', { ms: 200 }], ['echo', { text: 'y'.repeat(200) }]].map(([name, args], i) =>
		client.result('tools/call', { name, arguments: args, _meta: { progressToken: uuid(i) } }, uuid(10 * n + i))));
	await Promise.all(asked);
	const { content } = await clients[0].result('tools/call', { name: 'stats', arguments: {} }, uuid(99));
	await assertEnough(t, JSON.parse(content[0].text));
});

test(`sizing: ${agent.name}`, async (t) => {
	const kindsOf = async (program) => {
		const client = await AcpClient.open(t, { command: [program] });
		await client.prompt('do something slow, permission please');
		const updates = client.updates.map(({ update }) => update.sessionUpdate).sort();
		client.session = (await client.newSession()).sessionId;
		const before = client.updates.length, turn = settled(client.prompt('slow'));
		await until('an update of the turn', () => client.updates.length > before);
		await client.cancelSession();
		assert.equal((await turn).value.stopReason, 'cancelled');
		assert.deepEqual(client.heard.filter(({ error }) => error), []);
		assert.ok(updates.length > 0);
		return updates;
	};
	assert.deepEqual(await kindsOf(sizedApp(agent.app, agent.sizes)), await kindsOf(sizedApp(agent.app, { TX: 4096 })), 'every update has left');
});

test('sizing: quash-inspect in both eras is content with the smallest device', async (t) => {
	const program = sizedApp(uno.app, uno.sizes);
	for (const era of [[], ['--modern']]) {
		await run(t, [...era, ...tool('led', 'on=true')], [program], 0);
		await run(t, [...era, '--advise'], [program], 0);
	}
	await run(t, ['--advise'], [toolbox], 0);
});

/* ------------------------------------------------------------------------------------------------ a board */

const board = 'lm3s6965evb';
const emulator = ['qemu-system-arm', '-M', board, '-display', 'none', '-monitor', 'none', '-semihosting', '-serial', 'stdio', '-kernel'];

/** A toolbox for the emulated board, with these sizes. */
function boardWith(sizes) {
	const build = join('build/advised', Object.values(sizes).join('_'));
	const elf = join(build, board, 'toolbox.elf');
	make(`BOARD=${board}`, `BUILD=${build}`, `CPU=-mcpu=cortex-m3 -mthumb ${definitions('toolbox', sizes).join(' ')}`, elf);
	return ['--bound', ...emulator, join(root, elf)];
}

/** What a session counts that wants more of each memory than a small device has. */
async function playOn(t, words) {
	const device = Recorder.start(t, hostProgram('emulate'), words);
	await greet(device);
	await device.asks('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(300) } });
	const calls = [12, 13, 14].map((id) => call(id, 'slow', { ms: 200 }, { progressToken: `${id}${'t'.repeat(28)}` }));
	device.send(...calls);
	await Promise.all(calls.map(({ id }) => device.answerTo(id)));
	const stats = await device.stats();
	await device.finish();
	return { stats, refused: device.refused, reports: device.notifications.length };
}

const lacks = ['arm-none-eabi-gcc', 'qemu-system-arm'].filter((name) => told(name, ['--version']).error);
if (lacks.length) skip('sizing: a board with the sizes that it was advised', `${lacks.join(', ')} is missing`);
else test('sizing: a board with the sizes that it was advised', async (t) => {
	const before = await playOn(t, boardWith({ SLOTS: 2, ARENA: 200, TX: 64 }));
	assert.deepEqual([before.refused, before.reports], [2, 0], 'one is too large, one finds no slot, progress does not fit');
	const counted = counters(t, before.stats);
	const { changes: { slot_count: SLOTS, arena_size: ARENA, tx_size: TX, ...others } } = await advised(t, 4, '--counters', counted);
	assert.deepEqual(others, {});
	const anyCount = (text) => text.replace(/dropped \d+/g, 'dropped N'); /* how often progress is due depends on time */
	const { stdout } = told(hostProgram('quash-inspect'), ['--advise', '--counters', counted]);
	const shown = anyCount(readFileSync(join(root, 'docs/inspect.md'), 'utf8'));
	for (const line of anyCount(stdout).split('\n')) assert.ok(shown.includes(line), `docs/inspect.md shows: ${line}`);
	const after = await playOn(t, boardWith({ SLOTS, ARENA, TX }));
	assert.equal(after.refused, 0);
	assert.ok(after.reports > 0);
	await assertEnough(t, after.stats);
});
