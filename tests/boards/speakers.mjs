/* SPDX-License-Identifier: MIT
 * How the same things are asked of the two programs that every board carries. */

import assert from 'node:assert/strict';
import { sleep } from '../common/runner.mjs';

const cancelWords = {
	acp: ['$/cancel_request', 'requestId'],
	jsonrpc: ['$/cancel_request', 'requestId'],
	lsp: ['$/cancelRequest', 'id'],
	mcp: ['notifications/cancelled', 'requestId'],
};

export function cancelOf(dialect, id) {
	const [method, member] = cancelWords[dialect];
	return { method, params: { [member]: id } };
}

const tool = (name, args, token) => [
	'tools/call',
	{ name, arguments: args, ...(token === undefined ? {} : { _meta: { progressToken: token } }) },
];
const textOf = ({ result }) => result.content[0].text;
const endless = 100000;

const toolbox = {
	name: 'toolbox',
	small: ['ping'],
	smallResult: {},
	echo: (text) => tool('echo', { text }),
	echoed: (answer) => answer.result?.structuredContent?.text,
	stats: tool('stats', {}),
	statsOf: (answer) => JSON.parse(textOf(answer)),
	running: tool('stepper', { steps: endless }, 'motor'),
	/* How many reports come in a given time depends on the emulator: it is held up, and makes the steps of that time at once. */
	async runs(link) {
		for (let reports = 0; reports < 2;) {
			const message = await link.next();
			assert.ok('method' in message, `it has ended: ${JSON.stringify(message)}`);
			reports += message.params?.progressToken === 'motor';
		}
	},
	timed: (ms) => tool('slow', { ms }),
	assertTimed: (answer, ms) => assert.equal(textOf(answer), `slept ${ms}`),
	reporting: tool('stepper', { steps: 450 }, 'reports'),
	assertReports(reports, answer) {
		const values = reports.map(({ params }) => params.progress);
		assert.ok(values.every((value, i) => i === 0 || value > values[i - 1]), `strictly rising: ${values}`);
		assert.ok(values.every((value) => value < 450), `none at the end: ${values}`);
		assert.equal(textOf(answer), 'stepped 450');
	},
	assertStopped(before, after) {
		assert.equal(after.stepper_stops, before.stepper_stops + 1, 'the motor was stopped once');
	},
	hasMotor: true,
	turning: (steps) => tool('stepper', { steps }),
	misspelled: tool('stepper', { steps: 50, Steps: 5 }),
	assertTurned: (answer, steps) => assert.equal(textOf(answer), `stepped ${steps}`),
};

const count = 20;

const testee = {
	name: 'testee',
	small: ['echo'],
	smallResult: null,
	echo: (text) => ['echo', { text }],
	echoed: (answer) => answer.result?.text,
	stats: ['stats'],
	statsOf: (answer) => answer.result,
	running: ['wait', { steps: 0 }],
	runs: () => sleep(300),
	busy: ['busy', { turns: 0 }],
	timed: (ms) => ['late', { ms }],
	assertTimed: (answer) => assert.match(String(answer.error?.code), /^-32800$|^-32803$/),
	reporting: ['notify', { count }],
	assertReports(reports, answer) {
		const expected = Array.from({ length: count }, (_, i) => i + 1);
		assert.deepEqual(reports.map(({ params }) => params.n), expected);
		assert.deepEqual(answer.result, { count });
	},
	assertStopped(before, after) {
		assert.equal(after.cancelled_by_other_side, before.cancelled_by_other_side + 1, 'it was cancelled once');
	},
};

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'conformance', version: '1' } };

/** Begins a session of MCP. */
export async function begin(link) {
	const { result, error } = await link.asks('initialize', hello);
	if (result) link.send({ method: 'notifications/initialized' });
	return { result, error };
}

/** Finds out which of them is at the other end, and begins. What a line brings before its first answer is no matter:
 * the rest of an older conversation, the noise of plugging in. */
export async function meet(link) {
	link.sendBytes(link.dialect === 'lsp' ? '\r\n' : '\n');
	const { result, error } = await begin(link);
	if (result?.serverInfo?.name === 'quash-toolbox') {
		link.dialect = 'mcp';
		return toolbox;
	}
	assert.equal(error?.code, -32601, `neither a toolbox nor a testee: ${JSON.stringify(result ?? error)}`);
	return testee;
}
