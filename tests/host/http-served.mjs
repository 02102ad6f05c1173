/* SPDX-License-Identifier: MIT
 * quash-bridge over HTTP between clients and a device that the test plays. */

import { Bridge, Device } from './bridge-program.mjs';
import { HttpClient } from '../common/http-client.mjs';

/** A device, a bridge to it, and where it listens. */
export async function served(t, { words = [], device: how, address = '127.0.0.1:0', program } = {}) {
	const device = await Device.open(t, how);
	const bridge = Bridge.start(t, ['--listen-http', address, ...words, '--unix', device.path], { program });
	const [, number] = await bridge.says(/listening on http:\/\/\S+:(\d+)\/mcp$/m);
	return { device, bridge, number: Number(number), line: await device.ready(), client: (fields) => new HttpClient(t, Number(number), fields) };
}

/** The same with a client in a session. */
export const greeted = async (t, how) => {
	const all = await served(t, how);
	const client = all.client();
	await client.greet(how?.greet);
	return { ...all, client, more: all.client };
};

export const call = (id, name = 'work', more = {}) => ({ id, method: 'tools/call', params: { name, ...more } });
export const done = { content: [{ type: 'text', text: 'done' }] };
/** Handlers of a device with a lease. */
export const leased = (ms, more = {}) => ({ initialize: ({ params }) => ({ protocolVersion: params.protocolVersion,
	capabilities: { tools: {}, experimental: { 'quash/lifeSign': { ms } } }, serverInfo: { name: 'played', version: '1' } }), ...more });
