/* SPDX-License-Identifier: MIT
 * What a device says is data, whatever it is and however much: it is shown, nothing of it runs, and Stop stays. Sick devices are named. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from '../common/runner.mjs';
import { ailing, bridgeOf, connected, opened, played, plugged } from './boards.mjs';
import { markup, ownNames, schemas, unseen } from './device.mjs';
import { check } from './sight.mjs';

/* Elements that the page does not make, and attributes that run something. */
const foreignElements = (sight) => sight.page.evaluate(() => [...document.querySelectorAll('iframe, object, embed, base, a, img, [href^="javascript:"], [srcdoc]')].map(({ outerHTML }) => outerHTML)
	.concat([...document.querySelectorAll('*')].filter((node) => [...node.attributes].some(({ name }) => name.startsWith('on'))).map(({ outerHTML }) => outerHTML)));

const ownScripts = (sight) => sight.page.evaluate(() => ['script', 'style', 'meta', 'svg'].map((name) => document.querySelectorAll(name).length));

/* Nothing in sight is a character that cannot be seen, or that turns others round. */
const hasNoUnseen = async (sight) => assert.doesNotMatch(await sight.page.evaluate(() => document.body.textContent), /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/);

async function stillStops(sight) {
	const call = await (await sight.calls('move')).runs();
	assert.ok(await sight.stopButton.isVisible());
	await sight.stopButton.click();
	assert.match(await call.result(), /stopped/i);
}

/* The same over Web Serial and by a bridge, whose tools have the device's name in front or not. */
async function showsAsData(sight, scripts) {
	const tools = await sight.tools(), names = [...markup, ...unseen.map(([name]) => name), ...ownNames.slice(0, 3), ...Object.keys(schemas), 'move'];
	assert.deepEqual(names.filter((name) => !tools.includes(name)), [], 'each tool has its form');
	const shown = await sight.text();
	for (const text of [...markup, ...unseen.map(([, seen]) => seen)]) assert.ok(shown.includes(text), `in sight: ${text}`);
	assert.deepEqual(await foreignElements(sight), []);
	assert.deepEqual(await ownScripts(sight), scripts, 'no script and no style more than before');
	await hasNoUnseen(sight);
}

check('names, descriptions and schemas that would run or mislead are shown as text, and their tools can be called', async (t) => {
	const sight = await plugged(t, played('hostile')), scripts = await ownScripts(sight);
	await sight.connects();
	await sight.hasTool('move');
	await showsAsData(sight, scripts);

	/* What they answer and log, too. */
	for (const tool of [markup[0], unseen[0][0], 'endless', '__proto__', 'constructor', 'deep', 'far', 'odd', 'none', 'big']) {
		const args = { endless: { word: `${'a'.repeat(40)}!` }, deep: { down: '{}' } }[tool] ?? {};
		const call = await sight.calls(tool, args);
		assert.ok((await call.result()).includes(markup[1]), tool);
	}
	await showsAsData(sight, scripts);
	await until('the log', async () => (await sight.page.locator('#log').textContent()).includes(markup[0]));
	assert.equal(await sight.page.evaluate(() => ({}).tripped), undefined, 'objects are as they were');

	const call = await (await sight.calls('move')).runs();
	await hasNoUnseen(sight);
	await sight.page.keyboard.press('Escape');
	assert.match(await call.result(), /stopped/i);
});

/* The driver itself goes by what such a form hides, so the page is asked here without it. */
function fillsNames(names) {
	const find = (selector) => Element.prototype.querySelector.call(document.querySelector('form[data-tool=names]'), selector);
	for (const name of names) find(`[name="${name}"]`).value = `of ${name}`;
	find('.call').click();
}

check('arguments may have the names of what forms and objects have', async (t) => {
	const sight = await plugged(t, played('hostile'));
	await sight.connects();
	await sight.hasTool('move');
	await sight.page.evaluate(fillsNames, ownNames);
	assert.ok((await (await sight.newCall('names')).result()).includes(markup[1]));
	const sent = sight.port.written.split('\n').filter((line) => line.includes('"of __proto__"')).map((line) => JSON.parse(line));
	assert.deepEqual(Object.entries(sent[0].params.arguments), ownNames.map((name) => [name, `of ${name}`]));
	await stillStops(sight);
});

