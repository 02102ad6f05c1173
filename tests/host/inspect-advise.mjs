/* SPDX-License-Identifier: MIT
 * inspect --advise: a device that is short of each memory refuses some traffic; with the sizes that are advised then the same
 * traffic passes, and little less would not do. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Bridge } from './bridge-program.mjs';
import { greet } from '../common/client.mjs';
import { Inspect, run, scripted, tool, toolbox } from './inspect-program.mjs';
import { root } from '../common/program.mjs';
import { Recorder, advised, call, counters, files, isNear, least, request, sizedToolbox, testeeProgram, uuid } from './sized.mjs';
import { test, until } from '../common/runner.mjs';
import './inspect-advise-files.mjs';

/** Traffic by name: what a session sends; the sizes that it runs with. */
async function play(t, traffic, path, args = [], dialect = 'mcp') {
	const session = Recorder.start(t, path, args, dialect);
	if (dialect === 'mcp') await greet(session);
	await traffic(session);
	const stats = await session.stats();
	await session.finish();
	return { session, stats, refused: session.refused };
}

const together = (messages) => async (session) => {
	session.send(...messages);
	await Promise.all(messages.map(({ id }) => session.answerTo(id)));
};
const options = (sizes) => Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, `${size}`]);

/* ------------------------------------------------------------------------------------------------ slots */

const slow = together([1, 2, 3, 4, 5].map((id) => call(id, 'slow', { ms: 120 })));

test('advise: slots, by the marks of the device', async (t) => {
	const before = await play(t, slow, toolbox, options({ slots: 2 }));
	assert.equal(before.refused, 3);
	const { changes, buffers } = await advised(t, 4, '--counters', counters(t, before.stats));
	assert.deepEqual(changes, { slot_count: 5 });
	const [{ is, ram, why }] = buffers;
	assert.deepEqual([is, ram, why], [2, 3 * before.stats.slot_bytes, 'busy 3, most_live 5']);
	assert.equal((await play(t, slow, toolbox, options({ slots: 5 }))).refused, 0);
	assert.ok((await play(t, slow, toolbox, options({ slots: 4 }))).refused > 0);
});

test('advise: slots, by a record alone, and beside the sizes of the device', async (t) => {
	const { session, stats } = await play(t, slow, toolbox, options({ slots: 2 }));
	const [record, old] = files(t, session.record, JSON.stringify({ busy: stats.busy, slot_count: 2 }));
	assert.equal((await advised(t, 4, '--replay', record)).changes.slot_count, 5);
	assert.equal((await advised(t, 4, '--replay', record, '--counters', old)).changes.slot_count, 5);
	const fresh = await advised(t, 4, '--replay', record, '--', toolbox, '--slots', '2');
	assert.deepEqual(fresh.changes, { slot_count: 5 }, 'a device that has counted nothing itself');
});

test('advise: slots, by what quash-bridge has recorded', async (t) => {
	const [record] = files(t, '');
	const bridge = Bridge.start(t, ['--record', record, '--', toolbox, ...options({ slots: 2 })]);
	await greet(bridge.client);
	const ids = [uuid(1), uuid(2), uuid(3), uuid(4)];
	for (const id of ids) bridge.client.ask('tools/call', { name: 'slow', arguments: { ms: 150 }, _meta: { progressToken: id } }, id);
	const answers = await Promise.all(ids.map((id) => bridge.client.answerTo(id)));
	assert.equal(answers.filter(({ error }) => error?.code === -32010).length, 2);
	await bridge.endsByInput();
	const { changes, buffers } = await advised(t, 4, '--replay', record, '--', toolbox, ...options({ slots: 2 }));
	assert.deepEqual(changes, { slot_count: 4 });
	assert.ok(buffers.find(({ member }) => member === 'id_size').needs <= 17, 'its ids are those of the bridge');
});

/* ------------------------------------------------------------------------------------------------ arena */

const largeOnes = [call(1, 'echo', { text: 'x'.repeat(300) }), call(2, 'echo', { text: 'grün'.repeat(60) })];
const large = async (session) => {
	for (const message of largeOnes) {
		session.send(message);
		await session.answerTo(message.id);
	}
};

