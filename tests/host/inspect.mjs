/* SPDX-License-Identifier: MIT
 * inspect as a person at a terminal or a script would use it: its command line, MCP tools, cancels. */

import assert from 'node:assert/strict';
import { sleep, test } from '../common/runner.mjs';
import { hostProgram, patientBridge } from '../common/program.mjs';
import { started } from '../common/start.mjs';
import { Inspect, clockOf, hasty, lines, run, scripted, tool, toolbox } from './inspect-program.mjs';

/* ------------------------------------------------------------------------------------------ the command line */

const badOptions = [
	[], ['--'], ['--nonsense', '--', 'true'], ['--protocol', 'klingon', '--', 'true'], ['--method'],
	['--params', '{}', '--', 'true'], ['--method', 'x', '--params', '{', '--', 'true'],
	['--method', 'x', '--params', '3', '--', 'true'], ['--arg', 'a=1', '--', 'true'],
	['--tool', 'x', '--arg', 'novalue', '--', 'true'], ['--tool', 'x', '--method', 'y', '--', 'true'],
	['--protocol', 'acp', '--tool', 'x', '--', 'true'], ['--prompt', 'x', '--', 'true'],
	['--timeout', '-1', '--', 'true'], ['--timeout', '2147483648', '--', 'true'], ['--arena', '1', '--', 'true'],
	['--permission', 'maybe', '--', 'true'], ['true'],
	['--tty', '/dev/null', '--', 'true'], ['--tty'], ['--unix', '/run/a', '--tty', '/dev/null'], ['--baud', '9600', '--', 'true'],
	['--tty', '/dev/null', '--baud', '96k'], ['--reset', '--unix', '/run/a'], ['--tcp', 'motor:7000'], ['--tcp', '127.0.0.1'],
	['--token-file', '/dev/null', '--tcp', '127.0.0.1:7000'], ['--token-file', '/no/such/file', '--tcp', '127.0.0.1:7000'],
	['--replay', '/dev/null'], ['--replay', '/dev/null', '--tool', 'x', '--', 'true'], ['--name', 'x', '--', 'true'],
	['--token-file', '/etc/hostname', '--', 'true'], ['--advise'], ['--counters', 'x', '--', 'true'],
	['--advise', '--counters', 'x', '--', 'true'], ['--advise', '--protocol', 'acp', '--prompt', 'x', '--', 'true'], ['--wait', '5x', '--', 'true'], ['--timeout', '40000m', '--', 'true'],
];

for (const words of badOptions) {
	test(`inspect: bad options are refused: ${JSON.stringify(words.join(' '))}`, async (t) => {
		const inspect = new Inspect(t, words);
		await inspect.exits(2);
		assert.match(inspect.said, /^quash-inspect: [^\n]+\n$/, 'one line on stderr');
		assert.equal(inspect.shown, '');
	});
}

test('inspect: --help describes every option', async (t) => {
	const inspect = new Inspect(t, ['--help']);
	await inspect.exits(0);
	for (const option of ['protocol', 'method', 'params', 'tool', 'arg', 'modern', 'json', 'trace', 'prompt', 'permission',
		'cancel-by', 'cancel-after', 'timeout', 'grace', 'listen', 'arena', 'tty', 'baud', 'reset', 'wait', 'tcp', 'unix', 'token-file', 'replay', 'name', 'advise', 'counters', 'version'])
		assert.ok(inspect.shown.includes(`--${option}`), option);
	assert.equal(inspect.said, '');
});

test('inspect: a command that is not there', async (t) => {
	const { said } = await run(t, [], ['/no/such/command'], 3);
	assert.match(said, /\/no\/such\/command: No such file/);
});

/* ------------------------------------------------------------------------------------------------ tools */

test('inspect: lists the tools of the toolbox', async (t) => {
	const { shown, said } = await run(t, [], [toolbox], 0);
	assert.deepEqual(lines(shown).filter((line) => !line.startsWith(' ')).map((line) => line.split(':')[0]),
		['echo', 'slow', 'stats', 'led', 'stepper']);
	assert.match(shown, /^ {4}steps \(required, integer, at least 1, at most 100000\): how far/m);
	assert.match(said, /^quash-toolbox \S+ speaks MCP 2025-11-25$/m);
});

