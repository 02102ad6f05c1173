/* SPDX-License-Identifier: MIT
 * The official ACP client, connected to the agent, and what passes between the two. */

import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { until } from '../common/runner.mjs';
import { spawned } from '../common/start.mjs';
import { loadModern } from './modules.mjs';
import { wordsOf } from './session.mjs';

const acp = await loadModern('@agentclientprotocol/sdk');
const everything = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

/** Hands bytes on and calls `whole` with the message of each line. */
function recorder(whole) {
	let open = '';
	const decoder = new TextDecoder();
	return new TransformStream({
		transform(bytes, controller) {
			const lines = (open + decoder.decode(bytes, { stream: true })).split('\n');
			open = lines.pop();
			for (const line of lines) whole(JSON.parse(line));
			controller.enqueue(bytes);
		},
	});
}

export class AcpClient {
	/** Starts an agent, the host's or a command, and opens a session. What it started ends with the test. */
	static async open(t, { command = 'agent', clientCapabilities = everything, handlers = {} } = {}) {
		const client = new AcpClient(t, wordsOf(t, command));
		t.after(() => { console.error = client.complain; });
		client.connect(handlers);
		client.initialized = await client.request('initialize', { protocolVersion: 1, clientCapabilities });
		client.session = (await client.newSession()).sessionId;
		return client;
	}

	sent = [];
	heard = [];
	updates = [];
	complaints = [];
	permissions = [];

	constructor(t, command) {
		this.child = spawned(t, command, { stdio: ['pipe', 'pipe', 'inherit'], endBy: 'SIGTERM' });
		this.complain = console.error;
		console.error = (...words) => this.complaints.push(words.join(' '));
	}

	connect(handlers) {
		const out = recorder((message) => this.sent.push(message));
		out.readable.pipeTo(Writable.toWeb(this.child.stdin)).catch(() => {});
		const from = Readable.toWeb(this.child.stdout).pipeThrough(recorder((message) => this.heard.push(message)));
		const app = acp.client({ name: 'quash-interop' });
		app.onNotification('session/update', ({ params }) => { this.updates.push(params); });
		for (const [method, handler] of Object.entries({ ...this.#ownHandlers(), ...handlers }))
			app.onRequest(method, handler);
		this.connection = app.connect(acp.ndJsonStream(out.writable, from));
		this.connection.closed.catch(() => {});
	}

	#ownHandlers() {
		return {
			'session/request_permission': (context) => {
				this.permissions.push(context);
				return { outcome: { outcome: 'selected', optionId: 'allow' } };
			},
		};
	}

	request(method, params, options) {
		return this.connection.agent.request(method, params, options);
	}

	notify(method, params) {
		return this.connection.agent.notify(method, params);
	}

	newSession() {
		return this.request('session/new', { cwd: '/', mcpServers: [] });
	}

	prompt(text, options, sessionId = this.session) {
		return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }, options);
	}

	cancelSession(sessionId = this.session) {
		return this.notify('session/cancel', { sessionId });
	}

	/** The request of the newest prompt, as soon as it is on the wire. */
	lastPrompt() {
		return until('the prompt on the wire', () => this.sent.findLast(({ method }) => method === 'session/prompt'));
	}

	/** What was said about a method: by us or by the agent. */
	heardOf(method) {
		return this.heard.filter((message) => message.method === method);
	}

	answersTo(id) {
		return this.heard.filter((message) => !message.method && message.id === id);
	}

	cancelsSent(id) {
		return this.sent.filter(({ method, params }) => method === '$/cancel_request' && params.requestId === id);
	}

	said(sessionId = this.session) {
		return this.updates.filter((params) => params.sessionId === sessionId).map(({ update }) => update)
			.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk').map(({ content }) => content.text).join('');
	}

	/** Every update stands in front of the answer to its prompt. */
	assertOrder(id) {
		const answer = this.heard.findIndex((message) => !message.method && message.id === id);
		assert.ok(answer >= 0, 'it is answered');
		assert.deepEqual(this.heard.slice(answer + 1).filter(({ method }) => method), [], 'nothing behind the answer');
	}

	/** Ends the agent's input and looks at its end: exit code 0, nothing to complain of. */
	async close() {
		this.child.stdin.end();
		assert.equal(await this.child.ended, 0);
		this.connection.close();
		assert.deepEqual(this.complaints, [], 'the client has nothing to complain of');
	}
}
