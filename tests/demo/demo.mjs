/* SPDX-License-Identifier: MIT
 * The main job, to look at: this process is the agent, build/host/toolbox is the device. They speak MCP over a pipe.
 * A motor is started, shows its progress, is cancelled half way, and stands still. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const toolbox = process.env.TOOLBOX ?? fileURLToPath(new URL('../../build/host/toolbox', import.meta.url));
const shownPath = relative(process.cwd(), toolbox);
const terminal = process.stdout.isTTY === true;
const colours = terminal && !process.env.NO_COLOR;
const motorSteps = 6000;
const patience = 5000;
const silence = 1500;

/* ---------------------------------------------------------------------------------------------- showing */

const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, red, green, yellow, cyan] = ['1', '2', '31', '32', '33', '36'].map(paint);

const show = (line = '') => process.stdout.write(`${line}\n`);
const headline = (text) => show(`\n${bold(text)}`);

function abbreviated(message) {
	const { jsonrpc, ...shown } = message;
	const text = JSON.stringify(shown);
	const room = Math.min(process.stdout.columns ?? 100, 120) - 12;
	return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

const showSent = (message) => show(`  ${cyan('agent  ->')} ${abbreviated(message)}`);
const showHeard = (message) => show(`  ${green('device <-')} ${abbreviated(message)}`);

/* A bar that is drawn in place on a terminal; elsewhere every tenth of it is a line. */
const bar = {
	tenth: -1,
	draw(done, total) {
		const filled = Math.round((done / total) * 40);
		const text = `  ${'progress'.padEnd(9)} [${'#'.repeat(filled)}${'.'.repeat(40 - filled)}] ${done} of ${total} steps`;
		if (terminal) process.stdout.write(`\r${yellow(text)}`);
		else if (Math.floor((done / total) * 10) > this.tenth) show(text);
		this.tenth = Math.max(this.tenth, Math.floor((done / total) * 10));
	},
	end() {
		if (terminal) show();
	},
};

/* --------------------------------------------------------------------------------------------- speaking */

class Device {
	#open = '';
	#nextId = 1;
	#waiting = new Map();
	heard = [];
	onProgress = () => {};

	constructor(path) {
		this.child = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] });
		this.child.stdin.on('error', () => {}); /* its exit is looked at */
		this.child.stdout.setEncoding('utf8').on('data', (text) => this.#take(text));
		this.exit = new Promise((resolve) => {
			this.child.on('error', (error) => resolve(error.message));
			this.child.on('close', (code, signal) => resolve(signal ?? code));
		});
	}

	#take(text) {
		const lines = (this.#open + text).split('\n');
		this.#open = lines.pop();
		for (const line of lines) this.#hear(JSON.parse(line));
	}

	#hear(message) {
		this.heard.push(message);
		if (message.method === 'notifications/progress') return this.onProgress(message.params);
		showHeard(message);
		this.#waiting.get(message.id)?.(message);
	}

	send(message) {
		const whole = { jsonrpc: '2.0', ...message };
		showSent(whole);
		this.child.stdin.write(JSON.stringify(whole) + '\n');
	}

	/** Sends a request without waiting; gives its id. */
	begin(method, params) {
		const id = this.#nextId++;
		this.send({ id, method, ...(params && { params }) });
		return id;
	}

	async ask(method, params) {
		const id = this.begin(method, params);
		const answer = await within(`the answer to ${method}`, new Promise((resolve) => this.#waiting.set(id, resolve)));
		check(answer.result instanceof Object, `${method} is answered with a result`);
		return answer.result;
	}

	async call(name, args = {}) {
		const result = await this.ask('tools/call', { name, arguments: args });
		check(!result.isError, `${name} does what it is asked`);
		return result;
	}

	async stats() {
		return JSON.parse((await this.call('stats')).content[0].text);
	}

	answered(id) {
		return this.heard.some((message) => message.id === id);
	}

	/** Says that nothing more will come. From now on it may end. */
	hangUp() {
		this.hungUp = true;
		this.child.stdin.end();
	}
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function within(what, promise) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), patience);
		promise.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

function check(good, what) {
	if (!good) throw new Error(`this must hold and does not: ${what}`);
}

/* ------------------------------------------------------------------------------------------ the show */

