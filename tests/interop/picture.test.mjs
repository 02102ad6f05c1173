/* SPDX-License-Identifier: MIT
 * The run of the README's picture, now: the motor stops and stands. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { complaints } from '../readme/picture/claims.mjs';
import { record } from '../readme/picture/run.mjs';
import './modules.mjs';

const busy = 140; /* ms for line and programs, on a machine that has other work */
const tries = 3;

test('the run of docs/stop.svg: after Stop the motor comes to rest and stays there', async () => {
	execFileSync('make', ['-s', 'picture-programs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
	const seen = [];
	while (seen.length < tries && seen.at(-1)?.length !== 0) seen.push(complaints(await record(), busy));
	assert.deepEqual(seen.at(-1), []);
}, { seconds: 60 });
