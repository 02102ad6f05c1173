/* SPDX-License-Identifier: MIT
 * Browsers open six connections to one origin. All tabs together hold at most four for requests of MCP, so that two are left for Stop. */

const mostStreams = 4;

/* One lock of the browser for each; it gives them back when a tab ends, however that is. */
function lockOfBrowser(signal) {
	const others = new AbortController(), abandons = () => others.abort();
	signal?.addEventListener('abort', abandons);
	return new Promise((resolve, reject) => {
		let isTaken = false;
		const takes = () => {
			if (isTaken || signal?.aborted) return undefined;
			isTaken = true;
			return new Promise((release) => {
				resolve(release);
				others.abort(); /* the request of this one is granted, and stays */
			});
		};
		const asked = Array.from({ length: mostStreams }, (_, i) => navigator.locks.request(`quash-stream-${i}`, { signal: others.signal }, takes).catch(() => {}));
		Promise.all(asked).then(() => reject(signal?.reason ?? new Error('no stream')));
	}).finally(() => signal?.removeEventListener('abort', abandons));
}

/* Without a secure context there are no such locks: then a tab knows of its own streams alone. */
const waiting = [];
let inUse = 0;

function gives() {
	inUse--;
	waiting.shift()?.();
}

async function lockOfTab(signal) {
	if (inUse >= mostStreams) {
		await new Promise((resolve, reject) => {
			waiting.push(resolve);
			signal?.addEventListener('abort', () => {
				const at = waiting.indexOf(resolve);
				if (at < 0) return;
				waiting.splice(at, 1);
				reject(signal.reason);
			});
		});
	}
	inUse++;
	return gives;
}

/** True if the tabs know of each other's streams. */
export const streamsAreShared = () => Boolean(globalThis.navigator?.locks);

/** A promise of a place for a stream: the function that gives it back. Rejected when the signal aborts first. */
export async function takeStream(signal) {
	signal?.throwIfAborted();
	return streamsAreShared() ? lockOfBrowser(signal) : lockOfTab(signal);
}
