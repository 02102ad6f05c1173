/* SPDX-License-Identifier: MIT
 * What volunteers run who have the package alone, on a cable of the tests. */

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { test } from '../common/runner.mjs';
import { folderFor, started } from '../common/start.mjs';
import { byAddon, made } from './laid.mjs';

const script = 'report.mjs';

async function reportOn(t, folder, device) {
	const report = started(t, [process.execPath, join(folder, script), device]);
	const code = await report.ended, lines = report.said.trim().split('\n').map((line) => line.replace(/ \(\d+ ms\)$/, ''));
	return { code, lines, text: report.said };
}

const ways = { 'by streams': () => join(made, 'package'), 'by the addon': (t) => dirname(byAddon(t)) };
const stops = ['cancel', 'end of input', 'quash-bridge is killed'].map((name) => `ok      ${name}: the motor was stopped`);

for (const [way, folderOf] of Object.entries(ways))
	test(`${script}: a board that does what it shall, ${way}`, async (t) => {
		const { link } = await cable(t), { code, lines, text } = await reportOn(t, folderOf(t), link);
		assert.match(text, /^Linux \S+ \S+, Node \S+, quash-bridge \d.*\nports: /);
		const [start, list, call, progress, ...others] = lines.slice(lines.findIndex((line) => line.startsWith('ok ')));
		assert.match(start, /^ok {6}start: quash-toolbox \d/);
		assert.match(progress, /^ok {6}progress: \d+ notifications, stepped 1000$/);
		assert.deepEqual([list, call, ...others], ['ok      list: echo, slow, stats, led, stepper', 'ok      call: on', ...stops,
			'ok      lost messages: none', 'ok      end: exit code 0', '0 steps have failed']);
		assert.equal(code, 0);
	}, { together: true });

test(`${script}: no board at all`, async (t) => {
	const { code, lines } = await reportOn(t, ways['by streams'](), join(folderFor(t), 'nothing'));
	assert.match(lines.at(-2), /^FAILED {2}start: .*nothing: No such file or directory$/);
	assert.deepEqual([code, lines.at(-1)], [1, '1 steps have failed']);
}, { together: true });
