/* SPDX-License-Identifier: MIT
 * inspect --doctor: devices that do not work, and what is found of each, word for word. */

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Bridge } from './bridge-program.mjs';
import { cable } from '../common/cable.mjs';
import { connectTo, greet } from '../common/client.mjs';
import { folderFor, started } from '../common/start.mjs';
import { Inspect, clockOf, hasty, run, timed, toolbox } from './inspect-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { sick } from './sick.mjs';
import { sizedToolbox } from './sized.mjs';
import { test as testOf } from '../common/runner.mjs';

/* They mostly wait. */
const test = (name, body, more) => testOf(`doctor: ${name}`, body, { together: true, ...more });

const examined = (t, words) => {
	const clock = clockOf(t);
	return Object.assign(new Inspect(t, ['--doctor', ...words], { clock }), { clock });
};

async function linesOf(inspect, code) {
	await inspect.exits(code);
	return inspect.shown.split('\n').slice(0, -1);
}

/** What it prints of a device, as lines; `words` name the device, which has all the time that it wants. */
const found = (t, code, ...words) => linesOf(examined(t, words), code);

/** The same of a device that answers no more, once that has answered `initialize`. */
async function foundWaiting(t, code, words, said) {
	const inspect = examined(t, words);
	const [, bytes] = await (said ?? inspect).says(/^said (\d+)$/m);
	inspect.clock.passes(bytes);
	return linesOf(inspect, code);
}

/** The same of one that says so many bytes at first. */
async function foundAfter(t, code, bytes, ...words) {
	const inspect = examined(t, words);
	inspect.clock.passes(bytes);
	return linesOf(inspect, code);
}

/* --- A serial line */

const power = 'give the board power, load the program, let its loop run; TX to RX, RX to TX, ground to ground; its rate as --baud; or it is another device';
const wiring = 'connect TX with the RX of the other side, not with its own; switch off the local echo of an adapter or terminal';
const rate = 'give the rate of the board as --baud; ground to ground';
const others = 'its text says who writes: load the program that serves, move what it prints to another line, or name another device';
const damaged = 'what it gets is damaged or cut: no byte may be lost between its interrupt and its loop; its rate as --baud; ground to ground';
const sameId = 'answer with the id that came: a number stays that number, a string that string';
const nothing = 'no answer to initialize in 2500 ms';

