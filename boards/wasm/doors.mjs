/* SPDX-License-Identifier: MIT
 * Places where clients come. Who finds no place waits as in the kernel's queue: connected, and unread. */

import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { levels, ways } from './engine.mjs';
import { Line } from './line.mjs';
import { ClientLink } from './socket.mjs';
import { wordsOf } from './words.mjs';

const mostWaiting = 4096, acceptedAtOnce = 16;

const nameOf = ({ path, host, port }) => path ?? `${host}:${port}`;

function shownAt({ path, host, way, page }, port) {
	if (path !== null) return [`listening on ${path}`];
	if (way !== ways.http) return [`listening on ${host}:${port}`];
	const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
	return [`listening on ${url}/mcp`, ...page ? [`a page for browsers is at ${url}/`] : []];
}

/* A socket whose program has gone. */
async function isLeftBehind(path) {
	if (!lstatSync(path).isSocket()) return false;
	const { promise, resolve } = Promise.withResolvers?.() ?? withResolvers();
	const socket = connect({ path });
	socket.on('connect', () => resolve(false)).on('error', ({ code }) => resolve(code === 'ECONNREFUSED'));
	const leftBehind = await promise;
	socket.destroy();
	return leftBehind;
}

function withResolvers() {
	const made = {};
	made.promise = new Promise((resolve) => { made.resolve = resolve; });
	return made;
}

export class Door {
	#shell;
	#waiting = [];
	#file = null;

	constructor(shell, where) {
		this.#shell = shell;
		this.where = where;
		this.server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => this.#comes(socket));
	}

	/** Opens it, and says so in the log. Rejects with words. */
	async open() {
		try {
			await this.#listens();
		} catch (error) {
			if (error.code !== 'EADDRINUSE' || this.where.path === null || !await isLeftBehind(this.where.path)) throw this.#wordsOf(error);
			unlinkSync(this.where.path);
			await this.#listens().catch((again) => { throw this.#wordsOf(again); });
		}
		const { port } = this.server.address();
		for (const line of shownAt(this.where, port)) this.#shell.engine.say(levels.info, line);
	}

	/** Takes those that wait, as many as there may be. What the first ones have sent is read before others could take their place. */
	accept() {
		const { engine } = this.#shell, { way } = this.where;
		let count = 0;
		while (this.#waiting.length > 0 && engine.takes(way)) {
			if (++count > acceptedAtOnce) {
				this.#shell.wake();
				return;
			}
			const socket = this.#waiting.shift(), number = engine.client(way);
			socket.removeAllListeners();
			if (number === 0) socket.destroy();
			else this.#shell.adds(new Line(this.#shell, number, way), (line) => new ClientLink(line, socket));
			this.#shell.obeys();
		}
	}

	close() {
		if (this.#file !== null && this.#isOurs()) unlinkSync(this.where.path);
		this.#file = null;
		this.server.close();
		for (const socket of this.#waiting.splice(0)) socket.destroy();
	}

	#comes(socket) {
		const leaves = () => {
			this.#waiting = this.#waiting.filter((one) => one !== socket);
		};
		if (!this.server.listening || this.#waiting.length >= mostWaiting) {
			socket.destroy();
			return;
		}
		socket.on('error', leaves).on('close', leaves);
		this.#waiting.push(socket);
		this.#shell.wake();
	}

	#wordsOf(error) {
		return `${nameOf(this.where)}: ${wordsOf(error)}`;
	}

	/* Only its owner may connect: the socket is made so, as the mode of one that is there would come too late. */
	async #listens() {
		const { path, host, port } = this.where, before = path === null ? null : process.umask(0o177);
		const listens = new Promise((resolve, reject) => { this.server.once('error', reject).listen(path === null ? { host, port } : { path }, resolve); });
		if (before !== null) process.umask(before);
		await listens;
		this.server.removeAllListeners('error').on('error', () => {});
		if (path === null) return;
		chmodSync(path, 0o600);
		this.#file = lstatSync(path);
	}

	#isOurs() {
		try {
			const { dev, ino } = lstatSync(this.where.path);
			return dev === this.#file.dev && ino === this.#file.ino;
		} catch {
			return false;
		}
	}
}
