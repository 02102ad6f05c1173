/* SPDX-License-Identifier: MIT
 * inspect --advise: what is advised by counters and records that stand in files, without a device. */

import { arenaOf, keptOf } from '../interop/sizing.mjs';
import { callOf, erasOf, hosts } from './hosts-messages.mjs';
import assert from 'node:assert/strict';
import { Inspect, run, toolbox } from './inspect-program.mjs';
import { modernMeta } from '../common/client.mjs';
import { hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';
import { advised, call, counters, files, isNear, request, uuid } from './sized.mjs';

test('advise: tokens of the bridge may grow, by files with a byte order mark', async (t) => {
	const long = 'w2147483647';
	const progress = (token) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 100000, total: 600000 } });
	const [record, old] = files(t, ['\ufeff# quash-bridge record 1 mcp', `0 device > ${JSON.stringify(call(9, 'slow', { ms: 9 }, { progressToken: 'w9' }))}`,
		`1 device < ${JSON.stringify(progress('w9'))}`, ''].join('\n'),
	`\ufeff${JSON.stringify({ dropped: 1, longest_notification: JSON.stringify(progress('w9')).length, tx_size: 64, token_size: 8, slot_count: 2 })}`);
	const { changes } = await advised(t, 4, '--replay', record, '--counters', old);
	assert.equal(changes.token_size, long.length);
	isNear(changes.tx_size, JSON.stringify(progress(long)).length + 1, 'tx_size');
});

/** A record of calls: how long each took, how often progress came, how it ended. */
function recordOf(t, ...calls) {
	const lines = calls.flatMap(({ ms, progress = 0, token = 'w7', end = { result: {} } }, i) => {
		const start = 10000 * i, id = i + 1;
		return [`${start} device > ${JSON.stringify(call(id, 'slow', { ms }, token && { progressToken: token }))}`,
			...Array.from({ length: progress }, (_, n) => `${start + n} device < ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: n } })}`),
			end === 'cancel' ? `${start + ms} device > ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })}`
				: `${start + ms} device < ${JSON.stringify({ jsonrpc: '2.0', id, ...end })}`];
	});
	return files(t, ['# quash-bridge record 1 mcp', ...lines, ''].join('\n'))[0];
}

test('advise: progress that never came is noticed', async (t) => {
	const lost = async (calls, stats) => {
		const words = stats ? ['--counters', counters(t, stats)] : [];
		const { look } = await advised(t, 0, '--replay', recordOf(t, ...calls), ...words);
		return look.filter(({ at }) => at === 'progress').map(({ count, why }) => `${count}: ${why}`)[0];
	};
	const none = (count, ms, why) => `${count}: requests wanted progress, the longest for ${ms} ms, and none came: ${why}`;
	const room = (token) => `the tools report none, or it needs a tx_size of ${101 + token + 2 + 12}, a token_size of ${token}`;
	assert.equal(await lost([{ ms: 500 }, { ms: 900 }]), none(2, 900, room(11)));
	assert.equal(await lost([{ ms: 5000, end: 'cancel' }]), none(1, 5000, room(11)), 'nor to a request that was cancelled');
	assert.equal(await lost([{ ms: 500, token: uuid(1) }]), none(1, 500, room(36)));
	const fits = { busy: 0, dropped: 0, tx_size: 512, token_size: 40 };
	assert.equal(await lost([{ ms: 500 }], fits), none(1, 500, 'the tools report none'));
	assert.equal(await lost([{ ms: 500 }], { ...fits, dropped: 4 }), none(1, 500, 'TX had no room'));
	assert.equal(await lost([{ ms: 500 }], { ...fits, token_size: 0 }), none(1, 500, 'its token_size is 0'));
	assert.equal(await lost([{ ms: 500 }, { ms: 500, progress: 2 }]), undefined, 'some came');
	assert.equal(await lost([{ ms: 99 }]), undefined, 'there was no time for any');
	assert.equal(await lost([{ ms: 500, token: null }]), undefined, 'nobody wanted any');
	assert.equal(await lost([{ ms: 500, end: { error: { code: -32602, message: 'no' } } }]), undefined, 'it was refused');
});

test('advise: RAM is named where the number of slots is known', async (t) => {
	const message = request(uuid(1), 'session/prompt', { sessionId: uuid(3), _meta: { progressToken: uuid(2) } });
	const ramOf = async (protocol, sizes) => {
		const [record, old] = files(t, `# quash-bridge record 1 ${protocol}\n0 device > ${JSON.stringify(message)}\n`, JSON.stringify({ busy: 0, ...sizes }));
		const { buffers } = await advised(t, 4, '--replay', record, '--counters', old);
		return Object.fromEntries(buffers.filter(({ change }) => change).map(({ member, ram }) => [member, ram]));
	};
	const sizes = { id_size: 24, tag_size: 16, token_size: 12 };
	for (const protocol of ['mcp', 'acp']) {
		const token = protocol === 'mcp' ? { token_size: 3 * 24 } : {};
		assert.deepEqual(await ramOf(protocol, { ...sizes, slot_count: 3 }), { id_size: 4 * 12, tag_size: 4 * 20, ...token });
		const unknown = Object.fromEntries(['id_size', 'tag_size', ...Object.keys(token)].map((member) => [member, undefined]));
		assert.deepEqual(await ramOf(protocol, sizes), unknown);
	}
	assert.equal((await ramOf('mcp', { token_size: 11, slot_count: 2 })).token_size, 2 * 32, 'states are multiples of 8');
});

