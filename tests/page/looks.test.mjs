/* SPDX-License-Identifier: MIT
 * For people: what axe-core finds, light and dark, wide and on a phone; what keys reach; the bar that is always in sight. */

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from '../common/runner.mjs';
import { axeSource, fileUrl } from './browser.mjs';
import { ailing, connected, hoist, plugged, served, toolbox } from './boards.mjs';
import { check } from './sight.mjs';

/* Past the page's policy: the source is run by the driver, not by the page. */
async function findings(sight) {
	if (!await sight.page.evaluate(() => 'axe' in window)) await sight.page.evaluate(axeSource());
	const { violations } = await sight.page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
	return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/* Stop is in sight wherever one has scrolled to, and nothing is wider than the screen. */
async function fits(sight, where) {
	for (const to of [0, 100000]) {
		await sight.page.evaluate((y) => window.scrollTo(0, y), to);
		const box = await sight.stopButton.boundingBox(), { width, height } = sight.page.viewportSize();
		assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${where}: Stop at ${JSON.stringify(box)} of ${width} x ${height}`);
		assert.ok(await sight.page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('#stop') !== null, [box.x + box.width / 2, box.y + box.height / 2]), `${where}: nothing lies on it`);
	}
	const wide = await sight.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
	assert.ok(wide <= 0, `${where}: ${wide} pixels too wide`);
}

const looks = [['light', 1100], ['dark', 1100], ['light', 360], ['dark', 360]], height = 700;

/* In each of these. */
async function looksWell(sight, what, those = looks) {
	for (const [colorScheme, width] of those) {
		const where = `${what}, ${colorScheme}, ${width} pixels`;
		await sight.page.emulateMedia({ colorScheme });
		await sight.page.setViewportSize({ width, height });
		assert.deepEqual(await findings(sight), [], where);
		await fits(sight, where);
	}
}

/* Half of them have each colour and each width. */
const half = [looks[0], looks[3]];

check('nothing serious is found of results, refusals and a running motor, and Stop is in sight: light and dark, wide and on a phone', async (t) => {
	const sight = await plugged(t, toolbox);
	await looksWell(sight, 'first sight', half);
	await sight.connects();
	await (await sight.calls('echo', { text: 'a result' })).result();
	await (await sight.calls('stepper', { steps: 0 })).result();
	await sight.page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
	const repeats = sight.form('stats').locator('.repeat input[type=checkbox]');
	await repeats.check();
	await sight.until('a plot', async () => (await sight.form('stats').locator('svg').count()) > 0);
	await repeats.uncheck();
	const call = await (await sight.calls('stepper', { steps: 100000 })).runs();
	await looksWell(sight, 'a motor runs');
	await sight.page.keyboard.press('Escape');
	await call.result();
	await looksWell(sight, 'a call was stopped', half);
});

check('nothing serious is found of a question', async (t) => {
	const sight = await connected(t, hoist, { tool: 'lift' });
	await sight.calls('lift', { mm: 600 });
	await sight.until('the question', () => sight.page.locator('form[data-question]').isVisible());
	await looksWell(sight, 'a question', half);
});

check('nothing serious is found of a sick board', async (t) => {
	const sight = await plugged(t, ailing('prompt'));
	await sight.connects();
	await sight.says(/another program/);
	await looksWell(sight, 'a sick board', half);
});

check('nothing serious is found of the page of a bridge', async (t) => {
	const { sight } = await served(t);
	await sight.hasTool('arm_stepper');
	await looksWell(sight, 'served', half);
});

check('everything is reached by Tab; Enter calls, Escape stops', async (t) => {
	const sight = await connected(t, toolbox);
	const { keyboard } = sight.page;
	await sight.page.evaluate(() => {
		document.activeElement.blur();
		window.reached = new Set();
		document.addEventListener('focusin', ({ target }) => window.reached.add(target));
	});
	const missed = () => sight.page.evaluate(() => [...document.querySelectorAll('button, input, select, textarea, summary, a[href]')]
		.filter((node) => node.checkVisibility() && !node.disabled && !window.reached.has(node)).map(({ outerHTML }) => outerHTML.slice(0, 100)));
	const count = await sight.page.evaluate(() => document.querySelectorAll('*').length);
	for (let i = 0; i < count && (await missed()).length > 0; i++) await keyboard.press('Tab');
	assert.deepEqual(await missed(), []);

	await sight.input('stepper', 'steps').focus();
	await keyboard.press('Control+A');
	await keyboard.type('100000');
	await keyboard.press('Enter');
	const call = await (await sight.newCall('stepper')).runs();
	await keyboard.press('Escape');
	assert.match(await call.result(), /stopped/i);
	await sight.stands(1);
});

check('a tool that is called again and again shows its numbers as a plot and its newest result, and Stop ends the repeating', async (t) => {
	const sight = await connected(t, toolbox), form = sight.form('stats');
	const motor = await (await sight.calls('stepper', { steps: 100000 })).runs();
	await form.locator('.seconds').fill('0.2');
	await form.locator('.repeat input[type=checkbox]').check();
	await sight.until('a plot', async () => (await form.locator('svg[role=img]').count()) > 0);
	await sight.until('one result', async () => (await sight.page.locator('[data-call=stats] .result').count()) === 1);
	assert.equal(await sight.page.locator('[data-call]').first().getAttribute('data-call'), 'stepper', 'what runs stays where it is');
	await sight.page.keyboard.press('Escape');
	await motor.result();
	await sight.until('no repeating', async () => !(await form.locator('.repeat input[type=checkbox]').isChecked()));
	assert.match(await form.locator('svg[role=img]').first().getAttribute('aria-label'), /\w+: \d/);
});

test('page: the file has at most 300 KB', () => {
	const { size } = statSync(new URL(fileUrl));
	assert.ok(size <= 300000, `${size} bytes`);
});
