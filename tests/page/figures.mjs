/* SPDX-License-Identifier: MIT
 * How many steps a motor makes after a Stop in the page: node tests/page/figures.mjs [RUNS]
 *
 * The emulated board has it, which makes a step a millisecond. Half of the Stops are clicks, half are Escape. Where the motor was at that
 * moment follows from the newest progress that the page had shown, so a late progress counts as steps after the Stop. The goal on an idle
 * machine: median under 50, most under 300. */

import { Context, sleep } from '../common/runner.mjs';
import { bridgeOf, connected, emulated, opened, toolbox } from './boards.mjs';
import { browserVersion, closeBrowser } from './browser.mjs';

const runs = Number(process.argv[2] ?? 30), firstProgress = 300;

/* In the page: the newest progress, and the Stop. */
function watches() {
	window.watch = { progress: 0, at: 0, stop: null };
	new MutationObserver((all) => {
		for (const { target } of all) if (target.matches('[data-call] progress') && window.watch.stop === null) Object.assign(window.watch, { progress: target.value, at: performance.now() });
	}).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['value'] });
	const stops = (event) => { if (event.type === 'click' ? event.target.closest('#stop') : event.key === 'Escape') window.watch.stop ??= event.timeStamp; };
	for (const type of ['click', 'keydown']) window.addEventListener(type, stops, { capture: true });
}

async function stepsAfterStop(sight, tools, run) {
	const before = (await sight.stats(tools.stats)).stepper_position;
	await sight.page.evaluate(() => Object.assign(window.watch, { progress: 0, at: 0, stop: null }));
	const call = await sight.calls(tools.stepper, { steps: 100000 });
	while (await sight.page.evaluate(() => window.watch.progress) < firstProgress) await sleep(5);
	await sleep(Math.random() * 200);
	if (run % 2) await sight.page.keyboard.press('Escape');
	else await sight.stopButton.click();
	await call.result();
	const { progress, at, stop } = await sight.page.evaluate(() => window.watch);
	let position;
	for (let last = -1; position !== last;) {
		last = position;
		position = (await sight.stats(tools.stats)).stepper_position;
	}
	return Math.round(position - before - progress - (stop - at));
}

const sides = {
	'Web Serial': async (t) => [await connected(t, emulated), { stats: 'stats', stepper: 'stepper' }],
	'served by the bridge': async (t) => {
		const sight = await opened(t, await bridgeOf(t, { arm: emulated, lamp: toolbox }));
		await sight.hasTool('arm_stepper');
		return [sight, { stats: 'arm_stats', stepper: 'arm_stepper' }];
	},
};

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

console.log(`Steps after a Stop, one a millisecond, ${runs} runs each, ${await browserVersion()}\n\n| | median | 95 % | most |\n|---|--:|--:|--:|`);
for (const [name, open] of Object.entries(sides)) {
	const t = new Context(), found = [];
	const [sight, tools] = await open(t);
	await sight.page.evaluate(watches);
	for (let run = 0; run < runs; run++) found.push(await stepsAfterStop(sight, tools, run));
	const sorted = found.sort((a, b) => a - b);
	console.log(`| ${name} | ${at(sorted, 0.5)} | ${at(sorted, 0.95)} | ${sorted.at(-1)} |`);
	await t.cleanUp();
}
await closeBrowser();