test('inspect: follows the pages of a list', async (t) => {
	const { shown } = await run(t, [], scripted('good'), 0);
	assert.match(shown, /^work: Works$/m);
	assert.match(shown, /^rest$/m);
});

for (const [behaviour, why] of Object.entries({ endless: 'the list of tools does not end: its next cursor has come before',
	empty: 'the list of tools does not end: its next cursor is empty', counting: 'more than 1000 pages of tools' }))
	test(`inspect: a list without end is given up: ${behaviour}`, async (t) => {
		const { said } = await run(t, [], scripted(behaviour), 0);
		assert.match(said, new RegExp(`note: ${why}$`, 'm'));
	});

for (const era of [[], ['--modern']]) {
	const name = era[0] ?? 'legacy';
	test(`inspect: calls the tools of the toolbox, ${name}`, async (t) => {
		assert.equal((await run(t, [...era, ...tool('led', 'on=true')], [toolbox], 0)).shown, 'on\n');
		assert.equal((await run(t, [...era, ...tool('echo', 'text=42')], [toolbox], 0)).shown, '{"text":"42"}\n');
		const slow = await run(t, [...era, ...tool('slow', 'ms=220')], hasty(t, toolbox), 0);
		assert.equal(slow.shown, 'slept 220\n');
		assert.match(slow.said, /^progress 100 of 220$/m);
	});
	test(`inspect: any method, ${name}`, async (t) => {
		const params = '{ "name": "led", "arguments": { "on": false } }';
		const { shown } = await run(t, [...era, '--method', 'tools/call', '--params', params], [toolbox], 0);
		assert.equal(JSON.parse(shown).content[0].text, 'off');
		const list = await run(t, [...era, '--method', 'tools/list'], [toolbox], 0);
		assert.equal(JSON.parse(list.shown).tools.length, 5);
	});
}

test('inspect: --json prints the raw result on one line', async (t) => {
	const { shown } = await run(t, ['--json', ...tool('echo', 'text=a "b"\n\u0001ü')], [toolbox], 0);
	assert.equal(lines(shown).length, 1);
	assert.deepEqual(JSON.parse(shown).structuredContent, { text: 'a "b"\n\u0001ü' });
});

test('inspect: --json prints the raw error', async (t) => {
	const { shown } = await run(t, ['--json', ...tool('x')], scripted('refusing'), 1);
	assert.deepEqual(JSON.parse(shown), { code: -32602, message: 'Unknown tool', data: { name: 'x' } });
});

test('inspect: arguments are typed by the schema', async (t) => {
	const { shown } = await run(t, tool('work', 'steps=-7', 'ratio=1.5e3', 'on=true', 'name=true', 'list=[ 1, "a b" ]',
		'some=x', 'any={"a": null}', 'dotted.name=3', 'unknown=text'), scripted('good'), 0);
	assert.deepEqual(JSON.parse(shown), { steps: -7, ratio: 1500, on: true, name: 'true', list: [1, 'a b'], some: 'x',
		any: { a: null }, 'dotted.name': '3', unknown: 'text' });
});

for (const pair of ['steps=1.5', 'steps=x', 'ratio=', 'on=yes', 'list={}'])
	test(`inspect: an argument that cannot be what the schema wants is refused: ${pair}`, async (t) => {
		const { said } = await run(t, tool('work', pair), scripted('good'), 2);
		assert.match(said, /must be of type/);
	});

test('inspect: an argument of a hundred thousand characters', async (t) => {
	const name = 'ü"'.repeat(33333);
	const { shown } = await run(t, tool('work', 'steps=1', `name=${name}`), scripted('good'), 0);
	assert.equal(JSON.parse(shown).name, name);
});

test('inspect: a tool that is not listed is called all the same', async (t) => {
	const { shown } = await run(t, tool('hidden', 'a=1', 'b=text'), scripted('good'), 0);
	assert.deepEqual(JSON.parse(shown), { a: 1, b: 'text' });
});

test('inspect: what is not text is described', async (t) => {
	const { shown, said } = await run(t, tool('x'), scripted('rich'), 0);
	assert.equal(shown, 'a picture:\ninside\n');
	assert.match(said, /^image image\/png, 4 characters of base64/m);
	assert.match(said, /^resource_link log file:\/\/\/log$/m);
});

