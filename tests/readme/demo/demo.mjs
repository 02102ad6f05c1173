/* SPDX-License-Identifier: MIT
 * The main job, to look at: a board on a cable, quash-bridge, and clients that come and go. Whatever happens to the client
 * or to the cable, the motor stands. */

import { sleep } from '../../common/waits.mjs';
import { Bridge, check, inspect, result, switchOff, switchOn } from './programs.mjs';
import { Bar, bold, dim, green, headline, red, show } from './show.mjs';

const motorSteps = 6000;
const pause = 1000;

/* ------------------------------------------------------------------------------------------- the motor */

/* The counters are many; two of them are of interest. */
async function readMotor() {
	const { stepper_position: position, stepper_stops: stops } = JSON.parse(await result(['--tool', 'stats'], { quiet: true }));
	check(Number.isInteger(position) && Number.isInteger(stops), 'stats has the motor');
	return { position, stops };
}

async function showMotor() {
	const motor = await readMotor();
	show(`  the motor is at position ${bold(motor.position)}; stopped before its end ${bold(motor.stops)} times`);
	return motor;
}

/** Runs the motor; at `part` of its way `happens` is called. Gives how the client ended. */
async function runMotor(part, happens) {
	const bar = new Bar();
	let happened = null;
	const seen = await inspect(['--tool', 'stepper', '--arg', `steps=${motorSteps}`], {
		onLine: () => bar.end(),
		onProgress(done, total, client) {
			bar.draw(done, total);
			if (done < total * part || happened) return;
			bar.end();
			happened = happens(client);
		},
	});
	check(happened, 'the motor had shown progress');
	await happened;
	return seen;
}

/** It was stopped once since `before`, on its way, and stands. */
async function checkItStands(before) {
	const after = await showMotor();
	show(`  ${dim(`… ${pause / 1000} s later …`)}`);
	await sleep(pause);
	const later = await showMotor();
	check(after.stops === before.stops + 1, 'the motor was stopped once');
	check(after.position > before.position, 'the motor had moved');
	check(after.position < before.position + motorSteps, 'the motor had not arrived');
	check(later.position === after.position, 'the motor stands still');
	return later;
}

/* ------------------------------------------------------------------------------------------ the show */

async function lookAround() {
	headline('2. What can the board do? And a short call, with what goes over the wire');
	const tools = await result([]);
	for (const name of ['echo', 'led', 'stepper', 'stats']) check(tools.includes(`${name}: `), `there is a tool ${name}`);
	check(await result(['--trace', '--tool', 'led', '--arg', 'on=true']) === 'on', 'the LED is on');
}

async function stopTheMotor() {
	headline(`3. Stop: a motor with a long way to go, ${motorSteps} steps. Ctrl-C after a third`);
	const before = await showMotor();
	const { code, printed, logged } = await runMotor(1 / 3, (client) => {
		show(`  ${bold('^C')}`);
		return client.kill('SIGINT');
	});
	check(code === 130, `the client ends with 130 (${code})`);
	check(printed.length === 0, 'no result');
	check(logged.some((line) => line.startsWith('cancelled: no answer, as MCP demands')), 'no answer to the cancelled request');
	return checkItStands(before);
}

async function pullTheCable(board, bridge) {
	headline('4. The cable is pulled while the motor runs');
	const before = await readMotor();
	bridge.mark();
	const { code, logged } = await runMotor(1 / 4, () => {
		show(`  ${bold('the cable is pulled')}`);
		return board.unplug();
	});
	check(code !== 0 && logged.join().includes('Link lost'), 'the call ends at once: Link lost');
	await sleep(pause);
	show(`  ${bold('the cable is plugged in')}`);
	await board.plug();
	await bridge.logs(/: ready: /);
	check(await result(['--tool', 'led', '--arg', 'on=false']) === 'off', 'the next call works');
	return checkItStands(before);
}

async function killTheClient(bridge) {
	headline('5. The client is killed while the motor runs');
	const before = await readMotor();
	bridge.mark();
	const { code } = await runMotor(1 / 4, (client) => {
		show(`  ${bold('kill -9')}`);
		return client.kill('SIGKILL');
	});
	check(code === 'SIGKILL', `the client was killed (${code})`);
	await bridge.logs(/gone, 1 request cancelled/);
	return checkItStands(before);
}

async function sayGoodbye(board, bridge) {
	headline('6. The end');
	const codes = [await bridge.stop(), await switchOff(board)];
	check(codes[0] === 143, `the bridge ends well (${codes[0]})`);
	check(codes[1] === 0, `the board ends well (${codes[1]})`);
	show('  bridge and board have ended');
}

async function main() {
	show(`${bold('quash:')} a board behind a serial line, a bridge, and clients of the bridge.`);
	headline('1. A board is plugged in, and the bridge is started');
	const board = await switchOn();
	const bridge = await Bridge.open();
	await lookAround();
	await stopTheMotor();
	await pullTheCable(board, bridge);
	const { stops, position } = await killTheClient(bridge);
	await sayGoodbye(board, bridge);
	headline('Summary');
	show(`  The motor was stopped ${stops} times: by Ctrl-C, by the cable, by the death of its client. It stands at ${position}.`);
	show(`  ${bold(green('All as it must be.'))}`);
}

function giveUp(error) {
	show(`\n\n${bold(red('NOT AS IT MUST BE:'))} ${error.message}`);
	process.exit(1);
}

process.on('uncaughtException', giveUp);
main().catch(giveUp);
