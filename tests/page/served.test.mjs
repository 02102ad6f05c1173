/* SPDX-License-Identifier: MIT
 * The page that quash-bridge serves: two devices, other tabs, other clients; its token; frames; how it goes. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cable } from '../common/cable.mjs';
import { loadModern } from '../common/npm/modules.mjs';
import { until } from '../common/runner.mjs';
import { folderFor } from '../common/start.mjs';
import { fileUrl, ownBrowser, renderersOf } from './browser.mjs';
import { bridgeOf, hoist, opened, served, toolbox } from './boards.mjs';
import { Sight, check } from './sight.mjs';

const endless = { steps: 100000 };

async function stands(stats, device, stops) {
	let found;
	await until(`stop ${stops} of ${device}`, async () => {
		found = await stats(device);
		return found.stepper_stops === stops;
	});
	for (let look = 0; look < 2; look++) assert.equal((await stats(device)).stepper_position, found.stepper_position, 'it stands still');
	return found;
}

check('served: the tools of two devices are forms, and are called', async (t) => {
	const { sight } = await served(t);
	for (const name of ['arm_echo', 'arm_stepper', 'lamp_led', 'lamp_stats']) await sight.hasTool(name);
	assert.equal(await sight.page.locator('#connect').count(), 0, 'there is nothing to connect');
	assert.deepEqual(await (await sight.calls('arm_echo', { text: 'Grüße <b>' })).values(), { text: 'Grüße <b>' });
	assert.match(await (await sight.calls('lamp_led', { on: true })).result(), /on/);
	const slow = await (await sight.calls('lamp_slow', { ms: 1500 })).runs();
	assert.match(await slow.result(), /slept 1500/);
	assert.deepEqual(await sight.page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]), ['', 0, 0], 'nothing is stored');
});

check('served: a motor stands after its own Stop, the big Stop, Escape', async (t) => {
	const { sight, stats } = await served(t);
	const stops = [(call) => call.stop(), () => sight.stopButton.click(), () => sight.page.keyboard.press('Escape')];
	for (const [i, stop] of stops.entries()) {
		const call = await (await sight.calls('arm_stepper', endless)).runs();
		await stop(call);
		assert.match(await call.result(), /stopped/i);
		assert.equal((await stands(stats, 'arm', i + 1)).cancelled_by_other_side, i + 1);
	}
});

check('served: a hoist asks, and lifts after Yes', async (t) => {
	const { sight } = await served(t, { crane: hoist, lamp: toolbox });
	const question = sight.page.locator('form[data-question]');
	for (const [answer, expected] of [['.decline', /Nothing was done: the person has declined it/], ['.accept', /there/]]) {
		const call = await sight.calls('crane_lift', { mm: 600 });
		await until('the question', async () => (await question.count()) === 1);
		assert.match(await question.textContent(), /Is everybody away from the load\?/);
		await question.locator(answer).click();
		assert.match(await call.result(), expected);
	}
});

check('served: a device whose cable is pulled ends what runs, and takes its tools with it, until it is back', async (t) => {
	const line = await cable(t), { sight, stats } = await served(t, { arm: `tty:${line.link}`, lamp: toolbox });
	await sight.hasTool('arm_stepper');
	const call = await (await sight.calls('arm_stepper', endless)).runs();
	await line.unplug();
	assert.match(await call.result(), /lost/i);
	await sight.hasNoTool('arm_stepper');
	await sight.hasTool('lamp_led');
	assert.match(await sight.page.locator('[data-board=arm]').innerText(), /not there/);
	await line.plug();
	await sight.hasTool('arm_stepper');
	await stands(stats, 'arm', 1);
});

/* The calls of pages at the bridge, each a stream. */
const streamsAt = async (bridge) => {
	const { json } = await bridge.client().send('GET', {}, undefined, '/calls').answer();
	return json.calls.filter(({ client }) => client.includes('quash-page'));
};

