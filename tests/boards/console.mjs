/* SPDX-License-Identifier: MIT
 * A board whose UART is shared with a console (tests/boards/console/main.c): node tests/boards/console.mjs COMMAND... */

import assert from 'node:assert/strict';
import { Program } from '../common/program.mjs';
import { sleep, test } from '../common/runner.mjs';

const [command, ...args] = process.argv.slice(2);

async function start(t) {
	const board = Program.start(t, command, args);
	assert.equal(await board.nextText(), ' {} quash on a shared line');
	return board;
}

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });

test('noise is skipped and handed over, requests around it are answered', async (t) => {
	const board = await start(t);
	board.sendBytes('login: root\r\n');
	assert.equal(await board.nextText(), 'login: root');
	board.sendBytes('\n[1,2]\n');
	assert.equal(await board.nextText(), '[1,2]');
	board.send(request(1, 'echo', ['served']));
	assert.deepEqual(await board.next(), { jsonrpc: '2.0', id: 1, result: ['served'] });
	board.send(request(2, 'stats'));
	const { result } = await board.next();
	assert.deepEqual([result.parse_errors, result.lost], [0, 0]);
});

test('a cancel between two lines of noise stops what runs', async (t) => {
	const board = await start(t);
	board.send(request('w', 'wait', { steps: 0 }));
	board.sendBytes('before\n');
	assert.equal(await board.nextText(), 'before');
	board.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'w' } });
	assert.deepEqual(await board.next(), {
		jsonrpc: '2.0', id: 'w', error: { code: -32800, message: 'Request cancelled' } });
});

test('in a flood of both no message is broken, and each is answered', async (t) => {
	const board = await start(t);
	const count = 100;
	for (let id = 1; id <= count; id++) {
		board.sendBytes(`noise ${id}\n`);
		board.send(request(id, 'echo', [id, 'x'.repeat(id % 50)]));
		let text = await board.nextText();
		while (/^noise \d+$/.test(text)) text = await board.nextText();
		assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id, result: [id, 'x'.repeat(id % 50)] });
	}
});

test('a stack that has grown too far ends in silence', async (t) => {
	const board = await start(t);
	board.send(request(1, 'echo', []));
	await board.next();
	board.sendBytes('ruin\n');
	board.send(request(2, 'echo', []));
	await sleep(2000);
	assert.deepEqual(board.untaken.filter((text) => text !== 'ruin'), []);
});
