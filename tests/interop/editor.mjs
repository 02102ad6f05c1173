/* SPDX-License-Identifier: MIT
 * vscode-jsonrpc, the connection of VS Code's language clients, and the server at its other end. */

import assert from 'node:assert/strict';
import { Program } from '../common/program.mjs';
import { load } from './modules.mjs';
import { wordsOf } from './session.mjs';

export const rpc = load('vscode-jsonrpc/node');

export const initializeParams = { processId: null, rootUri: null, capabilities: {} };

/** A connection to a server of its own. What is heard is looked at twice: by the client, and as texts. `command` starts
 * the server; `uart` says that it is a board's, which does not end by itself. */
export class Editor {
	static connect(t, { command, uart = false }) {
		const [program, ...args] = wordsOf(t, command);
		const editor = new Editor(Program.start(t, program, args, { dialect: 'lsp' }), uart);
		t.after(() => editor.connection.dispose());
		return editor;
	}

	static async open(t, how) {
		const editor = Editor.connect(t, how);
		const { serverInfo } = await editor.connection.sendRequest('initialize', initializeParams);
		assert.equal(serverInfo.name, 'quash-langserver');
		await editor.connection.sendNotification('initialized', {});
		return editor;
	}

	complaints = [];

	constructor(program, uart) {
		const complain = (text) => this.complaints.push(text);
		this.program = program;
		this.uart = uart;
		this.writer = new rpc.StreamMessageWriter(program.child.stdin);
		this.connection = rpc.createMessageConnection(new rpc.StreamMessageReader(program.child.stdout), this.writer,
			{ error: complain, warn: complain, info() {}, log() {} });
		this.connection.onError(([error]) => complain(String(error)));
		this.connection.listen();
	}

	/** The arguments are params as the client takes them, and at last perhaps a token. */
	ask(method, ...args) {
		return this.connection.sendRequest(method, ...args);
	}

	get heard() {
		return this.program.messages;
	}

	answersTo(id) {
		return this.heard.filter((message) => message.id === id && !message.method);
	}

	progressOf(token) {
		return this.heard.filter(({ method, params }) => method === '$/progress' && params.token === token)
			.map(({ params }) => params.value);
	}

	async assertServes() {
		const heard = { messages: this.heard.length };
		assert.deepEqual(await this.ask('test/echo', heard), heard);
	}

	/** Ends the server as an editor does, and looks at how that went. */
	async close() {
		assert.equal(await this.ask('shutdown'), null);
		await this.connection.sendNotification('exit');
		await this.end();
	}

	/** The program ends. */
	async end() {
		if (this.uart) this.program.end();
		const exit = await this.program.exit();
		assert.deepEqual([exit.code, exit.signal], [0, null]);
		if (!this.uart) assert.equal(this.program.stderr, '');
		assert.deepEqual(this.complaints, [], 'the client has nothing to complain of');
	}
}

/** What LSP says to a cancelled request; the client does not know this code. */
export const requestCancelled = -32800;
export const isCancelled = (outcome) => outcome.error?.code === requestCancelled;