check('served: two tabs with eight calls have four streams at most, the others wait in sight, and Stop in the one ends all', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, lamp: toolbox }), one = await opened(t, bridge), other = await opened(t, bridge, { context: one.context });
	const calls = [];
	for (const sight of [one, other]) {
		calls.push(await sight.calls('arm_stepper', endless));
		for (let i = 0; i < 3; i++) calls.push(await sight.calls('lamp_slow', { ms: 600000 }));
	}
	let most = 0;
	await until('four calls at the bridge', async () => {
		most = Math.max(most, (await streamsAt(bridge)).length);
		return most >= 4;
	});
	for (let look = 0; look < 5; look++) most = Math.max(most, (await streamsAt(bridge)).length);
	assert.equal(most, 4);
	await until('those that wait say so', async () => (await Promise.all([one, other].map((sight) => sight.page.locator('[data-waits]').count()))).reduce((a, b) => a + b) === 4);
	await other.stopButton.click();
	for (const call of calls) assert.match(await call.result(), /stopped/i);
	await stands(bridge.stats, 'arm', 1);
	assert.deepEqual(await streamsAt(bridge), [], 'none has begun behind it');
	assert.equal((await bridge.stats('lamp')).cancelled_by_other_side, 3);
});

check('served: what waits in another tab, or is repeated or asked there, does not begin behind a Stop', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, hoist }), one = await opened(t, bridge), other = await opened(t, bridge, { context: one.context });
	const question = await other.calls('hoist_lift', { mm: 700 });
	await other.until('the question', async () => await other.page.locator('[data-question]').count() === 1);
	await other.page.locator('form[data-tool="arm_led"] .repeat input[type="checkbox"]').check();
	const running = [];
	for (let i = 0; i < 4; i++) running.push(await (await one.calls('arm_slow', { ms: 600000 })).runs());
	const waiting = await other.calls('arm_stepper', endless);
	await other.until('it waits', async () => await other.page.locator('[data-waits][data-call="arm_stepper"]').count() === 1);
	await one.stopButton.click();
	for (const call of [...running, waiting, question]) assert.match(await call.result(), /stopped/i);
	await other.until('the question to go', async () => await other.page.locator('[data-question]').count() === 0);
	assert.equal(await other.page.locator('.repeat input:checked').count(), 0);
	const { stepper_position: position, stepper_stops: stops } = await bridge.stats('arm');
	assert.deepEqual([position, stops], [0, 0], 'the motor has not turned');
});

check('served: Stop ends the motion of an official client, which reads who has stopped it', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, lamp: toolbox }), sight = await opened(t, bridge);
	const { Client, StreamableHTTPClientTransport } = await loadModern('@modelcontextprotocol/client');
	const client = new Client({ name: 'official', version: '1' });
	t.after(() => client.close().catch(() => {}));
	await client.connect(new StreamableHTTPClientTransport(new URL(`${bridge.origin}/mcp`)));
	let moves = false;
	const call = client.callTool({ name: 'arm_stepper', arguments: endless }, { onprogress: () => { moves = true; }, timeout: 1 << 30 }).then(() => null, (error) => error);
	await until('its motor to move', () => moves);
	await sight.says(/official/);
	await sight.page.keyboard.press('Escape');
	const { code, message } = await call;
	assert.deepEqual([code, /stopped by a person at the page/.test(message)], [-32800, true], message);
	await stands(bridge.stats, 'arm', 1);
	await sight.says(/stopped: 0 calls of this page, 1 call of/);
	assert.match((await client.callTool({ name: 'arm_echo', arguments: { text: 'still here' } })).content[0].text, /still here/);
});

/* A bridge that wants a token. */
async function guarded(t) {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, 'secret-of-the-arm\n', { mode: 0o600 });
	return bridgeOf(t, { arm: toolbox, lamp: toolbox }, ['--token-file', file]);
}

const refused = [/status of 401/];

check('served: the token of the fragment is taken out of the address, and nowhere kept', async (t) => {
	const bridge = await guarded(t), sight = await opened(t, bridge, { fragment: '#token=secret-of-the-arm' });
	await sight.hasTool('arm_echo');
	assert.equal(sight.page.url(), `${bridge.origin}/`);
	assert.match(await (await sight.calls('arm_echo', { text: 'hello' })).result(), /hello/);
	assert.deepEqual(await sight.page.evaluate(() => [document.cookie, localStorage.length, JSON.stringify(sessionStorage), document.documentElement.outerHTML.includes('secret-of')]), ['', 0, '{}', false]);
	assert.deepEqual(sight.requests.filter((url) => url.includes('secret')), []);
});

