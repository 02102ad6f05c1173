/* SPDX-License-Identifier: MIT
 * Options that are wrong: each line says what was given and what is taken. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';

const time = (unit, example) => `takes a time: a number of ${unit}, or one with ms, s or m behind it, as in ${example}; at most 24 days`;
const ms = time('milliseconds', '2s'), seconds = time('seconds', '500ms');
const rate = 'takes a rate in bits per second that serial devices have, such as 9600, 57600, 115200 or 921600';
const address = 'takes HOST:PORT; HOST is an address in numbers, [::1] or localhost, PORT is from 1 to 65535';
const line = 'takes NAME=LINE; LINE is tty:PORT[,BAUD], tcp:HOST:PORT, unix:PATH or exec:COMMAND ARG...';
const port = 'takes the path of a serial device, such as /dev/ttyACM0, or auto, or usb:VID:PID[:SERIAL] with four hexadecimal digits for VID and PID';
const name = 'takes a NAME that is a letter, then at most 23 letters, digits, _ or -';

/* Of programs that have a device: what is given, what is said. */
const both = [
	[['--baud', 'fast', '--tty', '/a'], `--baud fast: ${rate}`],
	[['--tty', '/a', '--baud', ''], `--baud '': ${rate}`],
	[['--tty', '/a', '--baud'], `--baud without a value: ${rate}`],
	[['--buad', '9600'], '--buad: is no option; is it --baud?'],
	[['--nonsense'], '--nonsense: is no option; see --help'],
	[['a stray word'], "'a stray word': is no option; see --help"],
	[['--unix', '/a', '--tty', '/b'], '--tty /b: is one device too many'],
	[['--unix', '/a', '--', 'cat'], 'cat: is one device too many'],
	[['--unix', '/a', '--baud', '9600'], '--baud is for --tty'],
	[['--unix', '/a', '--reset'], '--reset is for --tty'],
	[['--tty', ''], `--tty '': ${port}`],
	[['--tty', 'usb:2341'], `--tty usb:2341: ${port}`],
	[['--tty', 'usb:2341:0043:'], `--tty usb:2341:0043:: ${port}`],
	[['--unix', ''], "--unix '': takes the path of a Unix socket"],
	[['--tcp', 'motor:7000'], `--tcp motor:7000: ${address}`],
	[['--grace', '5y'], `--grace 5y: ${ms}`],
	[['--wait', '1.5'], `--wait 1.5: ${seconds}`],
	[['--token-file', '/no/such'], /^--token-file \/no\/such: takes a file whose first line is a token, of at most \d+ bytes$/],
	[['--grace', `${'9'.repeat(199)}ä9`], `--grace ${'9'.repeat(199)}...: ${ms}`],
	[['--grace', '\x1b[2J\n'], `--grace \\u001b[2J\\n: ${ms}`],
];

const wrong = {
	'quash-bridge': [...both,
		[[], 'no device: it takes --tty, --tcp, --unix, --device, or a command behind --'],
		[['--protocol', 'klingon'], '--protocol klingon: takes mcp, acp, lsp or jsonrpc'],
		[['--clients', '65'], '--clients 65: takes a number from 1 to 64'],
		[['--listen-tcp', 'a:b'], '--listen-tcp a:b: takes [ADDRESS:]PORT; PORT is from 0 to 65535'],
		[['--listen-tcp', '0.0.0.0:0', '--unix', '/a'], '--listen-tcp with an address that others reach needs --token-file'],
		[['--log', 'loud'], '--log loud: takes error, warning, info or debug'],
		[['--device', 'arm'], `--device arm: ${line}`],
		[['--device', 'arm=usb:1'], `--device arm=usb:1: ${line}`],
		[['--device', 'arm=tty:usb:1,9600'], `--device arm=tty:usb:1,9600: ${line}`],
		[['--json'], '--json: is no option; see --help'],
		[['--list', '--tty', '/a'], '--tty: is no option; it takes --list, --json'],
		[['--device', '1=unix:/a'], `--device 1=unix:/a: ${name}`],
		[['--device', 'a=tty:usb:2341:00aB', '--device', 'b=tty:usb:2341:00Ab,9600'], '--device b=tty:usb:2341:00Ab,9600: has the serial port of another device'],
		[['--device', 'a=unix:/a', '--device', 'a=unix:/b'], '--device a=unix:/b: has a NAME with which a tool of another device could have the same name'],
		[Array.from({ length: 25 }, (_, i) => ['--device', `d${i}=unix:/a`]).flat(), '--device d24=unix:/a: is one device too many: 24 are the most'],
		[['--device', 'a=unix:/a', '--tty', '/b'], '--device names all devices: --tty, --baud, --reset, --tcp, --unix and a command do not stand beside it'],
	],
	'quash-inspect': [...both,
		[[], 'no device: it takes --tty, --tcp, --unix, or a command behind --'],
		[['--protocol', 'klingon'], '--protocol klingon: takes mcp, acp, lsp or jsonrpc'],
		[['--params', '{'], '--params {: takes JSON, an object or an array'],
		[['--arg', 'steps'], '--arg steps: takes KEY=VALUE'],
		[['--permission', 'maybe'], '--permission maybe: takes ask, allow, reject or hang'],
		[['--cancel-by', 'luck'], '--cancel-by luck: takes session or request'],
		[['--method', ''], "--method '': takes the name of a method"],
		[['--arena', '1023'], '--arena 1023: takes a number of bytes from 1024 to 16777215'],
		[['--params', '{}', '--unix', '/a'], '--params needs --method'],
	],
	toolbox: [
		[['--fast'], '--fast: is no option; it takes --slots, --arena, --tx, --longest'],
		[['--slot', '3'], '--slot: is no option; is it --slots?'],
		[['--slots', '256'], '--slots 256: takes a number from 1 to 255'],
		[['--longest', 'ever'], `--longest ever: ${ms}`],
	],
	testee: [
		[['--dialect', 'klingon'], '--dialect klingon: takes acp, lsp, mcp or jsonrpc'],
		[['--slots', '-1'], '--slots -1: takes a number from 1 to 255'],
		[['--slots', '0'], 'bad config: config: slot_count 0, needs 1'],
		[['--arena', '12x'], '--arena 12x: takes a number of bytes below 1000000000'],
		[['--tx', '63'], 'bad config: config: tx_size 63, needs 64'],
	],
	agent: [[['--fast'], '--fast: is no option; there are none']],
	langserver: [[['--fast'], '--fast: is no option; there are none']],
};

for (const [program, lines] of Object.entries(wrong))
	test(`${program}: a wrong option is named, and what is taken in its place`, () => {
		for (const [words, said] of lines) {
			const { status, stdout, stderr } = told(hostProgram(program), words);
			assert.deepEqual([status, stdout], [2, ''], words.join(' '));
			assert.ok(stderr.startsWith(`${program}: `) && stderr.endsWith('\n'), stderr);
			const text = stderr.slice(program.length + 2, -1);
			if (said instanceof RegExp) assert.match(text, said);
			else assert.equal(text, said);
		}
	});

test('options that are right are taken: with each unit, at both ends of a range', () => {
	for (const [program, words] of [['quash-inspect', ['--wait', '5']], ['quash-inspect', ['--grace', '24000m']], ['quash-inspect', ['--arena', '1024']],
		['quash-inspect', ['--arena', '16777215']], ['quash-bridge', ['--clients', '64']], ['quash-bridge', ['--timeout', '2147483647']]]) {
		const { stderr } = told(hostProgram(program), words);
		assert.match(stderr, /: no device: /, words.join(' '));
	}
});
