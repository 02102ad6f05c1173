/* SPDX-License-Identifier: MIT
 * A link over streams of Node. */

export class StreamLink {
	constructor(line, reads, writes = reads) {
		Object.assign(this, { line, reads, writes });
		reads.on('data', (bytes) => line.takes(bytes));
		reads.on('end', () => this.inputEnds());
		for (const stream of new Set([reads, writes])) stream.on('error', (error) => this.breaks(error, stream));
	}

	inputEnds() {
		this.line.ends();
	}

	breaks() {
		this.line.loses('closed the connection');
	}

	write(bytes, done) {
		if (this.writes.writable) this.writes.write(bytes, done);
		else done(new Error('nothing is written any more'));
	}

	pause() {
		this.reads.pause();
	}

	resume() {
		this.reads.resume();
	}

	hangUp() {}

	close() {
		this.reads.destroy();
		this.writes.destroy();
	}
}
