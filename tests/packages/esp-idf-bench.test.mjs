/* SPDX-License-Identifier: MIT
 * The ports of the ESP-IDF component: one program, the bench, for all of them, over the fakes of esp-idf.test.mjs. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorTicks } from '../common/process.mjs';
import { Program } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { listening, loopback, plainClient, programOf, stubs, tools } from './esp-idf.mjs';
import { testWith } from './tools.mjs';

const test = testWith(...tools);

const benchProgram = () => programOf('uart-bench', { example: 'uart', main: readFileSync(join(stubs, 'bench.c')), lines: loopback });
const benchWith = (t, variable) => Program.start(t, 'sh', ['-c', `${variable}=1 exec "$0"`, benchProgram()]);

function onUart(t, variable = 'BENCH_UART') {
	const program = benchWith(t, variable);
	return { ask: (message) => program.send({ jsonrpc: '2.0', ...message }), answers: () => program.messages, program };
}

const onUsb = (t) => onUart(t, 'BENCH_USB');

async function onTcp(t) {
	const { number, device } = await listening(t, benchWith(t, 'BENCH_TCP'));
	const client = await plainClient(t, number);
	return { ask: client.ask, answers: () => client.text.split('\n').slice(0, -1).map((line) => JSON.parse(line)), program: device };
}

async function answerTo({ answers }, id) {
	return until(`the answer to ${id}`, () => answers().find((message) => message.id === id));
}

for (const [name, open] of [['the UART port', onUart], ['the TCP port', onTcp], ['the USB port', onUsb]]) {
	test(`esp-idf: ${name}: a cancel reaches a handler that stays busy`, async (t) => {
		const device = await open(t);
		device.ask({ id: 1, method: 'busy' });
		await sleep(100);
		device.ask({ id: 2, method: 'echo', params: [1] });
		device.ask({ method: '$/cancel_request', params: { requestId: 1 } });
		assert.equal((await answerTo(device, 1)).error.code, -32800);
		assert.deepEqual((await answerTo(device, 2)).result, [1]);
	});

	test(`esp-idf: ${name}: another task cancels and wakes, and the owner notices`, async (t) => {
		const device = await open(t);
		for (const [id, how] of [[1, {}], [2, { isr: 1 }]]) {
			device.ask({ id, method: 'hold', params: how });
			assert.equal((await answerTo(device, id)).error.code, -32800);
			device.ask({ id: id + 10, method: 'hold', params: { ...how, wake: 1 } });
			assert.equal((await answerTo(device, id + 10)).result, 'woken');
		}
	});

	test(`esp-idf: ${name}: what comes while a step runs is not slept over`, async (t) => {
		const device = await open(t);
		device.ask({ method: 'stall_in_silence' }); /* no answer leaves, so nothing else ends the sleep */
		await sleep(200);
		device.ask({ id: 1, method: 'echo', params: [] });
		await answerTo(device, 1);
	});

	if (open !== onUsb) test(`esp-idf: ${name}: a flood is answered without a loss`, async (t) => {
		const device = await open(t);
		for (let id = 1; id <= 200; id++) device.ask({ id, method: 'echo', params: ['more bytes than the buffers hold', id] });
		for (let id = 1; id <= 200; id++) assert.equal((await answerTo(device, id)).result[1], id);
		device.ask({ id: 'counts', method: 'counts' });
		assert.deepEqual((await answerTo(device, 'counts')).result, { lost: 0, junk: 0 });
	});

	test(`esp-idf: ${name}: the task sleeps while there is nothing to do`, async (t) => {
		const device = await open(t);
		device.ask({ id: 1, method: 'echo', params: [] });
		await answerTo(device, 1);
		const ticks = () => processorTicks(device.program.pid);
		const before = ticks();
		await sleep(500);
		assert.ok(ticks() - before <= 2, `${ticks() - before} of 50 ticks of the processor`);
	});
}

test('esp-idf: the USB port: a ring of the driver that was full counts as a gap, and no message is made of two halves', async (t) => {
	const device = onUsb(t);
	device.ask({ id: 1, method: 'stall' });
	await sleep(100);
	for (let id = 2; id < 40; id++) device.ask({ id, method: 'echo', params: ['more bytes than the ring of the driver holds', id] });
	assert.equal((await answerTo(device, 1)).result, true);
	await sleep(200);
	device.ask({ id: 'skipped', method: 'echo', params: [] }); /* what is behind a gap is skipped up to a line end */
	device.ask({ id: 'counts', method: 'counts' });
	assert.deepEqual((await answerTo(device, 'counts')).result, { lost: 1, junk: 0 });
	assert.match(device.program.stderr, /usb drops/);
	const echoed = device.answers().filter(({ id }) => id > 1 && id < 40);
	assert.ok(echoed.length > 5 && echoed.every(({ id }, n) => id === n + 2), 'what the ring held is answered, in its order');
});

test('esp-idf: the USB port: what does not fill the ring is no gap', async (t) => {
	const device = onUsb(t);
	device.ask({ id: 1, method: 'stall' });
	await sleep(100);
	for (let id = 2; id < 12; id++) device.ask({ id, method: 'echo', params: [id] });
	for (let id = 1; id < 12; id++) await answerTo(device, id);
	device.ask({ id: 'counts', method: 'counts' });
	assert.deepEqual((await answerTo(device, 'counts')).result, { lost: 0, junk: 0 });
});

