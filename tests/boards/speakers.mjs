/* SPDX-License-Identifier: MIT
 * How the same things are asked of the two programs that every board carries. */

import assert from 'node:assert/strict';
import { sleep } from '../common/runner.mjs';
import { anybody } from './anybody.mjs';

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

/* Of the others each has its own. */
async function beginAs(link) {
	const mcp = link.dialect === 'mcp', lsp = link.dialect === 'lsp';
	if (link.dialect === 'jsonrpc') return;
	const { error } = await link.asks('initialize', link.dialect === 'acp' ? { protocolVersion: 1, clientCapabilities: {} } : lsp ? { processId: null, rootUri: null, capabilities: {} } : hello);
	assert.ok(error === undefined || !mcp, `it begins no session: ${JSON.stringify(error)}`);
	if (lsp && !error) link.send({ method: 'initialized', params: {} });
}

const isTestee = async (link) => (await link.asks(...testee.stats)).result?.dispensed !== undefined;

/** Finds out who is at the other end, and begins. What a line brings before its first answer is no matter:
 * the rest of an older conversation, the noise of plugging in. `given` says what firmware has that is neither of the two. */
export async function meet(link, given = {}) {
	link.sendBytes(link.dialect === 'lsp' ? '\r\n' : '\n');
	const { result, error } = await begin(link);
	if (result?.serverInfo?.name === 'quash-toolbox') {
		link.dialect = 'mcp';
		return toolbox;
	}
	if (error?.code === -32601 && await isTestee(link)) return testee;
	const mcp = typeof result?.protocolVersion === 'string';
	if (mcp) link.dialect = 'mcp';
	else if (!result || link.dialect === 'mcp') await beginAs(link);
	else if (link.dialect === 'lsp') link.send({ method: 'initialized', params: {} });
	return anybody(link, { mcp, name: result?.serverInfo?.name ?? 'device' }, given);
}
