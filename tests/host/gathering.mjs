/* SPDX-License-Identifier: MIT
 * Answers are gathered while input waits, but not for long. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, framed, hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { folderFor, printed } from '../common/start.mjs';

const ping = (id) => framed('mcp', { jsonrpc: '2.0', id, method: 'ping' });
const nothing = framed('mcp', { jsonrpc: '2.0', method: 'notifications/nothing' });

/** A program whose input never runs dry: behind `bytes` the same notification comes for ever. */
function startBeforeFlood(t, bytes) {
	const folder = folderFor(t);
	const [first, input] = ['first', 'input'].map((name) => join(folder, name));
	writeFileSync(first, bytes);
	printed('mkfifo', [input]);
	Program.start(t, '/bin/sh', ['-c', 'exec >"$1"; cat "$0"; exec yes "$2"', first, input, nothing.toString().trim()]);
	return Program.start(t, '/bin/sh', ['-c', 'exec "$0" <"$1"', hostProgram('toolbox'), input], { dialect: 'mcp' });
}

test('toolbox: an answer leaves while notifications go on coming', async (t) => {
	const program = startBeforeFlood(t, Buffer.concat([ping(1), nothing]));
	assert.equal((await program.next()).id, 1);
});

test('toolbox: answers come whole and in order through pipes that are full', async (t) => {
	const program = Program.start(t, hostProgram('toolbox'), [], { dialect: 'mcp', silentReader: true });
	const count = 20000;
	program.send(...Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
	program.end();
	await program.readSlowly(count, { portion: 65536, pause: 1 });
	const { code, rest } = await program.exit();
	assert.deepEqual([code, rest.length], [0, count]);
	rest.forEach((text, id) => assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":{}}`));
});