const [PULLED, PLUGGED, DEAF, HEARING, BLINK, SCARCE] = [0x19, 0x1a, 0x1c, 0x1d, 0x1e, 0x1f].map((byte) => String.fromCharCode(byte));

test('esp-idf: the USB port: a host that does not read blocks nothing', async (t) => {
	const device = onUsb(t);
	device.ask({ id: 1, method: 'hold', params: { wake: 1 } });
	await answerTo(device, 1);
	device.program.sendBytes(DEAF);
	for (let id = 2; id < 10; id++) {
		device.ask({ id, method: 'echo', params: ['x'.repeat(80)] });
		await sleep(20);
	}
	await sleep(200);
	assert.equal(device.answers().length, 1);
	const ticks = processorTicks(device.program.pid);
	await sleep(500);
	assert.ok(processorTicks(device.program.pid) - ticks <= 4, 'it sleeps meanwhile');
	device.program.sendBytes(HEARING);
	for (let id = 2; id < 10; id++) assert.equal((await answerTo(device, id)).result[0].length, 80);
});

test('esp-idf: the USB port: a host that the driver misses for a moment stays', async (t) => {
	const device = onUsb(t);
	device.program.sendBytes(BLINK);
	device.ask({ id: 1, method: 'hold', params: { wake: 1 } });
	assert.equal((await answerTo(device, 1)).result, 'woken');
});

test('esp-idf: the USB port: a driver that finds no memory when a host has left is installed later', async (t) => {
	const device = onUsb(t);
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	device.program.sendBytes(SCARCE + PULLED);
	await until('the driver to fail', () => /usb not installed/.test(device.program.stderr));
	await sleep(50);
	device.program.sendBytes(PLUGGED);
	await sleep(50);
	device.ask({ id: 2, method: 'echo', params: [2] });
	assert.deepEqual((await answerTo(device, 2)).result, [2]);
});

test('esp-idf: the USB port: what the hardware held for the last host spoils no answer to the next one', async (t) => {
	const device = onUsb(t);
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	device.program.sendBytes(DEAF);
	device.ask({ id: 2, method: 'echo', params: ['x'.repeat(100)] });
	await sleep(100);
	device.program.sendBytes(PULLED);
	await sleep(300);
	device.program.sendBytes(PLUGGED + HEARING);
	await sleep(50);
	device.ask({ id: 3, method: 'echo', params: [3] });
	await until('the answer', () => device.program.untaken.filter(Boolean).length >= 3);
	const lines = device.program.untaken.slice(1).filter(Boolean);
	assert.match(lines[0], /^{"jsonrpc":"2\.0","id":2[^}]*$/, 'a packet of the last session');
	assert.deepEqual(JSON.parse(lines[1]).result, [3]);
});

test('esp-idf: the UART port does not start without a baud rate', async (t) => {
	const program = benchWith(t, 'BENCH_NO_BAUD');
	await until('its end', () => program.ended);
	assert.equal(program.ended.code, 2);
	assert.match(program.stderr, /quash_esp_uart_start.*: error -1/);
});

test('esp-idf: the UART port shows a gap in its place', async (t) => {
	const device = onUart(t);
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	device.program.sendBytes(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"echo",\x18"params":[]}\n'));
	await sleep(100);
	device.ask({ id: 3, method: 'echo', params: [] }); /* what is behind a gap is skipped up to a line end */
	device.ask({ id: 4, method: 'counts' });
	assert.deepEqual((await answerTo(device, 4)).result, { lost: 1, junk: 0 });
	assert.ok(device.answers().every(({ id }) => id !== 2), 'halves of two messages are no message');
});

test('esp-idf: the UART port: a queue of events that was full counts as a gap, once', async (t) => {
	const device = onUart(t, 'BENCH_RING');
	device.ask({ id: 1, method: 'stall' });
	await sleep(100);
	for (let n = 0; n < 60; n++) device.ask({ id: `n${n}`, method: 'echo', params: ['x'.repeat(100)] }); /* each is an event and more */
	assert.equal((await answerTo(device, 1)).result, true);
	device.ask({ id: 2, method: 'echo', params: [] });
	device.ask({ id: 3, method: 'counts' });
	assert.deepEqual((await answerTo(device, 3)).result, { lost: 1, junk: 0 });
});

test('esp-idf: the UART port: a queue that was full while the task was being woken counts as a gap', async (t) => {
	const device = onUart(t, 'BENCH_LATE');
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	await sleep(500); /* it sleeps */
	const events = '\n'.repeat(60 * 120); /* more than its queue holds */
	device.program.sendBytes(Buffer.from(`${events}{"jsonrpc":"2.0","id":2,"method":"echo",\x18"params":[]}\n`));
	await sleep(500);
	device.ask({ id: 3, method: 'echo', params: [] });
	device.ask({ id: 4, method: 'counts' });
	assert.deepEqual((await answerTo(device, 4)).result, { lost: 1, junk: 0 });
	assert.ok(device.answers().every(({ id }) => id !== 2), 'halves of two messages are no message');
});

test('esp-idf: the UART port: what comes while a handler stays busy is answered once', async (t) => {
	const device = onUart(t);
	device.ask({ id: 1, method: 'busy' });
	for (let id = 2; id < 100; id++) device.ask({ id, method: 'echo', params: [id] });
	device.ask({ method: '$/cancel_request', params: { requestId: 1 } });
	for (let id = 1; id < 100; id++) await answerTo(device, id);
	assert.equal(device.answers().length, 99);
});
