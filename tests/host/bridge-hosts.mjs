/* SPDX-License-Identifier: MIT
 * quash-bridge: what it prints for hosts starts, wherever a host starts it, and answers. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { commandOf, languageOf, parsed } from '../readme/settings.mjs';
import { Bridge, Device, check, folderFor } from './bridge-program.mjs';
import { bridge, server, started, withNpx } from './homes.mjs';
import { hostProgram } from '../common/program.mjs';
import { told } from '../common/start.mjs';

const bridged = (words, cwd, env = process.env) => told(bridge, words, { cwd, env });
const node = dirname(process.execPath); /* which the shell of Node is started by */
const help = bridged(['--help'], '/').stdout;
const hosts = /^HOST is one of (.*)\.$/m.exec(help)[1].split(' ');
const speaks = { acp: 'acp', lsp: 'lsp', helix: 'lsp' };
const protocolOf = (host) => speaks[host] ?? 'mcp';

/* The command of the block that is printed in a folder. */
function commandFor(host, words, cwd, env) {
	const { status, stdout, stderr } = bridged(['--print-config', host, '--name', 'arm', ...words], cwd, env);
	assert.equal(status, 0, stderr);
	assert.match(stderr, /^quash-bridge: paste it into [^\n]+\n/);
	assert.match(stdout, /\barm\b/);
	return commandOf(parsed(languageOf(host), stdout));
}

const greetings = {
	mcp: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
	acp: { protocolVersion: 1, clientCapabilities: {} },
	lsp: { processId: null, rootUri: null, capabilities: {} },
};

/* --- By system */

const devices = { linux: '/dev/ttyACM0', macos: '/dev/cu.usbmodem101', windows: 'COM3' };
const version = /(\S+)\n$/.exec(bridged(['--version'], '/').stdout)[1];

/* What a link has, in place of it. */
const linkShown = (text) => text.replace(/(vscode:mcp\/install\?)(\S+)/g, (_, link, json) => link + decodeURIComponent(json))
	.replace(/(cursor:\S+&config=)(\S+)/g, (_, link, base64) => link + Buffer.from(base64, 'base64').toString().trimEnd());

function shownFor(host, system) {
	const words = ['--print-config', host, '--system', system, '--name', 'arm', '--tty', devices[system], '--baud', '115200'];
	const { status, stdout, stderr } = bridged(words, '/');
	assert.equal(status, 0, stderr);
	const command = commandOf(parsed(languageOf(host), stdout)).join(' ');
	return `${host} on ${system}: ${command}\n${linkShown(stderr).replaceAll(/^quash-bridge: /gm, '  ')}`.replaceAll(bridge, 'BRIDGE').replaceAll(version, 'VERSION');
}

/* The package prints no path of its own. */
const printedThere = (text) => (started.length > 1 ? text.replace(/^\S+ on linux: .*\n( .*\n)*/gm, '') : text);

check('--print-config: what is printed for each host on each system', () => {
	const shown = hosts.flatMap((host) => Object.keys(devices).map((system) => shownFor(host, system))).join('');
	const texts = readFileSync(join(import.meta.dirname, 'bridge-hosts.texts'), 'utf8');
	assert.equal(printedThere(shown), printedThere(texts));
});

check('--print-config: this system is the one that is meant when none is named', () => {
	for (const host of hosts)
		assert.equal(bridged(['--print-config', host, '--unix', '/a'], '/').stdout, bridged(['--print-config', host, '--unix', '/a', '--system', 'linux'], '/').stdout);
});

/* What needs an escape in one of them. */
const odd = ['a b', "it's", 'äöü €😀', '>>>?~~??~', '+/=', '$HOME `x` \\', '', '#', '"q"', '--', '*'];

check('--print-config: links and commands have the words of the block', () => {
	const print = (host, words = odd) => bridged(['--print-config', host, '--name', 'arm', '--', bridge, ...words], '/');
	const vscode = JSON.parse(decodeURIComponent(/vscode:mcp\/install\?(\S+)\n/.exec(print('vscode').stderr)[1]));
	assert.deepEqual(vscode, { name: 'arm', type: 'stdio', ...server(['--', bridge, ...odd]) });
	for (let n = 0; n < odd.length; n++) {
		const [, name, config] = /install\?name=(\S+)&config=([A-Za-z0-9]+)\n/.exec(print('cursor', odd.slice(n)).stderr);
		assert.deepEqual([name, JSON.parse(Buffer.from(config, 'base64'))], ['arm', { type: 'stdio', ...server(['--', bridge, ...odd.slice(n)]) }]);
	}
	const run = / or run (claude .*)\n$/.exec(print('claude-code').stderr)[1];
	const words = told('/bin/sh', ['-c', `claude() { printf '%s\\0' "$@"; }\n${run}`]).stdout.split('\0').slice(0, -1);
	assert.deepEqual(words, ['mcp', 'add', '--scope', 'user', 'arm', '--', ...started, '--', bridge, ...odd]);
	assert.match(print('claude-code', ['a\nb']).stderr, / -- COMMAND, with the words of the block\n$/);
});

