/* SPDX-License-Identifier: MIT
 * The README: its server compiles without a warning and does what its session shows, its quick starts are those of the
 * packages' own pages, and the commands that show its guarantees are there. */

import assert from 'node:assert/strict';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram, Program } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { printed, root, started, told } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { blocksIn } from './blocks.mjs';
import { compiled, port, server } from './server.mjs';
import { leaveTheMotorOn, waysOut } from './ways-out.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

test('the README begins with a claim, a picture, a server and quick starts', () => {
	assert.match(readme, /^# quash\n\n((?:.+\n)+)\n!\[[^\]]+\]\(docs\/stop\.svg\)\n\n## /);
	assert.deepEqual([...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title), ['An MCP server in 25 lines', 'Quick start',
		'What is guaranteed, and how that is shown', 'Where to read', 'What it does not do']);
});

/* --- The server */

test('the server of the README is a whole program of as many lines as its title says', () => {
	const lines = server.trimEnd().split('\n');
	assert.ok(lines.length > 20 && lines.length <= 25, `${lines.length} lines`);
	assert.equal(/^## An MCP server in (\d+) lines$/m.exec(readme)[1], String(lines.length));
	assert.ok(lines.every((line) => line.length < 120), 'no line is long');
	compiled();
});

const session = blocksIn(readme).find(({ language, text }) => language === '' && text.startsWith('$ ')).text.trimEnd().split('\n');
const commandsOf = (lines) => lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));

test('the README compiles its server as its test does', () => {
	const [build] = commandsOf(session);
	assert.equal(build, `make && cc -Iinclude -Iport motor.c ${port} build/host/libquash.a -o motor`);
	printed('cc', build.split(' ').slice(3).map((word) => word.replace(/^motor/, 'build/readme/server')));
});

/* What a program prints on both ways. Ctrl-C is pressed when `pressed` stands there. */
async function printedBy(t, program, words, pressed) {
	const child = started(t, ['sh', '-c', 'exec "$0" "$@" 2>&1', program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
	await until(pressed, () => child.said.includes(pressed));
	child.kill('SIGINT');
	return { code: await child.ended, text: child.said };
}

test('the session of the README is what is printed', async (t) => {
	const [, call] = commandsOf(session);
	const [program, ...words] = call.replace('./motor', compiled()).split(' ');
	assert.equal(join(root, program), hostProgram('quash-inspect'));
	const { text, code } = await printedBy(t, join(root, program), words, 'motor on\n');
	assert.equal(code, 130);
	const time = /answered after \d+ ms/;
	const shown = session.slice(2).filter((line) => line !== '^C');
	assert.deepEqual(text.trimEnd().split('\n').map((line) => line.replace(time, '')), shown.map((line) => line.replace(time, '')));
	assert.equal(session.indexOf('^C'), session.indexOf('motor on') + 1, 'Ctrl-C stands where it was pressed');
});

/* --- What it does, without a client of npm */

const greeting = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'readme', version: '1' } } };
const turnFor = (id, ms) => ({ id, method: 'tools/call', params: { name: 'turn', arguments: { ms } } });

async function begun(t, ...messages) {
	const program = Program.start(t, compiled());
	program.send(...[greeting, { method: 'notifications/initialized' }, ...messages].map((message) => ({ jsonrpc: '2.0', ...message })));
	assert.equal((await program.next()).result.serverInfo.name, 'motor');
	return program;
}

const cancelled = (id) => ({ jsonrpc: '2.0', id, error: { code: -32800, message: 'Request cancelled' } });
const turned = { content: [{ type: 'text', text: 'turned' }] };
const onAndOff = 'motor on\nmotor off\n';

test('the server of the README: done, and what its table forbids', async (t) => {
	const program = await begun(t, { id: 1, method: 'tools/list' }, turnFor(2, 0), turnFor(3, 20));
	assert.deepEqual((await program.next()).result.tools.map(({ name }) => name), ['turn']);
	assert.equal((await program.next()).result.content[0].text, 'ms: must be an integer from 1 to 60000');
	assert.deepEqual((await program.next()), { jsonrpc: '2.0', id: 3, result: turned });
	program.end();
	assert.deepEqual([(await program.exit()).code, program.stderr], [0, onAndOff]);
});

