/* SPDX-License-Identifier: MIT
 * The run of the README's picture, now: the motor stops and stands. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { make } from '../common/start.mjs';
import { complaints } from '../readme/picture/claims.mjs';
import { record } from '../readme/picture/run.mjs';
import './modules.mjs';

test('the run of docs/stop.svg: after Stop the motor comes to rest and stays there', async () => {
	make('picture-programs');
	assert.deepEqual(complaints(await record(), Infinity), []);
});
