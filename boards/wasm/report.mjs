/* SPDX-License-Identifier: MIT
 * node report.mjs [DEVICE [BAUD]]
 *
 * What volunteers send: docs/volunteers.md. The machine and its ports; with a DEVICE also what quash-bridge, which stands beside this file,
 * does with the toolbox behind it. Each step is a line, and the last one says how many have failed. It turns a motor for some seconds. */

import { spawn, spawnSync } from 'node:child_process';
import { arch, release, type } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const bridge = fileURLToPath(new URL('quash-bridge.mjs', import.meta.url));
const [device, baud = '115200'] = process.argv.slice(2);
const limitMs = 30000, turnsMs = 500, leaseMs = 2000, restMs = leaseMs + 1000;
const far = { steps: 60000 };

const says = (text) => process.stdout.write(`${text}\n`);
const printed = (...words) => spawnSync(process.execPath, [bridge, ...words], { encoding: 'utf8' });

function within(what, promise) {
	let timer;
	const late = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error(`no ${what} within ${limitMs / 1000} s`)), limitMs); });
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* A client of the bridge, which it starts. */
class Client {
	log = '';
	notes = [];
	#next = 1;
	#waiting = new Map();

	constructor() {
		this.child = spawn(process.execPath, [bridge, '--tty', device, '--baud', baud]);
		this.child.stdin.on('error', () => {}); /* its end is what is looked at */
		this.ended = new Promise((resolve) => { this.child.on('close', (code, signal) => resolve(signal ?? code)); });
		this.away = new Promise((resolve, reject) => {
			this.child.stderr.setEncoding('utf8').on('data', (text) => {
				this.log += text;
				const [why] = /^.*(?:waiting for|error:).*$/m.exec(this.log) ?? [];
				if (why) reject(new Error(why));
			});
			this.ended.then((code) => reject(new Error(`quash-bridge has ended: ${code}`)));
		});
		this.away.catch(() => {}); /* whoever waits for an answer is told */
		let text = '';
		this.child.stdout.setEncoding('utf8').on('data', (more) => {
			const lines = (text + more).split('\n');
			text = lines.pop();
			for (const line of lines) this.#hears(JSON.parse(line));
		});
	}

	#hears(message) {
		if (message.method) this.notes.push(message);
		else this.#waiting.get(message.id)?.(message);
	}

	#writes(message) {
		this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	}

	async asks(method, params) {
		const id = this.#next++, answer = new Promise((resolve) => { this.#waiting.set(id, resolve); });
		this.#writes({ id, method, params });
		const { result, error } = await within(`answer to ${method}`, Promise.race([answer, this.away]));
		if (error) throw new Error(`${method}: ${error.message}`);
		return result;
	}

	async greets() {
		const { serverInfo } = await this.asks('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'report', version: '1' } });
		this.#writes({ method: 'notifications/initialized' });
		return serverInfo;
	}

	async calls(name, args = {}, _meta = undefined) {
		const { content, isError } = await this.asks('tools/call', { name, arguments: args, _meta });
		if (isError) throw new Error(`${name}: ${content[0].text}`);
		return content[0].text;
	}

	/** Has the motor turned for a while, and gives the id of the call. */
	async turns() {
		const id = this.#next++;
		this.#writes({ id, method: 'tools/call', params: { name: 'stepper', arguments: far } });
		await sleep(turnsMs);
		return id;
	}

	cancels(requestId) {
		this.#writes({ method: 'notifications/cancelled', params: { requestId } });
	}

	/** How often the motor was stopped. */
	async stops() {
		return JSON.parse(await this.calls('stats')).stepper_stops;
	}

	async closes() {
		this.child.stdin.end();
		const code = await within('end of quash-bridge', this.ended);
		if (code !== 0) throw new Error(`quash-bridge has ended: ${code}`);
	}
}

/* The motor has been stopped once more. A board that is reset when its port is opened has begun to count anew. */
function oneMore(before, now) {
	if (now === before + 1) return 'the motor was stopped';
	if (now === 0) return 'the board was reset, so its motor stands';
	throw new Error(`the motor was stopped ${now} times, before ${before}`);
}

let client, stops;

async function begins() {
	client = new Client();
	return client.greets();
}

async function stopped() {
	const before = stops;
	stops = await client.stops();
	return oneMore(before, stops);
}

async function stoppedBefore() {
	await begins();
	return stopped();
}

/* Each gives words for the report. */
const steps = {
	async start() {
		const { name, version } = await begins();
		return `${name} ${version}`;
	},
	async list() {
		return (await client.asks('tools/list', {})).tools.map(({ name }) => name).join(', ');
	},
	call: () => client.calls('led', { on: true }),
	async progress() {
		const text = await client.calls('stepper', { steps: 1000 }, { progressToken: 1 });
		if (client.notes.length === 0) throw new Error('none');
		return `${client.notes.length} notifications, ${text}`;
	},
	async cancel() {
		stops = await client.stops();
		client.cancels(await client.turns());
		return stopped();
	},
	async 'end of input'() {
		await client.turns();
		await client.closes();
		return stoppedBefore();
	},
	async 'quash-bridge is killed'() {
		await client.turns();
		client.child.kill('SIGKILL');
		await client.ended;
		await sleep(restMs);
		return stoppedBefore();
	},
	async 'lost messages'() {
		await client.calls('led', { on: false });
		const { lost, misuses } = JSON.parse(await client.calls('stats'));
		if (lost || misuses) throw new Error(`${lost}, and ${misuses} misuses`);
		return 'none';
	},
	async end() {
		await client.closes();
		return 'exit code 0';
	},
};

/* A line of the report. Whether it has gone well. */
async function takes(name) {
	const since = performance.now();
	try {
		const words = await steps[name]();
		says(`ok      ${name}: ${words} (${Math.round(performance.now() - since)} ms)`);
		return true;
	} catch ({ message }) {
		says(`FAILED  ${name}: ${message}`);
		return false;
	}
}

/* How many steps have failed. Without a start there are no others. */
async function board() {
	const [first, ...others] = Object.keys(steps);
	let failed = 0;
	if (!await takes(first)) return 1;
	for (const name of others) if (!await takes(name)) failed++;
	return failed;
}

function machine() {
	says(`${type()} ${release()} ${arch()}, Node ${process.versions.node}, ${printed('--version').stdout.trim()}`);
	const { stdout, stderr } = printed('--list');
	says(`ports: ${(stdout + stderr).trim()}`);
}

machine();
const failed = device ? await board() : 0;
says(`${failed} steps have failed`);
process.exit(failed === 0 ? 0 : 1);
