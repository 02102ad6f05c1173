/* SPDX-License-Identifier: MIT
 * Elements. Texts become text nodes: nothing that a device has sent is ever read as markup. */

let lastId = 0;

/** An id that no element has. */
export const newId = (stem) => `${stem}-${++lastId}`;

/** An element with attributes, and with children: elements and texts. An attribute that is `false`, null or undefined is left out. */
export function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) {
		if (value === false || value === null || value === undefined) continue;
		made.setAttribute(key, value === true ? '' : value);
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

/** A button, which sends no form. */
export function button(label, attributes, pressed) {
	const made = element('button', { type: 'button', ...attributes }, label);
	made.addEventListener('click', pressed);
	return made;
}

/** The element of that id, which page.html has. */
export const byId = (id) => document.getElementById(id);

/** Sets a text, if it is another one: screen readers read what is set. */
export function setText(at, text) {
	if (at.textContent !== text) at.textContent = text;
}

const drawn = 'http://www.w3.org/2000/svg';

/** An element of a drawing. */
export function drawing(name, attributes = {}, ...children) {
	const made = document.createElementNS(drawn, name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...children);
	return made;
}
