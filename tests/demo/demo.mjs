/* SPDX-License-Identifier: MIT
 * The main job, to look at: build/host/toolbox is the device, build/host/quash-inspect the client, as a person would start it
 * at a terminal. A motor is started, shows its progress, is stopped with Ctrl-C half way, and stands still. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const toolbox = process.env.TOOLBOX ?? pathOf('../../build/host/toolbox');
const inspector = process.env.INSPECT ?? pathOf('../../build/host/quash-inspect');
const short = (path) => relative(process.cwd(), path) || path;
const terminal = process.stdout.isTTY === true;
const colours = terminal && !process.env.NO_COLOR;
const motorSteps = 6000;
const patience = 8000;
const pause = 1500;

/* ---------------------------------------------------------------------------------------------- showing */

const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, red, green, yellow, cyan] = ['1', '2', '31', '32', '33', '36'].map(paint);

const show = (line = '') => process.stdout.write(`${line}\n`);
const headline = (text) => show(`\n${bold(text)}`);

function abbreviated(text) {
	const room = Math.min(process.stdout.columns ?? 100, 120) - 4;
	return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

const arrows = { '->': cyan, '<-': green };

function showLine(line) {
	const paintArrow = arrows[line.slice(0, 2)];
	show(`  ${paintArrow ? paintArrow(abbreviated(line)) : line}`);
}

/* A bar that is drawn in place on a terminal; elsewhere every tenth of it is a line. */
const bar = {
	tenth: -1,
	drawn: false,
	draw(done, total) {
		const filled = Math.round((done / total) * 40);
		const text = `  progress [${'#'.repeat(filled)}${'.'.repeat(40 - filled)}] ${done} of ${total} steps`;
		this.drawn = true;
		if (terminal) process.stdout.write(`\r${yellow(text)}`);
		else if (Math.floor((done / total) * 10) > this.tenth) show(text);
		this.tenth = Math.max(this.tenth, Math.floor((done / total) * 10));
	},
	end() {
		if (terminal && this.drawn) show();
		this.drawn = false;
	},
};

/* ------------------------------------------------------------------------------------------- the device */

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

/** The toolbox, switched on all the time; one client after the other is plugged in. */
class Device {
	static async switchOn() {
		const device = new Device();
		await new Promise((resolve) => device.socket.listen(device.path, resolve));
		return device;
	}

	constructor() {
		this.folder = mkdtempSync(join(tmpdir(), 'quash-demo-'));
		this.path = join(this.folder, 'device');
		this.child = spawn(toolbox, [], { stdio: ['pipe', 'pipe', 'inherit'] });
		this.child.stdin.on('error', () => {}); /* its exit is looked at */
		this.exit = new Promise((resolve) => {
			this.child.on('error', (error) => resolve(error.message));
			this.child.on('close', (code, signal) => resolve(signal ?? code));
		});
		this.child.stdout.on('data', (bytes) => this.plug?.write(bytes));
		this.socket = createServer((plug) => {
			this.plug = plug;
			plug.on('data', (bytes) => this.child.stdin.write(bytes)).on('error', () => {});
			plug.on('close', () => { if (this.plug === plug) this.plug = null; });
		});
	}

	/** Ends its input: it shall end by itself. */
	async switchOff() {
		this.socket.close();
		this.child.stdin.end();
		return within('the end of the device', this.exit);
	}

	clear() {
		this.child.kill('SIGKILL');
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/* ------------------------------------------------------------------------------------------- the client */

function eachLine(stream, hear) {
	let open = '';
	stream.setEncoding('utf8').on('data', (text) => {
		const lines = (open + text).split('\n');
		open = lines.pop();
		lines.forEach(hear);
	});
}

const running = new Set();

/** Runs inspect as it stands on the screen. Gives its exit code, what it printed, and what it said beside that. */
function inspect(words, command, { onProgress, quiet } = {}) {
	const shown = [short(inspector), ...words, '--', command[0] === toolbox ? short(toolbox) : 'CABLE'];
	const tell = quiet ? () => {} : show;
	tell(`  ${bold(`$ ${shown.join(' ')}`)}`);
	const child = spawn(inspector, [...words, '--', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
	const seen = { printed: [], said: [] };
	running.add(child);
	eachLine(child.stdout, (line) => {
		seen.printed.push(line);
		tell(`  ${line}`);
	});
	eachLine(child.stderr, (line) => {
		seen.said.push(line);
		const [, done, total] = /^progress (\d+) of (\d+)/.exec(line) ?? [];
		if (done) return onProgress?.(Number(done), Number(total), child);
		if (line.includes('"notifications/progress"')) return;
		bar.end();
		if (!quiet) showLine(line);
	});
	return within('the end of inspect', new Promise((resolve) => child.on('close', (code, signal) => {
		running.delete(child);
		resolve({ ...seen, code: signal ?? code });
	})));
}

async function result(words, command, options) {
	const seen = await inspect(words, command, options);
	check(seen.code === 0, `${words.join(' ')} ends with 0 (${seen.code})`);
	return seen.printed.join('\n');
}

/* ------------------------------------------------------------------------------------------ the show */

async function lookAround() {
	headline('1. What can the device do?');
	const tools = await result([], [toolbox]);
	for (const name of ['echo', 'led', 'stepper', 'stats']) check(tools.includes(`${name}: `), `there is a tool ${name}`);
}

async function tryShortTools(cable) {
	headline('2. Two short calls, and what goes over the wire');
	check(await result(['--trace', '--modern', '--tool', 'led', '--arg', 'on=true'], cable) === 'on', 'the LED is on');
	const said = await result(['--modern', '--tool', 'echo', '--arg', 'text=hello'], cable);
	check(JSON.parse(said).text === 'hello', 'the device says what it was told');
}

/* The counters are many; two of them are of interest. */
async function readMotor(cable) {
	const { stepper_position: position, stepper_stops: stops } =
		JSON.parse(await result(['--modern', '--tool', 'stats'], cable, { quiet: true }));
	check(Number.isInteger(position) && Number.isInteger(stops), 'stats tells of the motor');
	show(`  the motor is at position ${bold(position)}; stopped by a cancel ${bold(stops)} times`);
	return { position, stops };
}

/** Ctrl-C when a third of the way is done. */
async function cancelMotor(cable) {
	headline(`3. A motor with a long way to go: ${motorSteps} steps, one a millisecond. Ctrl-C after a third`);
	const before = await readMotor(cable);
	let interrupted = false;
	const seen = await inspect(['--trace', '--modern', '--tool', 'stepper', '--arg', `steps=${motorSteps}`], cable, {
		onProgress(done, total, child) {
			bar.draw(done, total);
			if (done < total / 3 || interrupted) return;
			interrupted = true;
			bar.end();
			show(`  ${bold('^C')}`);
			child.kill('SIGINT');
		},
	});
	check(interrupted, 'the motor had shown progress');
	check(seen.code === 130, `inspect ends with 130 (${seen.code})`);
	checkSilence(seen);
	return before;
}

/** MCP wants silence about a cancelled request. */
function checkSilence({ said, printed }) {
	const sent = said.filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)));
	const call = sent.find(({ method }) => method === 'tools/call');
	const cancel = sent.find(({ method }) => method === 'notifications/cancelled');
	check(cancel?.params.requestId === call.id, 'the cancel names the request');
	check(!said.some((line) => line.startsWith(`<- {"jsonrpc":"2.0","id":${call.id},`)), 'no answer to the cancelled request');
	check(said.some((line) => line.startsWith('cancelled: no answer, as MCP demands')), 'inspect says so');
	check(printed.length === 0, 'no result');
}

async function lookAtMotor(cable, before) {
	headline('4. Does the motor stand still?');
	const after = await readMotor(cable);
	show(`  ${dim(`… ${pause / 1000} s later …`)}`);
	await sleep(pause);
	const later = await readMotor(cable);
	check(after.stops === before.stops + 1, 'the motor was stopped by the cancel');
	check(after.position > before.position, 'the motor had moved');
	check(after.position < before.position + motorSteps, 'the motor had not arrived');
	check(later.position === after.position, 'the motor stands still');
	return { moved: after.position - before.position, position: later.position };
}

async function sayGoodbye(device) {
	headline('5. The device is switched off');
	const code = await device.switchOff();
	check(code === 0, `the device ends well (${code})`);
	show('  its input ends, the toolbox exits with 0');
}

async function perform(device) {
	const cable = [process.execPath, pathOf('cable.mjs'), device.path];
	await lookAround();
	await tryShortTools(cable);
	const { moved, position } = await lookAtMotor(cable, await cancelMotor(cable));
	await sayGoodbye(device);
	headline('Summary');
	show(`  The motor was stopped after ${moved} of ${motorSteps} steps, at position ${position}, and stood there ${pause / 1000} s later;`);
	show(`  nothing more was said about the request. ${bold(green('All as it must be.'))}`);
}

async function main() {
	for (const program of [toolbox, inspector]) check(existsSync(program), `${short(program)} is built (make)`);
	show(`${bold('quash:')} a device (${short(toolbox)}) offers its tools to a client (${short(inspector)}), and stops when it is told to.`);
	show(dim('CABLE stands for what joins the client with the device that is switched on: node tests/demo/cable.mjs SOCKET'));
	const device = await Device.switchOn();
	process.on('exit', () => {
		for (const child of running) child.kill('SIGKILL');
		device.clear();
	});
	await perform(device);
}

function giveUp(error) {
	show(`\n\n${bold(red('NOT AS IT MUST BE:'))} ${error.message}`);
	process.exit(1);
}

process.on('uncaughtException', giveUp);
main().catch(giveUp);
