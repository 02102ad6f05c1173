/* SPDX-License-Identifier: MIT
 * The official MCP client, connected to a program that a package's user has built. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { skip } from '../host/runner.mjs';
import { installed, load, whyMissing } from '../interop/installed.mjs';
import { testWith } from './tools.mjs';

/* These two skip every test of a run that has no client. In their place a client has a name for titles. */
const interop = (name) => (installed ? import(`../interop/${name}.mjs`) : {});
const client = { name: 'an official client' };
export const { autoFlavour = client, legacyFlavour = client, modernFlavour = client, sdkFlavour = client } = await interop('flavours');
export const { Session } = await interop('session');

const { Client } = load('@modelcontextprotocol/client');
const { StdioClientTransport } = load('@modelcontextprotocol/client/stdio');

/** Registers a test, as `test` does, that needs the client and these commands. */
export const clientTestWith = (...tools) => (installed ? testWith(...tools) : (name) => skip(name, whyMissing));

/** The same where the client alone is needed. */
export const clientTest = clientTestWith();

/** Starts a program for one test and connects to it; `stderr()` is what it has printed there. */
export async function connect(t, command, args = []) {
	assert.ok(existsSync(command), command);
	const client = new Client({ name: 'quash-packages', version: '1.0.0' });
	const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
	let stderr = '';
	transport.stderr.on('data', (text) => { stderr += text; });
	t.after(() => client.close());
	await client.connect(transport);
	return { client, stderr: () => stderr };
}

/** The first text of a tool's answer. */
export async function textOf(client, name, args = {}) {
	const { content } = await client.callTool({ name, arguments: args });
	return content[0].text;
}

/** Calls a tool and cancels it when it has reported progress; returns what was reported. */
export async function cancel(client, name, args = {}) {
	const stop = new AbortController();
	const reported = [];
	const onprogress = (progress) => { reported.push(progress); stop.abort('enough'); };
	await assert.rejects(client.callTool({ name, arguments: args }, { signal: stop.signal, onprogress }), /enough/);
	return reported;
}