test('advise: an arena that is smaller than the largest params', async (t) => {
	const before = await play(t, large, toolbox, options({ arena: 160 }));
	assert.equal(before.refused, 2);
	const { changes: { arena_size: size, ...others } } = await advised(t, 4, '--counters', counters(t, before.stats));
	assert.deepEqual(others, {});
	const passes = async (arena) => (await play(t, large, toolbox, options({ arena }))).refused === 0;
	assert.ok(await passes(size));
	isNear(size, await least(size, (arena) => arena >= 16 && passes(arena)), 'arena_size');
});

test('advise: what came together and was refused counts as live together', async (t) => {
	const before = await play(t, together(largeOnes), toolbox, options({ arena: 160 }));
	const { changes: { arena_size: size } } = await advised(t, 4, '--counters', counters(t, before.stats));
	assert.equal((await play(t, together(largeOnes), toolbox, options({ arena: size }))).refused, 0);
});

const pads = [30, 120, 60, 90];
const padded = together(pads.map((pad, id) => request(id + 1, 'wait', { steps: 40, pad: 'p'.repeat(pad) })));

for (const way of ['marks', 'record']) {
	test(`advise: an arena that is full of the params of what runs, by ${way}`, async (t) => {
		const with_ = (arena) => play(t, padded, testeeProgram, ['--dialect', 'jsonrpc', ...options({ arena })], 'jsonrpc');
		const before = await with_(200);
		assert.ok(before.refused > 0);
		const { busy, arena_size } = before.stats;
		const [record, old] = files(t, before.session.record, JSON.stringify({ busy, arena_size, slot_count: 8 }));
		const words = way === 'marks' ? ['--counters', counters(t, before.stats)] : ['--replay', record, '--counters', old];
		const { changes: { arena_size: size, ...others } } = await advised(t, 4, ...words);
		assert.deepEqual(others, {});
		assert.equal((await with_(size)).refused, 0);
		isNear(size, await least(size, async (arena) => arena >= 16 && (await with_(arena)).refused === 0), 'arena_size');
	});
}

test('advise: slots and arena at once', async (t) => {
	const with_ = (sizes) => play(t, padded, testeeProgram, ['--dialect', 'jsonrpc', ...options(sizes)], 'jsonrpc');
	const before = await with_({ slots: 2, arena: 128 });
	assert.ok(before.refused > 0);
	const { changes: { slot_count: slots, arena_size: arena } } = await advised(t, 4, '--counters', counters(t, before.stats));
	assert.equal((await with_({ slots, arena })).refused, 0);
	assert.ok((await with_({ slots: slots - 1, arena })).refused > 0);
});

/* ------------------------------------------------------------------------------------------------ TX */

const reported = together([call(1, 'slow', { ms: 120 }, { progressToken: 't'.repeat(30) })]);

test('advise: a TX that takes no progress', async (t) => {
	const before = await play(t, reported, toolbox, options({ tx: 64 }));
	assert.ok(before.stats.dropped > 0);
	const { changes: { tx_size: size, ...others } } = await advised(t, 4, '--counters', counters(t, before.stats));
	assert.deepEqual(others, {});
	const passes = async (tx) => {
		const { stats, session } = await play(t, reported, toolbox, options({ tx }));
		return stats.dropped === 0 && session.notifications.length > 0;
	};
	assert.ok(await passes(size));
	assert.equal(size, await least(size, (tx) => tx >= 64 && passes(tx)), 'to the byte');
});

test('advise: the TX for progress is foreseen by a record', async (t) => {
	const { session, stats } = await play(t, reported, toolbox, options({ tx: 64 }));
	const [record, ...devices] = files(t, session.record, JSON.stringify(stats), '{"busy":0,"tx_size":64}', '{"busy":0}',
		'{"busy":0,"tx_size":64,"token_size":0}');
	const adviceFor = (code, file) => advised(t, code, '--replay', record, '--counters', file);
	const txOf = ({ buffers }) => buffers.find(({ member }) => member === 'tx_size');
	const [counted, fresh, unknown, silent] = [await adviceFor(4, devices[0]), await adviceFor(4, devices[1]), await adviceFor(0, devices[2]),
		await adviceFor(0, devices[3])];
	for (const advice of [counted, fresh, unknown]) {
		const { needs, why } = txOf(advice);
		isNear(needs, stats.longest_notification + 1, 'tx_size for progress');
		assert.match(why, new RegExp(`in the record progress with the longest token needs ${needs}$`));
	}
	const lost = (advice) => advice.look.find(({ at }) => at === 'progress')?.why.replace(/\d+ ms/, 'N ms');
	assert.deepEqual([counted, fresh].map(lost), [undefined, undefined], 'it stands there once');
	assert.equal(lost(unknown), 'requests wanted progress, the longest for N ms, and none came: the tools report none, or it needs a '
		+ `tx_size of ${txOf(unknown).needs}, a token_size of 30`);
	assert.equal(lost(silent), 'requests wanted progress, the longest for N ms, and none came: its token_size is 0');
	assert.deepEqual([counted, fresh, unknown].map((advice) => txOf(advice).change), [true, true, false]);
	assert.equal(txOf(silent), undefined, 'a device that takes no token reports no progress');
});

