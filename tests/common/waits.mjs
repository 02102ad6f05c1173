/* SPDX-License-Identifier: MIT
 * Waits. None has a limit of its own, since no machine is too slow for a test: a wait ends with its event, with what says that
 * the event can come no more, or with the run. What is waited for is known meanwhile, to be named. */

const waits = new Set();

/** What is waited for, the oldest first: `{ what, since }`. */
export const waitedFor = () => [...waits];

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What `promise` gives, under this name. */
export async function awaited(what, promise) {
	const wait = { what, since: Date.now() };
	const awake = setInterval(() => {}, 1 << 30); /* though nothing else may keep the process */
	waits.add(wait);
	try {
		return await promise;
	} finally {
		waits.delete(wait);
		clearInterval(awake);
	}
}

async function found(probe) {
	for (;;) {
		const value = await probe();
		if (value) return value;
		await sleep(5);
	}
}

/** Asks `probe` again and again until it gives something true. A probe that throws ends the wait. */
export const until = (what, probe) => awaited(what, found(probe));
