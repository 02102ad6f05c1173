/* SPDX-License-Identifier: MIT
 * Homes with files of hosts, for quash-bridge to change. Each home is a folder of the test. */

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { commandOf, languageOf, parsed } from '../readme/settings.mjs';
import { folderFor } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { told } from '../common/start.mjs';

export const bridge = hostProgram('quash-bridge');
export const places = {
	claude: '.config/Claude/claude_desktop_config.json', 'claude-code': '.claude.json', cursor: '.cursor/mcp.json', vscode: '.config/Code/User/mcp.json',
	zed: '.config/zed/settings.json', codex: '.codex/config.toml', gemini: '.gemini/settings.json', qwen: '.qwen/settings.json',
	opencode: '.config/opencode/opencode.json', copilot: '.copilot/mcp-config.json', acp: '.config/zed/settings.json',
};
export const line = ['--tty', '/dev/arm', '--baud', '115200'];

/* What is said before a file changes that its host writes too. */
const quits = {
	claude: 'quash-bridge: quit Claude Desktop before its file is changed, from the tray or the menu bar, not by closing its window: while it runs it writes the file anew, without the server\n',
	'claude-code': 'quash-bridge: quit Claude Code before its file is changed: while it runs it writes the file too\n',
};
export const quit = (host) => quits[host] ?? '';

/* A home with the file of a host. */
export class Home {
	constructor(t, host, text, { place = places[host] } = {}) {
		this.folder = folderFor(t);
		this.host = host;
		this.file = join(this.folder, place);
		mkdirSync(dirname(this.file), { recursive: true });
		if (text !== undefined) this.write(text);
	}

	write(text) {
		writeFileSync(this.file, text);
	}

	/* One file at least: the host's. */
	get names() {
		return readdirSync(dirname(this.file)).sort();
	}

	get text() {
		return readFileSync(this.file, 'utf8');
	}

	get copy() {
		return readFileSync(`${this.file}.before-quash`, 'utf8');
	}

	run(words, { env = { HOME: this.folder }, status = 0, ...how } = {}) {
		const ran = told(bridge, words, { cwd: '/', env: { PATH: dirname(process.execPath), ...env }, ...how });
		assert.equal(ran.status, status, ran.stderr);
		return { shown: ran.stdout, said: ran.stderr };
	}

	install(words = line, how) {
		return this.run(['--install', this.host, ...words], how);
	}

	uninstall(words = [], how) {
		return this.run(['--uninstall', this.host, ...words], how);
	}
}

export const printed = (host, words = line) => told(bridge, ['--print-config', host, ...words]).stdout;

/* A diff without context and with one place, applied. The end of a line on Windows is shown as `\r`. */
export function patched(before, diff) {
	const [a, b, range, ...lines] = diff.split('\n').slice(0, -1);
	assert.match(`${a}\n${b}`, /^--- (\/.+)\n\+\+\+ \1$/);
	const [, at, count, to, more] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(range).map(Number);
	const rows = (sign) => lines.flatMap((row, i) => (row[0] === sign ? [row.slice(1).replace(/\\r$/, '\r') + (lines[i + 1]?.startsWith('\\') ? '' : '\n')] : []));
	const all = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
	const first = count ? at - 1 : at;
	assert.deepEqual(all.splice(first, count, ...rows('+')).join(''), rows('-').join(''), 'what it says was there');
	assert.deepEqual([rows('+').length, more ? to - 1 : to], [more, first]);
	return all.join('');
}

/** The words by which hosts start the bridge that is tested: its path, or `npx` and the package. */
export const started = commandOf(parsed('json', printed('gemini', ['--unix', '/a']))).slice(0, -2);

/** The server of a block. */
export const server = (words = line) => ({ command: started[0], args: [...started.slice(1), ...words] });

/** The list of its arguments as it is printed. */
export const listed = (words = line) => `[${server(words).args.map((word) => JSON.stringify(word)).join(', ')}]`;

/** Its table in TOML. */
export const table = (name = 'device') => `[mcp_servers.${name}]\ncommand = "${started[0]}"\nargs = ${listed()}\n`;

/** Variables with which a host finds the `npx` of the words: one that starts the bridge that is tested. */
export function withNpx(t) {
	const folder = folderFor(t), package_ = started.at(-1);
	writeFileSync(join(folder, 'npx'), `#!/bin/sh\n[ "$1 $2" = "-y ${package_}" ] || exit 9\nshift 2\nexec "${bridge}" "$@"\n`);
	chmodSync(join(folder, 'npx'), 0o755);
	return { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
}
