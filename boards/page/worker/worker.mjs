/* SPDX-License-Identifier: MIT
 * The worker. Nothing of the engine is used any more after an error of it: devices come to rest by their leases. */

import { Board } from './board.mjs';

const channel = new MessageChannel(), dueNext = [];

function soonInWorker(body) {
	dueNext.push(body);
	channel.port2.postMessage(null);
}

function breaks(error) {
	self.postMessage({ what: 'broken', words: error instanceof Error ? error.message : String(error) });
	self.close();
}

const board = new Board((message) => self.postMessage(message), soonInWorker);

channel.port1.onmessage = () => dueNext.shift()();
self.addEventListener('error', ({ error, message }) => breaks(error ?? message));
self.addEventListener('unhandledrejection', ({ reason }) => breaks(reason));
self.onmessage = ({ data }) => board.takes(data);