check('--print-config: on another system words stay as they are, ports of Windows and names with blanks too', () => {
	const words = (system, ...given) => commandOf(JSON.parse(bridged(['--print-config', 'gemini', '--system', system, ...given], '/').stdout)).slice(3);
	for (const [system, ...given] of [
		['windows', '--tty', 'COM10', '--record', 'C:\\Users\\Jörg Müller\\bridge.log'], ['windows', '--unix', '\\\\.\\pipe\\arm'], ['windows', '--device', 'a=tty:COM3,9600', '--device', 'b=exec:tool.exe x'],
		['windows', '--', 'C:\\Program Files\\tool.exe', 'a&b'], ['windows', '--', 'tool'], ['macos', '--tty', 'auto'], ['macos', '--device', 'a=tty:usb:2341:0043,9600'], ['macos', '--', 'tool', './x'],
	]) assert.deepEqual(words(system, ...given), given);
});

/* --- What is started */

/* Started as a host does: in another folder, with hardly a variable. */
async function answers(t, host, [program, ...words]) {
	const protocol = protocolOf(host);
	const started = Bridge.start(t, ['-c', 'cd / && exec "$0" "$@"', program, ...words], { protocol, program: ['/bin/sh'], env: withNpx(t) });
	const result = await started.client.result('initialize', greetings[protocol]);
	await started.endsByInput();
	return result;
}

const speakers = { mcp: ['toolbox', ({ serverInfo }) => serverInfo.name], acp: ['agent', ({ agentInfo }) => agentInfo.name], lsp: ['langserver', ({ serverInfo }) => serverInfo.name] };

assert.ok(hosts.length > 8, help);
for (const host of hosts) {
	check(`--print-config ${host}: what stands in the block starts, and answers initialize`, async (t) => {
		const [name, nameIn] = speakers[protocolOf(host)];
		const program = hostProgram(name);
		const command = commandFor(host, ['--', `./${name}`], dirname(program));
		assert.equal(command.at(-1), program);
		assert.equal(nameIn(await answers(t, host, command)), `quash-${name}`);
	});

	check(`--print-config ${host}: a device by a path of this folder is found from another`, async (t) => {
		const device = await Device.open(t, { protocol: protocolOf(host), name: 'a "b" \\c' });
		const command = commandFor(host, ['--unix', 'a "b" \\c', '--initialize-timeout', '60m'], dirname(device.path));
		assert.ok(command.join('\n').endsWith(`--unix\n${device.path}\n--initialize-timeout\n60m`), command.join(' '));
		const result = await answers(t, host, command);
		assert.equal((result.serverInfo ?? result.agentInfo).name, 'played');
	});
}

check('--print-config: each path becomes absolute, nothing else changes', (t) => {
	const folder = folderFor(t);
	mkdirSync(join(folder, 'bin'));
	symlinkSync('/bin/cat', join(folder, 'bin/tool'));
	writeFileSync(join(folder, 'key'), 'secret\n');
	const words = (...given) => commandFor('claude', given, folder, { PATH: `nowhere::bin:${node}` }).slice(started.length);
	assert.deepEqual(words('--tty', 'dev', '--record', './log', '--token-file', 'bin/../key', '--timeout', '5m', '--baud', '9600', '--reset'),
		['--tty', join(folder, 'dev'), '--record', join(folder, 'log'), '--token-file', `${folder}/bin/../key`, '--timeout', '5m', '--baud', '9600', '--reset']);
	assert.deepEqual(words('--device', 'a=tty:dev,9600', '--device', 'b=tcp:127.0.0.1:7000', '--device', 'c=unix:s', '--device', 'd=exec:tool x y'),
		['--device', `a=tty:${folder}/dev,9600`, '--device', 'b=tcp:127.0.0.1:7000', '--device', `c=unix:${folder}/s`, '--device', `d=exec:${folder}/bin/tool x y`]);
	for (const port of [['--tty', 'auto'], ['--tty', 'usb:2341:0043:1,2'], ['--device', 'a=tty:auto,9600', '--device', 'b=tty:usb:2341:0043']]) assert.deepEqual(words(...port), port);
	assert.deepEqual(words('--tcp', 'localhost:7000'), ['--tcp', 'localhost:7000']);
	assert.deepEqual(words('--', 'tool', '--tty', 'x', '--print-config', 'zed'), ['--', join(folder, 'bin/tool'), '--tty', 'x', '--print-config', 'zed']);
	assert.deepEqual(words('--', './bin/tool'), ['--', join(folder, 'bin/tool')]);
	assert.deepEqual(commandFor('claude', ['--', 'tool'], join(folder, 'bin'), { PATH: `:nowhere:${node}` }).at(-1), join(folder, 'bin/tool'), 'an empty folder is this one');
});

