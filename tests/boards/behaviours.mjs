/* SPDX-License-Identifier: MIT
 * What a device must do on every target. Each behaviour is given a link and the program at its other end. */

import assert from 'node:assert/strict';
import { sleep } from '../common/runner.mjs';
import { safetyBehaviours } from './safety.mjs';
import { cancelOf } from './speakers.mjs';

const ask = async (link, [method, params]) => link.asks(method, params);
const begin = (link, [method, params]) => link.request(method, params);
/* Of a device without counters nothing is compared. */
const stats = async (link, device) => (device.stats ? device.statsOf(await ask(link, device.stats)) : null);

const served = (device, answer) => (device.assertServed ? device.assertServed(answer) : assert.deepEqual(answer.result, device.smallResult));

async function assertServes(link, device) {
	served(device, await ask(link, device.small));
}

async function assertEchoes(link, device, text) {
	assert.equal(device.echoed(await ask(link, device.echo(text))), text);
}

/* --- Bytes */

const codePoints = (from, to, step = 1) => {
	const points = [];
	for (let point = from; point <= to; point += step) points.push(point);
	return points;
};

/* All of ASCII, all that follows a first byte in UTF-8, each first byte there is. */
const everyByte = [
	...codePoints(0x00, 0xff),
	...codePoints(0x0080, 0x07c0, 0x40),
	0x0800,
	...codePoints(0x1000, 0xf000, 0x1000).filter((point) => point < 0xd800 || point > 0xdfff),
	0x10000,
	...codePoints(0x40000, 0x100000, 0x40000),
];

async function echoesEveryByte(link, device) {
	for (let i = 0; i < everyByte.length; i += 16)
		await assertEchoes(link, device, String.fromCodePoint(...everyByte.slice(i, i + 16)));
}

async function servesAThousand(link, device) {
	for (let i = 0; i < 1000; i++) await assertServes(link, device);
}

/* Cut inside of a character of four bytes, then each byte by itself. */
async function hearsPieces(link, device) {
	const text = 'in pieces \u{1F680}';
	for (const [size, pause] of [[37, 150], [1, 4]]) {
		const request = begin(link, device.echo(text));
		const bytes = link.framed(request);
		const cut = bytes.indexOf(Buffer.from('\u{1F680}')) + 2;
		for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)])
			for (let at = 0; at < part.length; at += size) {
				link.sendBytes(part.subarray(at, at + size));
				await sleep(pause);
			}
		assert.equal(device.echoed(await link.answerTo(request.id)), text);
	}
}

/* --- Cancelling */

const about = (message, { id, params }) =>
	message.id === id || (message.params?.progressToken !== undefined
		&& message.params.progressToken === params?._meta?.progressToken);

/* So many milliseconds pass for the device. */
async function passes(link, device, ms) {
	if (device.timed) device.assertTimed(await ask(link, device.timed(ms)), ms);
	else await sleep(ms);
}

/* Others may answer with what they have so far. */
function assertCancelledAnswer({ result, error }, device) {
	if (device.assertServed && result !== undefined) return;
	assert.deepEqual(error, { code: -32800, message: 'Request cancelled' });
}

/* In MCP nothing more is said of it; else it is answered once. */
async function assertCancelled(link, device, request) {
	link.send(cancelOf(link.dialect, request.id));
	if (link.dialect !== 'mcp') {
		assertCancelledAnswer(await link.answerTo(request.id), device);
		return;
	}
	await assertServes(link, device);
	link.forget();
	await passes(link, device, 300);
	assert.deepEqual(link.messages.filter((message) => about(message, request)), [], 'silence');
	link.giveUp(request.id);
}

async function cancelsWhatRuns(link, device) {
	const before = await stats(link, device);
	const request = begin(link, device.running);
	link.send(request);
	await device.runs(link);
	await assertServes(link, device);
	await assertCancelled(link, device, request);
	device.assertStopped(before, await stats(link, device));
}

async function cancelsTheBusy(link, device) {
	const request = begin(link, device.busy);
	link.send(request);
	await sleep(200);
	await assertCancelled(link, device, request);
	await assertServes(link, device);
}

async function cancelsAtOnce(link, device) {
	const before = await stats(link, device);
	const request = begin(link, device.running);
	link.send(request, cancelOf(link.dialect, request.id));
	if (link.dialect === 'mcp') link.giveUp(request.id);
	else assertCancelledAnswer(await link.answerTo(request.id), device);
	const after = await stats(link, device);
	if (before) assert.equal(after.cancelled_by_other_side, before.cancelled_by_other_side + 1);
	await assertServes(link, device);
}