test('advise: progress that never came is noticed by a record alone', async (t) => {
	const { session } = await play(t, reported, toolbox, options({ tx: 64 }));
	const [record] = files(t, session.record);
	const { shown } = await run(t, ['--advise', '--replay', record], [], 0);
	assert.match(shown, /^tx_size: \d+ would be enough: in the record progress with the longest token needs \d+$/m);
	assert.match(shown, /^look: progress 1: requests wanted progress, the longest for \d+ ms, and none came: the tools report none, or it needs a tx_size of \d+, a token_size of 30$/m);
});

test('advise: with headers TX needs room for them', async (t) => {
	const ticks = together([request(1, 'notify', { count: 1000 })]);
	const with_ = (tx) => play(t, ticks, testeeProgram, ['--dialect', 'lsp', ...options({ tx })], 'lsp');
	const before = await with_(64);
	assert.ok(before.stats.dropped > 0);
	const { changes: { tx_size: size } } = await advised(t, 4, '--protocol', 'lsp', '--counters', counters(t, before.stats));
	const passes = async (tx) => (await with_(tx)).session.notifications.length === 1000;
	assert.ok(await passes(size));
	isNear(size, await least(size, (tx) => tx >= 64 && passes(tx)), 'tx_size');
});

/* ------------------------------------------------------------------------- what only a record shows */

const small = { SLOTS: 2, ID_SIZE: 24, TOKEN_SIZE: 12, ARENA: 448, TX: 160, REASON: 8 };

test('advise: ids, progress tokens and reasons', async (t) => {
	const traffic = async (session) => {
		await together([call(uuid(1), 'slow', { ms: 120 }, { progressToken: uuid(2) })])(session).catch(() => {});
		session.send(call(3, 'slow', { ms: 60000 }), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, reason: 'enough of that' } });
	};
	const refusing = async (session) => {
		session.send(call(uuid(1), 'slow', { ms: 120 }, { progressToken: uuid(2) }));
		await session.answerTo(undefined);
		await together([call(2, 'slow', { ms: 120 }, { progressToken: uuid(2) })])(session);
		session.send(call(3, 'slow', { ms: 60000 }), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, reason: 'enough of that' } });
	};
	const before = await play(t, refusing, sizedToolbox(small));
	assert.equal(before.refused, 1);
	assert.equal(before.session.notifications.length, 0, 'its token is too long');
	const [record] = files(t, before.session.record);
	const { changes } = await advised(t, 4, '--replay', record, '--counters', counters(t, before.stats));
	assert.deepEqual(changes, { id_size: 36, token_size: 36, reason_size: 15 });
	const after = await play(t, traffic, sizedToolbox({ ...small, ID_SIZE: changes.id_size, TOKEN_SIZE: changes.token_size, REASON: changes.reason_size }));
	assert.equal(after.refused, 0);
	assert.ok(after.session.notifications.length > 0);
	assert.equal((await play(t, refusing, sizedToolbox({ ...small, ID_SIZE: 35, TOKEN_SIZE: 35 }))).refused, 1, 'one less would not do');
});

/* ------------------------------------------------------------------------------------- what is shown */

test('advise: nothing to change', async (t) => {
	const { shown } = await run(t, ['--advise'], [toolbox], 0);
	assert.match(shown, /^slot_count: 8 is enough: busy 0, most_live 1$/m);
	assert.match(shown, /^arena_size: 4096 is enough: busy 0, too_large 0, most_arena \d+$/m);
	assert.doesNotMatch(shown, /look|instead/);
});

