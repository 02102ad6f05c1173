/* SPDX-License-Identifier: MIT
 * quash-bridge --install and --uninstall: a server in the file of a host, and out again. Each home is a folder of the test. */

import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { languageOf, parsed } from '../readme/settings.mjs';
import { check as checkOf, folderFor } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { told } from '../common/start.mjs';

/* Nobody else waits while this process stands still for the bridge. */
const check = (name, body) => checkOf(name, body, { needs: ['settings'], together: false });

const bridge = hostProgram('quash-bridge');
const places = {
	claude: '.config/Claude/claude_desktop_config.json', 'claude-code': '.claude.json', cursor: '.cursor/mcp.json', vscode: '.config/Code/User/mcp.json',
	zed: '.config/zed/settings.json', codex: '.codex/config.toml', gemini: '.gemini/settings.json', qwen: '.qwen/settings.json',
	opencode: '.config/opencode/opencode.json', copilot: '.copilot/mcp-config.json', acp: '.config/zed/settings.json',
};
const line = ['--tty', '/dev/arm', '--baud', '115200'];

/* What is said before a file changes that its host writes too. */
const quits = {
	claude: 'quash-bridge: quit Claude Desktop before its file is changed, from the tray or the menu bar, not by closing its window: while it runs it writes the file anew, without the server\n',
	'claude-code': 'quash-bridge: quit Claude Code before its file is changed: while it runs it writes the file too\n',
};
const quit = (host) => quits[host] ?? '';

