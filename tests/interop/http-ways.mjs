/* SPDX-License-Identifier: MIT
 * Clients that reach a device over HTTP, and ways to it: straight to the bridge, and through an nginx that speaks TLS. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { join } from 'node:path';
import { Bridge } from '../host/bridge-program.mjs';
import { until } from '../common/runner.mjs';
import { folderFor, printed, root, started, told } from '../common/start.mjs';
import { load, loadModern, programOf } from './modules.mjs';

const info = { name: 'http', version: '1' };
const steps = 60000;
const move = { name: 'stepper', arguments: { steps } };

/* --- Ways */

const freePort = () => new Promise((resolve) => {
	const server = createServer().listen(0, '127.0.0.1', () => {
		const { port } = server.address();
		server.close(() => resolve(port));
	});
});

/** A bridge to a command: where it serves, and itself. */
export async function straight(t, command, words = []) {
	const bridge = Bridge.start(t, ['--listen-http', '127.0.0.1:0', ...words, '--', ...command]);
	const [, url] = await bridge.says(/listening on (http:\S+)$/m);
	return { bridge, url, headers: {} };
}

/* Debian's binary alone: the package would start a server of its own. */
function nginx() {
	const home = join(root, 'build/nginx'), binary = join(home, 'usr/sbin/nginx');
	if (!told('nginx', ['-v']).error) return 'nginx';
	if (!existsSync(binary)) {
		mkdirSync(home, { recursive: true });
		printed('sh', ['-c', 'apt-get download nginx && dpkg-deb -x nginx_*.deb .'], { cwd: home, stdio: 'ignore' });
	}
	return binary;
}

/** What stands in docs/network.md, between marks. */
const location = (target) => `
		location /mcp {
			proxy_pass ${target};
		}`;

/** An nginx with TLS in front of a bridge, which wants a token unless that is said. */
export async function behindNginx(t, command, { token = true } = {}) {
	const home = folderFor(t), file = (name) => join(home, name), port = await freePort();
	writeFileSync(file('token'), 'secret of the arm\n', { mode: 0o600 });
	const { bridge, url } = await straight(t, command, token ? ['--token-file', file('token')] : []);
	printed('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', file('key'), '-out', file('cert'), '-days', '2', '-subj', '/CN=localhost'], { stdio: 'ignore' });
	const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `\t${name}_temp_path ${file(name)};\n`).join('');
	writeFileSync(file('conf'), `daemon off;\nmaster_process off;\npid ${file('pid')};\nerror_log ${file('error')};\nevents {}\nhttp {\n\taccess_log off;\n${paths}` +
		`\tserver {\n\t\tlisten 127.0.0.1:${port} ssl;\n\t\tssl_certificate ${file('cert')};\n\t\tssl_certificate_key ${file('key')};${location(new URL(url).origin)}\n\t}\n}\n`);
	started(t, [nginx(), '-p', home, '-c', file('conf'), '-e', file('error')], { stdio: 'ignore' });
	await until('nginx to listen', () => new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => { socket.destroy(); resolve(true); });
		socket.on('error', () => resolve(false));
	}));
	return { bridge, url: `https://127.0.0.1:${port}/mcp`, headers: { Authorization: 'Bearer secret of the arm' } };
}

/* --- Clients: { tools, turn, close } */

async function official(t, client, transport, callTool) {
	t.after(() => client.close().catch(() => {}));
	await client.connect(transport);
	return {
		client, tools: async () => (await client.listTools()).tools.map(({ name }) => name),
		turn: (signal, onprogress) => callTool(client, move, { signal, onprogress }), call: (params) => callTool(client, params, {}),
		close: () => client.close(),
	};
}

const requestInit = (headers) => ({ requestInit: { headers } });

async function sdk(t, { url, headers }, options) {
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport: Transport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
	return official(t, new Client(info, options), new Transport(new URL(url), requestInit(headers)), (client, params, more) => client.callTool(params, undefined, more));
}

const split = (mode) => async (t, { url, headers }, options) => {
	const { Client, StreamableHTTPClientTransport: Transport } = load('@modelcontextprotocol/client');
	return official(t, new Client(info, { versionNegotiation: { mode }, ...options }), new Transport(new URL(url), requestInit(headers)),
		(client, params, more) => client.callTool(params, more));
};

async function vercel(t, { url, headers }) {
	const { createMCPClient } = await loadModern('@ai-sdk/mcp');
	const client = await createMCPClient({ transport: { type: 'http', url, headers } });
	t.after(() => client.close());
	const tools = await client.tools();
	return { close: () => client.close(), tools: async () => Object.keys(tools),
		turn: (abortSignal) => tools.stepper.execute({ steps }, { toolCallId: '1', messages: [], abortSignal }) };
}

async function langchain(t, { url, headers }) {
	const { MultiServerMCPClient: Client } = await loadModern('@langchain/mcp-adapters');
	const client = new Client({ mcpServers: { motor: { transport: 'http', url, headers } }, prefixToolNameWithServerName: false });
	t.after(() => client.close());
	const tools = await client.getTools();
	return { close: () => client.close(), tools: async () => tools.map(({ name }) => name),
		turn: (signal) => tools.find(({ name }) => name === 'stepper').invoke({ steps }, { signal }) };
}

/* A program between: it is on HTTP to the bridge, and on stdin and stdout to the official client. */
async function between(t, command, args) {
	const home = folderFor(t);
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
	const env = { PATH: process.env.PATH, HOME: home, MCP_REMOTE_CONFIG_DIR: home, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
	return official(t, new Client(info), new StdioClientTransport({ command, args, env, stderr: 'ignore' }), (client, params, more) => client.callTool(params, undefined, more));
}

const headerWords = (name, headers, glue) => Object.entries(headers).flatMap(([key, value]) => [name, `${key}${glue}${value}`]);

const remote = (t, { url, headers }) => between(t, process.execPath, [programOf('mcp-remote'), url, '--allow-http', ...headerWords('--header', headers, ':')]);
const gateway = (t, { url, headers }) => between(t, process.execPath, [programOf('supergateway'), '--streamableHttp', url, '--logLevel', 'none',
	...headerWords('--header', headers, ': ')]);

/** What each of them does. `closed`: what ends a motion whose client closes. */
export const clients = [
	{ name: 'sdk 1.32.2', open: sdk, progress: true, asks: true },
	{ name: 'client 2.4.0 legacy', open: split('legacy'), progress: true, asks: true },
	{ name: 'client 2.4.0 auto', open: split('auto'), progress: true, asks: true },
	{ name: 'client 2.4.0 modern', open: split({ pin: '2026-07-28' }), progress: true, asks: true },
	{ name: '@ai-sdk/mcp 2.0.99', open: vercel },
	{ name: '@langchain/mcp-adapters 1.1.4', open: langchain },
	{ name: 'mcp-remote 0.15.1', open: remote, progress: true },
	{ name: 'supergateway 4.0.0', open: gateway }, /* it hands no progress on */
];

/** The Inspector's command line, which shows no token: what it prints. */
export async function inspect(t, { url }, ...words) {
	const { pathOf } = await import('./modules.mjs');
	const args = [pathOf('@modelcontextprotocol/inspector/cli/build/cli.js'), '--cli', url, '--transport', 'http', ...words];
	const child = started(t, [process.execPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' } });
	assert.equal(await child.ended, 0, child.said + child.errors);
	return JSON.parse(child.said);
}
