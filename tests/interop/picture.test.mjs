/* SPDX-License-Identifier: MIT
 * The run of the README's picture, now: the motor stops and stands. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';
import { complaints } from '../picture/claims.mjs';
import { record } from '../picture/run.mjs';
import './modules.mjs';

const busy = 140; /* ms for line and programs, on a machine that has other work */
const tries = 3;

test('the run of docs/stop.svg: after Stop the motor comes to rest and stays there', async () => {
	execFileSync('make', ['-s', 'picture-programs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
	const seen = [];
	while (seen.length < tries && seen.at(-1)?.length !== 0) seen.push(complaints(await record(), busy));
	assert.deepEqual(seen.at(-1), []);
}, { seconds: 60 });
