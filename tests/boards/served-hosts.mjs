/* SPDX-License-Identifier: MIT
 * What agent hosts send, at the toolbox of every board, emulated, whole and in pieces: who cannot call a tool there is whom
 * docs/hosts.md names. */

import assert from 'node:assert/strict';
import { asking, grown, hosts, piecesOf, refusals } from '../host/hosts-messages.mjs';
import { toolboxOf } from '../host/hosts-page.mjs';
import { test } from '../common/runner.mjs';
import { boards, command } from '../interop/boards.mjs';

const SEEDS = 16;
const wire = ['--baud', '115200'];

const at = (t, board, options, cut) => {
	const [path, ...args] = command(board, 'toolbox', { options });
	return asking(t, path, args, cut).ask;
};

for (const board of boards) {
	const { arena, refused } = toolboxOf(board);
	const name = `hosts at the toolbox on ${board}`;

	test(`${name}: those that docs/hosts.md names are refused`, async (t) => {
		const ask = at(t, board, []);
		const stats = await ask({ jsonrpc: '2.0', id: 'size', method: 'initialize', params: { protocolVersion: '2025-11-25' } })
			&& await ask({ jsonrpc: '2.0', id: 'size', method: 'tools/call', params: { name: 'stats' } });
		assert.equal(JSON.parse(stats.result.content[0].text).arena_size, arena);
		assert.deepEqual(await refusals(ask, 'stepper', { steps: 30 }), refused);
	});

	test(`${name}, byte by byte`, async (t) => {
		assert.deepEqual(await refusals(at(t, board, wire), 'stepper', { steps: 30 }), refused);
	});

	test(`${name}, in pieces of ${SEEDS} seeds`, async (t) => {
		let seed = 1;
		const ask = at(t, board, [], (bytes) => piecesOf(seed)(bytes));
		for (; seed <= SEEDS; seed++)
			assert.deepEqual(await refusals(ask, 'stepper', { steps: 30 }, { who: [hosts[seed % hosts.length]] }), refused, `seed ${seed}`);
	});

	/* Each in another cut. */
	for (const [i, { name: growth, grow }] of grown.entries())
		test(`${name}, with 64 KiB of _meta: ${growth}`, async (t) => {
			const [options, cut] = [[[]], [[], piecesOf(1, 8192)], [wire]][i];
			const way = { change: grow, who: hosts.slice(0, 1) };
			assert.deepEqual(await refusals(at(t, board, options, cut), 'stepper', { steps: 30 }, way), refused);
		});
}
