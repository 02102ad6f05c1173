/* SPDX-License-Identifier: MIT
 * Links over sockets: to devices, and of clients. */

import { connect } from 'node:net';
import { StreamLink } from './stream.mjs';
import { wordsOf } from './words.mjs';

const keptMs = 4000, leavingMs = 100;

/** Of a client that has come. */
export class ClientLink extends StreamLink {
	constructor(line, socket) {
		super(line, socket);
		socket.setKeepAlive(true, keptMs);
		socket.setNoDelay(true);
	}
}

/* A device whose input has ended is gone. Behind a connection that breaks what was read of it still stands. */
class DeviceLink extends StreamLink {
	inputEnds() {
		this.line.loses('closed the connection');
	}

	breaks(error) {
		this.line.loses(error.code === 'EPIPE' ? 'closed the connection' : wordsOf(error));
	}

	/* Input that is not read would make TCP reset the connection, and what was written could be lost. */
	close(ms) {
		const { writes: socket } = this;
		return new Promise((resolve) => {
			socket.on('close', resolve);
			socket.end();
			socket.resume();
			setTimeout(() => socket.destroy(), Math.min(ms, leavingMs));
			if (socket.closed) resolve();
		});
	}
}

/** Connects as `net.connect` is told. */
export function openSocket(where, line) {
	const socket = connect({ ...where, allowHalfOpen: true });
	const fails = (error) => line.failed(error);
	socket.on('error', fails);
	socket.on('connect', () => {
		socket.off('error', fails);
		socket.setNoDelay(true);
		line.opened(new DeviceLink(line, socket));
	});
	line.abandons = () => socket.destroy();
}