test('advise: the tag of an ACP session', async (t) => {
	const session = uuid(7);
	const [record, sizes] = files(t, ['# quash-bridge record 1 acp',
		`0 device > ${JSON.stringify(request(1, 'session/prompt', { sessionId: session, prompt: [] }))}`,
		`9 device < ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}`, ''].join('\n'), '{"busy":0,"tag_size":16,"slot_count":3}');
	const { changes, buffers } = await advised(t, 4, '--replay', record, '--counters', sizes);
	assert.deepEqual(changes, { tag_size: 36 });
	assert.equal(buffers.find(({ member }) => member === 'tag_size').ram, 4 * 20);
});

test('advise: what no size cures is named, and what only counts is not', async (t) => {
	const stats = { busy: 0, too_large: 1, invalid: 2, lost: 3, held: 4, misuses: 5, kept: 9, slowest_cancel_ms: 1500, most_live: 1, most_arena: 10,
		slot_count: 2, arena_size: 64, id_size: 24 };
	const { changes, look } = await advised(t, 0, '--counters', counters(t, stats));
	assert.deepEqual(changes, {});
	assert.deepEqual(look.map(({ at, count }) => [at, count]),
		[['too_large', 1], ['lost', 3], ['invalid', 2], ['held', 4], ['misuses', 5], ['slowest_cancel_ms', 1500]]);
	assert.match(look[2].why, /id_size of 36/);
});

test('advise: counters that stopped at their largest value, and sizes that no device can have', async (t) => {
	const most = 2 ** 32 - 1;
	const with_ = (stats) => advised(t, 'busy' in stats && stats.slot_count === 250 ? 0 : 4, '--counters', counters(t, stats));
	const full = await with_({ busy: most, too_large: most, dropped: 10 ** 20, most_live: 3, slot_count: 2, slot_bytes: most,
		most_arena: most, arena_size: 100, longest_notification: most, tx_size: 64 });
	assert.deepEqual(full.changes, { slot_count: 3, arena_size: 2 ** 24 - 1, tx_size: most });
	assert.equal(full.buffers[0].ram, most);
	assert.deepEqual(full.look.map(({ at, count }) => [at, count]), [['arena_size', most]]);
	const many = await with_({ busy: 1, most_live: 300, slot_count: 250 });
	assert.deepEqual(many.changes, {});
	assert.deepEqual(many.look.map(({ at, count }) => [at, count]), [['slot_count', 300]]);
	const { shown } = await run(t, ['--advise', '--counters', counters(t, { busy: 1, most_live: 300, slot_count: 250 })], [], 0);
	assert.match(shown, /^slot_count: 250 is the most: /m);
});

test('advise: ids and session ids that are longer than any device takes', async (t) => {
	const long = 'i'.repeat(300);
	const [record, sizes] = files(t, ['# quash-bridge record 1 acp',
		`0 device > ${JSON.stringify(request(long, 'session/prompt', { sessionId: long, prompt: [] }))}`, ''].join('\n'),
	'{"busy":0,"id_size":24,"tag_size":16,"slot_count":3}');
	const { changes, look } = await advised(t, 4, '--replay', record, '--counters', sizes);
	assert.deepEqual(changes, { id_size: 255, tag_size: 254 });
	assert.deepEqual(look.slice(0, 2).map(({ at, count }) => [at, count]), [['id_size', 300], ['tag_size', 300]]);
});

test('advise: what was refused before the record began', async (t) => {
	const entries = [1, 2, 3].map((id) => `${id} device > ${JSON.stringify(call(id, 'slow', { ms: 9 }))}`);
	const [record, old] = files(t, ['# quash-bridge record 1 mcp', ...entries, ''].join('\n'), '{"busy":3,"slot_count":2,"arena_size":4096}');
	assert.deepEqual((await advised(t, 4, '--replay', record, '--counters', old)).changes, { slot_count: 3 });
	const [short] = files(t, ['# quash-bridge record 1 mcp', entries[0], ''].join('\n'));
	const { changes, look } = await advised(t, 0, '--replay', short, '--counters', old);
	assert.deepEqual(changes, {});
	assert.match(look[0].why, /^how much more is not known/);
});

