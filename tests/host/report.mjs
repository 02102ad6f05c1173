/* SPDX-License-Identifier: MIT
 * What volunteers run (tests/boards/report.sh), on a cable of the tests: it names each command, and counts those that have failed. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { folderFor, started } from '../common/start.mjs';
import { test } from '../common/runner.mjs';

const script = 'tests/boards/report.sh';

/* Its exit code, and what it has printed by command. */
async function reportOn(t, device) {
	const report = started(t, ['sh', script, device]);
	const code = await report.ended, text = report.said;
	const parts = text.trimEnd().split(/^\$ /m).slice(1).map((part) => part.split(/\n([^]*)/));
	return { code, of: (words) => parts.find(([command]) => command.includes(words))?.[1] ?? '', last: text.trimEnd().split('\n').at(-1), text };
}

test(`${script}: a board that does what it shall`, async (t) => {
	const { link } = await cable(t);
	const { code, of, last, text } = await reportOn(t, link);
	assert.deepEqual([code, last], [0, '0 commands have failed'], text);
	assert.match(of('uname'), /\S/);
	assert.match(of('--version'), /^quash-inspect \d/);
	assert.match(of('flags'), / -std=c11 /);
	assert.match(of(`--tty ${link} --baud 115200`), /^stepper: /m);
	assert.match(of('on=true'), /^on$/m);
	assert.match(of('--cancel-after'), /^cancelled: /m);
	assert.match(of('-- build/host/quash-bridge'), /^off$/m);
	assert.match(of('conform'), /^\d\d passed, 0 failed, 0 skipped$/m);
	assert.match(of('stats'), /"lost":0,/);
}, { together: true });

test(`${script}: no board at all`, async (t) => {
	const { code, of, last, text } = await reportOn(t, join(folderFor(t), 'nothing'));
	assert.deepEqual([code, last], [1, '6 commands have failed'], text);
	for (const part of ['on=true', '--cancel-after', '-- build/host/quash-bridge', 'conform', 'stats']) assert.match(of(part), /^FAILED: exit code \d+$/m);
}, { together: true });
