/* SPDX-License-Identifier: MIT
 * One case: a host in a home of its own calls the motor, and then something happens to the call or to the host. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { commandOf, lives } from '../common/process.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { folderFor } from '../common/start.mjs';
import { Model } from './model.mjs';
import { monotonic, readMotions } from './motor.mjs';
import { Terminal } from './terminal.mjs';

/** The longest time of the motor, and how much later a program on a busy machine may notice it, in milliseconds. */
export const longest = 6000, slack = 250;

export const begins = 45000, moved = 400;
const betweenKeys = 300, stays = 300;
const tools = ['echo', 'slow', 'stats', 'led', 'stepper'];
const script = [{ tool: 'stepper', args: { steps: 30 } }, { tool: 'stepper', args: { steps: 60000 } }];

const motorProgram = hostProgram('tests/hosts/watched');
const watched = (log, ms) => ['/usr/bin/env', `MOTOR_LOG=${log}`, motorProgram, '--longest', String(ms)];

/** The two ways to the motor: what a host starts, the second with a device that does not end with its host. The bridge's log is
 * beside that of the motor. */
export const ways = {
	stdio: async (t, home, log, ms = longest) => {
		const [command, ...args] = watched(log, ms);
		return { command, args, env: {} };
	},
	bridge: async (t, home, log, ms = longest) => ({ command: '/bin/sh', env: {},
		args: ['-c', `exec '${hostProgram('quash-bridge')}' --trace --tty '${(await cable(t, { command: watched(log, ms) })).link}' 2>'${home}/bridge.log'`] }),
};

/* Nothing of the user's, or of the machine's. */
export const environmentOf = (host, url, home) => ({
	PATH: [...new Set([dirname(process.execPath), '/usr/bin', '/bin'])].join(':'),
	HOME: home, TMPDIR: join(home, 'tmp'), TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh',
	...process.env.HOSTS_NETWORK === 'none' ? {} : { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
	...host.env(url, home),
});

export async function prepare(t, host, way) {
	const home = folderFor(t);
	const log = join(home, 'motor.log'), project = join(home, 'project');
	for (const folder of [project, join(home, 'tmp')]) mkdirSync(folder);
	const model = await Model.start(t, script);
	for (const [path, text] of Object.entries(host.files(await ways[way](t, home, log), model.url, project))) {
		mkdirSync(dirname(join(home, path)), { recursive: true });
		writeFileSync(join(home, path), text);
	}
	return { home, log, project, model };
}

const typing = (keys) => async (terminal) => {
	const times = [];
	for (const key of keys) {
		if (terminal.code !== null) break;
		times.push(monotonic());
		terminal.type(key);
		await sleep(betweenKeys);
	}
	return times;
};

function killing(processes) {
	const at = monotonic();
	for (const pid of processes.filter(lives)) process.kill(pid, 'SIGKILL');
	return [at];
}

/** What happens while the motor moves: each gives the times at which something was done. */
export const faults = {
	stop: (host) => typing(host.stop),
	end: (host) => typing(host.end),
	kill: () => async (terminal) => killing([terminal.pid]),
	killAll: () => async (terminal) => killing(terminal.processes.filter((pid) => commandOf(pid) !== motorProgram)),
};

const readBridge = (home) => (existsSync(join(home, 'bridge.log')) ? readFileSync(join(home, 'bridge.log'), 'utf8') : '');

const withoutProgress = (text) => text.split('\n').filter((line) => !line.includes('notifications/progress')).join('\n');

/* A cancel at a device behind a bridge is the host's or the bridge's own. */
const causeOf = (motion, way, bridge) => (motion.cause === 'cancel' && way === 'bridge' && !/ client 1: -- flagged tools\/call by the other side/.test(bridge)
	? 'cancel of the bridge' : motion.cause);

/** What a log of two motions shows of the second: it ended in time, and there is no third. */
export function assertRest(motions) {
	assert.equal(motions.length, 2, 'the motor stays at rest');
	const [first, { on, last, off, cause }] = motions;
	const turned = (last - on) * 1000;
	assert.ok(off !== null, 'the motor has not come to rest');
	assert.ok(turned <= longest + slack, `the motor turned for ${turned.toFixed(0)} ms`);
	return { off, cause, turned, first: first.cause };
}

export async function rested(log) {
	await until('the motor to rest', () => readMotions(log)[1].off !== null);
	await sleep(stays);
	const motion = assertRest(readMotions(log));
	assert.equal(motion.first, null, 'the first motion ended by itself');
	return motion;
}

/* What the model was shown, and that the first call has come back. */
function assertServed(model) {
	const all = JSON.stringify(model.asked);
	for (const tool of tools) assert.ok(model.tools.some((name) => name.endsWith(tool)) || new RegExp(`mcp__device__${tool}\\b`).test(all), `the model is shown ${tool}`);
	assert.match(all, /stepped 30/, 'the result of the first call has come back');
	return { hidden: !model.tools.some((name) => name.endsWith('stepper')) };
}

/** Runs a case. `program` is the path of the host's program. Gives what ended the motion and how many milliseconds after the
 * last thing that was done before. */
export async function tryCase(t, host, program, way, fault) {
	const { home, log, project, model } = await prepare(t, host, way);
	const terminal = await Terminal.start(t, [program, ...host.words('turn it')], { cwd: project, env: environmentOf(host, model.url, home) });
	t.explain = () => [terminal.shown.slice(-3000), withoutProgress(readBridge(home)), JSON.stringify(readMotions(log)),
		JSON.stringify(model.asked.map(({ path, turn }) => [path, turn]))].join('\n\n');
	await until('the motor to move', () => readMotions(log).length === 2 || terminal.code !== null);
	assert.equal(terminal.code, null, 'the host lives');
	await sleep(moved);
	const times = await faults[fault](host)(terminal);
	const motion = await rested(log);
	if (fault === 'stop') await until('the host to stop', () => host.stopped.test(terminal.shown));
	if (fault === 'end') await until('the host to end', () => terminal.code !== null);
	const at = times.filter((time) => time < motion.off).at(-1);
	assert.ok(at, 'the motor moved until then');
	return { ...assertServed(model), cause: causeOf(motion, way, readBridge(home)), ms: (motion.off - at) * 1000, turned: motion.turned };
}
