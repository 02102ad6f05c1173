/* SPDX-License-Identifier: MIT
 * Programs between a client and a motor, and clients that official ones are not: each is a way to the motor of a watched
 * toolbox. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../common/runner.mjs';
import { folderFor, started } from '../common/start.mjs';
import { ways } from '../hosts/cases.mjs';
import { hasMoved, readMotions } from '../hosts/motor.mjs';
import { Terminal } from '../hosts/terminal.mjs';
import { call, inspector } from './inspector.mjs';
import { load, loadModern, programOf } from './modules.mjs';

const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');

/** How long the motor turns at most, in milliseconds. */
export const longest = 1500;

const steps = 60000;

/** A motor for one test: the words that start its device on stdin and stdout, and what became of its motion. */
export class Motor {
	static async open(t, most = longest) {
		const home = folderFor(t);
		const log = join(home, 'motor.log');
		return new Motor(log, await ways.stdio(t, home, log, most));
	}

	constructor(log, { command, args }) {
		Object.assign(this, { log, command, args });
	}

	/** Waits until it moves, in its motion of that number. */
	moves(number) {
		return until('the motor to move', () => hasMoved(this.log, number));
	}

	/** What ended that motion. */
	async cause(number) {
		await until('the motor to rest', () => readMotions(this.log)[number].off !== null);
		return readMotions(this.log)[number].cause;
	}
}

/** supergateway in front of a motor: the address where it serves. */
export async function gateway(t, { command, args }) {
	const words = ['--import', fileURLToPath(new URL('loopback.mjs', import.meta.url)), programOf('supergateway'), '--stdio', [command, ...args].join(' '),
		'--outputTransport', 'streamableHttp', '--stateful', '--port', '0', '--logLevel', 'none'];
	const child = started(t, [process.execPath, ...words], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], group: true });
	const port = await new Promise((resolve, reject) => {
		child.once('message', (message) => resolve(message.port));
		child.once('exit', () => reject(new Error('supergateway has ended')));
	});
	return `http://127.0.0.1:${port}/mcp`;
}

/** A client of the official SDK on a transport, and what it has begun. */
async function official(t, transport) {
	const client = new Client({ name: 'middlemen', version: '1' });
	t.after(() => client.close());
	await client.connect(transport);
	return {
		close: () => client.close(),
		tools: async () => (await client.listTools()).tools.map(({ name }) => name),
		turn: (signal) => client.callTool({ name: 'stepper', arguments: { steps } }, undefined, { signal }),
	};
}

export const overHttp = async (t, motor) => official(t, new StreamableHTTPClientTransport(new URL(await gateway(t, motor))));

/** mcp-remote makes a server on stdin and stdout of one that is on HTTP. */
export async function throughRemote(t, motor) {
	const home = folderFor(t);
	return official(t, new StdioClientTransport({ command: process.execPath, stderr: 'ignore', env: { PATH: process.env.PATH, HOME: home, MCP_REMOTE_CONFIG_DIR: home },
		args: [programOf('mcp-remote'), await gateway(t, motor), '--allow-http'] }));
}

async function vercel(t, transport) {
	const { createMCPClient } = await loadModern('@ai-sdk/mcp');
	const client = await createMCPClient({ transport });
	t.after(() => client.close());
	const tools = await client.tools();
	return {
		close: () => client.close(),
		tools: async () => Object.keys(tools),
		turn: (abortSignal) => tools.stepper.execute({ steps }, { toolCallId: '1', messages: [], abortSignal }),
	};
}

export async function vercelOverStdio(t, { command, args }) {
	const { Experimental_StdioMCPTransport: Transport } = await loadModern('@ai-sdk/mcp', './mcp-stdio');
	return vercel(t, new Transport({ command, args }));
}

export const vercelOverHttp = async (t, motor) => vercel(t, { type: 'http', url: await gateway(t, motor) });

/** The Inspector's command line on a terminal, which turns the motor. */
export const inspectorTurns = (t, { command, args }) => Terminal.start(t, [process.execPath, inspector(), '--cli', command, ...args, ...call('stepper', `steps=${steps}`)],
	{ env: { PATH: process.env.PATH } });
