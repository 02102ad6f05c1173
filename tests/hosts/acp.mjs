/* SPDX-License-Identifier: MIT
 * One case of ACP: quash-inspect prompts an agent, which turns the motor, and cancels the prompt in one of two ways. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { begins, environmentOf, longest, moved, prepare, rested } from './cases.mjs';
import { monotonic, readMotions } from './motor.mjs';
import { Terminal } from './terminal.mjs';

/** How a prompt is cancelled, by the values of --cancel-by. */
export const cancels = { session: '`session/cancel`', request: '`$/cancel_request`' };

const interrupt = '\x03';

/* What quash-inspect notes: the reason or error of the answer to the prompt. */
function answerOf(shown) {
	const error = /cancelled: answered (-\d+) after/.exec(shown)?.[1];
	return error ?? /stopped: "?(\w+)/.exec(shown)?.[1] ?? (/cancelled: no answer/.test(shown) ? 'no answer' : null);
}

/** Runs a case: what ended the motion, how long after the cancel, and what the prompt was answered. */
export async function tryAgent(t, agent, program, by) {
	const { home, log, project, model } = await prepare(t, agent, 'stdio');
	const inspect = [hostProgram('quash-inspect'), '--protocol', 'acp', '--permission', 'allow', '--prompt', 'turn it', '--cancel-by', by,
		'--timeout', `${begins}ms`, '--grace', `${longest + 2000}ms`, '--', program, ...agent.acp];
	const terminal = await Terminal.start(t, inspect, { cwd: project, env: environmentOf(agent, model.url, home) });
	t.explain = () => `${terminal.shown.slice(-6000)}\n\n${JSON.stringify(model.asked.map(({ path, turn }) => [path, turn]))}`;
	await until('the motor to move', () => readMotions(log).length === 2 || terminal.code !== null);
	assert.equal(terminal.code, null, 'quash-inspect still waits');
	await sleep(moved);
	const at = monotonic();
	terminal.type(interrupt);
	const motion = await rested(log);
	const answer = await until('the answer to the prompt', () => answerOf(terminal.shown));
	return { cause: motion.cause, ms: (motion.off - at) * 1000, turned: motion.turned, answer };
}
