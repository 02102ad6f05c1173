/* SPDX-License-Identifier: MIT
 * What stands on the screen. */

const terminal = process.stdout.isTTY === true;
const colours = terminal && !process.env.NO_COLOR;

const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
export const [bold, dim, red, green, yellow, cyan] = ['1', '2', '31', '32', '33', '36'].map(paint);

export const show = (line = '') => process.stdout.write(`${line}\n`);
export const headline = (text) => show(`\n${bold(text)}`);

export function abbreviated(text) {
	const room = Math.min(process.stdout.columns ?? 100, 120) - 4;
	return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

/** A bar that is drawn in place on a terminal; elsewhere every tenth of it is a line. */
export class Bar {
	#tenth = -1;
	#drawn = false;

	draw(done, total) {
		const filled = Math.round((done / total) * 40);
		const text = `  progress [${'#'.repeat(filled)}${'.'.repeat(40 - filled)}] ${done} of ${total} steps`;
		const tenth = Math.floor((done / total) * 10);
		this.#drawn = true;
		if (terminal) process.stdout.write(`\r${yellow(text)}`);
		else if (tenth > this.#tenth) show(text);
		this.#tenth = Math.max(this.#tenth, tenth);
	}

	end() {
		if (terminal && this.#drawn) show();
		this.#drawn = false;
	}
}
