/* SPDX-License-Identifier: MIT
 * suite.mjs quick|rest|full: some faults of each kind, and devices with planted defects, which must be found. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { boardFaults, boards, build, defects, hostFaults, violations } from './runs.mjs';
import { words } from './tables.mjs';

const extent = process.argv[2] ?? 'full';
const faults = { quick: 253, rest: 2415, full: 2668 }[extent];
const seed = { quick: 1, rest: 2, full: 3 }[extent];
const boardSeconds = 25;
const leastMoving = 0.8; /* of all faults must find a motor that moves, or that a client without a processor has let go of: the others show little */

function assertKept(lines) {
	assert.deepEqual(violations(lines).map(({ text }) => text), [], `build/host/tests/safe/safe --seed ${seed} --only INDEX build/safe build/host/tests/safe/mover`);
	const moving = lines.filter(({ outcome }) => outcome === 'kept' || outcome === 'early').length;
	assert.ok(moving >= leastMoving * lines.length, `${moving} of ${lines.length} faults found a motor that moved`);
	assert.ok(lines.some(({ outcome }) => outcome === 'kept'), 'some found it moving');
}

build('safe-programs');

test(`${faults} faults on the host: the motor is at rest in time`, async () => {
	const lines = await hostFaults({ faults, seed });
	assert.equal(lines.length, faults);
	assert.deepEqual([...new Set(lines.map(({ kind }) => kind))].sort(), Object.keys(words).sort(), 'each kind is there');
	assertKept(lines);
});

for (const [defect, what] of defects.entries()) {
	if (defect === 0) continue;
	test(`a device that ${what} is found`, async () => {
		const lines = await hostFaults({ faults: 4, seed, defect, kinds: ['cable-silent', 'bridge-killed', 'client-hangs', 'client-forgets'] });
		assert.ok(violations(lines).length > 0, lines.map(({ text }) => text).join('\n'));
	});
}

test('a device with a defect breaks the rule where the defect matters, and nowhere else', async () => {
	const lines = await hostFaults({ faults: 4, seed, defect: defects.indexOf('ignores the lease'), kinds: ['client-cancels'] });
	assert.deepEqual(violations(lines), [], 'who cancels needs no lease');
});

for (const board of extent === 'quick' ? [] : Object.keys(boards)) {
	test(`faults on an emulated ${board}: the motor is at rest in time`, async () => {
		build('safe-board', `BOARD=${board}`);
		const lines = await boardFaults(board, { seconds: boardSeconds, seed });
		assert.ok(lines.length >= Object.keys(words).length, `${lines.length} faults`);
		assertKept(lines);
	});
	test(`a ${board} that ignores the lease is found`, async () => {
		const lines = await boardFaults(board, { seconds: 2, seed, firmware: 'ignores', kinds: ['cable-silent'] });
		assert.ok(violations(lines).length > 0, lines.map(({ text }) => text).join('\n'));
	});
}
