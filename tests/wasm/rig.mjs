/* SPDX-License-Identifier: MIT
 * The module and its shell in this process: clients and devices are functions, and time is what the test says. */

import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Clock } from '../../boards/wasm/clock.mjs';
import { startEngine, ways } from '../../boards/wasm/engine.mjs';
import { Line } from '../../boards/wasm/line.mjs';
import { node } from '../../boards/wasm/node.mjs';
import { Shell } from '../../boards/wasm/shell.mjs';
import { root } from '../common/start.mjs';

export const module = new WebAssembly.Module(readFileSync(`${root}build/wasm/bridge.wasm`));

/** A link to whoever answers a message with messages. */
export class MessageLink {
	#line;
	#answers;
	#text = '';
	isPaused = false;

	constructor(line, answers) {
		this.#line = line;
		this.#answers = answers;
	}

	says(...messages) {
		for (const message of messages) this.#line.takes(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
	}

	write(bytes, done) {
		const lines = `${this.#text}${Buffer.from(bytes)}`.split('\n');
		this.#text = lines.pop();
		setImmediate(() => {
			for (const text of lines) this.says(...this.#answers(JSON.parse(text), this) ?? []);
			done();
		});
	}

	pause() {
		this.isPaused = true;
	}

	resume() {
		this.isPaused = false;
	}

	hangUp() {}
	close() {}
}

const result = (id, value) => [{ id, result: value }];

/** A device of MCP with one tool, `work`. */
export function device({ id, method }) {
	if (id === undefined) return [];
	if (method === 'initialize') return result(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'played', version: '1' } });
	if (method === 'tools/list') return result(id, { tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
	return result(id, method === 'tools/call' ? { content: [{ type: 'text', text: 'done' }] } : {});
}

/** A clock that a test turns. */
export class TestClock extends Clock {
	/** It wraps after so many milliseconds. */
	constructor({ countsSleep = false, wraps = 2 ** 32 } = {}) {
		const at = { awake: 0, asleep: 0 };
		super({ starts: 2 ** 32 - wraps, monotonic: () => at.awake + (countsSleep ? at.asleep : 0), uptime: () => at.awake + at.asleep, countsSleep });
		this.at = at;
	}
}

/** A bridge that runs. `log` is what it has said. Its devices are `exec:NAME`; `devices` has a function for each name. */
export async function bridge(words, { devices = {}, clock = new TestClock(), most } = {}) {
	const said = { log: '' };
	const host = {
		random: (bytes) => Boolean(randomFillSync(bytes)),
		print: (fd, bytes) => { said.log += Buffer.from(bytes).toString(); },
		isAddress: () => true,
		file: () => null,
	};
	const engine = await startEngine(module, host, { most });
	const code = engine.start(['quash-bridge', ...words]);
	if (code >= 0) throw new Error(said.log);
	const open = ({ command: [name] }, line) => line.opened(new MessageLink(line, devices[name] ?? device));
	const shell = new Shell(engine, new Map([['exec', { open }]]), { devices: engine.options().devices, clock, ...node });
	return Object.assign(said, { engine, shell, clock,
		/** Its client on stdin and stdout. */
		opens: (answers) => new Promise((resolve, reject) => {
			shell.open([], (line) => {
				const link = new MessageLink(line, answers);
				resolve(link);
				return link;
			}).catch(reject);
		}),
		listens: () => shell.open([], null),
		/** One that has come through a door. */
		comes(answers) {
			const line = new Line(shell, engine.client(ways.local), ways.local), link = new MessageLink(line, answers);
			shell.adds(line, () => link);
			return link;
		} });
}

export const initialize = (id) => ({ id, method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
export const initialized = { method: 'notifications/initialized' };
export const call = (id, name = 'work') => ({ id, method: 'tools/call', params: { name, arguments: {} } });
