/* SPDX-License-Identifier: MIT
 * `quash-bridge --print-config`: what it prints for each host, and that docs/connect.md shows the same. That the blocks of
 * the page work is tested in tests/interop/connect.test.mjs. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { root, told } from '../common/start.mjs';
import { blocksOfPage, commandIn, device, languageOf, program } from './settings.mjs';

const bridge = hostProgram('quash-bridge');

/* What it prints to be pasted; where to, it writes to stderr. */
function print(words, how = {}) {
	const { status, stdout, stderr } = told(how.called ?? bridge, words, how);
	assert.equal(status, 0, stderr);
	assert.match(stderr, /^quash-bridge: paste it into [^\n]+\n(quash-bridge: (quit|or) [^\n]+\n)?$/);
	return stdout;
}

const page = readFileSync(join(root, 'docs/connect.md'), 'utf8');
const hosts = [...page.matchAll(/^\| `([a-z][a-z-]*)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, host]) => host);

/* Hosts other than those of MCP speak another protocol, which they are told. */
const protocolOf = { acp: ['--protocol', 'acp'], lsp: ['--protocol', 'lsp'], helix: ['--protocol', 'lsp'] };

test('the hosts of docs/connect.md are those of --print-config', () => {
	assert.equal(hosts.length, 13);
	const { stderr, stdout } = told(bridge, ['--help']);
	assert.ok((stdout + stderr).replace(/\s+/g, ' ').includes(hosts.join(' ')), stdout + stderr);
	assert.equal(told(bridge, ['--print-config', 'notepad', '--unix', '/a']).status, 2);
});

test('the blocks of docs/connect.md are what --print-config prints', () => {
	const printed = hosts.map((host) => print(['--tty', device, '--baud', '115200', '--print-config', host])
		.replaceAll(bridge, program));
	assert.deepEqual(blocksOfPage().map(({ text }) => text), printed);
	assert.deepEqual(blocksOfPage().map(({ language }) => language), hosts.map(languageOf));
});

/* What needs an escape somewhere, and what looks like an option of the bridge. */
const odd = ['a blank', 'a "quote"', 'a back\\slash', '\\"', "'", 'tab\tand\x01\x1f\x7f', 'äöü €😀', '', '${HOME}', '--print-config', 'zed', '--'];

for (const host of hosts)
	test(`--print-config ${host}: each word comes back as it was`, () => {
		const words = ['--tty', '/dev/a "b" \\c', '--trace'], protocol = protocolOf[host] ?? [];
		assert.deepEqual(commandIn(languageOf(host), print([...words, '--print-config', host])), [bridge, ...protocol, ...words]);
		assert.deepEqual(commandIn(languageOf(host), print([...protocol, '--print-config', host, '--', bridge, ...odd])), [bridge, ...protocol, '--', bridge, ...odd]);
	});

test('--print-config: the path of the program is absolute, however it is called', () => {
	const commandOf = (words, how) => commandIn('json', print(['--unix', '/a', '--print-config', 'claude'], how))[0];
	const folder = dirname(bridge);
	assert.equal(commandOf([], { called: './build/host/quash-bridge', cwd: root }), join(root, 'build/host/quash-bridge'));
	assert.equal(commandOf([], { called: relative(folder, bridge), cwd: '/', env: { PATH: `/nowhere:${folder}` } }), bridge);
});
