/* SPDX-License-Identifier: MIT
 * WebMCP: an agent in the browser finds the tools of the board, calls them, and stops them. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';
import { browserVersion, ownBrowser } from './browser.mjs';
import { connected, emulated, plugged, served, toolbox } from './boards.mjs';
import { check } from './sight.mjs';

const offered = (sight) => sight.page.evaluate(async () => (await document.modelContext.getTools()).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));

/* What an agent does: `agentCall` is a promise of how its call has ended, `agentAbort` its signal. */
const begin = (sight, name, args) => sight.page.evaluate(async ([tool, given]) => {
	const found = (await document.modelContext.getTools()).find((one) => one.name === tool);
	window.agentAbort = new AbortController();
	window.agentCall = document.modelContext.executeTool(found, given, { signal: window.agentAbort.signal }).then((result) => ({ result }), (error) => ({ error: `${error.name}: ${error.message}` }));
}, [name, args]);
const end = (sight) => sight.page.evaluate(() => window.agentCall);

/* Not counted as skipped: a Chromium without it cannot show it. */
async function applies(sight) {
	sight.allowed = [/^WebMCP tool execution failed/]; /* the browser says so of each call that is aborted */
	if (await sight.page.evaluate(() => Boolean(document.modelContext))) return true;
	console.log(`        not applicable: ${await browserVersion()} has no document.modelContext with --enable-features=WebMCP`);
	return false;
}

const schemaOf = (tool) => (typeof tool.inputSchema === 'string' ? JSON.parse(tool.inputSchema) : tool.inputSchema);

check('WebMCP: the tools of an emulated board are offered with their schemas, called, and stopped by the signal of the agent', async (t) => {
	const sight = await connected(t, emulated);
	if (!await applies(sight)) return;
	const tools = await until('all tools of the board', async () => {
		const list = await offered(sight);
		return list.length === 5 && list;
	});
	assert.deepEqual(tools.map(({ name }) => name).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
	const { properties, required } = schemaOf(tools.find(({ name }) => name === 'stepper'));
	assert.deepEqual([properties.steps.type, properties.steps.minimum, properties.steps.maximum, required], ['integer', 1, 100000, ['steps']]);

	await begin(sight, 'echo', { text: 'by an agent' });
	assert.match(JSON.stringify(await end(sight)), /by an agent/);

	await begin(sight, 'stepper', { steps: 100000 });
	const call = await sight.newCall('stepper');
	await call.runs();
	assert.match(await call.text(), /agent/, 'a person sees who has called it');
	await sight.page.evaluate(() => window.agentAbort.abort());
	assert.match((await end(sight)).error, /Abort/);
	assert.match(await call.result(), /stopped/i);
	await sight.stands(1);

	await begin(sight, 'stepper', { steps: 100000 });
	const second = await (await sight.newCall('stepper')).runs();
	await sight.page.keyboard.press('Escape');
	assert.match(await second.result(), /stopped/i);
	assert.match((await end(sight)).error, /\S/, 'the agent is told');
	await sight.stands(2);
});

check('WebMCP: tools go and come with the board', async (t) => {
	const sight = await connected(t, toolbox);
	if (!await applies(sight)) return;
	const count = (n) => until(`${n} tools for agents`, async () => (await offered(sight)).length === n);
	await count(5);
	await sight.port.unplug();
	await count(0);
	await sight.port.plug();
	await count(5);
	await sight.page.locator('#disconnect').click();
	await count(0);
});

check('WebMCP: served, the tools of all devices are offered', async (t) => {
	const { sight, stats } = await served(t);
	if (!await applies(sight)) return;
	await until('tools of both', async () => (await offered(sight)).filter(({ name }) => /^(arm|lamp)_/.test(name)).length === 10);
	await begin(sight, 'arm_stepper', { steps: 100000 });
	await (await sight.newCall('arm_stepper')).runs();
	await sight.page.evaluate(() => window.agentAbort.abort());
	assert.match((await end(sight)).error, /Abort/);
	await until('the stop', async () => (await stats('arm')).stepper_stops === 1);
});

check('a browser without WebMCP is told so by the page', async (t) => {
	const sight = await plugged(t, toolbox, { from: await ownBrowser(t) });
	assert.equal(await sight.page.evaluate(() => typeof document.modelContext), 'undefined');
	await sight.says(/WebMCP/);
});
