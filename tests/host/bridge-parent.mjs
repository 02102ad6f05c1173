/* SPDX-License-Identifier: MIT
 * quash-bridge when the program that has started it ends, though its input stays open. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { check, connectTo, Device, folderFor, greet } from './bridge-program.mjs';
import { holding, startedBy, throughShell } from './parents.mjs';
import { patientBridge } from '../common/program.mjs';
import { sleep } from '../common/runner.mjs';

const longEnough = 1200; /* for it to look after its parent twice */
const hasEnded = /^quash-bridge: info: the program that has started the bridge has ended$/m;

/** A device, and a bridge to it that `around` starts, with a request that the device is at work on. */
async function busy(t, around, { words = [], at } = {}) {
	const device = await Device.open(t);
	const client = holding(t, around([...patientBridge, ...words, '--unix', device.path]), { at });
	await greet(client);
	await device.ready();
	const line = await device.lineNumber(1);
	client.ask('tools/call', { name: 'work' }, 'w');
	return { client, line, below: await line.takes('tools/call') };
}

async function ends(title, { client, line, below }, { shellLives }) {
	const since = performance.now();
	client.child.kill('SIGKILL');
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	console.log(`${title}: cancelled after ${Math.round(performance.now() - since)} ms`);
	await line.closes();
	await client.says(hasEnded);
	if (shellLives) await client.says(/^exit code 0$/m);
}

/* Its request is still under way, and is answered. */
async function goesOn({ client, line, below }) {
	await sleep(longEnough);
	assert.doesNotMatch(client.stderr, hasEnded);
	line.answer(below, { content: [] });
	assert.deepEqual((await client.answerTo('w')).result, { content: [] });
	assert.deepEqual(line.all('notifications/cancelled'), []);
	client.output.end();
	await line.closes();
}

/* --- It ends */

const dies = (title, around, how = {}) => check(title, async (t) => ends(title, await busy(t, around, how), how), how);

dies('its parent dies, and another process holds its input', (command) => startedBy(command));
dies('a shell that waits for it dies, and another process holds its input', throughShell);
dies('a host dies while what stands between, as npx and sh, lives on', (command) => startedBy(startedBy(throughShell(command)), 3),
	{ at: 3, shellLives: true, needs: ['proc', 'linux'] });
dies('the first of several that have one input dies', (command) => startedBy(startedBy(throughShell(command))),
	{ shellLives: true, needs: ['proc', 'linux'] });

check('its parent dies while nothing is open', async (t) => {
	const client = holding(t, startedBy([...patientBridge, '--grace', '60m', '--unix', '/no/such/device']));
	await client.says(/waiting for/);
	client.child.kill('SIGKILL');
	await client.says(hasEnded);
	await client.exit();
});

/* --- It goes on */

const livesOn = (title, around, { leaves = (client) => client.child.kill('SIGKILL'), ...how } = {}) => check(title, async (t) => {
	const all = await busy(t, around, how);
	await leaves(all.client);
	await goesOn(all);
});

livesOn('its parent dies, with --no-watch-parent', (command) => startedBy(command), { words: ['--no-watch-parent'] });

/* A shell that ends when it is told to, after the bridge has begun. */
const inBackground = (line) => (command) => ['sh', '-c', `${line} <&3 >&4 3<&- & exec 4>&-; read -r line`, 'sh', ...command];
const shellEnds = (client) => client.child.stdin.end('\n');

for (const line of ['"$@"', 'nohup "$@"', 'setsid "$@"'])
	livesOn(`a shell that has put it in the background ends: ${line} &`, inBackground(line), { at: 3, leaves: shellEnds });

livesOn('a shell ends at once behind &', (command) => ['sh', '-c', '"$@" <&3 >&4 &', 'sh', ...command], { at: 3, leaves: () => {} });

check('its parent dies, and clients come through a door', async (t) => {
	const device = await Device.open(t), where = join(folderFor(t), 'clients');
	const bridge = holding(t, startedBy([...patientBridge, '--listen-unix', where, '--unix', device.path]));
	await bridge.says(/listening on /);
	bridge.child.kill('SIGKILL');
	await sleep(longEnough);
	await greet(await connectTo(t, where));
	assert.doesNotMatch(bridge.stderr, hasEnded);
});
