/* SPDX-License-Identifier: MIT
 * Texts of devices and of clients are data: what a person could not see, or what would change how other text stands, is shown as its
 * number. */

/* Controls but for the tab and the end of a line; soft hyphen, Arabic letter mark, Mongolian and Hangul fillers, marks of width nothing and
 * of direction, separators of lines, variation selectors, the mark of byte order, what annotates, private marks of tags; halves of pairs. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Surrogate}]/gu;

const mostShown = 4000;

/** A text of whatever a device has sent in place of one: an object may have anything where functions of texts would look. */
export const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value) ?? '');

/** The text as it may stand in a page, at most `most` of its units. */
export function shown(text, most = mostShown) {
	const whole = asText(text), cut = whole.length > most;
	const seen = (cut ? whole.slice(0, most) : whole).replace(unseen, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
	return cut ? `${seen} … (${whole.length - most} more)` : seen;
}

/** The same in one line. */
export function shownInLine(text, most = 200) {
	return shown(asText(text).replace(/[\t\n]+/g, ' '), most);
}

/** A text with numbers and units, from milliseconds. */
export function shownAge(ms) {
	if (ms < 1000) return `${Math.round(ms)} ms`;
	const seconds = ms / 1000;
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** A number as people read it, in at most seven digits. */
export function shownNumber(number) {
	return Number.isInteger(number) && Math.abs(number) < 1e15 ? String(number) : String(Number(number.toPrecision(7)));
}

/** One and several: `1 call`, `2 calls`. */
export function counted(n, word) {
	return `${n} ${word}${n === 1 ? '' : 's'}`;
}
