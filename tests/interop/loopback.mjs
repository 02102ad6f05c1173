/* SPDX-License-Identifier: MIT
 * Loaded before a program that serves on all addresses: it serves on the loopback address alone, and tells its parent the
 * port. */

import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(port, ...others) {
	this.once('listening', () => process.send?.({ port: this.address().port }));
	return listen.call(this, Number(port), '127.0.0.1', ...others.filter((other) => typeof other === 'function'));
};