for (const [ailment, words, remedy] of [
	['silent', `silent: nothing came; ${nothing}`, power],
	['fast', new RegExp(`^garbage: \\d+ of \\d+ bytes are no text; ${nothing}$`), rate],
	['slow', new RegExp(`^garbage: \\d+ of \\d+ bytes are no text; ${nothing}$`), rate],
	['echo', 'echo: what is sent to it comes back', wiring],
	['terminal', 'echo: what is sent to it comes back', wiring],
	['shell', `another program: text that is no message: "-sh: {\\"jsonrpc: not found"; and it sends back what it gets; ${nothing}`, others],
	['prompt', `another program: text that is no message: "raspberrypi login: "; ${nothing}`, others],
	['http', `another program: text that is no message: "HTTP/1.1 400 Bad Request"; ${nothing}`, others],
	['telemetry', `another program: text that is no message: "{\\"uptime\\":1}"; ${nothing}`, others],
	['unended', `no end of line: a message came, and no line feed behind it; ${nothing}`, 'end each message with a line feed'],
	['mumbling', `unreadable: other messages came; ${nothing}; it could not read what it got: {"code":-32700,"message":"Parse error"}`, damaged],
	['texts', new RegExp(`^wrong id: an answer has the id "\\d+", and what was asked has a number; ${nothing}$`), sameId],
	['objects', `wrong id: an answer has the id {"n":1,"m":2}, and what was asked has a number; ${nothing}`, sameId],
	['changing', /^garbage: a message came damaged: "\{\\"jsonrpc\\".*\\"result\\"z/, rate],
	['fractions', new RegExp(`^wrong id: an answer has the id \\d+\\.0, and what was asked has a number; ${nothing}$`), sameId],
	['nobody', `wrong id: an answer has the id null, and what was asked has a number; ${nothing}`, sameId],
	['unnamed', `wrong id: an answer has no id, and what was asked has a number; ${nothing}`, sameId],
	['others', new RegExp(`^wrong id: an answer has the id 4711, and what was asked has \\d+; ${nothing}$`), sameId],
])
	test(`a serial line: ${ailment}`, async (t) => {
		const { link, process } = await cable(t, { command: sick(ailment) });
		await process.says(/awake/);
		const [first, second, ...more] = await foundWaiting(t, 3, ['--timeout', '2500', '--tty', link], process);
		if (words instanceof RegExp) assert.match(first, words);
		else assert.equal(first, words);
		assert.deepEqual([second, ...more], [`remedy: ${remedy}`]);
	});

test('a serial line: well, whatever it has written while it booted', async (t) => {
	const boots = `printf 'ets Jun  8 2016\\n'; IFS= read -r lost; printf 'up\\n'; exec ${toolbox}`;
	const { link } = await cable(t, { command: ['sh', '-c', boots] });
	const inspect = new Inspect(t, ['--doctor', '--timeout', '600000', '--tty', link]); /* it asks again, by its own clock */
	assert.deepEqual(await linesOf(inspect, 0),
		['well: it answers; 5 tools; nothing was asked of its progress: --tool names a tool that reports some; its counters were read']);
});

test('a serial line: a board that prints now and then, while nothing is asked', async (t) => {
	const { link } = await cable(t, { command: sick('ticking') });
	const [first, second] = await linesOf(new Inspect(t, ['--doctor', '--timeout', '600000', '--tty', link]), 4);
	assert.match(first, /^noise: \d+ texts? that (is|are) no message came between its messages: "tick", .*; it answers; 1 tool; /);
	assert.equal(second, 'remedy: it prints on the line of its protocol: let it print elsewhere, or write log messages. quash-bridge passes over it, other hosts may not');
});

test('a line that echoes, with a device behind it', async (t) => {
	const path = join(folderFor(t), 'socket');
	const server = createServer((socket) => {
		const device = started(t, [toolbox], { stdio: ['pipe', 'pipe', 'ignore'] });
		socket.on('error', () => {}).on('data', (bytes) => {
			socket.write(bytes);
			device.stdin.write(bytes);
		});
		device.stdout.pipe(socket);
	});
	t.after(() => server.close());
	await new Promise((resolve) => server.listen(path, resolve));
	const [first] = await found(t, 3, '--unix', path);
	assert.equal(first, 'echo: what is sent to it comes back, and messages of its own too');
});

/* --- A program */

const text = 'its text says who writes: start the program that serves, and let it print to stderr alone; or name another port';
const name = 'name what it speaks: --protocol, --modern';
const stderr = 'it prints on the line of its protocol: let it print to stderr, or write log messages. quash-bridge passes over it, other hosts may not';
const mend = 'mend what its words name: its config, the arguments, or the machine';
const larger = 'make the buffer larger that is named; quash-inspect --advise looks at all of them';
const version = 'another protocol: the answer to initialize has the version';
const arena = 'it does not hold the params of quash-inspect itself';

for (const [ailment, code, ...lines] of [
	['dying', 3, 'lost: it closed the line, and no answer to initialize came',
		'remedy: look why it ends, or closes the connection: what it writes to stderr, its exit code'],
	['half', 3, 'no answer: other messages came; no answer to tools/list in 6000 ms', 'remedy: it is there, and does not answer this: let each handler return, and its loop go on'],
	['losing', 3, `garbage: a message came damaged: "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":2,\\"result\\":{\\"tools:[]}}"; no answer to tools/list in 6000 ms`,
		'remedy: let it write JSON, one message on each line; or it is another program, another port'],
	['chatty', 4, `noise: 4 texts that are no message came between its messages: "tick 1 \\u001b[0m", "{\\"uptime\\":2}", "tick 3 ", ...; it answers; 1 tool; nothing was asked of its progress: --tool names a tool that reports some`,
		`remedy: ${stderr}`],
	['headed', 1, 'another protocol: it writes headers, as LSP does; no answer to initialize in 6000 ms', `remedy: ${name}`],
	['foreign', 1, `${version} 1`, `remedy: ${name}`],
	['old', 1, `${version} 1999-01-01`, `remedy: ${name}`],
	['unserving', 1, 'another protocol: initialize is answered with -32601: Method not found', `remedy: ${name}`],
	['misconfigured', 1, 'refused: initialize is answered with -32603: tools[0] move: state_size 64, needs 66', `remedy: ${mend}`],
	['cramped', 4, 'too small: initialize is answered with -32011: Message too large: reason it is larger than the arena, is 40, needs 97',
		`remedy: ${larger}`, `arena_size: at least 70: ${arena}, 62 bytes`],
	['narrow', 4, 'too small: tools/call is answered with -32011: Message too large: reason it is larger than the arena, is 40, needs 97',
		`remedy: ${larger}`, `arena_size: at least 132: ${arena}, 124 bytes`],
	['busy', 4, 'too small: tools/list is answered with -32010: Busy', `remedy: ${larger}`,
		'look: busy 1: no slot, or no 5 bytes of arena, were left for quash-inspect itself: ask when less runs, or add both'],
	['well', 0, 'well: it answers; 1 tool; nothing was asked of its progress: --tool names a tool that reports some'],
])
	test(`a program: ${ailment}`, async (t) => {
		const waits = ['half', 'headed', 'losing'].includes(ailment), words = [...waits ? ['--timeout', '6000'] : [], '--', ...sick(ailment)];
		assert.deepEqual(await (waits ? foundWaiting(t, code, words) : found(t, code, ...words)), lines);
	});

test('noise without end', async (t) => {
	for (const protocol of ['mcp', 'lsp'])
		assert.deepEqual(await foundAfter(t, 3, 2, '--protocol', protocol, '--timeout', '1000', '--', 'yes'),
			['another program: text that is no message: "y"; no answer to initialize in 1000 ms', `remedy: ${text}`]);
});

test('Ctrl-C ends it, and nothing is found', async (t) => {
	const inspect = Inspect.start(t, ['--doctor', '--trace'], sick('silent'));
	await inspect.says(/^-> .*initialize/m);
	await inspect.interrupted();
	assert.equal(inspect.shown, '');
});

test('a device that cannot be opened has no finding', async (t) => {
	assert.deepEqual(await found(t, 3, '--unix', '/no/such/socket'), []);
});

test('what the device writes steers no terminal, and is JSON', async (t) => {
	const [shown] = await foundAfter(t, 3, 8, '--json', '--timeout', '1000', '--', 'sh', '-c', 'printf \'\\033[2J"x"\\n\'; cat >/dev/null');
	assert.deepEqual(JSON.parse(shown), { diagnosis: 'another program',
		found: 'text that is no message: "\\u001b[2J\\"x\\""; no answer to initialize in 1000 ms', remedy: text, buffers: [], look: [] });
});

/* --- Room and progress of a device of this library */

const slow = ['--tool', 'slow', '--arg', 'ms=120'];
const report = 'remedy: make the buffer larger that is named; if none is, let the tool report progress';

test('a toolbox: well', async (t) => {
	assert.deepEqual(await found(t, 0, ...slow, '--', ...hasty(t, toolbox)), ['well: it answers; 5 tools; progress came 2 times; its counters were read']);
	assert.deepEqual(await found(t, 0, '--modern', ...slow, '--', ...hasty(t, toolbox)), ['well: it answers; 5 tools; progress came 2 times; its counters were read']);
});

test('a toolbox: nothing that moves is called, and nothing of it is changed', async (t) => {
	const { said } = await run(t, ['--doctor', '--trace'], [toolbox], 0);
	const calls = said.split('\n').filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)))
		.filter(({ method }) => method === 'tools/call').map(({ params }) => params.name);
	assert.deepEqual(calls, ['quash-doctor', 'stats']);
});

