/* SPDX-License-Identifier: MIT
 * What our programs ignore or block, the commands that they start do not. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { hostProgram } from '../common/program.mjs';
import { skip, test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';

const status = '/proc/self/status';
const check = existsSync(status) ? test : (name) => skip(name, `${status} is missing`);
const classic = 0x7fffffffn; /* above them the C library has some of its own */
const masks = (text) => [...text.matchAll(/^Sig(Blk|Ign):\s*([0-9a-f]+)$/gm)]
	.map(([, what, mask]) => [what, BigInt(`0x${mask}`) & classic]);

for (const [name, options] of [['emulate', []], ['quash-bridge', ['--']]])
	check(`${name}: its command ignores and blocks no signal`, () => {
		const { stdout, stderr } = told(hostProgram(name), [...options, 'sh', '-c', `cat ${status} >&2; cat ${status}`], { input: '' });
		assert.deepEqual(masks(stderr), [['Blk', 0n], ['Ign', 0n]], `${stdout}`);
	});
