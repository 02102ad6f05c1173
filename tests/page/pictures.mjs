/* SPDX-License-Identifier: MIT
 * The pictures of docs/page.md, of the page in Chromium with an emulated board: node tests/page/pictures.mjs [FOLDER]
 *
 * A look at each is the test of them. They are small, so that the page loads fast. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Context } from '../common/runner.mjs';
import { root } from '../common/start.mjs';
import { ailing, connected, emulated, emulatedOf, plugged } from './boards.mjs';
import { closeBrowser } from './browser.mjs';

const folder = process.argv[2] ?? join(root, 'docs'), mostBytes = 64000;
const wide = { width: 900, height: 560 }, tall = { width: 900, height: 790 }, middle = { width: 900, height: 690 }, narrow = { width: 360, height: 760 };

/* A carriage that has looked for the switch of its rail, and goes on to the end; where it is is asked again and again. */
async function moving(sight) {
	await sight.form('where').locator('.seconds').fill('0.2');
	await sight.form('where').locator('.repeat input[type=checkbox]').check();
	const call = await sight.calls('move', { to: 1000 });
	await sight.until('most of the way', async () => (await call.value()) >= 700);
}

const carriage = { board: emulatedOf('homing'), tool: 'move' };

const scenes = {
	'page-first': { board: emulated },
	'page-motion': { ...carriage, how: tall, play: moving },
	'page-refusal': { ...carriage, how: middle, play: async (sight) => (await sight.calls('move', { to: 2000 })).result() },
	'page-sick': { board: ailing('prompt'), sick: true, play: (sight) => sight.says(/another program/) },
	'page-dark': { ...carriage, how: { ...tall, colorScheme: 'dark' }, play: moving },
	'page-narrow': { ...carriage, how: narrow, play: moving },
};

async function take(name, { board, sick = false, tool = 'stepper', how = {}, play = () => {} }) {
	const t = new Context(), path = join(folder, `${name}.png`);
	try {
		const sight = await (sick ? plugged : connected)(t, board, { ...wide, ...how, tool });
		if (sick) await sight.connects();
		await play(sight);
		await sight.page.evaluate(() => window.scrollTo(0, 0));
		await sight.page.mouse.move(0, 0);
		await sight.page.screenshot({ path, animations: 'disabled' });
		const { size } = statSync(path);
		console.log(`${path}: ${size} bytes${size > mostBytes ? ', too many' : ''}`);
		if (size > mostBytes) process.exitCode = 1;
	} finally {
		await t.cleanUp();
	}
}

for (const [name, scene] of Object.entries(scenes)) await take(name, scene);
await closeBrowser();