test('a toolbox: its TX takes no progress', async (t) => {
	const lines = await found(t, 4, ...slow, '--', ...hasty(t, toolbox, '--tx', '64'));
	assert.deepEqual(lines.slice(0, 2), ['no progress: slow has answered, and no progress came: it found no room, or the tool reports none', report]);
	assert.match(lines[2], /^tx_size: 10\d instead of 64, \d+ bytes more: dropped 2, longest_notification 10\d$/);
});

test('a toolbox: a long token has no room', async (t) => {
	const small = sizedToolbox({ SLOTS: 2, ID_SIZE: 24, TOKEN_SIZE: 12, ARENA: 448, TX: 160, REASON: 8 });
	assert.deepEqual(await found(t, 4, ...slow, '--', ...hasty(t, small)), [
		'no progress: for a short token progress came, for one of 36 bytes none: token_size is smaller. Some hosts send such tokens, quash-bridge does not', report,
		'look: token_size 12: progress tokens of some hosts have 36 bytes and get no progress, unless quash-bridge is in between']);
});

test('a tool that reports no progress, one that refuses, and one that is not there', async (t) => {
	assert.deepEqual(await found(t, 4, '--tool', 'work', '--', ...sick('well')),
		['no progress: work has answered, and no progress came: it found no room, or the tool reports none', report]);
	assert.deepEqual(await found(t, 1, '--tool', 'stepper', '--arg', 'Steps=5', '--', toolbox),
		['refused: the tool answers with isError: Steps: is unknown, try steps', `remedy: ${mend}`]);
	assert.deepEqual(await found(t, 1, '--tool', 'no', '--', toolbox), ['refused: tools/call is answered with -32602: Unknown tool', `remedy: ${mend}`]);
});

