/* SPDX-License-Identifier: MIT
 * Numbers of repeated calls over time, as lines. */

import { drawing, element } from './dom.mjs';
import { shownAge, shownInLine, shownNumber } from './text.mjs';

const width = 300, height = 60, mostPoints = 600, mostKept = 64, mostShownLines = 8;

function pathOf(points) {
	const [begin] = points[0], span = Math.max(1, points.at(-1)[0] - begin);
	const values = points.map(([, value]) => value), low = Math.min(...values), high = Math.max(...values), range = high - low || 1;
	return points.map(([at, value]) => `${((at - begin) / span * width).toFixed(1)},${(height - 3 - (value - low) / range * (height - 6)).toFixed(1)}`).join(' ');
}

function figureOf(name, points) {
	const values = points.map(([, value]) => value), label = shownInLine(name, 60);
	const words = `${label}: ${shownNumber(values.at(-1))}, from ${shownNumber(Math.min(...values))} to ${shownNumber(Math.max(...values))} in ${shownAge(points.at(-1)[0] - points[0][0])}`;
	const line = drawing('polyline', { points: pathOf(points), fill: 'none' });
	return element('figure', { class: 'plot' }, drawing('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words }, line), element('figcaption', {}, element('bdi', {}, words)));
}

const changes = (points) => points.some(([, value]) => value !== points[0][1]);

/** The numbers of one tool. `node` shows the first ones that have changed. */
export class Plot {
	#series = new Map();

	constructor() {
		this.node = element('div', { class: 'plots' });
	}

	/** Pairs of names and numbers that have come at a time, in milliseconds. */
	add(at, numbers) {
		for (const [name, value] of numbers) {
			if (!Number.isFinite(value) || (!this.#series.has(name) && this.#series.size >= mostKept)) continue;
			const points = this.#series.get(name) ?? [];
			points.push([at, value]);
			if (points.length > mostPoints) points.shift();
			this.#series.set(name, points);
		}
		this.node.replaceChildren(...[...this.#series].filter(([, points]) => changes(points)).slice(0, mostShownLines).map(([name, points]) => figureOf(name, points)));
	}
}