async function sayHello(device) {
	headline('1. The agent meets the device');
	const { serverInfo, protocolVersion } = await device.ask('initialize', {
		protocolVersion: '2025-11-25',
		capabilities: {},
		clientInfo: { name: 'demo', version: '1' },
	});
	device.send({ method: 'notifications/initialized' });
	const { tools } = await device.ask('tools/list');
	const names = tools.map(({ name }) => name);
	for (const name of ['echo', 'led', 'stepper', 'stats']) check(names.includes(name), `there is a tool ${name}`);
	show(`  ${serverInfo.name} ${serverInfo.version} speaks MCP ${protocolVersion} and offers: ${names.join(', ')}`);
}

async function tryShortTools(device) {
	headline('2. Two short calls');
	check((await device.call('led', { on: true })).content[0].text === 'on', 'the LED is on');
	const { structuredContent } = await device.call('echo', { text: 'hello, device' });
	check(structuredContent?.text === 'hello, device', 'the device says what it was told');
}

function showMotor({ stepper_position, stepper_stops }) {
	check(Number.isInteger(stepper_position) && Number.isInteger(stepper_stops), 'stats tells of the motor');
	show(`  the motor is at position ${bold(stepper_position)}; stopped by a cancel ${bold(stepper_stops)} times`);
}

/** Waits until the motor has done a third of its way, and draws the way. */
function watchMotor(device, id) {
	return within('progress of the motor', new Promise((resolve) => {
		device.onProgress = ({ progressToken, progress }) => {
			if (progressToken !== id) return;
			bar.draw(progress, motorSteps);
			if (progress >= motorSteps / 3) resolve();
		};
	}));
}

async function cancelMotor(device) {
	headline(`3. A motor with a long way to go: ${motorSteps} steps, one a millisecond`);
	const before = await device.stats();
	showMotor(before);
	const id = device.begin('tools/call', {
		name: 'stepper',
		arguments: { steps: motorSteps },
		_meta: { progressToken: 'motor' },
	});
	await watchMotor(device, 'motor');
	device.onProgress = () => {};
	bar.end();
	headline('4. The agent changes its mind');
	device.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'the demo wants it to stop' } });
	return { id, before };
}

/** MCP wants silence about a cancelled request, and a motor that has stopped counts no further. */
async function lookAtMotor(device, { id, before }) {
	const after = await device.stats();
	showMotor(after);
	const lines = device.heard.length;
	show(`  ${dim(`… listening for ${silence / 1000} s …`)}`);
	await sleep(silence);
	check(device.heard.length === lines, 'silence after the cancel');
	check(!device.answered(id), 'no answer to the cancelled request');
	show(`  silence: not one line about request ${id}`);
	headline('5. Does the motor stand still?');
	const later = await device.stats();
	showMotor(later);
	check(after.stepper_stops === before.stepper_stops + 1, 'the motor was stopped by the cancel');
	check(after.stepper_position > before.stepper_position, 'the motor had moved');
	check(after.stepper_position < before.stepper_position + motorSteps, 'the motor had not arrived');
	check(later.stepper_position === after.stepper_position, 'the motor stands still');
	return { id, moved: after.stepper_position - before.stepper_position, later };
}

async function sayGoodbye(device) {
	headline('6. The agent hangs up');
	device.hangUp();
	const code = await within('the end of the device', device.exit);
	check(code === 0, `the device ends well (${code})`);
	show('  the input ends, the toolbox exits with 0');
}

function summarise({ id, moved, later }) {
	headline('Summary');
	show(`  request ${id} was cancelled after ${moved} of ${motorSteps} steps; the motor stopped at position ${later.stepper_position}`);
	show(`  and stood there ${silence / 1000} s later; nothing more was said about the request.`);
	show(`  ${bold(green('All as it must be.'))}`);
}

async function perform(device) {
	await sayHello(device);
	await tryShortTools(device);
	const seen = await lookAtMotor(device, await cancelMotor(device));
	await sayGoodbye(device);
	summarise(seen);
}

async function main() {
	check(existsSync(toolbox), `${shownPath} is built (make)`);
	show(`${bold('quash:')} a device (${shownPath}) offers its tools to an agent (this process), and stops when it is told to.`);
	const device = new Device(toolbox);
	const tooEarly = new Promise((resolve, reject) => {
		device.exit.then((how) => device.hungUp || reject(new Error(`the device ended too early (${how})`)));
	});
	process.on('exit', () => device.child.kill('SIGKILL'));
	await Promise.race([perform(device), tooEarly]);
}

function giveUp(error) {
	show(`\n\n${bold(red('NOT AS IT MUST BE:'))} ${error.message}`);
	process.exit(1);
}

process.on('uncaughtException', giveUp);
main().catch(giveUp);