test('Ctrl-C cancels the tool', async (t) => {
	const inspect = Inspect.start(t, ['--doctor', '--tool', 'stepper', '--arg', 'steps=100000'], [toolbox]);
	await inspect.says(/^progress \d+ of/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: no answer, as MCP demands; ping answered/m);
	assert.equal(inspect.shown, '');
});

test('a toolbox: its counters show what found no room before', async (t) => {
	const path = join(folderFor(t), 'clients');
	const clock = clockOf(t);
	const bridge = Bridge.start(t, ['--listen-unix', path, '--', ...timed(clock, toolbox, '--slots', '1')]);
	await bridge.says(/listening on /);
	const client = await connectTo(t, path);
	await greet(client);
	client.ask('tools/call', { name: 'slow', arguments: { ms: 200 } }, 's');
	assert.equal((await client.error('tools/call', { name: 'led', arguments: { on: true } })).code, -32010);
	clock.passes(0);
	await client.answerTo('s');
	const [first, second, third] = await found(t, 4, '--unix', path);
	assert.equal(first, 'too small: its counters show requests that found no room');
	assert.equal(second, `remedy: ${larger}`);
	assert.match(third, /^slot_count: 2 instead of 1, \d+ bytes more: busy 1, most_live 2$/);
});

test('an agent, a language server: well; and each in place of the other', async (t) => {
	assert.deepEqual(await found(t, 0, '--protocol', 'acp', '--', hostProgram('agent')), ['well: it answers']);
	assert.deepEqual(await found(t, 0, '--protocol', 'lsp', '--', hostProgram('langserver')), ['well: it answers']);
	assert.deepEqual(await found(t, 1, '--', hostProgram('agent')),
		['another protocol: initialize is answered with -32602: protocolVersion must be an integer from 0 to 65535', `remedy: ${name}`]);
	assert.deepEqual(await found(t, 1, '--protocol', 'acp', '--', toolbox),
		['another protocol: initialize is answered with -32602: Missing protocolVersion', `remedy: ${name}`]);
	assert.deepEqual(await foundAfter(t, 1, 1, '--protocol', 'lsp', '--timeout', '1000', '--', toolbox),
		['another protocol: it writes no headers, unlike LSP; no answer to initialize in 1000 ms', `remedy: ${name}`]);
	assert.deepEqual(await foundAfter(t, 3, 1, '--protocol', 'lsp', '--timeout', '1000', '--', 'cat'),
		['echo: what is sent to it comes back', 'remedy: it sends back what it gets: start the program that serves']);
});

test('what it does not go with', async (t) => {
	for (const words of [['--advise'], ['--method', 'x'], ['--protocol', 'acp', '--prompt', 'x']]) {
		const { said } = await run(t, ['--doctor', ...words], [toolbox], 2);
		assert.match(said, /--doctor excludes --advise, --method, --prompt and --replay/);
	}
});
