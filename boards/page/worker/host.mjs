/* SPDX-License-Identifier: MIT
 * What the engine imports, of a browser: it has no files, no folders, and no ports that it could list. */

import { Lines } from './lines.mjs';

const logLine = /^quash-bridge: (error|warning|info|debug|trace): (.*)$/;

function logged(line) {
	const [, level, text] = logLine.exec(line) ?? [null, 'info', line];
	return { level, text };
}

/** `log` is called with a level and a text, `wire` with a line of the record. */
export function browserHost({ log, wire }) {
	const printed = new Lines((line) => log(logged(line))), recorded = new Lines(wire), begun = performance.now();
	return {
		random: (bytes) => Boolean(crypto.getRandomValues(bytes)),
		print: (fd, bytes) => printed.takes(bytes),
		recordMs: () => performance.now() - begun,
		record: (bytes) => recorded.takes(bytes),
		file: () => null,
		folder: () => null,
		ports: () => '',
		system: {},
		isAddress: () => false,
	};
}
