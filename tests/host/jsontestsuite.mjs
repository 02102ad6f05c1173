/* SPDX-License-Identifier: MIT
 * JSONTestSuite through the whole library: each file, wrapped in an array, is the params of an `echo` whose answer
 * is compared byte by byte. The folder is named by JSONTESTSUITE; its test_parsing folder is searched. Where it is not,
 * the output tells it; the file texts and the messages of tests/bench are tried in any case. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printOnlyFailures, test } from '../common/runner.mjs';
import { Program, hostProgram, root } from '../common/program.mjs';

const suite = join(process.env.JSONTESTSUITE ?? join(root, '../shared/JSONTestSuite'), 'test_parsing');
const messages = join(root, 'tests/bench/messages');
const options = ['--dialect', 'lsp', '--arena', '262144'];

/** Refused alone, but `[]` and `[ ]` are valid JSON. */
const validOnceWrapped = new Set(['n_single_space.json', 'n_structure_no_data.json']);

let server = null;

function runningServer() {
	if (!server || server.ended) server = new Program(hostProgram('testee'), options, 'lsp');
	return server;
}

function giveUpServer() {
	server?.kill();
	server = null;
}

const wrapped = (content) => Buffer.concat([Buffer.from('['), content, Buffer.from(']')]);

function echoRequest(id, params) {
	const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"echo","params":`;
	return Buffer.concat([Buffer.from(head), params, Buffer.from('}')]);
}

/** The one answer to a file: a second request right after it shows that nothing else was said. */
async function onlyAnswer(name, content) {
	const after = `${name}`;
	const program = runningServer();
	program.send(echoRequest(name, wrapped(content)));
	const answer = await program.nextText();
	program.send(echoRequest(after, Buffer.from('[]')));
	assert.equal(await program.nextText(), resultText(after, '[]'), 'exactly one answer, and the stream in step');
	return answer;
}

const resultText = (id, result) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** JSON as `echo` writes it again: no white space, shortest escapes, numbers untouched. */
function compact(text) {
	const rewrite = (token) => (token[0] === '"' ? JSON.stringify(JSON.parse(token)) : '');
	return text.replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, rewrite);
}

function assertAccepted(name, content, answer) {
	const text = wrapped(content).toString('utf8');
	assert.equal(answer, resultText(name, compact(text)));
	assert.deepEqual(JSON.parse(answer).result, JSON.parse(text), 'the same value as JavaScript reads');
}

function assertRefused(name, answer) {
	const { error, result, id } = JSON.parse(answer);
	assert.equal(result, undefined, 'no result');
	assert.ok(Number.isInteger(error?.code), `an error: ${answer}`);
	assert.ok(id === null || id === name, `its own id or null: ${answer}`);
}

function assertAnswered(name, answer) {
	const message = JSON.parse(answer);
	assert.ok(('result' in message) !== ('error' in message), `a result or an error: ${answer}`);
}

function verdict(name, content, answer) {
	if (name.startsWith('i_')) return assertAnswered(name, answer);
	if (/^(y|\d)_/.test(name) || validOnceWrapped.has(name)) return assertAccepted(name, content, answer);
	assertRefused(name, answer);
}

function testText(name, content) {
	test(name, async () => {
		try {
			verdict(name, content, await onlyAnswer(name, content));
		} catch (error) {
			giveUpServer();
			throw error;
		}
	});
}

function testAll(folder) {
	const names = readdirSync(folder).filter((name) => /^([yni]|\d)_.*\.json$/.test(name)).sort();
	assert.ok(names.length > 0, `${folder} holds no tests`);
	names.forEach((name) => testText(name, readFileSync(join(folder, name))));
}

const bytesOf = (text) => Buffer.from(text.replace(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1');

/** The file is read byte by byte: a line that says `y` or `n`, and the text. */
function testTexts() {
	const lines = readFileSync(join(root, 'tests/host/jsontestsuite.texts'), 'latin1').split('\n').filter((line) => /^[yn] /.test(line));
	assert.ok(lines.length > 100, 'tests/host/jsontestsuite.texts holds too little');
	lines.forEach((line, i) => testText(`${line[0]}_${i}_${line.slice(2).replace(/[^ -~]/g, '?')}`, bytesOf(line.slice(2))));
}

printOnlyFailures();
testAll(messages);
testTexts();
if (existsSync(suite)) testAll(suite);
else console.log(`not read: JSONTestSuite, which is not at ${suite} (JSONTESTSUITE names its folder)`);
test('the program is still there and ends with its input', async (t) => {
	t.after(giveUpServer);
	const program = runningServer();
	program.end();
	assert.equal((await program.exit()).code, 0);
});
