/* SPDX-License-Identifier: MIT
 * What agent hosts send, at the toolbox of every board, emulated: who cannot call a tool there is whom docs/hosts.md names. */

import assert from 'node:assert/strict';
import { asking, refusals } from '../host/hosts-messages.mjs';
import { toolboxOf } from '../host/hosts-page.mjs';
import { test } from '../host/runner.mjs';
import { boards, command } from '../interop/boards.mjs';

for (const board of boards)
	test(`hosts at the toolbox on ${board}: those that docs/hosts.md names are refused`, async (t) => {
		const [path, ...args] = command(board, 'toolbox', { options: [] });
		const { ask } = asking(t, path, args);
		const { arena, refused } = toolboxOf(board);
		const stats = await ask({ jsonrpc: '2.0', id: 'size', method: 'initialize', params: { protocolVersion: '2025-11-25' } })
			&& await ask({ jsonrpc: '2.0', id: 'size', method: 'tools/call', params: { name: 'stats' } });
		assert.equal(JSON.parse(stats.result.content[0].text).arena_size, arena);
		assert.deepEqual(await refusals(ask, 'stepper', { steps: 30 }), refused);
	}, { seconds: 90 });