/* --- Order and time */

async function reportsInOrder(link, device) {
	const answer = await ask(link, device.reporting);
	assert.equal(link.messages.at(-1), answer, 'the answer comes last');
	device.assertReports(link.messages.slice(0, -1), answer);
	const heard = link.messages.length;
	await passes(link, device, 200);
	assert.equal(link.messages.length, heard + (device.timed ? 1 : 0), 'nothing behind the answer');
}

/* A clock that stands still never answers; one that is too fast answers too early. */
async function keepsTime(link, device) {
	const start = Date.now();
	await passes(link, device, 500);
	assert.ok(Date.now() - start >= 450, `500 ms took ${Date.now() - start} ms`);
}

async function wakesUp(link, device) {
	const heard = await link.listen(2000);
	assert.deepEqual(device.assertServed ? heard.filter(({ method }) => method === undefined) : heard, [], 'nobody asked for anything');
	await assertServes(link, device);
}

/* --- Too much */

/* Firmware of somebody else may refuse with a code of its own, and have no limit that is found. */
async function refusesWhatIsTooLong(link, device) {
	const most = 0x40000, foreign = device.assertServed !== undefined;
	for (let size = 64; !foreign || size <= most; size *= 2) {
		const text = 'x'.repeat(size);
		const answer = await ask(link, device.echo(text));
		if (answer.error) {
			if (foreign) assert.equal(typeof answer.error.code, 'number');
			else assert.deepEqual(answer.error, { code: -32011, message: 'Message too large' });
			break;
		}
		assert.ok(device.echoed(answer) === text, `${size} characters came back changed`);
		assert.ok(foreign || size < most, 'it has no limit');
	}
	await assertServes(link, device);
}

function floodOf(link, device, bytes) {
	const requests = [];
	for (let size = 0; size < bytes; size += link.framed(requests.at(-1)).length)
		requests.push(begin(link, device.small));
	return requests;
}

/* What a line without flow control was told too fast is over: of the requests that follow, one each half second, one is answered.
 * Gives those before it, which are lost. */
async function quietens(link, device) {
	const asked = [];
	const isAnswered = ({ id }) => link.messages.some((message) => message.id === id);
	while (!asked.some(isAnswered)) {
		asked.push(begin(link, device.small));
		link.send(asked.at(-1));
		await link.listen(500);
	}
	const last = asked.findIndex(isAnswered);
	for (const { id } of asked.slice(last + 1)) link.giveUp(id, { overtaken: true });
	return asked.slice(0, last);
}

/* Without flow control a line may lose what it is told too fast; then that is counted. */
async function survivesAFlood(link, device, { lossy }) {
	const before = await stats(link, device);
	const requests = floodOf(link, device, 4096);
	link.send(...requests);
	const lost = lossy ? await quietens(link, device) : [];
	for (const request of requests) {
		if (lossy && !link.messages.some(({ id }) => id === request.id)) lost.push(request);
		else served(device, await link.answerTo(request.id));
	}
	for (const { id } of lost) link.giveUp(id);
	const missing = lost.length;
	const after = await stats(link, device);
	assert.equal(missing > 0, (after?.lost ?? 0) > (before?.lost ?? 0), `${missing} without an answer; lost: ${before ? after.lost - before.lost : 'not counted'}`);
}

async function hearsNotifications(link, device, { lossy }) {
	const before = await stats(link, device);
	const unknown = Array.from({ length: 80 }, (_, n) => ({ method: 'nobody/listens', params: { n } }));
	link.send(...unknown);
	const lost = lossy ? await quietens(link, device) : [];
	for (const { id } of lost) link.giveUp(id);
	await assertServes(link, device);
	const after = await stats(link, device);
	const missing = unknown.length - (after.ignored - before.ignored) + lost.length;
	if (!lossy) assert.equal(missing, 0);
	assert.equal(missing > 0, after.lost > before.lost, `${missing} not heard; lost: ${after.lost - before.lost}`);
}

/* One write, and nothing is read of it before the end. Where the line may lose bytes, the flood of 4 KB is what tells. */
async function answersEveryPing(link, device) {
	const before = await stats(link, device);
	const requests = Array.from({ length: 2000 }, () => begin(link, device.small));
	link.send(...requests);
	for (const { id } of requests) served(device, await link.answerTo(id));
	const after = await stats(link, device);
	assert.deepEqual([after?.busy, after?.lost], [before?.busy, before?.lost], 'none was refused, none was lost');
}