check('served: without the token, and with a wrong one, it says so, and takes the right one', async (t) => {
	for (const fragment of ['', '#token=wrong']) {
		const bridge = await guarded(t), sight = await opened(t, bridge, { fragment });
		sight.allowed = refused;
		await sight.says(/token/i);
		assert.deepEqual(await sight.tools(), []);
		assert.equal(sight.page.url(), `${bridge.origin}/`);
		await sight.page.locator('#token').fill('secret-of-the-arm');
		await sight.page.locator('#token').press('Enter');
		await sight.hasTool('arm_echo');
		await sight.until('no more question for the token', async () => !await sight.page.locator('#token').isVisible());
	}
});

check('served: a Stop that does not reach the bridge is said', async (t) => {
	const { sight, bridge } = await served(t);
	sight.allowed = [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|Failed to load resource/];
	await sight.hasTool('arm_stepper');
	bridge.signal('SIGTERM');
	await bridge.exit();
	await sight.says(/The bridge does not answer/);
	await sight.stopButton.click();
	await sight.says(/Stop has not reached the bridge/);
});

check('served: with --no-page there is none', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, lamp: toolbox }, ['--no-page']);
	for (const [method, path] of [['GET', '/'], ['POST', '/stop'], ['GET', '/calls']]) assert.equal((await bridge.client().send(method, {}, undefined, path).whole()).status, 404, path);
});

/* --- Frames */

/* A page of another origin that has these in frames. */
async function framing(t, ...urls) {
	const server = createServer((request, response) => {
		const isFile = request.url.startsWith('/quash.html');
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.end(isFile ? readFileSync(fileURLToPath(fileUrl)) : `<!doctype html><title>frames</title>${urls.map((url) => `<iframe src="${url}" width="800" height="600"></iframe>`).join('')}`);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }));
	return `http://127.0.0.1:${server.address().port}/`;
}

const pressable = 'button, input, select, textarea, a[href], summary, [tabindex], [onclick], form';

check('in a frame of another page the served one is refused, and the file has nothing that can be pressed', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, lamp: toolbox });
	const place = await framing(t, `${bridge.origin}/`, '/quash.html'), sight = await Sight.open(t);
	sight.allowed = [/frame-ancestors/, /X-Frame-Options/, /Refused to display/, /Framing/];
	await sight.goes(place, [place, `${bridge.origin}/`]);
	const frames = await until('two frames', () => sight.page.frames().length === 3 && sight.page.frames().slice(1));
	const file = await until('the file in its frame', () => frames.find((frame) => frame.url().endsWith('/quash.html')));
	await until('its words', async () => /frame/.test(await file.locator('body').innerText()));
	assert.equal(await file.locator(pressable).evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility()).length), 0);
	assert.ok(sight.complaints.some((text) => /frame-ancestors|Framing/.test(text)), `${sight.complaints}`);
	const served = frames.find((frame) => frame !== file);
	assert.equal(await served.locator('#stop').count(), 0, served.url());
});

/* --- Its end */

check('served: a closed page and a killed one end their motion by their closed stream', async (t) => {
	const bridge = await bridgeOf(t, { arm: toolbox, lamp: toolbox }), own = await ownBrowser(t);
	const closed = await opened(t, bridge, { from: own });
	await (await closed.calls('arm_stepper', endless)).runs();
	closed.isGone = true;
	await closed.page.close({ runBeforeUnload: true });
	assert.equal((await stands(bridge.stats, 'arm', 1)).cancelled_by_other_side, 1);
	const killed = await opened(t, bridge, { from: own });
	await (await killed.calls('arm_stepper', endless)).runs();
	killed.isGone = true;
	for (const pid of await renderersOf(own)) process.kill(pid, 'SIGKILL');
	const { cancelled_by_other_side: cancelled, cancelled_by_lease: leases } = await stands(bridge.stats, 'arm', 2);
	assert.deepEqual([cancelled, leases], [2, 0]);
});
