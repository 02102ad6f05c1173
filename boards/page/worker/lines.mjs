/* SPDX-License-Identifier: MIT
 * Bytes as lines of text. */

export class Lines {
	#decoder = new TextDecoder();
	#each;
	#text = '';

	/** `each` is called with every line that is whole, without its end. */
	constructor(each) {
		this.#each = each;
	}

	takes(bytes) {
		const lines = (this.#text + this.#decoder.decode(bytes, { stream: true })).split('\n');
		this.#text = lines.pop();
		for (const line of lines) this.#each(line);
	}
}
