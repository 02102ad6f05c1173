/* SPDX-License-Identifier: MIT
 * The table of floors, see the file `floors`. */

const matches = (word, name) => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word);
const words = (text = '') => text.split(/\s+/).filter(Boolean);

const plainName = (file) => file.replace(/\.[ch]$/, '');

/** Reads the table: on which line a file of src/ or a public header stands (-1: on none), the family of a module (what
 * stands before the star), and how public headers follow each other. */
export function parseFloors(text) {
	const lines = text.split('\n').filter((line) => line.trim() && !line.startsWith('#'));
	const floors = lines.map((line) => {
		const [modules, headers] = line.replace(/^\w+:/, '').split('|');
		return { modules: words(modules), headers: words(headers) };
	});
	const order = floors.flatMap(({ headers }) => headers);
	const wordFor = (name) => floors.flatMap(({ modules }) => modules).find((word) => matches(word, name));
	const lineOf = (word) => floors.findIndex(({ modules }) => modules.includes(word));
	return {
		ofFile: (file) => (lineOf(file) >= 0 ? lineOf(file) : lineOf(wordFor(plainName(file)))),
		family: (name) => wordFor(name)?.replace('*', ''),
		ofHeader: (name) => floors.findIndex(({ headers }) => headers.includes(name)),
		order: (name) => order.indexOf(name),
	};
}
