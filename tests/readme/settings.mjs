/* SPDX-License-Identifier: MIT
 * The settings of hosts, as docs/connect.md shows them and `quash-bridge --print-config` prints them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';

/** What stands for the bridge and for the device on the page. */
export const program = '/usr/local/bin/quash-bridge';
export const device = '/dev/serial/by-id/usb-Example_Board_123-if00';

const objectsIn = (value) => (value && typeof value === 'object' ? [value, ...Object.values(value).flatMap(objectsIn)] : []);

const readers = {
	json(text) {
		const [{ command, args }] = objectsIn(JSON.parse(text)).filter((object) => 'command' in object);
		return [command, ...args];
	},
	/* Strings of TOML with the escapes that are printed are those of JSON. */
	toml: (text) => [JSON.parse(/^command = (".*")$/m.exec(text)[1]), ...JSON.parse(/^args = (\[.*\])$/m.exec(text)[1])],
	/* A number in a string of Lua is decimal. */
	lua: (text) => JSON.parse(/^\tcmd = \{(.*)\},$/m.exec(text)[1]
		.replace(/\\(\d{3})/g, (_, code) => `\\u${Number(code).toString(16).padStart(4, '0')}`).replace(/^.*$/, '[$&]')),
};

/** The words of the command that a settings file in this language starts. */
export const commandIn = (language, text) => readers[language](text);

/** The language that a host's settings are written in. */
export const languageOf = (host) => ({ codex: 'toml', helix: 'toml', lsp: 'lua' }[host] ?? 'json');

/** The blocks of docs/connect.md that hosts read: each with its language, its text and the heading that it stands under. */
export function blocksOfPage() {
	const page = readFileSync(join(root, 'docs/connect.md'), 'utf8');
	return [...page.matchAll(/^(?:#+ (.*)|```(json|toml|lua)\n([^]*?)^```)$/gm)].reduce(({ heading, found }, [, title, language, text]) =>
		(title ? { heading: title, found } : { heading, found: [...found, { heading, language, text }] }), { heading: '', found: [] }).found;
}
