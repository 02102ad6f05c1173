/* SPDX-License-Identifier: MIT
 * Writes to a descriptor without holding up the program while nobody reads it. On Windows Node's own stream of a pipe on stdout does: it
 * writes in the thread that everything else runs in. Here a thread of Node's pool waits. It cannot be called off, and the end of the
 * process would wait for it: who ends while `isStuck` kills the process instead. */

import { write } from 'node:fs';
import { Writable } from 'node:stream';

export class Output extends Writable {
	isStuck = false;
	#fd;

	constructor(fd) {
		super({ decodeStrings: false });
		this.#fd = fd;
	}

	_write(bytes, encoding, done) {
		this.isStuck = true;
		write(this.#fd, bytes, (error, n) => {
			this.isStuck = false;
			if (error || n === bytes.length) done(error);
			else this._write(bytes.subarray(n), encoding, done);
		});
	}
}
