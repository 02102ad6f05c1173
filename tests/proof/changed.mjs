/* SPDX-License-Identifier: MIT
 * node changed.mjs: run.sh --changed runs again what has changed, and nothing else. A program that is quick takes the prover's place,
 * in a copy of the tree. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

/* It finds each bug, and nothing else. */
const prover = `#!/bin/sh
case "$*" in
-version) echo 1 ;;
*'-eva-stop-at-nth-alarm 1 '*) echo '[eva:alarm] here' ;;
*) echo '100 statements reached (out of 100): 100% coverage' ;;
esac
`;

function copied(t) {
	const copy = mkdtempSync(join(tmpdir(), 'quash-proof-'));
	t.after(() => rmSync(copy, { recursive: true }));
	for (const folder of ['src', 'include', 'tests/proof']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
	writeFileSync(join(copy, 'prover'), prover);
	chmodSync(join(copy, 'prover'), 0o755);
	return copy;
}

/** What of it was run, by its name. */
function run(copy, option) {
	const { status, stdout } = spawnSync('sh', ['tests/proof/run.sh', option], { cwd: copy, encoding: 'utf8', env: { ...process.env, FRAMA_C: join(copy, 'prover') } });
	assert.equal(status, 0, stdout);
	const again = [...stdout.matchAll(/^ok +(?:bug )?(\S+) +\d+ alarms/gm)].map(([, name]) => name);
	const left = [...stdout.matchAll(/^ok +(\S+): nothing has changed/gm)].map(([, name]) => name);
	return { again: again.sort(), left };
}

test('a proof, and a planted bug, is run again when something has changed for it', (t) => {
	const copy = copied(t);
	const all = run(copy, '--write').again;
	assert.ok(all.includes('lex') && all.includes('frame-name-end'));
	assert.deepEqual(run(copy, '--changed').again, []);

	appendFileSync(join(copy, 'tests/proof/bugs/lex-room-end.patch'), '\n');
	assert.deepEqual(run(copy, '--changed').again, ['lex-room-end']);

	appendFileSync(join(copy, 'src/wire/frame.c'), '\n/* No code. */\n');
	assert.deepEqual(run(copy, '--changed').again, ['lex-room-end']);

	appendFileSync(join(copy, 'src/wire/frame.c'), 'extern int another;\n');
	const { again, left } = run(copy, '--changed');
	for (const name of ['frame', 'frame-name-end', 'peer-least', 'writer-64', 'lex-room-end']) assert.ok(again.includes(name), name);
	for (const name of ['lex', 'tape-16', 'slots-2', 'keep-16', 'tape-store-end']) assert.ok(left.includes(name), name);
});
