/* SPDX-License-Identifier: MIT
 * The file with a board on Web Serial, which window.standIn plays: an emulated board, mostly. */

import assert from 'node:assert/strict';
import { End, statsOf, modernMeta } from '../common/client.mjs';
import { until } from '../common/runner.mjs';
import { ownBrowser, renderersOf } from './browser.mjs';
import { connected, emulated, hoist, played, plugged, toolbox } from './boards.mjs';
import { check } from './sight.mjs';
import { openDevice } from './stand-in.mjs';

const endless = { steps: 100000 };

check('before anything is connected it says what to do, and asked nobody', async (t) => {
	const sight = await plugged(t, toolbox);
	assert.equal(await sight.page.evaluate(() => window.standIn.isStandIn), true);
	assert.ok(await sight.page.locator('#connect').isVisible());
	assert.ok(await sight.stopButton.isVisible(), 'Stop is in sight before there is anything to stop');
	assert.deepEqual([await sight.tools(), sight.port.opens], [[], 0]);
});

check('a person who chooses no port reads so, and may choose again', async (t) => {
	const sight = await plugged(t, toolbox);
	await sight.port.refuses();
	await sight.connects();
	await sight.says(/no port|none|not chosen|chose/i);
	assert.equal(sight.port.opens, 0);
	await sight.port.refuses(false);
	await sight.connects();
	await sight.hasTool('echo');
});

