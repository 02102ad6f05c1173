/* SPDX-License-Identifier: MIT
 * What a call has brought, as elements. */

import { element } from './dom.mjs';
import { asText, shown, shownInLine, shownNumber } from './text.mjs';

const mostItems = 50, mostRows = 200, mostImage = 2e6, mostNumbers = 64, deepest = 6;
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const textNode = (text) => element('pre', {}, shown(text));

function pictureOf({ data, mimeType }) {
	if (!pictures.includes(mimeType) || typeof data !== 'string' || data.length > mostImage || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return textNode(`[picture of ${asText(mimeType)}]`);
	return element('img', { src: `data:${mimeType};base64,${data}`, alt: 'picture in the result' });
}

function itemOf(item) {
	switch (item?.type) {
	case 'text': return textNode(item.text);
	case 'image': return pictureOf(item);
	case 'resource': return textNode(item.resource?.text ?? `[${asText(item.resource?.uri)}: bytes]`);
	case 'resource_link': return textNode(`${asText(item.name)}: ${asText(item.uri)}`);
	default: return textNode(`[${asText(item?.type)}]`);
	}
}

const isFlat = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((one) => typeof one !== 'object' || one === null);

const shownValue = (value) => (typeof value === 'number' ? shownNumber(value) : shownInLine(value, 500));

/** A table of names and values. */
export function tableOf(pairs) {
	const rows = pairs.slice(0, mostRows).map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, element('bdi', {}, shownInLine(name, 80))), element('td', {}, element('bdi', {}, shownValue(value)))));
	return element('table', {}, element('tbody', {}, ...rows));
}

const structured = (value) => (isFlat(value) ? tableOf(Object.entries(value)) : textNode(JSON.stringify(value, null, 2)));

/** JSON that a text is, or undefined. */
export function jsonIn(text) {
	if (typeof text !== 'string' || text.length > 100000 || !/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/* A text that is the structured value once more is left out. */
const repeats = (item, print) => print !== undefined && item?.type === 'text' && JSON.stringify(jsonIn(item.text)) === print;

/** The elements of a result of `tools/call`. */
export function resultNodes({ content, structuredContent }) {
	const items = Array.isArray(content) ? content.slice(0, mostItems) : [], print = JSON.stringify(structuredContent);
	const nodes = items.filter((item) => !repeats(item, print)).map(itemOf);
	const only = structuredContent === undefined && items.length === 1 ? jsonIn(items[0]?.text) : undefined;
	if (only !== undefined && isFlat(only)) return [structured(only)];
	if (structuredContent !== undefined) nodes.push(structured(structuredContent));
	return nodes.length > 0 ? nodes : [element('p', { class: 'hint' }, 'nothing came back')];
}

/** The texts of a result, in lines. */
export const textsOf = ({ content }) => (Array.isArray(content) ? content : []).filter((item) => item?.type === 'text').map(({ text }) => asText(text)).join('\n');

function addNumbers(value, name, found, depth) {
	if (found.length >= mostNumbers || depth > deepest) return;
	if (typeof value === 'number') found.push([name || 'value', value]);
	else if (typeof value === 'boolean') found.push([name || 'value', Number(value)]);
	else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value).slice(0, mostRows)) addNumbers(one, name ? `${name}.${key}` : key, found, depth + 1);
}

/** The numbers of a result, with their names: those of its structured value, or of its text. */
export function numbersOf(result) {
	const found = [], text = textsOf(result).trim();
	addNumbers(result.structuredContent ?? jsonIn(text), '', found, 0);
	if (found.length === 0 && result.structuredContent === undefined) {
		const [, number] = /^(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?:\s*\S{1,6})?$/.exec(text) ?? [];
		if (number !== undefined) found.push(['value', Number(number)]);
	}
	return found;
}