/* The cancel stands behind hundreds of requests, each of which is answered. */
async function cancelsBehindAFlood(link, device) {
	const before = await stats(link, device);
	const request = begin(link, device.running);
	const requests = Array.from({ length: 500 }, () => begin(link, device.small));
	link.send(request, ...requests, cancelOf(link.dialect, request.id));
	for (const { id } of requests) served(device, await link.answerTo(id));
	if (link.dialect === 'mcp') link.giveUp(request.id);
	else assertCancelledAnswer(await link.answerTo(request.id), device);
	const after = await stats(link, device);
	if (before) assert.equal(after.cancelled_by_other_side, before.cancelled_by_other_side + 1);
	assert.equal(after?.busy, before?.busy);
	device.assertStopped(before, after);
	await assertServes(link, device);
}

/* No step runs below a busy handler, so what finds no slot is refused: the cancel may stand behind it. */
async function cancelsTheBusyBehindAFlood(link, device) {
	const request = begin(link, device.busy);
	const requests = Array.from({ length: 200 }, () => begin(link, device.small));
	link.send(request, ...requests, cancelOf(link.dialect, request.id));
	if (link.dialect === 'mcp') link.giveUp(request.id);
	else assert.equal((await link.answerTo(request.id)).error?.code, -32800);
	for (const { id } of requests) {
		const { result, error } = await link.answerTo(id);
		if (error) assert.deepEqual(error, { code: -32010, message: 'Busy' });
		else assert.deepEqual(result, device.smallResult);
	}
	await assertServes(link, device);
}

/* --- Junk */

const everyByteButNewline = Buffer.from(codePoints(0, 255).filter((byte) => byte !== 0x0a));
const junkLines = ['not JSON', everyByteButNewline, '{"jsonrpc":"2.0","id":1,"method":"half'];
const blankLines = ['', '\r', ' \t '];

async function survivesJunkLines(link, device) {
	const lines = [...junkLines, ...blankLines].map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
	link.sendBytes(Buffer.concat(lines));
	await assertServes(link, device);
	const codes = link.messages.slice(0, -1).filter(({ method }) => method === undefined).map(({ error }) => error?.code);
	assert.deepEqual(codes, junkLines.map(() => -32700));
}

async function survivesJunkHeaders(link, device) {
	const before = await stats(link, device);
	link.sendBytes('not a header\r\n\r\nContent-Length: many\r\n\r\n');
	await assertServes(link, device);
	assert.ok((await stats(link, device)).bad_headers > before.bad_headers, 'they are counted');
}

async function lostNothing(link, device) {
	const { lost, changed, discarded } = await stats(link, device);
	assert.deepEqual({ lost, changed, discarded }, { lost: 0, changed: 0, discarded: 0 });
}

/** The behaviours that apply, each with a name, and what of the device it needs. */
export function behavioursOf(device, { dialect, lossy }) {
	return [
		['echoes every byte that UTF-8 has', echoesEveryByte, ['echo']],
		['serves 1000 small requests', servesAThousand],
		['receives a request in pieces, with pauses', hearsPieces, ['echo']],
		['stops what runs when it is cancelled', cancelsWhatRuns, ['running']],
		['is cancelled by what stands right behind the request', cancelsAtOnce, ['running']],
		...(device.busy ? [['receives a cancel while a handler stays busy', cancelsTheBusy]] : []),
		['reports in order, and the answer comes last', reportsInOrder, ['reporting']],
		['keeps time', keepsTime, ['timed']],
		['refuses what is too long, and goes on', refusesWhatIsTooLong, ['echo']],
		['survives junk between messages', ...dialect === 'lsp' ? [survivesJunkHeaders, ['stats']] : [survivesJunkLines]],
		['receives 80 notifications at once', hearsNotifications, ['stats']],
		['answers each request of a flood of 4 KB', survivesAFlood],
		...(lossy ? [] : [
			['answers 2,000 pipelined requests with a result', answersEveryPing],
			['receives a cancel behind a flood', cancelsBehindAFlood, ['running']],
			...(device.busy ? [['receives a cancel behind a flood while a handler stays busy', cancelsTheBusyBehindAFlood]] : []),
		]),
		...(device.hasMotor ? safetyBehaviours : []),
		['wakes up after 2 s without a byte', wakesUp],
		...(lossy ? [] : [['has lost nothing', lostNothing, ['stats']]]),
	];
}
