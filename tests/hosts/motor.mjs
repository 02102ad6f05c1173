/* SPDX-License-Identifier: MIT
 * What the witness at a motor has noted: watched.c explains its lines. */

import { existsSync, readFileSync } from 'node:fs';

/* What ended a motion, by the first line of its kind. */
const causes = [
	[/^signal (\d+)$/, (number) => ({ 1: 'SIGHUP', 2: 'SIGINT', 15: 'SIGTERM' })[number] ?? `signal ${number}`],
	[/^(?:input ended|client gone)$/, () => 'end of input'],
	[/^flagged .* by the other side$/, () => 'cancel'],
	[/^flagged .* by its lease$/, () => 'lease'],
	[/^flagged .* by its deadline$/, () => 'longest time'],
	[/^flagged .* (by .*)$/, (words) => words],
];

function nameOf(words) {
	for (const [pattern, name] of causes) {
		const found = pattern.exec(words);
		if (found) return name(found[1]);
	}
	return null;
}

/** The motions in a log: when each began (`on`), when the motor moved last, when its end was noticed and by which `cause`,
 * and when it came to rest (`off`), in seconds of CLOCK_MONOTONIC; what has not happened is null. */
export function motionsOf(text) {
	const motions = [];
	for (const line of text.split('\n').slice(0, -1)) {
		const [, time, words] = /^(\S+) (.*)$/.exec(line);
		const at = Number(time), motion = motions.at(-1);
		if (words === 'on') motions.push({ on: at, last: at, off: null, cause: null });
		else if (words === 'moves') motion.last = at;
		else if (words === 'off') motion.off = at;
		else if (motion && motion.off === null) motion.cause ??= nameOf(words);
	}
	return motions;
}

export const readMotions = (path) => (existsSync(path) ? motionsOf(readFileSync(path, 'utf8')) : []);

/** Whether the motor has moved in the motion of that number, the first being 0. */
export const hasMoved = (path, number) => readMotions(path).slice(number, number + 1).some(({ on, last }) => last > on);

/** The seconds of CLOCK_MONOTONIC. */
export const monotonic = () => Number(process.hrtime.bigint()) / 1e9;
