/* SPDX-License-Identifier: MIT
 * node.exe client.mjs PORT
 *
 * The official client of MCP, in Wine. run.mjs listens on PORT and says what it does, a message a line: `{ id, does, ... }`, with a name of
 * `actions`. Each is answered `{ id, result }` or `{ id, error }`; `{ stderr }` and `{ progress }` come between. A socket, for Node in Wine
 * can use no pipes of Linux. */

import { execFile, spawn } from 'node:child_process';
import { Socket, connect as open } from 'node:net';
import { createInterface } from 'node:readline';
import { load } from '../common/npm/modules.mjs';

const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');

/* fetch() of Node asks for it before it connects, which then fails in Wine 8. */
Socket.prototype.setKeepAlive = function setKeepAlive() {
	return this;
};

const socket = open(Number(process.argv[2]), '127.0.0.1');
const says = (message) => socket.write(`${JSON.stringify(message)}\n`);
const hears = (stream) => stream.setEncoding('utf8').on('data', (text) => says({ stderr: text }));

const client = new Client({ name: 'wine', version: '1' });
const aborts = new Map();
let transport, child, input;

async function connect() {
	const since = performance.now();
	await client.connect(transport);
	return { pid: transport.pid, ms: performance.now() - since, server: client.getServerVersion() };
}

const actions = {
	starts({ command: [command, ...args], env }) {
		transport = new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'pipe' });
		hears(transport.stderr);
		return connect();
	},
	connects({ url, headers }) {
		transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
		return connect();
	},
	async lists() {
		return (await client.listTools()).tools.map(({ name }) => name);
	},
	calls({ id, name, args, reports = false }) {
		const abort = new AbortController();
		aborts.set(id, abort);
		return client.callTool({ name, arguments: args }, undefined,
			{ signal: abort.signal, timeout: 60000, onprogress: reports ? (progress) => says({ progress }) : undefined });
	},
	aborts({ call }) {
		aborts.get(call).abort('no longer wanted');
	},
	async closes() {
		const since = performance.now();
		await client.close();
		return performance.now() - since;
	},
	/** A program to its end: its exit code, and what it prints. */
	runs: ({ command: [command, ...args], env }) => new Promise((resolve) => {
		execFile(command, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
	}),
	/** A program that this one is no client of: nobody reads what it says on stdout. Windows ends it with us, unless it is `detached`. */
	spawns({ command: [command, ...args], env, detached = false }) {
		child = spawn(command, args, { env: { ...process.env, ...env }, detached });
		for (const stream of child.stdio) stream.on('error', () => {});
		input = child.stdin;
		child.stdin = null; /* Node would close it when the program ends */
		hears(child.stderr);
		child.on('exit', (code, signal) => says({ exit: signal ?? code }));
		return child.pid;
	},
	writes({ text }) {
		input.write(text);
	},
	ends() {
		input.end();
	},
	/** TerminateProcess, whatever the signal is called. */
	kills({ pid }) {
		process.kill(pid, 'SIGKILL');
	},
};

async function obeys({ id, does, ...how }) {
	try {
		says({ id, result: await actions[does]({ id, ...how }) ?? null });
	} catch (error) {
		says({ id, error: [error.message, error.cause?.message].filter(Boolean).join(': ') });
	}
}

createInterface({ input: socket }).on('line', (line) => obeys(JSON.parse(line)));
socket.on('close', () => process.exit()).on('error', () => {});
