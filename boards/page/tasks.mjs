/* SPDX-License-Identifier: MIT
 * What is long gives way to clicks and keys in between. */

const waitingTurns = [];
let turns = null;

/* It is made when it is needed: Node does not end while there is one. */
function openTurns() {
	const channel = new MessageChannel();
	channel.port1.onmessage = () => waitingTurns.shift()();
	return channel;
}

/** A promise that ends in a later task of the browser. A timer would wait longer, in a hidden page for a second. */
export const nextTask = () => new Promise((resolve) => {
	waitingTurns.push(resolve);
	turns ??= openTurns();
	turns.port2.postMessage(null);
});
