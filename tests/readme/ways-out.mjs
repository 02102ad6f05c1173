/* SPDX-License-Identifier: MIT
 * The ways out of a program on stdin and stdout that has a motor: on each of them the motor comes to rest. */

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { until } from '../common/runner.mjs';

const bySignal = (signal) => ({ how: signal, code: 128 + constants.signals[signal], leave: ({ child }) => child.kill(signal) });

/** What happens, the exit code, and whether the client is still there to read an answer. */
export const waysOut = [
	{ how: 'the end of input', code: 0, leave: (program) => program.end() },
	...['SIGTERM', 'SIGINT', 'SIGHUP'].map(bySignal),
	{ how: 'its client is killed', code: 0, mute: true, leave: (program) => program.vanish() },
];

/** Leaves a Program (tests/common/program.mjs) whose motor is on: says `on` on stderr, and `off` when it is at rest. The motor is
 * off before the program has ended, with that exit code. The answers that were still read are returned. */
export async function leaveTheMotorOn(program, { code, leave }, { on = 'motor on', off = 'motor off' } = {}) {
	await until('the motor to be on', () => program.stderr.trimEnd().endsWith(on));
	leave(program);
	const ended = await program.exit();
	assert.deepEqual([ended.code, program.stderr.trimEnd().split('\n').at(-1)], [code, off]);
	return ended.rest.map((text) => JSON.parse(text));
}
