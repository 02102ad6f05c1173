/* SPDX-License-Identifier: MIT
 * A real client's own stdio transport, connected to a server, mostly the toolbox, through a tap. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProgram, patientBridge, root } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { folder } from './modules.mjs';

const tapScript = fileURLToPath(new URL('tap.mjs', import.meta.url));

function built(name) {
	const program = hostProgram(name);
	assert.ok(existsSync(program), `${relative(root, program)} is not built`);
	return program;
}

/** The words that start a program, for one test. */
export const wordsOf = (t, program) =>
	(typeof program === 'function' ? program(t) : Array.isArray(program) ? program : [built(program)]);

/** The log of one or more taps, and the command that starts one. Everything it started is ended with the test. With
 * `bridged` the server stands behind a bridge, and a second tap between the two. The program is one of the host's, or a
 * command, or a function that makes one for a test. */
export class Tap {
	static open(t, { glue, bridged, program = 'toolbox' } = {}) {
		const tap = new Tap(mkdtempSync(join(folder, 'tap-')), glue, bridged, wordsOf(t, program));
		t.after(() => tap.close());
		return tap;
	}

	constructor(directory, glue, bridged, program) {
		this.directory = directory;
		this.log = join(directory, 'wire');
		this.logBehind = join(directory, 'wire-behind');
		this.command = process.execPath;
		const server = bridged ? [...patientBridge, '--log', 'warning', '--', this.command, tapScript, this.logBehind, ...program] : program;
		this.args = [tapScript, this.log, ...(glue ? ['--glue', glue] : []), ...server];
	}

	/** What passed through each tap: a program that was started twice gives two wires, in order of their start. */
	wires() {
		return wiresIn(this.log);
	}

	/** The same behind the bridge. */
	wiresBehind() {
		return wiresIn(this.logBehind);
	}

	close() {
		for (const wire of [...this.wires(), ...this.wiresBehind()]) wire.endProcesses();
		rmSync(this.directory, { recursive: true, force: true });
	}
}

function recordsIn(log) {
	if (!existsSync(log)) return [];
	return readFileSync(log, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
}

function wiresIn(log) {
	const records = recordsIn(log);
	const taps = [...new Set(records.map(({ tap }) => tap))];
	return taps.map((tap) => new Wire(records.filter((entry) => entry.tap === tap)));
}

const about = (message, id) =>
	message.id === id || (message.method === 'notifications/progress' && message.params.progressToken === id);

/** What passed through one tap so far. The progress token of the official clients is the id of the request. */
export class Wire {
	constructor(records) {
		this.records = records;
		this.sent = messagesOf(records, 'sent');
		this.heard = messagesOf(records, 'heard');
	}

	#find(key) {
		return this.records.find((entry) => key in entry);
	}

	get exit() {
		const exit = this.#find('exit');
		return exit && { ...exit.exit, ms: exit.at - (this.#find('endOfInput')?.at ?? NaN), rest: this.#find('rest').rest };
	}

	heardAbout(id) {
		return this.heard.filter((message) => about(message, id));
	}

	answersTo(id) {
		return this.heard.filter((message) => message.id === id);
	}

	progressOf(id) {
		return this.heardAbout(id).filter(({ method }) => method).map(({ params }) => params);
	}

	cancelsOf(id) {
		return this.sent.filter(({ method, params }) => method === 'notifications/cancelled' && params?.requestId === id);
	}

	endProcesses() {
		if (this.exit) return;
		endProcess(this.#find('server')?.server);
		endProcess(this.records[0].tap);
	}
}

/* An empty line is a sign of life. */
function messagesOf(records, key) {
	return records.filter((entry) => entry[key]).map((entry) => JSON.parse(entry[key]));
}

function endProcess(pid) {
	try {
		if (pid) process.kill(pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/* The clients report a progress line that comes in one read with its answer, or after their own cancel. Both are
 * lawful; what is not is seen on the wire. */
const lawful = /unknown token/;

/** A client and its server. `flavour` says how this client spells things: see flavours.mjs. */
export class Session {
	static async open(t, flavour, tapOptions = flavour.tap) {
		const tap = Tap.open(t, tapOptions);
		const session = new Session(flavour, tap);
		t.after(() => session.transport.close());
		await session.client.connect(session.transport);
		await until('the server', () => session.wire); /* the modern era says nothing on connecting */
		return session;
	}

	complaints = [];
	#rawIds = [];
	#end;

	constructor(flavour, tap) {
		this.flavour = flavour;
		this.tap = tap;
		this.client = flavour.newClient();
		this.client.onerror = ({ message }) => {
			if (!lawful.test(message) && !this.#answersRaw(message)) this.complaints.push(message);
		};
		this.transport = flavour.newTransport({ command: tap.command, args: tap.args });
	}

	get wire() {
		return this.tap.wires().find(({ records }) => records[0].tap === this.transport.pid);
	}

	call(name, args = {}, options = {}) {
		return this.flavour.callTool(this.client, { name, arguments: args }, options);
	}

	/** Starts a call: its id on the wire, a promise of its outcome, and a way to cancel it. */
	async start(name, args, options = {}) {
		const known = this.wire.sent.length;
		const abort = new AbortController();
		const outcome = settled(this.call(name, args, { onprogress() {}, ...options, signal: abort.signal }));
		const sent = await until('the request on the wire', () => this.wire.sent.slice(known).find(
			({ method, params }) => method === 'tools/call' && params.name === name));
		return { id: sent.id, outcome, cancel: (reason = 'enough') => abort.abort(reason) };
	}

	/** Sends a message that the client itself would not send, through its transport. */
	sendRaw(message) {
		return this.transport.send({ jsonrpc: '2.0', ...message });
	}

	/* The client does not know of what was asked behind its back. */
	#answersRaw(complaint) {
		return /unknown message ID/.test(complaint) && this.#rawIds.some((id) => complaint.includes(JSON.stringify(id)));
	}

	/** Asks something that the client itself would not ask, and gives the answer on the wire. */
	async askRaw(id, method, params) {
		this.#rawIds.push(id);
		await this.sendRaw({ id, method, params });
		return until(`the answer to ${id}`, () => this.wire.answersTo(id)[0]);
	}

	/** The counters. They are also a barrier: what was sent before has been heard when they come. */
	async stats() {
		return JSON.parse((await this.call('stats')).content[0].text);
	}

	/** After this no line about the request may come, and none of them was an answer. */
	async assertSilent(id, { for: ms = 300 } = {}) {
		await this.stats();
		const lines = this.wire.heardAbout(id).length;
		await sleep(ms);
		await this.stats();
		const { wire } = this;
		assert.deepEqual(wire.answersTo(id), [], `no answer to request ${id}`);
		assert.deepEqual(wire.heardAbout(id).slice(lines), [], `silence about request ${id}`);
	}

	/** Closes the client and looks at how the server ended, once. */
	close() {
		return this.#end ??= this.#close();
	}

	async #close() {
		const pid = this.transport.pid;
		const wire = () => this.tap.wires().find(({ records }) => records[0].tap === pid);
		await this.client.close();
		const exit = await until('the end of the server', () => wire()?.exit);
		assert.deepEqual([exit.code, exit.signal, exit.rest], [0, null, ''], 'exit code 0, no half line');
		assert.deepEqual(this.complaints, [], 'the client has nothing to complain of');
		return wire();
	}
}

/** A promise that never rejects: {value} or {error}. */
export const settled = (promise) => promise.then((value) => ({ value }), (error) => ({ error }));
