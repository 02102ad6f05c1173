/* SPDX-License-Identifier: MIT
 * One serial line that real clients use one after the other: what a board behind it is not told is that a client has gone. */

import { Program } from '../common/program.mjs';

/** The emulator runs until the test ends. Each client has a transport of its own; the newest one gets what comes. */
export class Line {
	#current = null;

	constructor(t, [command, ...args]) {
		this.program = Program.start(t, command, args);
		this.#pass();
	}

	/** A transport as the official client wants it. `heard` is what came while it was the newest. */
	transport() {
		const line = this;
		return {
			heard: [],
			async start() { line.#current = this; },
			async send(message) { if (line.#current === this) line.program.send(message); },
			async close() { this.onclose?.(); },
		};
	}

	async #pass() {
		for (;;) {
			const text = await this.program.nextText().catch(() => null);
			if (text === null) return;
			const message = JSON.parse(text);
			this.#current?.heard.push(message);
			this.#current?.onmessage?.(message);
		}
	}
}