check('an emulated board: its tools are forms, and are called', async (t) => {
	const sight = await connected(t, emulated);
	assert.deepEqual((await sight.tools()).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
	await sight.says(/quash-toolbox/);

	const echo = await sight.calls('echo', { text: 'Grüße <b>' });
	assert.deepEqual(await echo.values(), { text: 'Grüße <b>' });
	assert.match(await (await sight.calls('led', { on: true })).result(), /on/);

	const slow = await (await sight.calls('slow', { ms: 1500 })).runs();
	assert.ok(await slow.part('.stop'));
	assert.match(await slow.result(), /slept 1500/);

	const steps = await sight.input('stepper', 'steps');
	assert.deepEqual(await steps.evaluate(({ type, min, max }) => [type, min, max]), ['number', '1', '100000']);
	assert.equal(await sight.form('stepper').locator('input[type=range]').count(), 1, 'a range is a slider too');
	assert.match(await (await sight.calls('stepper', { steps: 150 })).result(), /150|done|moved/i);
	assert.equal((await sight.stats()).stepper_position, 150);
});

/* Each moves the emulated motor and stops it. */
const stops = {
	'its own Stop': (sight, call) => call.stop(),
	'the big Stop': (sight) => sight.stopButton.click(),
	'Escape': (sight) => sight.page.keyboard.press('Escape'),
	'Escape in a field': async (sight) => {
		await sight.input('echo', 'text').focus();
		await sight.page.keyboard.press('Escape');
	},
};

check(`an emulated motor stands after ${Object.keys(stops).join(', ')}`, async (t) => {
	const sight = await connected(t, emulated);
	let stopped = 0, before = 0;
	for (const [name, stop] of Object.entries(stops)) {
		const call = await (await sight.calls('stepper', endless)).runs();
		await stop(sight, call);
		assert.match(await call.result(), /stopped/i, name);
		const position = await sight.stands(++stopped);
		assert.ok(position > before, `${name}: it had moved`);
		before = position;
	}
	assert.equal((await sight.stats()).cancelled_by_other_side, stopped);
});

check('the big Stop ends all that runs, and its own Stop one call', async (t) => {
	const sight = await connected(t, toolbox);
	const slow = await (await sight.calls('slow', { ms: 600000 })).runs(), motor = await (await sight.calls('stepper', endless)).runs();
	const other = await (await sight.calls('slow', { ms: 600000 })).runs();
	await motor.stop();
	await sight.stands(1);
	await Promise.all([slow, other].map((call) => call.runs()));
	await sight.stopButton.click();
	for (const call of [slow, other]) assert.match(await call.result(), /stopped/i);
	assert.equal((await sight.stats()).cancelled_by_other_side, 3);
});

check('what runs stands above what has ended since, with its Stop', async (t) => {
	const sight = await connected(t, toolbox);
	const slow = await (await sight.calls('slow', { ms: 600000 })).runs();
	for (const text of ['one', 'two']) await (await sight.calls('echo', { text })).result();
	const calls = sight.page.locator('[data-call]');
	assert.deepEqual(await calls.evaluateAll((nodes) => nodes.map((node) => node.dataset.call)), ['slow', 'echo', 'echo']);
	assert.match(await calls.nth(1).textContent(), /two/, 'the newest of them first');
	await slow.stop();
	await slow.result();
});

check('a wrong value is said beside its field, in the words of the device, and a field without a value by the page', async (t) => {
	const sight = await connected(t, toolbox);
	await sight.calls('stepper', { steps: 0 });
	const wrong = sight.form('stepper').locator('.wrong').first();
	await until('words beside the field', async () => /integer from 1 to 100000/.test(await wrong.textContent()));
	assert.equal(await sight.input('stepper', 'steps').getAttribute('aria-invalid'), 'true');
	await sight.fills('stepper', { steps: '' });
	await sight.form('stepper').locator('.call').click();
	await until('words of the page', async () => /missing/.test(await wrong.textContent()));
	assert.equal((await sight.stats()).stepper_position, 0);
});

check('a cable that is pulled ends what runs, and takes the tools away; plugged in they are back', async (t) => {
	const sight = await connected(t, emulated);
	for (let times = 1; times <= 2; times++) {
		const call = await (await sight.calls('stepper', endless)).runs();
		await sight.port.unplug();
		assert.doesNotMatch(await call.result(), /^\s*$/, 'it says how the call ended');
		await sight.hasNoTool('stepper');
		assert.ok(await sight.stopButton.isVisible());
		await sight.port.plug();
		await sight.hasTool('stepper');
		const before = (await sight.stats()).stepper_position;
		assert.equal((await sight.stats()).stepper_position, before, 'it stands');
		assert.match(await (await sight.calls('echo', { text: 'again' })).result(), /again/);
	}
	assert.equal(sight.port.opens, 3);
});

check('a hoist asks before it lifts: Yes lifts, No does not, and Stop takes the question away', async (t) => {
	const sight = await connected(t, hoist, { tool: 'lift' });
	const question = sight.page.locator('form[data-question]');
	const asked = async () => {
		const call = await sight.calls('lift', { mm: 600 });
		await until('the question', () => question.isVisible());
		assert.match(await question.textContent(), /Is everybody away from the load\?/);
		return call;
	};
	const height = async () => (await (await sight.calls('state')).values()).mm;
	const declined = await asked();
	await question.locator('.decline').click();
	assert.match(await declined.result(), /Nothing was done: the person has declined it/);
	const stopped = await asked();
	await sight.page.keyboard.press('Escape');
	assert.match(await stopped.result(), /stopped/i);
	await until('no question', async () => (await question.count()) === 0);
	assert.equal(await height(), 0);
	const accepted = await asked();
	await question.locator('.accept').click();
	assert.match(await accepted.result(), /there/);
	assert.equal(await height(), 600);
});

check('a question is a form from its schema, and what is written in it is the answer', async (t) => {
	const sight = await connected(t, played('asking'), { tool: 'ask' });
	const call = await sight.calls('ask');
	const question = sight.page.locator('form[data-question]');
	await question.waitFor({ timeout: 0 });
	await question.locator('.accept').click();
	await until('what is missing', async () => /missing/.test(await question.textContent()));
	await question.locator('[name=name]').fill('Ada');
	await question.locator('[name=height]').fill('7');
	await question.locator('[name=year]').fill('1815');
	await question.locator('[name=sure]').setChecked(true);
	await question.locator('[name=colour]').selectOption({ label: 'green' });
	await question.locator('.accept').click();
	await call.result();
	assert.deepEqual(JSON.parse(await call.textOf('.result')), { action: 'accept', content: { name: 'Ada', height: 7, sure: true, colour: 'green', year: 1815 } });
});

/* What a toolbox has counted, asked past the page, without a new session. */
async function statsPast(t, { port, line }) {
	await until('the port to be free', () => !port.isOpen);
	const stream = openDevice(line.link);
	t.after(() => stream.destroy());
	return () => statsOf(new End(stream, stream), modernMeta());
}

check('a closed page cancels what runs before it is gone', async (t) => {
	const sight = await connected(t, toolbox);
	await (await sight.calls('stepper', endless)).runs();
	const before = sight.port.written.length;
	sight.isGone = true;
	await sight.page.close({ runBeforeUnload: true });
	await until('the last bytes of the page', () => sight.port.written.slice(before).includes('notifications/cancelled'));
	const stats = await statsPast(t, sight);
	const { cancelled_by_other_side: cancelled, cancelled_by_lease: leases, stepper_stops: stops } = await stats();
	assert.deepEqual([cancelled, leases, stops], [1, 0, 1], 'by the cancel, not by the lease');
});

check('a page whose process is killed stops its motor by the lease', async (t) => {
	const own = await ownBrowser(t), sight = await connected(t, toolbox, { from: own });
	await (await sight.calls('stepper', endless)).runs();
	sight.isGone = true;
	const gone = new Promise((resolve) => { sight.page.once('crash', resolve); });
	for (const pid of await renderersOf(own)) process.kill(pid, 'SIGKILL');
	await gone;
	const stats = await statsPast(t, sight);
	let found, quiet = 2500; /* each question is a sign of life, but for one that comes after the lease */
	await until('the end of the lease', async () => {
		await new Promise((resolve) => { setTimeout(resolve, quiet); });
		quiet *= 2;
		found = await stats();
		return found.stepper_stops === 1;
	});
	assert.deepEqual([found.cancelled_by_other_side, found.cancelled_by_lease], [0, 1]);
});