test('advise: what clients notify has a slot, but not in MCP', async (t) => {
	for (const [protocol, count] of [['jsonrpc', 2], ['acp', 2], ['lsp', 2], ['mcp', 1]]) {
		const messages = [request(1, 'turn'), { jsonrpc: '2.0', method: 'note', params: {} }];
		const [record] = files(t, [`# quash-bridge record 1 ${protocol}`, ...messages.map((message) => `0 device > ${JSON.stringify(message)}`), ''].join('\n'));
		const { buffers } = await advised(t, 0, '--replay', record);
		assert.equal(buffers[0].needs, count, protocol);
	}
});

test('advise: of what hosts send only what a server keeps counts', async (t) => {
	for (const host of hosts) for (const era of erasOf(host)) {
		const message = callOf(host, host[era], 'stepper', { steps: 3000 });
		const [record] = files(t, ['# quash-bridge record 1 mcp', `0 device > ${JSON.stringify(message)}`, ''].join('\n'));
		const { buffers } = await advised(t, 0, '--replay', record);
		assert.equal(buffers.find(({ member }) => member === 'arena_size').needs, arenaOf(keptOf(message.params)) + 8, `${host.name}, ${era}`);
	}
});

test('advise: what is refused for its group lacks no slot', async (t) => {
	const held = { jsonrpc: '2.0', id: 2, error: { code: -32010, message: 'Busy: one at a time' } };
	const [record] = files(t, ['# quash-bridge record 1 jsonrpc', ...[1, 2].map((id) => `${id} device > ${JSON.stringify(request(id, 'turn'))}`),
		`3 device < ${JSON.stringify(held)}`, ''].join('\n'));
	const { changes, buffers } = await advised(t, 0, '--replay', record);
	assert.deepEqual(changes, {});
	assert.match(buffers[0].why, /^in the record 0 answers Busy/);
});

test('advise: what is refused in the modern era counts by its words', async (t) => {
	const refusals = ['Busy', 'Message too large', 'Busy: one at a time', 'Internal error'].map((message, id) => ({ jsonrpc: '2.0', id, error: { code: -32603, message } }));
	const [record] = files(t, ['# quash-bridge record 1 mcp', ...refusals.flatMap((answer, id) => [`${2 * id} device > ${JSON.stringify(request(id, 'tools/call', { name: 'x', _meta: modernMeta() }))}`,
		`${2 * id + 1} device < ${JSON.stringify(answer)}`]), ''].join('\n'));
	const whys = (await advised(t, 4, '--replay', record)).buffers.map(({ why }) => why);
	assert.match(whys[0], /^in the record 1 answers Busy/);
	assert.ok(whys.some((why) => why.startsWith('in the record 1 answers Busy, 1 Message too large')), whys.join());
});

test('advise: an answer to a call of the device that found no room', async (t) => {
	const answer = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(400) } };
	const [record, stats] = files(t, ['# quash-bridge record 1 acp', `0 device > ${JSON.stringify(request(7, 'session/prompt', { sessionId: 's' }))}`,
		`1 device < ${JSON.stringify(request(1, 'fs/read_text_file', {}))}`, `2 device > ${JSON.stringify(answer)}`, ''].join('\n'),
	'{"busy":0,"too_large":1,"most_live":1,"most_arena":30,"arena_size":300}');
	const { changes } = await advised(t, 4, '--replay', record, '--counters', stats);
	const params = 5 + (5 + 9) + (5 + 1), result = 5 + (5 + 4) + (5 + 400);
	assert.deepEqual(changes, { arena_size: params + result + 8 });
	assert.match((await advised(t, 0, '--counters', stats)).look[0].why, /answers to calls/);
});

test('advise: counters without marks want a record', async (t) => {
	const { look } = await advised(t, 0, '--counters', counters(t, { busy: 3, slot_count: 2 }));
	assert.match(look[0].why, /^how much more is not known: .* make a record$/);
});

test('advise: a record of a protocol that is not known is refused as by a replay', async (t) => {
	const [record] = files(t, `# quash-bridge record 1 klingon\n0 device > ${JSON.stringify(request(1, 'a'))}\n`);
	for (const words of [['--advise'], ['--advise', '--protocol', 'lsp'], ['--', toolbox]]) {
		const inspect = new Inspect(t, ['--replay', record, ...words]);
		await inspect.exits(2);
		assert.equal(inspect.said, `quash-inspect: ${record} is a record of a protocol that is not known\n`);
	}
});

test('advise: counters in a long file, and from a pipe', async (t) => {
	const [path] = files(t, `${JSON.stringify({ text: 'x'.repeat(200000), busy: 3, slot_count: 2, most_live: 5 })}\n`);
	const { changes } = await advised(t, 4, '--counters', path);
	assert.deepEqual(changes, { slot_count: 5 });
	const { status, stdout } = told('sh', ['-c', 'cat "$1" | "$0" --advise --counters /dev/stdin', hostProgram('quash-inspect'), path]);
	assert.equal(status, 4);
	assert.match(stdout, /^slot_count: 5 instead of 2/);
});
