/* SPDX-License-Identifier: MIT
 * Messages of the lengths and shapes that agent hosts send, at the README's server and at toolboxes as small as some boards
 * are: what a host adds takes no room there. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arenaOf, keptOf } from '../interop/sizing.mjs';
import { compiled } from '../readme/server.mjs';
import { asking, callOf, erasOf, greetingOf, grown, hosts, refusals } from './hosts-messages.mjs';
import { defaults, lengths, oneTool, programs, toolboxOf } from './hosts-page.mjs';
import { greet, statsOf } from '../common/client.mjs';
import { hostProgram } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';

const length = (value) => Buffer.byteLength(JSON.stringify(value));

test('the messages of hosts are as long as docs/hosts.md has them', () => {
	const measured = hosts.flatMap((host) => erasOf(host).map((era) => {
		const { params } = greetingOf(host[era]);
		const call = callOf(host, host[era], 'stepper', { steps: 3000 });
		return { host: host.name, era, figures: [length(call), length(call.params._meta), ...[params, call.params].flatMap((all) => [all, keptOf(all)]).map(arenaOf)] };
	}));
	assert.deepEqual(measured, lengths);
	assert.ok(measured.every(({ figures }) => figures[5] <= 128 + arenaOf({ steps: 3000 }) + 14), 'beside the arguments they take 128 bytes');
});

/* Every MCP program that a page, a package or a sample shows, and the sizes that packages set for theirs. */
test('what is shown to users has the arena that docs/hosts.md recommends', () => {
	const files = printed('git', ['ls-files', 'README.md', 'docs', 'port', 'boards']).trim().split('\n')
		.filter((file) => /\.(md|ino|c)$|Kconfig$/.test(file));
	const storage = /QUASH_STORAGE\(\s*\w+, \w+, \w+,\s*QUASH_MCP_STATE\([^;]*?\),\s*(\d+), \d+\);|config QUASH_ARENA(?:_SIZE)?\n(?:[^\n]*\n)*?\s+default (\d+)/g;
	const [, arena] = /QUASH_MCP_DEVICE_ARENA = (\d+)/.exec(readFileSync(join(root, 'include/quash/mcp_device.h'), 'utf8'));
	const shown = files.flatMap((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		return [...[...text.matchAll(storage)].map(([, a, b]) => [file, Number(a ?? b)]), ...[...text.matchAll(/^QUASH_MCP_DEVICE\(/gm)].map(() => [file, Number(arena)])];
	});
	assert.ok(shown.length >= 20, `${shown.length} programs`);
	const others = { 'port/arduino/examples/OneTool/OneTool.ino': oneTool.arena, 'port/esp-idf/Kconfig': defaults.arena, 'port/zephyr/zephyr/Kconfig': defaults.arena };
	assert.deepEqual(shown, shown.map(([file]) => [file, others[file] ?? programs.arena]));
	for (const file of Object.keys(others)) assert.ok(shown.some(([name]) => name === file), file);
});

test('hosts call the tool of the README\'s server', async (t) => {
	assert.deepEqual(await refusals(asking(t, compiled()).ask, 'turn', { ms: 10 }), programs.refused);
});

for (const [board, path] of [['host', hostProgram('toolbox')], ['uno', `${root}build/uno-memory/host/toolbox`]])
	test(`hosts at the toolbox with the memory of ${board}: those that docs/hosts.md names are refused`, async (t) => {
		assert.deepEqual(await refusals(asking(t, path).ask, 'stepper', { steps: 30 }), toolboxOf(board).refused);
	});

/* What the arguments of the stepper take: their member with its name. */
const argumentsOf = arenaOf({ arguments: { steps: 30 } }) - arenaOf({});

test('hosts at a toolbox with 192 bytes beside the arguments; with the least that serves all of them; with less', async (t) => {
	const at = (arena) => refusals(asking(t, hostProgram('toolbox'), ['--arena', String(arena)]).ask, 'stepper', { steps: 30 });
	const most = Math.max(...hosts.flatMap((host) => erasOf(host).map((era) => arenaOf(keptOf(callOf(host, host[era], 'stepper', { steps: 30 }).params)))));
	assert.deepEqual(await at(192 + argumentsOf), []);
	assert.ok(most <= 128 + argumentsOf, `${most}`);
	assert.deepEqual(await at(most), []);
	assert.deepEqual(await at(most - 1), ['Claude Code', 'Copilot CLI']);
});

for (const { name, grow } of grown)
	test(`hosts at a toolbox with 192 bytes beside the arguments, and 64 KiB of _meta: ${name}`, async (t) => {
		const { ask } = asking(t, hostProgram('toolbox'), ['--arena', String(192 + argumentsOf)]);
		assert.deepEqual(await refusals(ask, 'stepper', { steps: 30 }, { change: grow }), []);
	});

test('hosts at the gallery with 192 bytes', async (t) => {
	assert.deepEqual(await refusals(asking(t, `${root}build/host/tests/common/gallery/gallery`, ['--arena', '192']).ask, 'log'), []);
});

test('two calls at once of a host at a toolbox with twice that', async (t) => {
	const { program, ask } = asking(t, hostProgram('toolbox'), ['--arena', String(2 * (192 + argumentsOf))]);
	for (const host of hosts) for (const era of erasOf(host)) {
		assert.ok((await ask(greetingOf(host[era], `${host.name} begins`))).result);
		program.send(...[1, 2].map((id) => callOf(host, host[era], 'slow', { ms: 30 }, id)));
		for (const id of [1, 2]) {
			const answer = await program.answerTo(id);
			assert.ok(answer.result?.content, `${host.name}, ${era}: ${JSON.stringify(answer)}`);
		}
	}
});

test('a cancel of 2,200 bytes stops the motor at the least arena', async (t) => {
	const { program } = asking(t, hostProgram('toolbox'), ['--arena', '128']);
	await greet(program);
	program.ask('tools/call', { name: 'stepper', arguments: { steps: 100000 } }, 'motor');
	await until('its first step', async () => (await statsOf(program)).stepper_position > 0);
	const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'motor', reason: '', _meta: { some: { where: [] } } } };
	cancel.params.reason = 'x'.repeat(2200 - length(cancel));
	assert.equal(length(cancel), 2200);
	program.send(cancel);
	const { cancelled_by_other_side: cancelled, stepper_stops: stops } = await statsOf(program);
	assert.deepEqual([cancelled, stops], [1, 1]);
});
