/* SPDX-License-Identifier: MIT
 * node bridge-plugs.mjs [quick|rest]
 *
 * quash-bridge for long: a cable that is pulled again and again under load, a day's traffic, and clients that read nothing for half a minute. Nothing is left over, each
 * request ends once, and memory stays where it was. */

import assert from 'node:assert/strict';
import { Bridge, cable, greet, listening, mute } from './bridge-program.mjs';
import { Load } from './bridge-load.mjs';
import { childrenOf, descriptorsOf, memoryOf, processorTicks } from '../common/process.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';

const isQuick = process.argv[2] !== 'rest';
const plugs = isQuick ? 100 : 1000;
const restarts = isQuick ? 30 : 300;
const day = isQuick ? 20000 : 86400; /* one a second */
const growth = { kB: 200, part: 0.02 };

async function bridgeOnCable(t, words = []) {
	const line = await cable(t);
	const bridge = Bridge.start(t, [...words, '--log', 'warning', '--tty', line.link]);
	await greet(bridge.client);
	return { line, bridge };
}

/* What it has when nothing is under way, the device being there. */
async function atRest(bridge) {
	await until('an answer', () => bridge.client.answerTo(bridge.client.ask('tools/list', {}, 'rest')).then(({ result }) => result));
	return { descriptors: descriptorsOf(bridge.pid), children: childrenOf(bridge.pid).length };
}

const happensAgain = (load, what) => {
	const known = load[what];
	return until(`${what} again`, () => load[what] > known);
};

/* What is waited for before each loss, in turn. */
const occasions = ['answered', 'cancelled', 'answered', 'progress', 'answered'];

test(`quash-bridge: ${plugs} times a cable is pulled under load`, async (t) => {
	const { line, bridge } = await bridgeOnCable(t);
	const before = await atRest(bridge);
	const load = new Load(t, bridge.client);
	for (let n = 0; n < plugs; n++) {
		await happensAgain(load, occasions[n % occasions.length]);
		await line.unplug();
		await line.plug();
	}
	await happensAgain(load, 'answered');
	await load.finish();
	assert.ok(load.lost >= plugs, `requests were under way each time: ${load.lost} were lost`);
	assert.deepEqual(await atRest(bridge), before, 'no descriptor and no process is left');
	await bridge.endsByInput();
});

test(`quash-bridge: ${restarts} times a program dies under load`, async (t) => {
	const bridge = Bridge.start(t, ['--log', 'error', '--', hostProgram('toolbox')]);
	await greet(bridge.client);
	const before = await atRest(bridge);
	const load = new Load(t, bridge.client);
	for (let n = 0; n < restarts; n++) {
		await happensAgain(load, occasions[n % occasions.length]);
		const [pid] = await until('the program', () => childrenOf(bridge.pid).length && childrenOf(bridge.pid));
		process.kill(pid, 'SIGKILL');
		await until('its end', () => !childrenOf(bridge.pid).includes(pid));
	}
	await happensAgain(load, 'answered');
	await load.finish();
	assert.deepEqual(await atRest(bridge), before);
	const [last] = childrenOf(bridge.pid);
	await bridge.endsByInput();
	assert.throws(() => process.kill(last, 0), { code: 'ESRCH' }, 'it ends its program');
});

/* Until `count` have been asked, with a pull now and then. */
async function goOn(load, line, count, pulls) {
	const step = Math.floor((count - load.asked) / (pulls + 1));
	for (let n = 0; n < pulls; n++) {
		const goal = load.asked + step;
		await until(`${goal} requests`, () => load.asked >= goal);
		await line.unplug();
		await line.plug();
		await happensAgain(load, 'answered');
	}
	await until(`${count} requests`, () => load.asked >= count);
}

test(`quash-bridge: ${day} requests, and memory stays flat`, async (t) => {
	const { line, bridge } = await bridgeOnCable(t, ['--idle-timeout', '60s']);
	const load = new Load(t, bridge.client, { width: 6, shorts: 8 });
	await goOn(load, line, day / 5, 2);
	const warm = memoryOf(bridge.pid);
	await goOn(load, line, day, isQuick ? 6 : 24);
	await load.finish();
	const end = memoryOf(bridge.pid);
	const more = end - warm;
	assert.ok(more < growth.kB || more < growth.part * warm, `${warm} kB after the first fifth, ${end} kB at the end`);
	assert.ok(load.answered > 0.7 * day && load.progress > day / 50 && load.cancelled > day / 50,
		`${load.answered} answered, ${load.cancelled} cancelled, ${load.progress} reports`);
	await bridge.endsByInput();
});

test('quash-bridge: a bridge at rest uses no processor time', async (t) => {
	const { bridge } = await bridgeOnCable(t);
	await sleep(100);
	const before = processorTicks(bridge.pid);
	await sleep(1000);
	assert.ok(processorTicks(bridge.pid) - before <= 2, 'at most 20 ms in a second');
});

async function halfAMinute(t) {
	const { device, bridge, where } = await listening(t);
	const [silent, slow] = [await mute(t, where), await mute(t, where)];
	const line = await device.ready();
	const start = performance.now();
	for (let n = 0; n < 30; n++) line.notify('notifications/message', { level: 'info', data: 'y'.repeat(1 << 16) });
	await line.answerTo(line.ask('ping'));
	const reading = setInterval(() => slow.socket.read(1 << 16), 2000);
	t.after(() => clearInterval(reading));
	slow.socket.on('readable', () => {});
	await bridge.says(/^quash-bridge: warning: client 1 does not read: it has taken nothing for 30 s, closed$/m);
	assert.ok(performance.now() - start >= 29900, 'not before');
	silent.socket.resume();
	await silent.closes();
	await sleep(10000);
	assert.doesNotMatch(bridge.stderr, /client 2 does not read/, 'one that takes something now and then stays');
}

if (!isQuick) test('quash-bridge: a client that takes nothing for half a minute is closed, and a slow one is not', halfAMinute);
