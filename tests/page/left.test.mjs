/* SPDX-License-Identifier: MIT
 * A page that is left, and that the browser keeps for *back*, as it does for people: drivers switch that off. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';
import { bridgeOf, opened, toolbox } from './boards.mjs';
import { ownBrowser } from './browser.mjs';
import { check } from './sight.mjs';

const endless = { steps: 100000 };

check('served: a page that is left ends its motion, also where the browser keeps it, and back it calls again', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox }), own = await ownBrowser(t, [], ['--disable-back-forward-cache']);
	const sight = await opened(t, bridge, { from: own });
	await (await sight.calls('arm_stepper', endless)).runs();
	await sight.page.evaluate(() => { window.mark = 'the same'; });
	await sight.page.goto('data:text/html,another');
	await until('the motor at rest', async () => (await bridge.stats('arm')).stepper_stops === 1);
	const { cancelled_by_other_side: cancelled, cancelled_by_lease: leases } = await bridge.stats('arm');
	assert.deepEqual([cancelled, leases], [1, 0]);
	await sight.page.goBack({ waitUntil: 'commit' });
	assert.equal(await sight.page.evaluate(() => window.mark), 'the same', 'the browser has kept the page, and needed not throw it away for what still ran');
	assert.match(await (await sight.calls('arm_echo', { text: 'here again' })).result(), /here again/);
});