check('--print-config: a file of this folder among the words of a command is pointed at', (t) => {
	const folder = folderFor(t);
	mkdirSync(join(folder, 'server.js'));
	const { status, stderr } = bridged(['--print-config', 'claude', '--', 'cat', 'other.js', 'server.js', '-u', ''], folder);
	assert.deepEqual([status, stderr.split('\n')[0]], [0, 'quash-bridge: server.js: is a file here, and a host starts the command elsewhere: write the whole path']);
});

const all = hosts.join(' ');
const refused = [
	[['--print-config', 'notepad', '--unix', '/a'], `--print-config notepad: takes one of ${all}`],
	[['--print-config'], '--print-config without a value: takes the name of a host, see --help'],
	[['--print-config', 'acp'], 'no device: it takes --tty, --tcp, --unix, --device, or a command behind --'],
	[['--print-config', 'acp', '--unix', '/a', '--print-config', 'acp'], '--print-config acp: is one host too many'],
	[['--print-config', 'acp', '--unix', '/a', '--protocol', 'mcp'], 'acp: speaks acp, and --protocol is mcp'],
	[['--print-config', 'vscode', '--unix', '/a', '--protocol', 'jsonrpc'], 'vscode: speaks mcp, and --protocol is jsonrpc'],
	[['--print-config', 'helix', '--device', 'a=unix:/a'], '--device is for MCP: several devices speak nothing else'],
	[['--print-config', 'zed', '--unix', '/a', '--listen-unix', '/b'], 'zed: starts a bridge of its own, which cannot listen; to one that listens it gets by --unix or --tcp'],
	[['--print-config', 'zed', '--unix', '/a', '--baud', '9600'], '--baud is for --tty'],
	[['--print-config', 'zed', '--', 'no-such-program'], 'no-such-program: is no program that can be started'],
	[['--print-config', 'zed', '--', '/etc'], '/etc: is no program that can be started'],
	[['--print-config', 'zed', '--device', 'a=exec:no-such-program x'], "'a=exec:no-such-program x': is no program that can be started"],
	[['--print-config', 'zed', '--unix', '/a', '--name', 'my arm'], "--name 'my arm': takes a letter, then at most 23 letters, digits, _ or -"],
	[['--name', 'arm', '--unix', '/a'], '--name needs --print-config, --install or --uninstall'],
	[['--system', 'windows', '--unix', '/a'], '--system needs --print-config, --install or --uninstall'],
	[['--print-config', 'zed', '--system', 'Windows', '--unix', '/a'], '--system Windows: takes windows, macos or linux'],
	...[['--tty', 'cu.usbmodem1'], ['--unix', 'a'], ['--record', './a', '--unix', '/a'], ['--device', 'a=unix:a'], ['--device', 'a=tty:a,9600'], ['--', './a']]
		.map((words) => [['--print-config', 'zed', '--system', 'macos', ...words], `${words.find((word) => /(^|[./:])a$|a,9600$|cu\./.test(word))}: is no whole path, and a host starts the command elsewhere`]),
	[['--print-config', 'zed', '--system', 'windows', '--unix', 'a\\b'], 'a\\b: is no whole path, and a host starts the command elsewhere'],
	...['a&b', '50%', 'x^y', '"q"', 'a|b', 'a<b', 'a>b', 'a\nb'].map((word) => [['--print-config', 'cursor', '--system', 'windows', '--', 'tool', word],
		`${word.replace('\n', '\\n')}: has a character that cmd of Windows changes, and this host starts npx by cmd: & | < > ^ % or quotes`]),
];

check('--print-config: a block that would not work is refused, and why', () => {
	for (const [words, said] of refused) {
		const { status, stdout, stderr } = bridged(words, '/');
		assert.deepEqual([status, stdout, stderr], [2, '', `quash-bridge: ${said}\n`]);
	}
});

check('--print-config: a program that stands in a folder with a blank cannot be one of several', (t) => {
	const folder = join(folderFor(t), 'a b');
	mkdirSync(folder);
	symlinkSync('/bin/cat', join(folder, 'tool'));
	const { status, stderr } = bridged(['--print-config', 'claude', '--device', 'a=exec:./tool'], folder);
	assert.deepEqual([status, stderr], [2, 'quash-bridge: a=exec:./tool: has a blank in the path of its program, and exec: takes none\n']);
	assert.equal(commandFor('claude', ['--', './tool'], folder).at(-1), join(folder, 'tool'));
});

check('--print-config: the bridge is found by PATH too', () => {
	const folder = dirname(bridge);
	const { stdout } = told(basename(bridge), ['--unix', '/a', '--print-config', 'claude'], { cwd: '/', env: { PATH: `/nowhere:${relative('/', folder)}:${node}` } });
	assert.equal(JSON.parse(stdout).mcpServers.device.command, started[0]);
});
