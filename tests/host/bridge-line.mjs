/* SPDX-License-Identifier: MIT
 * quash-bridge and serial lines and programs that come and go. What becomes of messages then stands in tests/talk/bridge/lost-line.talk. */

import assert from 'node:assert/strict';
import { Bridge, cable, check, greet } from './bridge-program.mjs';
import { scripted } from './inspect-program.mjs';
import { sleep, until } from '../common/runner.mjs';

const linkLost = { code: -32012, message: 'Link lost' };

/* --- At the start */

check('a serial device that is plugged in later is found', async (t) => {
	const { link, plug } = await cable(t, { plugged: false });
	const bridge = Bridge.start(t, ['--tty', link]);
	await bridge.says(/device: waiting for /);
	await plug();
	assert.equal((await greet(bridge.client)).serverInfo.name, 'quash-toolbox');
	await bridge.says(/device: ready: quash-toolbox \d/);
}, { needs: ['tty'] });

/* --- Loss */

check('a cable is pulled and plugged in: the same board goes on', async (t) => {
	const { link, plug, unplug } = await cable(t);
	const { client } = Bridge.start(t, ['--tty', link]);
	await greet(client);
	const id = client.ask('tools/call', { name: 'slow', arguments: { ms: 60000 } });
	await sleep(50);
	await unplug();
	assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await plug();
	const { stepper_stops: stops } = await until('the board', async () => {
		const { result } = await client.answerTo(client.ask('tools/call', { name: 'stats', arguments: {} }));
		return result && JSON.parse(result.content[0].text);
	});
	assert.equal(stops, 0);
}, { needs: ['tty'] });

check('a motor whose cable is pulled stops by its lease or by the new session', async (t) => {
	const { link, plug, unplug } = await cable(t);
	const { client } = Bridge.start(t, ['--tty', link]);
	await greet(client);
	const id = client.ask('tools/call', { name: 'stepper', arguments: { steps: 100000 }, _meta: { progressToken: 1 } });
	await client.takes('notifications/progress');
	await unplug();
	assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await plug();
	const stats = () => until('the board', async () => {
		const { result } = await client.answerTo(client.ask('tools/call', { name: 'stats', arguments: {} }));
		return result && JSON.parse(result.content[0].text);
	});
	const first = await stats();
	assert.equal(first.stepper_stops, 1);
	await sleep(150);
	assert.equal((await stats()).stepper_position, first.stepper_position, 'it stands');
}, { needs: ['tty'] });

/* --- Commands */

check('a program behind -- is started again', async (t) => {
	const { client } = Bridge.start(t, ['--', ...scripted('dying')]);
	await greet(client);
	assert.deepEqual(await client.error('tools/call', { name: 'work' }), linkLost);
	await until('the tools again', async () => (await client.answerTo(client.ask('tools/list'))).result?.tools);
});

for (const command of [['false'], ['/no/such/program'], ['sh', '-c', 'sleep 0.1; exit 3']])
	check(`a program that never becomes ready: exit 1: ${command.join(' ')}`, async (t) => {
		const bridge = Bridge.start(t, ['--', ...command]);
		await bridge.exits(1);
		assert.match(bridge.stderr, /^quash-bridge: error: /m);
	});

/* --- The lock */

check('a serial device that another program has: waits, names it, exit 3', async (t) => {
	const { link } = await cable(t);
	const first = Bridge.start(t, ['--tty', link]);
	await greet(first.client);
	const second = Bridge.start(t, ['--tty', link, '--wait', '300ms']);
	second.stopped = performance.now();
	const ms = await second.exits(3);
	assert.ok(ms > 280, `${ms} ms`);
	assert.match(second.stderr, new RegExp(`^quash-bridge: error: ${link} is in use by quash-bridge \\(${first.pid}\\)$`, 'm'));
	assert.deepEqual(await first.client.result('ping'), {}, 'the first is not disturbed');
}, { needs: ['tty', 'linux'] });

check('--wait takes seconds, and the device when it is free', async (t) => {
	const { link } = await cable(t);
	const first = Bridge.start(t, ['--tty', link]);
	await greet(first.client);
	const second = Bridge.start(t, ['--tty', link, '--wait', '60']);
	await sleep(300);
	assert.equal(second.ended, null);
	await first.endsByInput();
	assert.equal((await greet(second.client)).serverInfo.name, 'quash-toolbox');
}, { needs: ['tty'] });
