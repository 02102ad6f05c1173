/* SPDX-License-Identifier: MIT
 * Boards and devices of the tests, on a cable for Web Serial, and behind a bridge that serves the page. */

import { fileURLToPath } from 'node:url';
import { cable } from '../common/cable.mjs';
import { HttpClient } from '../common/http-client.mjs';
import { modernMeta } from '../common/client.mjs';
import { hostProgram } from '../common/program.mjs';
import { Bridge } from '../host/bridge-program.mjs';
import { sick } from '../host/sick.mjs';
import { command } from '../interop/boards.mjs';
import { fileUrl } from './browser.mjs';
import { Sight } from './sight.mjs';
import { StandIn } from './stand-in.mjs';

/** A board in an emulator, with that program. */
export const emulatedOf = (program) => command('lm3s6965evb', program, { options: ['--bound'] });

export const emulated = emulatedOf('toolbox');
export const toolbox = [hostProgram('toolbox')];
export const hoist = [hostProgram('hoist')];
/** That of device.mjs. */
export const played = (name) => [process.execPath, fileURLToPath(new URL('device.mjs', import.meta.url)), name];
export const ailing = sick;

/** The file with a board on its cable: the page, and `port`, which stands in for Web Serial. Nothing is connected yet. */
export async function plugged(t, board, how) {
	const line = await cable(t, { command: board });
	const sight = await Sight.open(t, how);
	sight.line = line;
	sight.port = await StandIn.of(t, sight.page, line);
	return sight.goes(`${fileUrl}?serial=standIn`);
}

/** The same, connected, and with the form of `tool`. */
export async function connected(t, board, { tool = 'stepper', ...how } = {}) {
	const sight = await plugged(t, board, how);
	await sight.connects();
	await sight.hasTool(tool);
	return sight;
}

const deviceOf = ([name, way]) => ['--device', `${name}=${typeof way === 'string' ? way : `exec:${way.join(' ')}`}`];

/** A bridge with devices by their names: a command, or where the bridge finds it. `origin` is where it serves. */
export async function bridgeOf(t, devices, words = []) {
	const bridge = Bridge.start(t, ['--listen-http', '127.0.0.1:0', ...words, ...Object.entries(devices).flatMap(deviceOf)]);
	const [, origin, number] = await bridge.says(/listening on (http:\/\/\S+:(\d+))\/mcp$/m);
	/** A client of its own, of the modern era. */
	const client = (fields) => new HttpClient(t, Number(number), fields);
	const ask = async (device) => (await client().ask('tools/call', { name: `${device}_stats`, arguments: {}, _meta: modernMeta() }).answer()).json;
	/* A Stop that is on its way ends this call too: then it is made again. */
	const stats = async (device) => {
		let json = await ask(device);
		while (json.error?.code === -32800) json = await ask(device);
		return JSON.parse(json.result.content[0].text);
	};
	return { bridge, origin, number: Number(number), client, stats };
}

/** The page that a bridge serves. */
export async function opened(t, { origin }, { fragment = '', ...how } = {}) {
	const sight = await Sight.open(t, how);
	return sight.goes(`${origin}/${fragment}`, [`${origin}/`]);
}

/** Both. */
export async function served(t, devices = { arm: toolbox, lamp: toolbox }, how) {
	const bridge = await bridgeOf(t, devices);
	return { ...bridge, sight: await opened(t, bridge, how) };
}