/* A home with the file of a host. */
class Home {
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
		const ran = told(bridge, words, { cwd: '/', env, ...how });
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

const printed = (host, words = line) => told(bridge, ['--print-config', host, ...words]).stdout;

/* A diff without context and with one place, applied. The end of a line on Windows is shown as `\r`. */
function patched(before, diff) {
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

for (const host of Object.keys(places)) {
	check(`--install ${host}: a file that is not there gets what --print-config prints, and goes again`, (t) => {
		const home = new Home(t, host);
		const { shown, said } = home.install();
		assert.equal(home.text, printed(host));
		assert.equal(statSync(home.file).mode & 0o777, 0o600);
		assert.equal(patched('', shown), home.text);
		assert.equal(said, `${quit(host)}quash-bridge: ${home.file}: has the server, and is new\n`);
		assert.deepEqual(home.install(), { shown: '', said: `quash-bridge: ${home.file}: has the server already\n` });
		assert.equal(home.uninstall().said, `${quit(host)}quash-bridge: ${home.file}: is without the server\n`);
		assert.equal(existsSync(home.file), false);
		assert.deepEqual(home.names, []);
	});

	check(`--install ${host}: beside what is there, and out again`, (t) => {
		const own = languageOf(host) === 'toml' ? '# mine\nmodel = "x"\n\n[profiles.a]\nn = 1 # one\n' : '{\n\t"theme": "dark",\n\t"list": [ 1,2 ]\n}\n';
		const home = new Home(t, host, own);
		chmodSync(home.file, 0o640);
		const { shown, said } = home.install();
		assert.equal(said, `${quit(host)}quash-bridge: ${home.file}: has the server; what it was is beside it, as .before-quash\n`);
		assert.equal(patched(own, shown), home.text);
		assert.equal(home.copy, own);
		for (const name of [home.file, `${home.file}.before-quash`]) assert.equal(statSync(name).mode & 0o777, 0o640, name);
		if (languageOf(host) === 'toml') assert.equal(home.text, `${own}\n${printed(host)}`);
		else assert.deepEqual(JSON.parse(home.text), { ...JSON.parse(own), ...parsed('json', printed(host)) });
		assert.deepEqual(home.install(), { shown: '', said: `quash-bridge: ${home.file}: has the server already\n` });
		const inside = home.text;
		assert.equal(patched(inside, home.uninstall().shown), own);
		assert.equal(home.text, own);
		assert.equal(statSync(home.file).mode & 0o777, 0o640);
		assert.deepEqual(home.names, [home.file.split('/').pop()]);
		assert.deepEqual(home.uninstall(), { shown: '', said: `quash-bridge: ${home.file}: has no server of this name\n` });
	});
}

/* --- JSON, byte for byte */

const entry = (indent, unit, name = 'device') => [`${indent}"${name}": {`, `${indent}${unit}"command": "${bridge}",`, `${indent}${unit}"args": ["--tty", "/dev/arm", "--baud", "115200"]`, `${indent}}`].join('\n');
const one = `{ "command": "${bridge}", "args": ["--tty", "/dev/arm", "--baud", "115200"] }`;

const jsons = [
	['an empty file', '', `{\n  "mcpServers": {\n${entry('    ', '  ')}\n  }\n}\n`],
	['nothing but white space', ' \n\n', `{\n  "mcpServers": {\n${entry('    ', '  ')}\n  }\n}\n`],
	['an empty object', '{}', `{\n  "mcpServers": {\n${entry('    ', '  ')}\n  }\n}`],
	['servers of others', '{\n    "mcpServers": {\n        "a": {}\n    }\n}\n', `{\n    "mcpServers": {\n        "a": {},\n${entry('        ', '    ')}\n    }\n}\n`],
	['no servers yet', '{\n\t"mcpServers": {},\n\t"b": 1\n}', `{\n\t"mcpServers": {\n${entry('\t\t', '\t')}\n\t},\n\t"b": 1\n}`],
	['one line', '{"a":1,"mcpServers":{"b":{}}}', `{"a":1,"mcpServers":{"b":{}, "device": ${one}}}`],
	['one line without servers', '{"a":[{"b":"}"}]}', `{"a":[{"b":"}"}], "mcpServers": { "device": ${one} }}`],
	['lines that end as on Windows', '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n', `{\r\n  "mcpServers": {\r\n    "a": {},\r\n${entry('    ', '  ').replaceAll('\n', '\r\n')}\r\n  }\r\n}\r\n`],
	['comments', '// mine\n{\n  "mcpServers": {\n    "a": {} // the first, "b": 1\n    /* , */\n  } // all\n}\n// end', `// mine\n{\n  "mcpServers": {\n    "a": {}, // the first, "b": 1\n    /* , */\n${entry('    ', '  ')}\n  } // all\n}\n// end`],
	['a comma behind the last', '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n', `{\n  "mcpServers": {\n    "a": {},\n${entry('    ', '  ')}\n  },\n}\n`],
	['a comment alone', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n', `{\n  "mcpServers": {\n    // none yet\n${entry('    ', '  ')}\n  }\n}\n`],
	['names with escapes', '{\n  "mcp\\u0053ervers": {\n    "\\u0064evice2": {}\n  }\n}\n', `{\n  "mcp\\u0053ervers": {\n    "\\u0064evice2": {},\n${entry('    ', '  ')}\n  }\n}\n`],
];

for (const [what, before, after] of jsons)
	check(`--install: JSON with ${what}`, (t) => {
		const home = new Home(t, 'gemini', before);
		const { shown } = home.install();
		assert.equal(home.text, after);
		assert.equal(patched(before, shown), after);
		assert.deepEqual(home.install().shown, '');
		home.uninstall();
		assert.equal(home.text, before);
	});

check('--install: another line changes what is the bridge\'s, and leaves the rest of the server', (t) => {
	const before = `{\n  "mcpServers": {\n    "device": {\n      "args": [\n        "--unix", "/old"\n      ],\n      "timeout": 5, // mine\n      "command": "/old/quash-bridge"\n    }\n  }\n}\n`;
	const home = new Home(t, 'gemini', before);
	home.install();
	assert.equal(home.text, before.replace('[\n        "--unix", "/old"\n      ]', '["--tty", "/dev/arm", "--baud", "115200"]').replace('/old/quash-bridge', bridge));
	assert.equal(home.copy, before);
	home.write(home.text.replace('["--tty", "/dev/arm", ', '[\n\t"--tty",\n\t"/dev/arm", '));
	assert.equal(home.install().shown, '', 'a list that a host has laid out anew is the same');
});

check('--install: what a host wants besides stays as it is', (t) => {
	const home = new Home(t, 'zed', `{ "context_servers": { "device": { "command": "quash-bridge", "env": { "A": "1" } } } }`);
	home.install();
	assert.deepEqual(JSON.parse(home.text).context_servers.device, { command: bridge, env: { A: '1' }, args: line });
	const off = new Home(t, 'opencode', JSON.stringify({ mcp: { device: { type: 'local', command: ['/a/quash-bridge'], enabled: false } } }));
	off.install();
	assert.deepEqual(JSON.parse(off.text).mcp.device, { type: 'local', command: [bridge, ...line], enabled: false });
});

check('--uninstall: a file that was changed meanwhile loses the server and nothing else', (t) => {
	const cases = [
		['{\n  "a": 1\n}\n', (text) => text.replace('"a": 1', '"a": 2'), '{\n  "a": 2\n}\n'],
		['{\n  "mcpServers": {\n    "b": {}\n  }\n}\n', (text) => text.replace(/\n {2}\}\n\}\n$/, ',\n    "c": {} // new\n  }\n}\n'), '{\n  "mcpServers": {\n    "b": {},\n    "c": {} // new\n  }\n}\n'],
		['{\n  "mcpServers": {} // none\n}\n', (text) => text.replace('// none', '// some'), '{\n // some\n}\n'],
		['{\n  "mcpServers": {\n    // none yet\n  }\n}\n', (text) => `${text}\n`, '{\n  "mcpServers": {\n    // none yet\n  }\n}\n\n'],
		['{"a":1}', (text) => text.replace('1', '[1]'), '{"a":[1]}'],
		['{\n  "mcpServers": {\n    "b": {} // b\n  }\n}\n', (text) => text.replace('// b', '// B'), '{\n  "mcpServers": {\n    "b": {} // B\n  }\n}\n'],
	];
	for (const [before, edit, after] of cases) {
		const home = new Home(t, 'gemini', before);
		home.install();
		const edited = edit(home.text);
		assert.notEqual(edited, home.text);
		home.write(edited);
		const { shown } = home.uninstall();
		assert.equal(home.text, after);
		assert.equal(patched(edited, shown), after);
		assert.equal(home.copy, edited);
	}
});

check('--name: several servers, each comes out by its name', (t) => {
	const before = '{\n  "mcpServers": {}\n}\n';
	const home = new Home(t, 'gemini', before);
	home.install([...line, '--name', 'arm']);
	home.install(['--unix', '/run/lamp', '--name', 'lamp']);
	assert.deepEqual(Object.entries(JSON.parse(home.text).mcpServers).map(([name, { args }]) => [name, args]), [['arm', line], ['lamp', ['--unix', '/run/lamp']]]);
	home.uninstall(['--name', 'arm']);
	assert.deepEqual(Object.keys(JSON.parse(home.text).mcpServers), ['lamp']);
	home.uninstall(['--name', 'lamp']);
	assert.deepEqual(JSON.parse(home.text), {});
});

/* --- TOML */

const table = (name = 'device') => `[mcp_servers.${name}]\ncommand = "${bridge}"\nargs = ["--tty", "/dev/arm", "--baud", "115200"]\n`;
const others = `model = "gpt" # [mcp_servers.device]
text = """
[mcp_servers.device]
\\"""\\
"""
path = 'C:\\Users\\'
raw = '''
[mcp_servers.device]'''
dates = [1979-05-27T07:32:00Z, 1979-05-27 07:32:00, 07:32:00, 0x1F, 1e-3, +inf, { a.b = "]", "c d" = [true, # yes
  false,
] }]

[mcp_servers.other]
command = "other"
args = [
  "a", # one
]
[mcp_servers.other.env]
A = "1"

[[list]]
[[list]]
x."y.z".'w' = 1
`;

/* What TOML 1.0 takes, near to what it refuses. */
const valid = `"" = 1
'a b' = """\\""""""
b = ''''it''''
c = "\\U0010FFFF\\uD7FF\\b\\\\"
d = """\\  \t
  x\\\r
  y"""
e = [0, +0, -0, 1_000, 0xdead_BEEF, 0o7_1, 0b1_0, 0.0, -0.5, 1e06, 1E+0_1, 6.6e-3, inf, -nan]
f = [2000-02-29, 1979-05-27t07:32:00.5z, 1979-05-27 07:32:00-07:30, 00:00:00, 23:59:59.999]
g.a.b = 1
g.a.c = 2
g . "a" . 'd' = {}
h = { a.b = 1, a.c = { }, "é" = [ { a = 1 }, { a = 1 }, ] }
3.14 = "keys"

[g.a.e] # within one by dots
[i.j.k]
[i]
x = 1
[i.j]
[p.q.r]
[p]
q.s = 1
q.t = 1
[[l]]
[l.m]
[[l.n]]
[[l]]
[l.m]
[ "é" . o ]	# \ta
-_- = true
a\t=\t1
`;

const tomls = [
	['what is near to wrong', valid, `${valid}\n${table()}`],
	['nothing', '', table()],
	['all that TOML has', others, `${others}\n${table()}`],
	['no line\'s end', 'a = 1', `a = 1\n\n${table()}`],
	['a comment alone', '# mine\n', `# mine\n\n${table()}`],
	['lines that end as on Windows', 'a = 1\r\n', `a = 1\r\n\r\n${table().replaceAll('\n', '\r\n')}`],
	['the server\'s environment alone', '[mcp_servers.device2]\n[mcp_servers]\n', `[mcp_servers.device2]\n[mcp_servers]\n\n${table()}`],
];

for (const [what, before, after] of tomls)
	check(`--install: TOML with ${what}`, (t) => {
		const home = new Home(t, 'codex', before);
		const { shown } = home.install();
		assert.equal(home.text, after);
		assert.equal(patched(before, shown), after);
		assert.equal(home.install().shown, '');
		home.uninstall();
		assert.equal(home.text, before);
		home.install();
		home.write(`${home.text}\n[later]\nb = 2\n`);
		home.uninstall();
		assert.equal(home.text, `${before}${before && !before.endsWith('\n') ? '\n' : ''}\n[later]\nb = 2\n`);
	});

check('--install: a table of the server that is there keeps what else it has, also one within it', (t) => {
	const before = `[mcp_servers."device"]   # mine
startup_timeout_sec = 20
args = ["--unix", "/old"] # old
  command="/old/quash-bridge"

[mcp_servers.device.env]
A = "1"

[z]
`;
	const home = new Home(t, 'codex', before);
	home.install();
	const after = before.replace('["--unix", "/old"]', '["--tty", "/dev/arm", "--baud", "115200"]').replace('/old/quash-bridge', bridge);
	assert.equal(home.text, after);
	home.uninstall();
	assert.equal(home.text, '\n[z]\n');
	const half = new Home(t, 'codex', '[mcp_servers.device]');
	half.run(['--install', 'codex', ...line], { status: 2 });
	half.write('[mcp_servers.device]\ncommand = "quash-bridge"');
	half.install();
	assert.equal(half.text, `[mcp_servers.device]\nargs = ["--tty", "/dev/arm", "--baud", "115200"]\ncommand = "${bridge}"`);
});

/* --- Whose a server is */

/* Those that start another program, whatever it is called. */
const anothers = [
	{ command: '/srv/quash-bridge/venv/bin/python', args: ['serve.py'] }, { command: '/opt/my-quash-bridge' }, { command: 'quash-bridge2' }, { command: 'quash-bridge.py' },
	{ command: '/usr/bin/other', args: ['--log', '/var/log/quash-bridge'] }, { command: '/usr/bin/other', args: ['quash-bridge'] }, { command: 'sh', args: ['-c', 'quash-bridge --tty /dev/arm'] },
	{ command: 'sudo', args: ['quash-bridge'] }, { command: 'env', args: ['A=1', 'quash-bridge'] }, { command: 'quash-bridge --tty /dev/arm' }, { command: 'quash-bridge/' }, { command: '' },
	{ command: 'npx', args: ['-y', 'other', 'quash-bridge'] }, { command: 'npx', args: ['-p', 'quash-bridge', 'other'] }, { command: 'node', args: ['-e', 'quash-bridge'] }, { command: 'npx', args: ['-y', 'quash-bridge-other'] }, { command: 'npx' }, { command: 'node', args: ['/a/quash-bridge/other.mjs'] },
	{ command: 'C:\\quash-bridge\\other.exe' }, { command: 'quash-bridge.exe.bak' }, { command: 'cmd', args: ['/c', 'other', 'quash-bridge'] },
	...['x', 'run', 'exec', '/c', 'npx'].map((word) => ({ command: 'node', args: [word, 'quash-bridge'] })), { command: 'npx', args: ['-y', 'run', 'quash-bridge'] }, { command: 'npm', args: ['dlx', 'quash-bridge'] },
	{ command: 'cmd', args: ['npx', 'run', 'quash-bridge'] },
];

const owns = [
	['quash-bridge'], ['/usr/local/bin/quash-bridge', '--unix', '/a'], ['C:\\Tools\\quash-bridge.exe'], ['quash-bridge.EXE'], ['npx', '-y', 'quash-bridge', '--tty', '/dev/x'],
	['npx', '--yes', 'quash-bridge@0.3.0'], ['C:/node/npx.cmd', 'quash-bridge'], ['cmd', '/c', 'npx', '-y', 'quash-bridge'], ['npm', 'exec', '--', 'quash-bridge'], ['bunx', 'quash-bridge'], ['pnpm', 'dlx', 'quash-bridge'],
	['node', '/a/quash-bridge.mjs', '--unix', '/a'], ['/a/quash-bridge.mjs'],
];

check('--install, --uninstall: a server is the bridge\'s when the program that is started is, by whatever path or runner of npm', (t) => {
	for (const [command, ...args] of owns) {
		const literal = (word) => `'${word}'`;
		const cases = [
			['gemini', JSON.stringify({ mcpServers: { device: { command, args } } }), ({ mcpServers }) => mcpServers.device],
			['opencode', JSON.stringify({ mcp: { device: { command: [command, ...args] } } }), ({ mcp }) => ({ command: mcp.device.command[0], args: mcp.device.command.slice(1) })],
			['codex', `[mcp_servers.device]\ncommand = ${literal(command)}\nargs = [ # mine\n${args.map(literal)} ]\n`],
			['codex', `[mcp_servers.'device']\nargs = ${JSON.stringify(args)}\ncommand = """\n${JSON.stringify(command).slice(1, -1)}"""\n`],
		];
		for (const [host, text, serverOf] of cases) {
			const home = new Home(t, host, text);
			home.install();
			if (serverOf) assert.deepEqual([serverOf(JSON.parse(home.text)).command, serverOf(JSON.parse(home.text)).args], [bridge, line]);
			else assert.match(home.text, new RegExp(`command = "${bridge}"`));
			home.write(text);
			home.uninstall();
			assert.equal(home.text.includes('device'), false, home.text);
		}
	}
});

check('--install: a byte order mark stays where it is', (t) => {
	for (const [host, text, after] of [['gemini', '\ufeff{"a":1}\n', `\ufeff{"a":1, "mcpServers": { "device": ${one} }}\n`], ['codex', '\ufeffa = 1\n', `\ufeffa = 1\n\n${table()}`],
		['codex', '\ufeff[a]\n', `\ufeff[a]\n\n${table()}`], ['gemini', '\ufeff', `\ufeff{\n  "mcpServers": {\n${entry('    ', '  ')}\n  }\n}\n`], ['codex', '\ufeff', `\ufeff${table()}`]]) {
		const home = new Home(t, host, text);
		home.install();
		assert.equal(home.text, after);
		assert.equal(home.install().shown, '');
		home.write(`${after}\n`);
		home.uninstall();
		assert.equal(home.text.trimEnd(), host === 'gemini' && text === '\ufeff' ? '\ufeff{\n}' : text.trimEnd());
	}
});

/* --- What is left alone */

/* What TOML 1.0 refuses, kind by kind. */
const wrongTomls = [
	// texts
	'a = "\n"', "a = '\n'", 'a = """', "a = '''", 'a = """x""""""', "a = '''x''''''", 'a = "\\x41"', 'a = "\\e"', 'a = "\\/"', 'a = "\\ "', 'a = """\\ x"""', 'a = "\\u12"', 'a = "\\ud800"',
	'a = "\\U00110000"', 'a = "\\Udfff"', 'a = "\u007f"', "a = '\u0001'", 'a = """\r"""', "a = '''\u0008'''", 'a = """\\\r x"""', "a = 'it's'", 'a = "x" "y"',
	// ends of lines and controls
	'a = 1\rb = 2', 'a = 1\r', '# \u0001', '# a\rb = 1', 'a = 1 # \u007f', '\u000ba = 1', 'a\n= 1', 'a =\n1', '\u00a0a = 1', '[a\n]', '\u0085',
	// keys
	'a b = 1', 'a. = 1', '.a = 1', 'a..b = 1', '"a = 1', '"""a""".b = 1', 'ä = 1', 'a! = 1', '"\\q" = 1', '"a\nb" = 1', '[a.]', '[.a]', '[a b]', '[ [a]]', '[[a] ]', '[[a]\n]', '[a] b = 1', '[a]]', '[""a]', '[a"b"]', 'a = 1, b = 2',
	// numbers
	'a = 01', 'a = -01', 'a = +00', 'a = 1_', 'a = _1', 'a = 1__2', 'a = 1.', 'a = .1', 'a = 1._2', 'a = 1_.2', 'a = 1.2_', 'a = 1e', 'a = 1e_2', 'a = 1e2.3', 'a = 1.e2', 'a = 0x', 'a = 0xG', 'a = 0x_1', 'a = +0x1', 'a = 0b2', 'a = 0o8', 'a = 0X1',
	'a = 01.5', 'a = 1.2.3', 'a = --1', 'a = +', 'a = Inf', 'a = +NaN', 'a = infinity', 'a = TRUE', 'a = truer', 'a = 1a', 'a = 0x1.8', 'a = null',
	// dates and times
	'a = 1979-13-01', 'a = 1979-00-01', 'a = 1979-01-32', 'a = 1979-02-29', 'a = 1900-02-29', 'a = 1979-04-31', 'a = 1979-1-01', 'a = 79-01-01', 'a = 1979-05-27T', 'a = 1979-05-27T07:32', 'a = 07:32', 'a = 24:00:00', 'a = 07:60:00', 'a = 07:32:61', 'a = 7:32:00',
	'a = 07:32:00.', 'a = 1979-05-27T07:32:00+24:00', 'a = 1979-05-27T07:32:00+07', 'a = 1979-05-27T07:32:00z1', 'a = 07:32:00Z', 'a = 1979-05-27  07:32:00', 'a = 1979-05-27 7:32:00', 'a = 1979-05-27x07:32:00',
	// lists and tables on one line
	'a = [1,,2]', 'a = [,1]', 'a = [1', 'a = [1 # ]', 'a = [1}', 'a = {b = 1,}', 'a = {,}', 'a = {b = 1\n}', 'a = {\n}', 'a = {b = 1 c = 2}', 'a = {b}', 'a = {b = 1]', 'a = {b = 1, # c\n}', 'a = {} b',
	// what is defined twice
	'a = 1\na = 2', 'a = 1\n"a" = 2', "a = 1\n'a' = 2", 'a = 1\n"\\u0061" = 2', '[a]\n[a]', '[a]\n["a"]', '[a]\n[ a ]', 'a = 1\n[a]', 'a = 1\n[a.b]', 'a = 1\n[[a]]', '[a]\nb = 1\n[a.b]', '[a]\nb = 1\n[a.b.c]', '[a.b]\n[a]\nb = 1',
	'[a]\nb = 1\nb = 2', '[a]\n[b]\n[a]', '[a.b]\n[c]\n[a.b]', 'a.b = 1\na.b = 2', 'a.b = 1\na = 2', 'a = 1\na.b = 2', 'a.b = 1\na.b.c = 2', 'a.b.c = 1\na.b = 2', 'a.b = 1\n[a]', 'a.b.c = 1\n[a.b]', '[a]\nb.c = 1\n[a.b]', '[a.b]\n[a]\nb.c = 1', '[a.b.c]\n[a]\nb.d = 1\n[a.b]',
	'[a.b.c]\nz = 1\n[a]\nb.c.t = 1', '[[a]]\n[a]', '[a]\n[[a]]', '[a.b]\n[[a]]', 'a = []\n[[a]]', 'a = []\n[a]', 'a = [{}]\n[[a.b]]', 'a = {}\n[a]', 'a = {}\n[a.b]', 'a = {}\n[[a]]', 'a = {}\na.b = 1', 'a = {b = 1}\na.c = 1', 'a = {b = {}}\na.b.c = 1',
	'[[a]]\n[a.b]\n[a.b]', '[[a]]\n[[a.b]]\n[a.b]', '[[a]]\n[a.b]\n[[a.b]]', '[[a]]\nb = 1\nb = 1', '[[a.b]]\n[a]\nb.c = 1', '[[a.b]]\n[a]\nb = 1', 'a = {b = 1, b = 2}', 'a = {b.c = 1, b = 2}', 'a = {b = 1, b.c = 2}', 'a = {b = {}, b.c = 2}', 'a = [{b = 1, b = 1}]',
	'a = {b.c = 1, b.c = 2}', 'a.b = {}\na.b.c = 1', '[mcp_servers.other]\ncommand = "x"\ncommand = "y"',
];


const noJson = 'is no JSON that can be read', noToml = 'is no TOML that can be read';
const otherForm = 'has the server, or all of them, in another form than a table of its own';
const others2 = 'has a server of this name that starts another program: choose another --name';
const leftAlone = [
	...['{', '{"a":1', '[]', '1', '{"a":1}}', '{"a":01}', '{"a":tru}', '{"a" 1}', '{a:1}', "{'a':1}", '{"a":"\n"}', '{"a":"\\x"}', '{,}', '{"a":1,,}', '{"a":[1 2]}', '{"a":[,]}',
		'{} /*', '/', '\ufeff\ufeff{}', '{"a":1} x', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`, '{"a":1.}', '{"a":"\\u12"}', '{"a":-}'].map((text) => ['gemini', text, noJson]),
	['gemini', '{"mcpServers":[]}', 'has something else than an object on the way to the server'],
	['gemini', '{"mcpServers":{"device":"x"}}', 'has something else than an object on the way to the server'],
	['gemini', '{"mcpServers":{},"mcpServers":{}}', 'has a name twice on the way to the server'],
	['gemini', '{"mcpServers":{"device":{},"device":{}}}', 'has a name twice on the way to the server'],
	['gemini', '{"mcpServers":{"device":{"command":"/usr/bin/other"}}}', others2],
	['gemini', '{"mcpServers":{"device":{"url":"http://127.0.0.1"}}}', others2],
	...[...anothers].map((server) => ['gemini', `{"mcpServers":{"device":${JSON.stringify(server)}}}`, others2]),
	...[...anothers].map(({ command, args = [] }) => ['opencode', `{"mcp":{"device":${JSON.stringify({ command: [command, ...args] })}}}`, others2]),
	...[...anothers].map(({ command, args = [] }) => ['codex', `[mcp_servers.device]\ncommand = '${command}'\nargs = ${JSON.stringify(args)}\n`, others2]),
	['gemini', '{"a":"\0"}', 'has a NUL in it, so it is no text'],
	...['gemini', 'codex'].flatMap((host) => ['"\xff"', '"\xc3"', '"\xed\xa0\x80"', '"\xc0\x80"', '"\xf4\x90\x80\x80"', '# \x80'].map((text) => [host, Buffer.from(text, 'latin1'), 'is no text in UTF-8'])),
	...['a', 'a =', 'a = foo', 'a = "x', "a = 'x", 'a = """x""', 'a = [1', 'a = {b = 1', '[a', '[a]]', '[[a]', '[]', 'a = 1 b = 2', '= 1', 'a = "\\q"', 'a = "\u0001"', 'a = [1 2]', 'a = {b}',
		`a = ${'['.repeat(300)}${']'.repeat(300)}`, 'a.b', '[a].b', 'a = ', '"""a""" = 1', '\ufeff\ufeffa = 1', ...wrongTomls].map((text) => ['codex', text, noToml]),
	['codex', 'mcp_servers = {}', otherForm],
	['codex', 'mcp_servers.device.command = "quash-bridge"', otherForm],
	['codex', '[mcp_servers]\ndevice = { command = "quash-bridge" }', otherForm],
	['codex', '[mcp_servers]\n"device".command = "quash-bridge"', otherForm],
	['codex', '[[mcp_servers]]', otherForm],
	['codex', '[[mcp_servers.device]]', otherForm],
	['codex', '[mcp_servers.device]\n[mcp_servers.device]', noToml],
	['codex', '[mcp_servers.device]\ncommand.x = "quash-bridge"', others2],
	['codex', '[mcp_servers."devic\\u0065"]\ncommand = "other"', others2],
	['codex', '[mcp_servers]\n"devic\\U00000065" = { command = "quash-bridge" }', otherForm],
	['codex', '[mcp_servers.device]\ncommand = "other"', others2],
];

check('--install, --uninstall: a file that is not understood, or has another\'s server, is left alone', (t) => {
	for (const [host, text, why] of leftAlone) {
		const home = new Home(t, host, text);
		const { ino } = statSync(home.file);
		for (const words of [['--install', host, ...line], ['--uninstall', host]]) {
			const said = home.run(words, { status: 2 });
			assert.deepEqual(said, { shown: '', said: `quash-bridge: ${home.file}: ${why}\n` }, text);
			assert.deepEqual([readFileSync(home.file), statSync(home.file).ino, home.names.length], [Buffer.from(text), ino, 1], `${text}`);
		}
	}
});

check('--install: files that are none', (t) => {
	const home = new Home(t, 'gemini');
	mkdirSync(home.file);
	assert.match(home.install(line, { status: 2 }).said, /settings\.json: is no plain file\n$/);
	const link = new Home(t, 'gemini');
	symlinkSync('nowhere', link.file);
	assert.match(link.install(line, { status: 2 }).said, /: is a link that leads nowhere\n$/);
	const bare = new Home(t, 'codex', undefined, { place: 'x' });
	assert.equal(bare.install(line, { status: 2 }).said, `quash-bridge: ${bare.folder}/.codex/config.toml: has no folder: has the host been started here before?\n`);
	for (const env of [{}, { HOME: '' }, { HOME: 'x' }])
		assert.equal(bare.install(line, { status: 2, env }).said, 'quash-bridge: HOME names no folder\n');
	const other = { HOME: bare.folder, XDG_CONFIG_HOME: '/nowhere', CODEX_HOME: '/nowhere' };
	mkdirSync(join(bare.folder, '.codex'));
	bare.install(line, { env: other });
	assert.equal(readFileSync(join(bare.folder, '.codex/config.toml'), 'utf8'), table());
});

check('--install: a link stays one', (t) => {
	const home = new Home(t, 'gemini', '{}\n');
	const kept = join(home.folder, 'kept.json');
	renameSync(home.file, kept);
	symlinkSync('../kept.json', home.file);
	home.install();
	assert.equal(readFileSync(`${kept}.before-quash`, 'utf8'), '{}\n');
	assert.ok(JSON.parse(readFileSync(kept, 'utf8')).mcpServers.device);
	home.uninstall();
	assert.equal(readFileSync(kept, 'utf8'), '{}\n');
	assert.deepEqual(home.names, ['settings.json']);
});

check('--install: the places of a host: the file that is there, else that whose folder is', (t) => {
	const both = new Home(t, 'opencode', '{ // mine\n}', { place: '.config/opencode/opencode.jsonc' });
	both.install();
	assert.match(both.text, /^\{ \/\/ mine\n {2}"mcp": \{/);
	assert.deepEqual(both.names, ['opencode.jsonc', 'opencode.jsonc.before-quash']);
});

/* --- By system */

const appData = 'AppData/Roaming', packages = 'AppData/Local/Packages', packaged = 'LocalCache/Roaming/Claude/claude_desktop_config.json';
const otherPlaces = {
	macos: { claude: 'Library/Application Support/Claude/claude_desktop_config.json', vscode: 'Library/Application Support/Code/User/mcp.json' },
	windows: { claude: `${appData}/Claude/claude_desktop_config.json`, vscode: `${appData}/Code/User/mcp.json`, zed: `${appData}/Zed/settings.json`, acp: `${appData}/Zed/settings.json` },
};

/* A home on another system, whose user has a name with a blank and umlauts. */
class OtherHome extends Home {
	constructor(t, system, host, text, place = otherPlaces[system][host] ?? places[host]) {
		super(t, host, text, { place: `Jörg Müller/${place}` });
		this.home = join(this.folder, 'Jörg Müller');
		this.system = system;
	}

	run(words, { env, ...how } = {}) {
		const usual = this.system === 'windows' ? { USERPROFILE: this.home, APPDATA: join(this.home, appData), LOCALAPPDATA: join(this.home, 'AppData/Local') } : { HOME: this.home };
		return super.run(['--system', this.system, ...words], { env: { ...usual, ...env }, ...how });
	}

	/* One more file of it. */
	adds(place, text = '{}\n') {
		mkdirSync(dirname(join(this.home, place)), { recursive: true });
		if (text !== null) writeFileSync(join(this.home, place), text);
		return join(this.home, place);
	}
}

for (const system of Object.keys(otherPlaces))
	check(`--install --system ${system}: each host's file there, in a home with a blank and umlauts`, (t) => {
		for (const host of Object.keys(places)) {
			const home = new OtherHome(t, system, host), given = ['--tty', system === 'macos' ? '/dev/cu.usbmodem1' : 'COM3'];
			assert.equal(home.install(given).said, `${quit(host)}quash-bridge: '${home.file}': has the server, and is new\n`);
			assert.equal(home.text, printed(host, ['--system', system, ...given]));
			assert.match(home.text, /"npx", "-y", "quash-bridge@|"npx",\s+"args": \["-y", "quash-bridge@|"npx"\nargs = \["-y", "quash-bridge@/);
			assert.equal(home.install(given).shown, '');
			home.uninstall();
			assert.equal(existsSync(home.file), false);
		}
	});

check('--install --system windows: without APPDATA and LOCALAPPDATA they are those of the profile', (t) => {
	for (const [host, place] of [['vscode', `${appData}/Code/User/mcp.json`], ['claude', `${packages}/Claude_a/${packaged}`]]) {
		const home = new OtherHome(t, 'windows', host, '{}', place);
		home.install(line, { env: { APPDATA: undefined, LOCALAPPDATA: undefined } });
		assert.match(home.text, /quash-bridge@/);
	}
	const bare = new OtherHome(t, 'windows', 'gemini', '{}');
	assert.equal(bare.install(line, { status: 2, env: { USERPROFILE: '' } }).said, 'quash-bridge: USERPROFILE names no folder\n');
});

check('--install claude --system windows: the file of the packaged app, where there is one', (t) => {
	const old = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	old.adds(`${packages}/Microsoft.Other_x/LocalCache/Roaming/Claude/claude_desktop_config.json`);
	old.install();
	assert.match(old.text, /"a":1, "mcpServers"/);
	for (const text of ['{}\n', null]) {
		const home = new OtherHome(t, 'windows', 'claude', '{"a":1}'), file = home.adds(`${packages}/Claude_pzs8sxrjxfjjc/${packaged}`, text);
		home.adds(`${packages}/Claude_older/LocalCache/Roaming/Claude/logs/a`);
		if (text === null) assert.match(home.install(line, { status: 2 }).said, /: is one of several that the host may read: paste there what --print-config prints\n$/);
		else assert.ok(home.install().said.endsWith(`quash-bridge: '${file}': has the server; what it was is beside it, as .before-quash\n`));
		assert.equal(home.text, '{"a":1}', 'the other one stays');
		assert.equal(existsSync(file), text !== null);
	}
	const fresh = new OtherHome(t, 'windows', 'claude', '{"a":1}'), file = fresh.adds(`${packages}/Claude_a/${packaged}`, null);
	fresh.install();
	assert.equal(readFileSync(file, 'utf8'), printed('claude', ['--system', 'windows', ...line]));
});

check('--install claude --system windows: several files, or none: nothing changes', (t) => {
	const home = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	const files = ['Claude_a', 'Claude_b'].map((name) => home.adds(`${packages}/${name}/${packaged}`));
	for (const words of [['--install', 'claude', ...line], ['--uninstall', 'claude']]) {
		const { shown, said } = home.run(words, { status: 2 });
		assert.equal(shown, '');
		assert.match(said, /Claude_[ab]\/LocalCache\/Roaming\/Claude\/claude_desktop_config\.json': is one of several that the host may read: paste there what --print-config prints\n$/);
	}
	assert.deepEqual([...files, home.file].map((file) => readFileSync(file, 'utf8')), ['{}\n', '{}\n', '{"a":1}']);
	const never = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	mkdirSync(join(never.home, packages, 'Claude_a'), { recursive: true });
	assert.match(never.install(line, { status: 2 }).said, /Claude_a\/LocalCache.*: has no folder: has the host been started here before\?\n$/);
	assert.equal(never.text, '{"a":1}');
	const none = new OtherHome(t, 'windows', 'gemini');
	assert.match(none.run(['--install', 'claude', ...line], { status: 2 }).said, /AppData\/Roaming\/Claude\/claude_desktop_config\.json'?: has no folder: has the host been started here before\?\n$/);
});

check('--install --system windows: from within a packaged app it says that it cannot', (t) => {
	for (const host of ['claude', 'vscode', 'zed', 'codex']) {
		const home = new OtherHome(t, 'windows', host, host === 'codex' ? '' : '{}'), before = home.text;
		const seen = join(home.home, packages, 'Claude_a/LocalCache/Roaming');
		mkdirSync(join(home.home, appData), { recursive: true });
		mkdirSync(dirname(seen), { recursive: true });
		renameSync(join(home.home, appData), seen);
		symlinkSync(seen, join(home.home, appData));
		const within = host !== 'codex';
		const { said } = home.install(line, { status: within ? 2 : 0 });
		if (within) assert.match(said, /: cannot be changed from within a packaged app of Windows, whose files in AppData no other program sees: do it in a terminal of its own\n$/);
		assert.equal(home.text === before, within);
		assert.deepEqual(readdirSync(seen).filter((name) => name.includes('quash')), [], 'nothing is left behind');
	}
});

/* Root may do all, so another user runs the bridge. */
const somebody = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};

check('--install: a file, or a folder, that is not to be written is left whole', (t) => {
	const home = new Home(t, 'gemini', '{"a":1}');
	for (const path of [home.folder, dirname(home.file), home.file]) if (somebody.uid) chownSync(path, somebody.uid, somebody.gid);
	const run = (words) => home.run(words, { status: 2, ...somebody });
	for (const [path, mode, why] of [[home.file, 0o444, /: is not to be written\n$/], [dirname(home.file), 0o555, /: Permission denied\n$/]]) {
		chmodSync(path, mode);
		assert.match(run(['--install', 'gemini', ...line]).said, why);
		chmodSync(path, 0o755);
		assert.deepEqual([home.text, home.names], ['{"a":1}', ['settings.json']]);
	}
});

check('--install: what would not work is refused before the file is looked at', (t) => {
	const home = new Home(t, 'gemini', '{}');
	for (const words of [[], ['--unix', '/a', '--protocol', 'acp'], ['--unix', '/a', '--listen-tcp', '0'], ['--', 'no-such-program']])
		home.install(words, { status: 2 });
	assert.equal(home.run(['--install', 'lsp', ...line], { status: 2 }).said.split(' takes ')[0], 'quash-bridge: --install lsp:');
	assert.deepEqual([home.text, home.names], ['{}', ['settings.json']]);
});

/* --- Any JSON with comments */

/* The same numbers in every run. */
function makeRandom(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const spaces = ['', ' ', '\n', '\n  ', '\t', ' // "x": {\n', ' /* } */ ', '\r\n'];

/* Text and value of something at random. `pick` gives one of a list. */
function written(pick, depth) {
	const space = () => pick(spaces);
	const kind = depth > 2 ? 'word' : pick(['object', 'array', 'word', 'word']);
	if (kind === 'word') {
		const value = pick(['"a\\"b"', '"}"', '-1.5e3', 'true', 'null', '"// no"']);
		return [value, JSON.parse(value)];
	}
	const items = Array.from({ length: pick([0, 1, 2, 3]) }, () => written(pick, depth + 1));
	const comma = items.length && pick([true, false, false]) ? ',' : '';
	const rows = items.map(([text], i) => space() + (kind === 'object' ? `"k${i}"${space()}:${space()}${text}` : text) + space());
	const value = kind === 'object' ? Object.fromEntries(items.map(([, one], i) => [`k${i}`, one])) : items.map(([, one]) => one);
	const [open, close] = kind === 'object' ? '{}' : '[]';
	return [`${open}${rows.join(',')}${comma}${space()}${close}`, value];
}

const withoutComments = (text) => text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) => (found[0] === '"' ? found : ' '))
	.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found[0] === '"' ? found : ''));

check('--install: any JSON has the server then, and all that it had; out again it is what it was', (t) => {
	const random = makeRandom(20261125);
	const pick = (list) => list[Math.floor(random() * list.length)];
	const home = new Home(t, 'gemini');
	for (let i = 0; i < 80; i++) {
		const members = [['"z"', written(pick, 1)], ['"mcpServers"', written(pick, 1)], ['"y"', written(pick, 1)]].filter(() => pick([true, true, false]));
		const found = members.find(([name]) => name === '"mcpServers"');
		if (found) found[1] = [`{${pick(spaces)}"s": ${found[1][0]}${pick(spaces)}}`, { s: found[1][1] }];
		const before = `${pick(spaces)}{${members.map(([name, [text]]) => `${pick(spaces)}${name}:${text}${pick(spaces)}`).join(',')}${pick(spaces)}}${pick(spaces)}`;
		const value = JSON.parse(withoutComments(before));
		home.write(before);
		const { shown } = home.install();
		const after = home.text;
		const wanted = { ...value, mcpServers: { ...value.mcpServers, device: { command: bridge, args: line } } };
		assert.deepEqual(JSON.parse(withoutComments(after)), wanted, before);
		assert.equal(patched(before, shown), after);
		assert.equal(home.install().shown, '', before);
		home.write(`${after}\n`);
		home.uninstall();
		assert.deepEqual(JSON.parse(withoutComments(home.text)), value, `${before}\n---\n${after}\n---\n${home.text}`);
		home.write(before);
		home.install();
		home.uninstall();
		assert.equal(home.text, before);
	}
});