test('the server of the README: stopped, and the next call works', async (t) => {
	const program = await begun(t, turnFor(1, 60000));
	await until('the motor to be on', () => program.stderr === 'motor on\n');
	program.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
	await until('the motor to be off', () => program.stderr === onAndOff);
	program.send({ jsonrpc: '2.0', ...turnFor(2, 1) });
	assert.deepEqual(await program.next(), { jsonrpc: '2.0', id: 2, result: turned }, 'no answer to the first call stands before it');
});

test('the server of the README: one call at a time', async (t) => {
	const program = await begun(t, turnFor(1, 200), turnFor(2, 200));
	assert.deepEqual(await program.next(), { jsonrpc: '2.0', id: 2, result: { isError: true, content: [{ type: 'text', text: 'turn is busy' }] } });
	assert.deepEqual((await program.next()).result, turned);
});

for (const way of waysOut)
	test(`the server of the README: the motor stops on the way out: ${way.how}`, async (t) => {
		const program = await begun(t, turnFor(1, 60000));
		const answers = await leaveTheMotorOn(program, way);
		assert.equal(program.stderr, onAndOff);
		assert.deepEqual(answers, way.mute ? [] : [cancelled(1)]);
	});

test('the server of the README: what has not begun to move when the input ends does not begin; all else is answered', () => {
	const said = [greeting, turnFor(1, 60000), turnFor(2, 0), { id: 3, method: 'ping' }];
	const once = join(root, 'build/readme/once');
	writeFileSync(once, said.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
	const { status, stdout, stderr } = told(compiled(), [], { stdio: [openSync(once), 'pipe', 'pipe'] });
	const byId = stdout.trimEnd().split('\n').map((text) => JSON.parse(text)).sort((a, b) => a.id - b.id);
	assert.deepEqual([status, stderr], [0, '']);
	assert.deepEqual([byId.length, byId[1], byId[2].result.isError, byId[3].result], [4, cancelled(1), true, {}]);
});

test('the server of the README: without signs of life its lease runs out', async (t) => {
	const program = await begun(t, turnFor(1, 60000));
	program.sendBytes('\n');
	assert.equal((await program.next()).error.code, -32800);
	assert.equal(program.stderr, onAndOff);
});

/* --- Quick starts */

const starts = [...readme.matchAll(/^### \[[^\]]+\]\((port\/(?:package\/)?([\w-]+)\/README\.md)\)\n\n([^]*?)(?=^##|^Every )/gm)]
	.map(([, page, name, text]) => ({ page, name, lines: blocksIn(text)[0]?.text ?? text.replace(/^(?!\d\. ).*\n/gm, '') }));

test('the README has a quick start of three lines for each build system', () => {
	assert.deepEqual(starts.map(({ name }) => name), ['arduino', 'platformio', 'esp-idf', 'zephyr', 'pico', 'cmake']);
	for (const { name, lines } of starts) assert.equal(lines.trimEnd().split('\n').length, 3, name);
});

const filled = (text) => text.replaceAll('@VERSION@', version).replaceAll('@HOME@', read('port/package/home').trim());

for (const { page, name, lines } of starts)
	test(`the quick start for ${name} is that of ${page}`, () => {
		assert.ok(existsSync(join(root, page)), `${page} is there`);
		assert.ok(filled(read(page)).includes(lines), `${page} does not have\n${lines}`);
	});

/* --- Commands */

test('what the README lets make do is there', () => {
	const help = printed('make', ['-s', 'help']);
	const targets = [...readme.matchAll(/`make ([a-z-]+)(?: SUITES="?([a-z -]+)"?)?`/g)];
	assert.ok(targets.length > 8, 'targets are found');
	const suites = [...read('tests/tests.mk').matchAll(/^IN_\w+ = (.*)$/gm)].flatMap(([, words]) => words.split(' '));
	for (const [, target, named] of targets) {
		assert.match(help, new RegExp(`^${target} `, 'm'));
		for (const suite of named?.split(' ') ?? []) assert.ok(suites.includes(suite), suite);
	}
});

test('the README counts the faults of make safe', () => {
	const faults = Number(/^FAULTS = (\d+)$/m.exec(read('tests/safe/safe.mk'))[1]);
	assert.ok(readme.includes(`\`make safe\`: ${faults.toLocaleString('en-US')} faults`));
});