check('ten thousand tools: a bounded number of forms, each tool is found by its name, and Stop stays usable', async (t) => {
	const sight = await connected(t, played('crowd'), { tool: 'move' });
	await until('more than are shown', async () => / of 9[,.]?9\d\d more/.test(await sight.text()));
	assert.ok((await sight.tools()).length <= 200);
	await stillStops(sight);
	await sight.page.locator('#filter').fill('tool_9998');
	await sight.hasTool('tool_9998');
	assert.ok((await sight.tools()).length <= 200);
	await sight.page.locator('#filter').fill('');
	await stillStops(sight);
});

check('a list that the engine refuses, of 40 schemas in each other, is said', async (t) => {
	const sight = await plugged(t, played('deep'));
	await sight.connects();
	await sight.says(/tools\/list: Message too large/);
	assert.ok(await sight.stopButton.isVisible());
});

check('64 tools are 64 forms', async (t) => {
	const sight = await connected(t, played('many'), { tool: 'move' });
	assert.equal((await sight.tools()).length, 64);
	await stillStops(sight);
});

check('of ten thousand log lines the last 5,000 are kept, few are elements, and Stop works meanwhile', async (t) => {
	const sight = await connected(t, played('talking'), { tool: 'move' });
	const before = await sight.page.evaluate(() => {
		window.longest = 0;
		new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration); }).observe({ type: 'longtask' });
		return document.querySelectorAll('*').length;
	});
	const moving = await (await sight.calls('move')).runs();
	const flood = await sight.calls('flood', { lines: 10000 });
	assert.match(await flood.result(), /flooded/);
	await sight.page.keyboard.press('Escape');
	assert.match(await moving.result(), /stopped/i);
	const rows = sight.page.locator('#log .row');
	await until('the newest line', async () => (await rows.last().textContent()).length > 0 && (await sight.page.locator('#log').textContent()).includes('line 10000'));
	const after = await sight.page.evaluate(() => document.querySelectorAll('*').length);
	assert.ok(after - before < 300, `${after - before} elements more`);
	const saving = sight.page.waitForEvent('download', { timeout: 0 });
	await sight.page.locator('#save-log').click();
	const saved = readFileSync(await (await saving).path(), 'utf8').trim().split('\n');
	assert.ok(saved.length <= 5000, `${saved.length} lines are kept`);
	assert.deepEqual([4000, 9999, 10000].map((n) => saved.some((line) => line.endsWith(` line ${n}`))), [false, true, true]);
	console.log(`        the longest task while 10,000 log lines came: ${Math.round(await sight.page.evaluate(() => window.longest))} ms (0: none of 50 or more)`);
});

const words = { silent: /silent: nothing came/, echo: /echo: what is sent to it comes back/, fast: /garbage: \d+ of \d+ bytes are no text/, prompt: /another program: .*raspberrypi login/ };

for (const [ailment, pattern] of Object.entries(words))
	check(`a board that is sick (${ailment}): the doctor's words are in sight, with what to do`, async (t) => {
		const sight = await plugged(t, ailing(ailment));
		await sight.connects();
		await sight.says(pattern);
		const trouble = sight.page.locator('.trouble').first();
		assert.match(await trouble.innerText(), pattern);
		assert.match(await trouble.innerText(), /What to do: \S/);
		assert.doesNotMatch(await sight.text(), /; remedy:.*; remedy:/);
		assert.ok(await sight.stopButton.isVisible());
		assert.deepEqual(await sight.tools(), []);
	}, { together: true });

check('a board that prints between its messages is well, and what it prints is in the log', async (t) => {
	const sight = await plugged(t, ailing('chatty'));
	await sight.connects();
	await sight.says(/noise/);
});

check('served: a hostile and a silent device beside a good one', async (t) => {
	const bridge = await bridgeOf(t, { bad: played('hostile'), mute: ailing('silent'), good: played('many') });
	const sight = await opened(t, bridge);
	await sight.hasTool('good_move');
	await sight.says(/silent: nothing came/);
	await until('tools of the hostile device', async () => (await sight.tools()).some((name) => name.startsWith('bad_')));
	for (const tool of (await sight.tools()).filter((name) => name.startsWith('bad_') && !/move|deep|endless/.test(name)).slice(0, 6)) await (await sight.calls(tool)).result();
	assert.deepEqual(await foreignElements(sight), []);
	await hasNoUnseen(sight);
	const call = await (await sight.calls('good_move')).runs();
	await sight.stopButton.click();
	assert.match(await call.result(), /stopped/i);
});
