/* SPDX-License-Identifier: MIT
 * The settings of hosts, as docs/connect.md shows them and `quash-bridge --print-config` prints them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';

/** What stands for the bridge and for the device on the page. */
export const program = '/usr/local/bin/quash-bridge';
export const device = '/dev/serial/by-id/usb-Example_Board_123-if00';

const objectsIn = (value) => (value && typeof value === 'object' ? [value, ...Object.values(value).flatMap(objectsIn)] : []);

/* Strings and lists of TOML with the escapes that are printed are those of JSON. Any other line is an error. */
function parseToml(text) {
	const root = {};
	let table = root;
	const enter = (parts, list) => {
		const last = parts.pop();
		const outer = parts.reduce((at, part) => (at[part] ??= {}), root);
		if (!list && last in outer) throw new Error(`the table ${last} twice`);
		table = {};
		if (list) (outer[last] ??= []).push(table);
		else outer[last] = table;
	};
	for (const line of text.split('\n').filter((one) => one !== '')) {
		const [, list, header] = /^\[(\[)?([\w-]+(?:\.[\w-]+)*)\]{1,2}$/.exec(line) ?? [];
		const [, key, value] = /^([\w-]+) = ((?:"|\[).*)$/.exec(line) ?? [];
		if (header) enter(header.split('.'), list);
		else if (key) table[key] = JSON.parse(value);
		else throw new Error(`no TOML: ${line}`);
		if (/[\x00-\x1f\x7f]/.test(line)) throw new Error(`a control character in ${JSON.stringify(line)}`);
	}
	return root;
}

/* The one table that is shown. A number in a string of Lua is decimal. */
function parseLua(text) {
	const [, name, cmd, types, enabled] = /^vim\.lsp\.config\["([\w-]+)"\] = \{\n\tcmd = \{ (.*) \},\n\tfiletypes = \{ (.*) \},\n\}\nvim\.lsp\.enable\("([\w-]+)"\)\n$/.exec(text);
	const list = (inside) => JSON.parse(`[${inside.replace(/\\(\d{3})/g, (_, code) => `\\u${Number(code).toString(16).padStart(4, '0')}`)}]`);
	if (enabled !== name) throw new Error(`${enabled} is enabled, and ${name} is there`);
	const [command, ...args] = list(cmd);
	return { [name]: { command, args, filetypes: list(types) } };
}

const parsers = { json: JSON.parse, toml: parseToml, lua: parseLua };

/** A block in this language as a value: all of it must be understood. */
export const parsed = (language, text) => parsers[language](text);

/** The words of the command that a block's value has: a command and its arguments, or one list of both. */
export function commandOf(value) {
	const [{ command, args = [] }, ...others] = objectsIn(value).filter((object) => 'command' in object);
	if (others.length) throw new Error('two commands');
	return [command, args].flat();
}

/** The words of the command that a settings file in this language starts. */
export const commandIn = (language, text) => commandOf(parsed(language, text));

/** The language that a host's settings are written in. */
export const languageOf = (host) => ({ codex: 'toml', helix: 'toml', lsp: 'lua' }[host] ?? 'json');

/** The blocks of docs/connect.md that hosts read: each with its language, its text and the heading that it stands under. */
export function blocksOfPage() {
	const page = readFileSync(join(root, 'docs/connect.md'), 'utf8');
	return [...page.matchAll(/^(?:#+ (.*)|```(json|toml|lua)\n([^]*?)^```)$/gm)].reduce(({ heading, found }, [, title, language, text]) =>
		(title ? { heading: title, found } : { heading, found: [...found, { heading, language, text }] }), { heading: '', found: [] }).found;
}
