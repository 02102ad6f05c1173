/* SPDX-License-Identifier: MIT
 * What clock.c is, for a program of Node, which imports it before its own files. Time stands until the file that CLOCK names is there.
 * From then on it passes when the program waits, up to the millisecond that is the second number there. */

import { readFileSync } from 'node:fs';

const beginMs = 1000, lookMs = 5;
const { CLOCK: file } = process.env, { setInterval: repeat } = globalThis;
const { setImmediate: soon } = globalThis;
let now = beginMs, timers = [], hasWorked = false;

/* What it starts has the system's. */
delete process.env.NODE_OPTIONS;

performance.now = () => now;

globalThis.setTimeout = (call, ms = 0, ...words) => {
	const timer = { at: now + ms, call: () => call(...words), ref: () => timer, unref: () => timer };
	timers.push(timer);
	return timer;
};

globalThis.clearTimeout = (timer) => {
	timers = timers.filter((one) => one !== timer);
};

/* What has come is seen to at once. */
globalThis.setImmediate = (...words) => {
	hasWorked = true;
	return soon(...words);
};

/* Where time ends; 0: it stands. */
function end() {
	try {
		const [, ms] = readFileSync(file, 'utf8').split(' ').map(Number);
		return ms > 0 ? beginMs + ms : Infinity;
	} catch {
		return 0;
	}
}

repeat(() => {
	const waits = !hasWorked, most = end(), next = timers.reduce((first, one) => (one.at < first.at ? one : first), { at: Infinity });
	hasWorked = false;
	if (!waits || (most <= now && next.at > now)) return;
	if (Math.min(next.at, most) < Infinity) now = Math.max(now, Math.min(next.at, most));
	if (next.at > now) return;
	clearTimeout(next);
	next.call();
}, lookMs).unref();
