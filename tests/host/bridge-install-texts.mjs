/* SPDX-License-Identifier: MIT
 * quash-bridge --install and --uninstall: what JSON and TOML are then, byte for byte. */

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { check as checkOf } from './bridge-program.mjs';
import { Home, line, listed, patched, server, started, table } from './homes.mjs';

/* Nobody else waits while this process stands still for the bridge. */
const check = (name, body) => checkOf(name, body, { together: false });

/* --- JSON, byte for byte */

const entry = (indent, unit, name = 'device') => [`${indent}"${name}": {`, `${indent}${unit}"command": "${started[0]}",`, `${indent}${unit}"args": ${listed()}`, `${indent}}`].join('\n');
const one = `{ "command": "${started[0]}", "args": ${listed()} }`;

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
	assert.equal(home.text, before.replace('[\n        "--unix", "/old"\n      ]', listed()).replace('/old/quash-bridge', started[0]));
	assert.equal(home.copy, before);
	home.write(home.text.replace(listed(), listed().replace('"--tty", ', '\n\t"--tty",\n\t')));
	assert.equal(home.install().shown, '', 'a list that a host has laid out anew is the same');
});

check('--install: what a host wants besides stays as it is', (t) => {
	const home = new Home(t, 'zed', `{ "context_servers": { "device": { "command": "quash-bridge", "env": { "A": "1" } } } }`);
	home.install();
	assert.deepEqual(JSON.parse(home.text).context_servers.device, { ...server(), env: { A: '1' } });
	const off = new Home(t, 'opencode', JSON.stringify({ mcp: { device: { type: 'local', command: ['/a/quash-bridge'], enabled: false } } }));
	off.install();
	assert.deepEqual(JSON.parse(off.text).mcp.device, { type: 'local', command: [...started, ...line], enabled: false });
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
	assert.deepEqual(Object.entries(JSON.parse(home.text).mcpServers).map(([name, { args }]) => [name, args]), [['arm', server().args], ['lamp', server(['--unix', '/run/lamp']).args]]);
	home.uninstall(['--name', 'arm']);
	assert.deepEqual(Object.keys(JSON.parse(home.text).mcpServers), ['lamp']);
	home.uninstall(['--name', 'lamp']);
	assert.deepEqual(JSON.parse(home.text), {});
});

/* --- TOML */

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
	const after = before.replace('["--unix", "/old"]', listed()).replace('/old/quash-bridge', started[0]);
	assert.equal(home.text, after);
	home.uninstall();
	assert.equal(home.text, '\n[z]\n');
	const half = new Home(t, 'codex', '[mcp_servers.device]');
	half.run(['--install', 'codex', ...line], { status: 2 });
	half.write('[mcp_servers.device]\ncommand = "quash-bridge"');
	half.install();
	assert.equal(half.text, `[mcp_servers.device]\nargs = ${listed()}\ncommand = "${started[0]}"`);
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
			if (serverOf) assert.deepEqual([serverOf(JSON.parse(home.text)).command, serverOf(JSON.parse(home.text)).args], [server().command, server().args]);
			else assert.match(home.text, new RegExp(`command = "${started[0]}"`));
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
		const wanted = { ...value, mcpServers: { ...value.mcpServers, device: server() } };
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
