/* SPDX-License-Identifier: MIT
 * Firmware of somebody else, asked by what its tools, or the command line, name. Of the tools that it lists only those are called whose names
 * say that nothing moves. */

import assert from 'node:assert/strict';
import { sleep } from '../common/runner.mjs';

/** What stands in place of a behaviour for which the firmware has no method, by what it lacks. */
export const reasons = {
	echo: 'nothing is known that gives a text back as it came; --echo NAME:MEMBER names it',
	stats: 'it shows no counters; --stats NAME names them',
	running: 'nothing is known that takes long and may be cancelled; --slow NAME names it, with --slow-args JSON',
	reporting: 'nothing is known that reports before it ends; --reports NAME names it, with --reports-args JSON',
	timed: 'nothing is known that takes a time in milliseconds; --timed NAME:MEMBER names it',
};

const counters = ['cancelled_by_other_side', 'ignored', 'lost', 'busy'];
const pair = (text) => text && { name: text.slice(0, text.lastIndexOf(':')), member: text.slice(text.lastIndexOf(':') + 1) };
const parsed = (text) => { try { return JSON.parse(text); } catch { return undefined; } };
const answered = (answer) => assert.ok('result' in answer || 'error' in answer);

/* How its methods are called, and what their answers say: tools, or methods of its own. */
const asTools = {
	call: (name, params, token) => ['tools/call', { name, arguments: params, ...token === undefined ? {} : { _meta: { progressToken: token } } }],
	value: ({ result }, member) => result?.structuredContent?.[member] ?? result?.content?.[0]?.text,
	counters: ({ result }) => parsed(result?.content?.[0]?.text),
};
const asMethods = {
	call: (name, params) => [name, params],
	value: ({ result }, member) => result?.[member] ?? result,
	counters: ({ result }) => result,
};

/* What it lists. Of a device without a list nothing is known. */
async function toolsOf(link) {
	const { result } = await link.asks('tools/list', {});
	return result?.tools ?? [];
}

function namedLike(tools, name, type) {
	const found = tools.find((tool) => tool.name === name);
	const [member] = Object.entries(found?.inputSchema?.properties ?? {}).find(([, schema]) => schema.type === type) ?? [];
	return member && { name, member };
}

async function hasCounters(link, how, name) {
	const stats = name && how.counters(await link.asks(...how.call(name, {})));
	return counters.every((member) => typeof stats?.[member] === 'number');
}

const rising = (values) => values.every((value, i) => i === 0 || value > values[i - 1]);

function assertReports(reports, answer) {
	answered(answer);
	const progress = reports.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params.progress);
	assert.ok(reports.length > 0, 'nothing is reported');
	assert.ok(reports.every(({ id, method }) => id === undefined && method !== undefined), 'notifications only');
	assert.ok(rising(progress), `strictly rising: ${progress}`);
}

/** The device at the other end, whose session is open. `given` are the words of the command line. */
export async function anybody(link, { mcp, name }, given) {
	const how = mcp ? asTools : asMethods, tools = mcp ? await toolsOf(link) : [];
	const echo = pair(given.echo) ?? (mcp && namedLike(tools, 'echo', 'string'));
	const timed = pair(given.timed) ?? (mcp && (namedLike(tools, 'slow', 'integer') ?? namedLike(tools, 'sleep', 'integer')));
	const stats = given.stats ?? (mcp && !tools.some((tool) => tool.name === 'stats') ? undefined : 'stats');
	const args = (text) => (text === undefined ? {} : JSON.parse(text));
	return {
		name,
		small: mcp ? ['ping'] : ['rpc.discover'],
		assertServed: mcp ? ({ result }) => assert.deepEqual(result, {}) : answered,
		assertStopped() {},
		assertReports,
		runs: () => sleep(300),
		...echo && { echo: (text) => how.call(echo.name, { [echo.member]: text }), echoed: (answer) => how.value(answer, echo.member) },
		...timed && { timed: (ms) => how.call(timed.name, { [timed.member]: ms }), assertTimed: (answer) => answered(answer) },
		...await hasCounters(link, how, stats) && { stats: how.call(stats, {}), statsOf: how.counters },
		...given.slow && { running: how.call(given.slow, args(given['slow-args']), 'slow') },
		...given.reports && { reporting: how.call(given.reports, args(given['reports-args']), 'reports') },
	};
}
