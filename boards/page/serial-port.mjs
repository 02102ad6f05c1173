/* SPDX-License-Identifier: MIT
 * A port of Web Serial that is open, or what has its interface. */

const bufferBytes = 16384, leavingMs = 500;

/* Errors of the line, after which a port has a new stream: something has not come as it was sent. */
const lineErrors = { BreakError: 'a break', FramingError: 'wrong framing', ParityError: 'wrong parity', BufferOverrunError: 'an overrun: bytes were lost' };

const unplugged = 'unplugged';
const whyLost = ({ name, message }) => (name === 'NetworkError' ? unplugged : message);

/** `tells` has bytes(bytes), lost(words), once, and says(words). Of what comes nothing more is read until `more` is called. */
export class PortPipe {
	#port;
	#tells;
	#reader;
	#writer;
	#reading = null;
	#wanted = Promise.resolve(); /* what comes next */
	#want = () => {};
	#over = false;

	/** Rejects with the browser's errors. */
	static async open(port, baudRate, tells) {
		await port.open({ baudRate, bufferSize: bufferBytes });
		try {
			await port.setSignals?.({ dataTerminalReady: true, requestToSend: true });
		} catch {
			/* a port without these lines */
		}
		if (!port.writable) throw new Error(unplugged);
		return new PortPipe(port, tells);
	}

	constructor(port, tells) {
		this.#port = port;
		this.#tells = tells;
		this.#writer = port.writable.getWriter();
		this.#writer.closed?.catch(() => {}); /* whoever writes is told */
	}

	/** What comes is told from now on. */
	begin() {
		this.#reading = this.#reads();
	}

	/** True once they have left. False: the port is lost. */
	async write(bytes) {
		try {
			await this.#writer.write(bytes);
			return true;
		} catch (error) {
			this.lose(whyLost(error));
			return false;
		}
	}

	more() {
		this.#want();
	}

	lose(words = unplugged) {
		if (this.#over) return;
		this.#over = true;
		this.#tells.lost(words);
	}

	/** What has been written leaves first, if the port takes it soon. */
	async close() {
		this.#over = true;
		this.#want();
		const stuck = setTimeout(() => this.#writer.abort().catch(() => {}), leavingMs);
		await Promise.allSettled([this.#reader?.cancel(), this.#writer.close(), this.#reading]);
		clearTimeout(stuck);
		try {
			this.#writer.releaseLock();
			await this.#port.close();
		} catch {
			/* it has gone */
		}
	}

	async #reads() {
		for (let before; !this.#over;) {
			const { readable } = this.#port;
			if (!readable || readable === before) this.lose();
			else await this.#readsOne(readable);
			before = readable;
		}
	}

	/* One stream until its end. */
	async #readsOne(readable) {
		const reader = this.#reader = readable.getReader();
		try {
			for (;;) {
				await this.#wanted;
				const { value, done } = await reader.read();
				if (done || this.#over) return;
				this.#wanted = new Promise((resolve) => { this.#want = resolve; });
				this.#tells.bytes(value);
			}
		} catch (error) {
			if (Object.hasOwn(lineErrors, error.name)) this.#tells.says(`${lineErrors[error.name]} on the line`);
			else this.lose(whyLost(error));
		} finally {
			reader.releaseLock();
		}
	}
}
