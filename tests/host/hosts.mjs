/* SPDX-License-Identifier: MIT
 * Messages of the lengths and shapes that agent hosts send, at the README's server and at toolboxes as small as some boards
 * are: who cannot call a tool there is whom docs/hosts.md names. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arenaOf } from '../interop/sizing.mjs';
import { compiled } from '../readme/server.mjs';
import { asking, callOf, erasOf, greetingOf, hosts, refusals } from './hosts-messages.mjs';
import { lengths, oneTool, programs, toolboxOf } from './hosts-page.mjs';
import { hostProgram, root } from './program.mjs';
import { test, until } from './runner.mjs';

const length = (value) => Buffer.byteLength(JSON.stringify(value));

test('the messages of hosts are as long as docs/hosts.md has them', () => {
	const measured = hosts.flatMap((host) => erasOf(host).map((era) => {
		const { params } = greetingOf(host[era]);
		const call = callOf(host, host[era], 'stepper', { steps: 3000 });
		return { host: host.name, era, figures: [arenaOf(params), length(call), length(call.params._meta), arenaOf(call.params)] };
	}));
	assert.deepEqual(measured, lengths);
	assert.ok(measured.every(({ figures }) => figures[3] <= programs.arena), 'all of them fit into what the page recommends');
});

/* Every MCP program that a page, a package or a sample shows, and the sizes that packages set for theirs. */
test('what is shown to users has the arena that docs/hosts.md recommends, but for the least sketch', () => {
	const files = execFileSync('git', ['ls-files', 'README.md', 'docs', 'port', 'boards'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
		.filter((file) => /\.(md|ino|c)$|Kconfig$/.test(file));
	const storage = /QUASH_STORAGE\(\s*\w+, \w+, \w+,\s*QUASH_MCP_STATE\([^;]*?\),\s*(\d+), \d+\);|config QUASH_ARENA(?:_SIZE)?\n(?:[^\n]*\n)*?\s+default (\d+)/g;
	const shown = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(storage)].map(([, a, b]) => [file, Number(a ?? b)]));
	assert.ok(shown.length >= 15, `${shown.length} programs`);
	const least = 'port/arduino/examples/OneTool/OneTool.ino';
	assert.deepEqual(shown.filter(([, arena]) => arena !== programs.arena), [[least, oneTool.arena]]);
});

test('hosts call the tool of the README\'s server', async (t) => {
	assert.deepEqual(await refusals(asking(t, compiled()).ask, 'turn', { ms: 10 }), programs.refused);
});

for (const [board, path] of [['host', hostProgram('toolbox')], ['uno', `${root}build/uno-memory/host/toolbox`]])
	test(`hosts at the toolbox with the memory of ${board}: those that docs/hosts.md names are refused`, async (t) => {
		assert.deepEqual(await refusals(asking(t, path).ask, 'stepper', { steps: 30 }), toolboxOf(board).refused);
	});

test('hosts at a toolbox with the arena that docs/hosts.md recommends; with the least that serves all of them; with less', async (t) => {
	const at = (arena) => refusals(asking(t, hostProgram('toolbox'), ['--arena', String(arena)]).ask, 'stepper', { steps: 30 });
	const most = Math.max(...hosts.map((host) => arenaOf(callOf(host, host.legacy, 'stepper', { steps: 30 }).params)));
	assert.deepEqual(await at(programs.arena), []);
	assert.deepEqual(await at(most), []);
	assert.deepEqual(await at(most - 1), ['Codex CLI']);
	assert.deepEqual(await at(512), ['Claude Code', 'Codex CLI'], 'as many examples had it once');
}, { seconds: 60 });

test('a cancel of 2,200 bytes stops the motor at the least arena', async (t) => {
	const { program, ask } = asking(t, hostProgram('toolbox'), ['--arena', '128']);
	const stats = async () => JSON.parse((await ask({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'stats' } })).result.content[0].text);
	assert.ok((await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })).result);
	program.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'stepper', arguments: { steps: 100000 } } });
	await until('its first step', async () => (await stats()).stepper_position > 0);
	const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: '', _meta: { some: { where: [] } } } };
	cancel.params.reason = 'x'.repeat(2200 - length(cancel));
	assert.equal(length(cancel), 2200);
	program.send(cancel);
	const { cancelled_by_other_side: cancelled, stepper_stops: stops } = await stats();
	assert.deepEqual([cancelled, stops], [1, 1]);
});
