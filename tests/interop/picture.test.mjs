/* SPDX-License-Identifier: MIT
 * The run of the README's picture, now: the motor stops and stands. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { complaints } from '../readme/picture/claims.mjs';
import { record } from '../readme/picture/run.mjs';
import './modules.mjs';

test('the run of docs/stop.svg: after Stop the motor comes to rest and stays there', async () => {
	execFileSync('make', ['-s', 'picture-programs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
	assert.deepEqual(complaints(await record(), Infinity), []);
});