test('inspect: an error and a failed tool end with 1', async (t) => {
	assert.match((await run(t, tool('x'), scripted('refusing'), 1)).said, /^error -32602: Unknown tool \{"name":"x"\}$/m);
	const failed = await run(t, tool('x'), scripted('failing'), 1);
	assert.equal(failed.shown, 'the motor is stuck\n');
	assert.match(failed.said, /the tool says that it has failed/);
	assert.match((await run(t, tool('stepper', 'steps=100001'), [toolbox], 1)).shown, /steps.*100000/);
});

test('inspect: --trace shows every message', async (t) => {
	const { said } = await run(t, ['--trace', ...tool('led', 'on=true')], [toolbox], 0);
	const sent = lines(said).filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)).method);
	assert.deepEqual(sent, ['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
	assert.equal(lines(said).filter((line) => line.startsWith('<- ')).length, 3);
});

test('inspect: loses nothing where the command makes the stderr that they share non-blocking', async (t) => {
	const words = [hostProgram('quash-inspect'), '--trace', '--tool', 'work', '--', ...scripted('careless')];
	const child = started(t, ['sh', '-c', 'exec "$0" "$@" 2>&1', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
	child.stdout.pause();
	await sleep(500); /* nobody reads what it says */
	child.stdout.resume();
	assert.equal(await child.ended, 0);
	const heard = lines(child.said).filter((line) => line.startsWith('<- ') && line.includes('notifications/progress'));
	assert.deepEqual(heard.map((line) => JSON.parse(line.slice(3)).params.progress), Array.from({ length: 300 }, (_, i) => i + 1));
	assert.equal(lines(child.said).at(-1), 'x'.repeat(1000000));
});

test('inspect: requests of the other side are answered', async (t) => {
	const { shown } = await run(t, tool('x'), scripted('asking'), 0);
	assert.deepEqual(JSON.parse(shown), { r: -32601, p: {} });
});

test('inspect: logs are shown, unknown notifications ignored', async (t) => {
	const { shown, said } = await run(t, tool('x'), scripted('logging'), 0);
	assert.equal(shown, 'done\n');
	assert.match(said, /^log warning: hot/m);
});

test('inspect: --modern adds what each request must carry', async (t) => {
	const inspect = await run(t, ['--trace', '--modern', '--method', 'tools/list', '--params', '{"cursor":"x"}'], [toolbox], 1);
	const { params } = lines(inspect.said).filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)))[1];
	assert.equal(params.cursor, 'x');
	assert.equal(params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
	const own = await run(t, ['--trace', '--modern', '--method', 'ping', '--params', '{"_meta":{"a":1}}'], [toolbox], 0);
	assert.match(own.said, /^-> .*"params":\{"_meta":\{"a":1\}\}/m, 'of one\'s own stays as it is');
});

/* ---------------------------------------------------------------------------------------------- cancels */

