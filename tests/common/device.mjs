/* SPDX-License-Identifier: MIT
 * Devices that the test plays: behind a Unix socket, or as a program. */

import { writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { End } from './client.mjs';
import { folderFor } from './start.mjs';
import { until } from './waits.mjs';

/** What comes over a line is for handlers, by its method, or `response`; what has none is for `unknown`. What one gives is the result
 * of a request; where it gives nothing it has answered itself, or somebody will. */
export function playing(line, handlers) {
	line.onmessage = (message) => {
		const handler = handlers[message.method ?? 'response'] ?? handlers.unknown;
		const result = handler?.(message, line);
		if (result !== undefined && message.method !== undefined && message.id !== undefined) line.answer(message, result);
	};
	return line;
}

/** The end of this program as a device. What it says has left when it goes on. */
export const onStdio = (dialect) => new End(process.stdin, { write: (bytes) => writeSync(1, bytes), on() {} }, dialect);

const schema = { type: 'object' };
export const toolsNamed = (...names) => ({ tools: names.map((name) => ({ name, inputSchema: schema })) });

const unknown = (message, line) => { line.refuse(message, -32601, 'Method not found'); };

/** What a device answers unless the test wants something else. What has no entry is for the test to answer. */
export const wellBehaved = {
	mcp: {
		initialize: ({ params }) => ({ protocolVersion: params.protocolVersion,
			capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} },
			serverInfo: { name: 'played', version: '3.1' }, instructions: 'Mind the motor.' }),
		ping: () => ({}),
		'server/discover': unknown,
		'tools/list': () => toolsNamed('work'),
		'prompts/list': () => ({ prompts: [{ name: 'plan' }] }),
		'resources/list': () => ({ resources: [{ uri: 'file:///log', name: 'log' }] }),
		'resources/templates/list': () => ({ resourceTemplates: [] }),
		'logging/setLevel': () => ({}),
		'resources/subscribe': () => ({}),
		'resources/unsubscribe': () => ({}),
	},
	acp: { initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, agentInfo: { name: 'played', version: '3.1' } }) },
	lsp: { initialize: () => ({ capabilities: { hoverProvider: true }, serverInfo: { name: 'played', version: '3.1' } }), shutdown: () => null },
	jsonrpc: {},
};

/** The device's end of a line. While a call is under way a bridge asks by itself whether the device is alive, and cancels that when the
 * answer takes longer than a lease, as it may on a slow machine: such a cancel is none of the test's. */
class DeviceLine extends End {
	#isOwn({ method, params }) {
		return method === 'notifications/cancelled' &&
			this.messages.some((asked) => asked.method === 'tools/list' && asked.params?.cursor === '?' && asked.id === params.requestId);
	}

	takes(method) {
		return this.take(method, (message) => message.method === method && !this.#isOwn(message));
	}

	all(method) {
		return super.all(method).filter((message) => !this.#isOwn(message));
	}
}

/** A device behind a Unix socket, played by the test. `line` is the connection of the bridge, while there is one;
 * `connected` counts them. */
export class Device {
	line = null;
	connected = 0;
	lines = [];

	static async open(t, { protocol = 'mcp', handlers = {}, plugged = true, name = 'device' } = {}) {
		const device = new Device(join(folderFor(t), name), protocol, handlers);
		t.after(() => device.unplug());
		if (plugged) await device.plug();
		return device;
	}

	constructor(path, protocol, handlers) {
		this.path = path;
		this.protocol = protocol;
		this.handlers = { ...wellBehaved[protocol], ...handlers };
	}

	plug() {
		this.server = createServer((socket) => this.#connect(socket));
		return new Promise((resolve, reject) => this.server.listen(this.path, resolve).once('error', reject));
	}

	/** The line is lost, and nobody is there. */
	unplug() {
		this.socket?.destroy();
		this.line = null;
		const { server } = this;
		this.server = null;
		return new Promise((resolve) => (server ? server.close(resolve) : resolve()));
	}

	#connect(socket) {
		this.socket = socket;
		this.connected++;
		const line = playing(new DeviceLine(socket, socket, this.protocol), this.handlers);
		this.line = line;
		this.lines.push(line);
		socket.on('close', () => { if (this.line === line) this.line = null; });
	}

	/** The connection number `n`, from 1. */
	async lineNumber(n) {
		await until(`connection ${n} of the bridge`, () => this.lines.length >= n);
		return this.lines[n - 1];
	}

	/** A session has been opened on its newest line. */
	async ready(n = this.connected || 1) {
		const line = await this.lineNumber(n);
		if (this.protocol === 'mcp') await line.takes('notifications/initialized');
		return line;
	}
}