/** A device behind a socket, so that several clients come one after another. */
async function served(t, path, args) {
	const session = Recorder.start(t, path, args);
	const server = createServer((socket) => {
		socket.on('error', () => {});
		socket.pipe(session.child.stdin, { end: false });
		session.child.stdout.pipe(socket);
	});
	const socket = join(files(t, '')[0].replace(/file0$/, ''), 'socket');
	await new Promise((resolve) => server.listen(socket, resolve));
	t.after(() => server.close());
	return { session, socket };
}

test('advise: a device that is asked while others have been at work', async (t) => {
	const { session, socket } = await served(t, toolbox, options({ slots: 2 }));
	await greet(session);
	await slow(session);
	const inspect = new Inspect(t, ['--advise', '--unix', socket]);
	await inspect.exits(4);
	assert.match(inspect.shown, /^slot_count: 5 instead of 2, \d+ bytes more: busy 3, most_live 5$/m);
	await session.finish();
});

/* --------------------------------------------------------------------------------- it cannot be asked */

for (const words of [[], ['--modern']]) {
	test(`advise: an arena that does not hold the question ${words}`, async (t) => {
		const code = async (arena) => {
			const inspect = new Inspect(t, ['--advise', ...words, '--', toolbox, ...options({ arena })]);
			return { code: (await inspect.exit()).code, inspect };
		};
		let arena = 16, rounds = 0;
		for (let at; (at = await code(arena)).code !== 0; rounds++) {
			assert.ok(at.code === 4 && rounds < 2, `arena ${arena}`);
			const [, least_] = /^arena_size: at least (\d+): it does not hold the params of quash-inspect itself, \d+ bytes\n$/.exec(at.inspect.shown);
			arena = Number(least_);
		}
		isNear(arena, await least(arena, async (size) => size >= 16 && (await code(size)).code === 0), 'arena_size');
	});
}

test('advise: a device that is busy when it is asked', async (t) => {
	const [socket] = files(t, '').map((path) => path.replace(/file0$/, 's'));
	const bridge = Bridge.start(t, ['--listen-unix', socket, '--', toolbox, ...options({ slots: 1 })]);
	await until('the socket', () => existsSync(socket));
	const other = new Inspect(t, [...tool('slow', 'ms=60000'), '--unix', socket]);
	await other.says(/progress/);
	const { look, changes } = await advised(t, 1, '--unix', socket);
	assert.deepEqual(changes, {});
	assert.match(look[0].why, /^no slot, or no \d+ bytes of arena, were left for quash-inspect itself/);
});

/* ------------------------------------------------------------------------------------------ two rounds */

test('advise: what was refused may last longer than what was served: then the next advice is larger', async (t) => {
	const pairs = async (session) => {
		session.send(call(1, 'slow', { ms: 150 }), call(2, 'slow', { ms: 900 }));
		await session.answerTo(1);
		session.send(call(3, 'slow', { ms: 150 }), call(4, 'slow', { ms: 150 }));
		await Promise.all([2, 3, 4].map((id) => session.answerTo(id)));
	};
	const advice = [];
	for (let slots = 1; ;) {
		const { stats, refused } = await play(t, pairs, toolbox, options({ slots }));
		if (refused === 0) break;
		({ changes: { slot_count: slots } } = await advised(t, 4, '--counters', counters(t, stats)));
		advice.push(slots);
		assert.ok(advice.length < 4);
	}
	assert.deepEqual(advice, [2, 3]);
});

test('advise: a device without stats, and files that hold none', async (t) => {
	const { said } = await run(t, ['--advise'], scripted('good'), 3);
	assert.match(said, /has no counters/);
	await run(t, ['--advise', ...tool('echo', 'text=x')], [toolbox], 3);
	for (const [words, what] of [[['--tool', 'counters'], 'tool counters'], [['--method', 'counters'], 'method counters']]) {
		const { said: note } = await run(t, ['--advise', ...words], [toolbox], 1);
		assert.match(note, new RegExp(`^quash-inspect: it has no ${what} with its counters; --(tool|method) names another$`, 'm'));
	}
	const [list, other] = files(t, '[1]', 'x');
	for (const [option, path, why] of [['--counters', '/no/such/file', 'No such file or directory'], ['--counters', root, 'Is a directory'],
		['--counters', list, 'holds no object with counters'], ['--replay', other, 'is no record of quash-bridge'],
		['--replay', '/no/such/file', 'No such file or directory']]) {
		const inspect = new Inspect(t, ['--advise', option, path]);
		await inspect.exits(2);
		assert.equal(inspect.said, `quash-inspect: ${path} ${why}\n`);
	}
});