for (const era of [[], ['--modern']]) {
	const probe = era.length ? 'server/discover' : 'ping';
	test(`inspect: Ctrl-C stops the motor of the toolbox, ${era[0] ?? 'legacy'}`, async (t) => {
		const inspect = Inspect.start(t, ['--trace', '--grace', '10m', ...era, ...tool('stepper', 'steps=100000')], [toolbox]);
		await inspect.says(/^progress \d+ of/m);
		await inspect.interrupted();
		assert.match(inspect.said, new RegExp(`^cancelled: no answer, as MCP demands; ${probe} answered after \\d+ ms; no progress in the 300 ms since$`, 'm'));
		assert.match(inspect.said, /^-> \{.*notifications\/cancelled.*"requestId":3/m);
		assert.equal(inspect.shown, '');
	});
}

test('inspect: Ctrl-C on a terminal goes to the whole group, and the command is not in it', async (t) => {
	const inspect = Inspect.start(t, ['--grace', '10m', ...tool('stepper', 'steps=100000')], [toolbox], { group: true });
	await inspect.says(/^progress \d+ of/m);
	process.kill(-inspect.child.pid, 'SIGINT');
	await inspect.exits(130);
	assert.match(inspect.said, /ping answered after/);
	assert.doesNotMatch(inspect.said, /^note/m, 'it ended by itself');
});

test('inspect: --cancel-after does the same', async (t) => {
	const { said } = await run(t, ['--cancel-after', '50', '--grace', '10m', '--listen', '0', ...tool('slow', 'ms=600000')], [toolbox], 130);
	assert.match(said, /^cancelled: no answer, as MCP demands; ping answered after \d+ ms/m);
});

test('inspect: the cancel passes a bridge', async (t) => {
	const inspect = Inspect.start(t, ['--grace', '10m', ...tool('stepper', 'steps=100000')], [...patientBridge, '--', toolbox]);
	await inspect.says(/^progress \d+ of 100000$/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: no answer, as MCP demands; ping answered after \d+ ms; no progress in the 300 ms since$/m);
});

test('inspect: --grace 0 waits for nobody', async (t) => {
	await run(t, ['--cancel-after', '50', '--grace', '0', ...tool('x')], scripted('deaf'), 3);
});

test('inspect: --cancel-after that comes too late cancels nothing', async (t) => {
	const { shown, said } = await run(t, ['--cancel-after', '10m', ...tool('slow', 'ms=10')], [toolbox], 0);
	assert.equal(shown, 'slept 10\n');
	assert.doesNotMatch(said, /cancelled/);
});

test('inspect: a server that goes on after the cancel is told on', async (t) => {
	const clock = clockOf(t);
	const inspect = Inspect.start(t, ['--trace', ...tool('x')], scripted('tireless'), { clock });
	await inspect.says(/^progress 1/m);
	inspect.interrupt();
	await inspect.says(/^-> .*"ping"[^]*?^<- .*"result"(?:[^]*?^<- .*"notifications\/progress"){7}/m);
	clock.passes(0);
	await inspect.exits(130);
	const [, times] = /ping answered after \d+ ms; (\d+) times progress in the 300 ms since/.exec(inspect.said);
	assert.ok(Number(times) > 5, inspect.said);
});

test('inspect: a server that answers after the cancel is told on', async (t) => {
	const inspect = Inspect.start(t, tool('x'), scripted('disobedient'));
	await inspect.says(/^progress 1: step 1$/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: an answer came all the same.*; ping answered after/m);
	assert.equal(inspect.shown, '', 'that answer is dropped');
});

test('inspect: a server that is deaf after the cancel', async (t) => {
	const { said } = await run(t, ['--cancel-after', '50', '--grace', '200', ...tool('x')], scripted('deaf'), 3);
	assert.match(said, /^cancelled: no answer, as MCP demands; ping not answered either after \d+ ms/m);
});

test('inspect: a server that dies of the cancel', async (t) => {
	const inspect = Inspect.start(t, tool('x'), scripted('fragile'));
	await inspect.says(/^progress 1: step 1$/m);
	inspect.interrupt();
	await inspect.exits(3);
	assert.match(inspect.said, /^cancelled: no answer, as MCP demands; the link was lost within \d+ ms; no progress/m);
	assert.match(inspect.said, /^note: .* exited with 1$/m);
});

for (const protocol of ['acp', 'lsp']) {
	test(`inspect: ${protocol}: how long the other side took to stop, and what it answered`, async (t) => {
		const inspect = Inspect.start(t, ['--trace', '--protocol', protocol, '--method', 'work', '--params', '[]'], scripted('cancellable', protocol));
		await inspect.says(/^-> .*"work"/m);
		await inspect.interrupted();
		assert.match(inspect.said, /^cancelled: answered -32800 after \d+ ms \(Request cancelled\)$/m);
	});
	test(`inspect: ${protocol}: a cancel that is not heard`, async (t) => {
		const { said } = await run(t, ['--protocol', protocol, '--method', 'work', '--cancel-after', '20', '--grace', '100'],
			scripted('stubborn', protocol), 3);
		assert.match(said, /^cancelled: no answer within \d+ ms$/m);
	});
}

test('inspect: a cancelled request that gives a result', async (t) => {
	const { shown, said } = await run(t, ['--protocol', 'acp', '--method', 'work', '--cancel-after', '20'], scripted('finishing', 'acp'), 130);
	assert.match(said, /^cancelled: answered with a result after \d+ ms$/m);
	assert.deepEqual(JSON.parse(shown), { partial: true });
});

test('inspect: a second Ctrl-C ends at once', async (t) => {
	const inspect = Inspect.start(t, ['--grace', '2147483647', ...tool('x')], scripted('deaf'));
	await inspect.says(/^progress 1: step 1$/m);
	inspect.interrupt();
	inspect.interrupt(); /* one signal may swallow the other: both wake it */
	const again = setInterval(() => inspect.interrupt(), 100);
	t.after(() => clearInterval(again));
	await inspect.exits(130);
});

test('inspect: Ctrl-C ends at once what was cancelled after a time', async (t) => {
	const inspect = Inspect.start(t, ['--trace', '--cancel-after', '50', '--grace', '60000', ...tool('x')], scripted('deaf'));
	await inspect.says(/^-> .*"ping"/m);
	await inspect.interrupted();
});

test('inspect: Ctrl-C during the greeting ends', async (t) => {
	const inspect = Inspect.start(t, ['--trace'], scripted('mute'));
	await inspect.says(/^-> /m);
	await inspect.interrupted();
	assert.doesNotMatch(inspect.said, /notifications\/cancelled/, 'initialize is never cancelled');
});

for (const signal of ['SIGTERM', 'SIGHUP'])
	test(`inspect: ${signal} ends it and its command`, async (t) => {
		const inspect = Inspect.start(t, ['--trace', ...tool('stepper', 'steps=100000')], ['sh', '-c', `echo "pid $$" >&2; exec ${toolbox}`]);
		await inspect.says(/^progress \d+ of/m);
		const pid = Number(/pid (\d+)$/m.exec(inspect.said)[1]); /* it may stand in the middle of a line of inspect's */
		await inspect.interrupted(signal);
		assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
		assert.match(inspect.said, /^-> .*notifications\/cancelled/m, 'whoever stands behind it is told');
	});

test('inspect: what the other side says is no line of its own and no command to a terminal', async (t) => {
	const { said } = await run(t, tool('x'), scripted('forging'), 1);
	assert.doesNotMatch(said, /^cancelled/m);
	assert.doesNotMatch(said, /[^\n -~]/, JSON.stringify(said));
	assert.match(said, /^x\\ncancelled: no answer, as MCP demands\\u001b\[2J\\u009b2J \\u009b1m speaks MCP/m);
	assert.match(said, /^progress 1: p\\ncancelled: .*\\u001b\[2J\\u009b2J$/m);
	assert.match(said, /^log info\\n.*: d\\n.*\\u007f\\t\\r$/m);
	assert.match(said, /^error 7\\ncancelled: .*: m\\ncancelled: /m);
});

const steers = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function assertShown(text, what) {
	assert.doesNotMatch(text, steers, what);
	assert.ok(!text.includes('\ufffd'), `${what} has half of a character`);
	assert.doesNotMatch(text, /^cancelled/m, what);
}

for (const words of [[], ['--trace'], tool('x'), ['--trace', ...tool('x')], ['--trace', '--json', ...tool('x')], ['--trace', ...tool('fails')]])
	test(`inspect: no hostile text of a device gets through: ${words.join(' ')}`, async (t) => {
		const { said } = await run(t, words, scripted('hostile'), words.includes('name=fails') || words.includes('fails') ? 1 : 0);
		assertShown(said, 'notes');
		assert.doesNotMatch(said, /^(?:<-|->) \{.*\\x/m, 'a message is cut between characters');
	});

for (const words of [[], tool('x'), ['--json', ...tool('x')], ['--method', 'tools/list']])
	test(`inspect: no hostile text of a device gets through to a terminal: ${words.join(' ')}`, async (t) => {
		const command = [hostProgram('quash-inspect'), ...words, '--', ...scripted('hostile')];
		const terminal = started(t, ['script', '-qec', command.map((word) => `'${word}'`).join(' '), '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
		assert.equal(await terminal.ended, 0, terminal.said);
		const seen = terminal.said.replaceAll('\r\n', '\n');
		assert.ok(seen.includes('\\u009b2J'), 'something of it is shown');
		const lines = seen.replaceAll(/[\t]/g, ' ').replaceAll(/^cancelled: forged\\u0000/gm, ''); /* a result may have lines */
		assertShown(lines, 'the terminal');
	});

test('inspect: nor is what it traces', async (t) => {
	const { said } = await run(t, ['--trace', ...tool('x')], scripted('junk'), 0);
	assert.match(said, /^<- \\u0000/m);
	assert.doesNotMatch(said, /[\x00-\x09\x0b-\x1f\x7f]/, JSON.stringify(said));
});
