/* SPDX-License-Identifier: MIT
 * The Inspector's command line, as a person would call it. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { call, inspect, inspected } from './inspector.mjs';

const testInspector = (name, body) => test(`inspector 0.15.0: ${name}`, body);

testInspector('tools/list', async (t) => {
	const { tools } = await inspected(t, {}, '--method', 'tools/list');
	assert.deepEqual(tools.map(({ name }) => name).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
});

testInspector('tools/call stats', async (t) => {
	const { content } = await inspected(t, {}, ...call('stats'));
	const { stepper_stops, stepper_position } = JSON.parse(content[0].text);
	assert.deepEqual([stepper_stops, stepper_position], [0, 0]);
});

testInspector('an argument out of bounds is an error result', async (t) => {
	const result = await inspected(t, {}, ...call('stepper', 'steps=100001'));
	assert.equal(result.isError, true);
	assert.match(result.content[0].text, /\bsteps\b.*\b100000\b/);
});

testInspector('an unknown tool is told and ends with 1', async (t) => {
	const { code, said } = await inspect(t, {}, ...call('nonsense'));
	assert.equal(code, 1, said);
	assert.match(said, /-32602/);
});

testInspector('what is not offered is told and ends with 1', async (t) => {
	const { code, said } = await inspect(t, {}, '--method', 'resources/list');
	assert.equal(code, 1, said);
	assert.match(said, /-32601/);
});
