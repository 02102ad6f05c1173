/* SPDX-License-Identifier: MIT
 * Answers are gathered while input waits, but not for long. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program, framed, hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

const ping = (id) => framed('mcp', { jsonrpc: '2.0', id, method: 'ping' });
const nothing = framed('mcp', { jsonrpc: '2.0', method: 'notifications/nothing' });

/** A program whose input is a file: it never runs dry before its end. */
function startWithFile(t, bytes) {
	const folder = mkdtempSync(join(tmpdir(), 'gathering-'));
	const file = join(folder, 'input');
	t.after(() => rmSync(folder, { recursive: true }));
	writeFileSync(file, bytes);
	return Program.start(t, '/bin/sh', ['-c', 'exec "$0" <"$1"', hostProgram('toolbox'), file], { dialect: 'mcp' });
}

test('toolbox: an answer leaves while notifications go on coming', async (t) => {
	const flood = Array(300000).fill(nothing);
	const program = startWithFile(t, Buffer.concat([ping(1), ...flood, ping(2)]));
	const start = performance.now();
	assert.equal((await program.next()).id, 1);
	const first = performance.now() - start;
	assert.equal((await program.next(20000)).id, 2);
	const second = performance.now() - start;
	assert.ok(first < second / 2, `the first after ${first} ms, the second after ${second} ms`);
});

test('toolbox: answers come whole and in order through pipes that are full', async (t) => {
	const program = Program.start(t, hostProgram('toolbox'), [], { dialect: 'mcp', silentReader: true });
	const count = 20000;
	program.send(...Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
	program.end();
	await program.readSlowly(count, { portion: 65536, pause: 1, ms: 20000 });
	const { code, rest } = await program.exit();
	assert.deepEqual([code, rest.length], [0, count]);
	rest.forEach((text, id) => assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":{}}`));
});
