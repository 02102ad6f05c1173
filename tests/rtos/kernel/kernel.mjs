/* SPDX-License-Identifier: MIT
 * A peer in one task of the test kernel, its handler's work in another that computes in a tight loop and looks at the
 * cancel flag: node tests/rtos/kernel/kernel.mjs COMMAND [ARGUMENT...], with crunch at the other end of the command. */

import assert from 'node:assert/strict';
import { Link } from '../../common/link.mjs';
import { cancelOf } from '../../boards/speakers.mjs';
import { sleep, test, until } from '../../common/runner.mjs';

const link = new Link(process.argv.slice(2), 'acp');
process.on('exit', () => link.child.kill('SIGTERM'));

const crunch = (turns, worker) => link.request('crunch', { turns, worker });
const cancel = (id) => link.send(cancelOf('acp', id));
const state = async () => (await link.asks('state')).result;
const answersTo = (id) => link.messages.filter((message) => !('method' in message) && message.id === id);
const reportsOf = (id) => link.messages.filter(({ method, params }) => method === 'turns' && params.id === id)
	.map(({ params }) => params.turns);

const names = ['of lower priority', 'of the same priority'];

test('somebody is there', async () => assert.equal((await state()).guards, true));

test('a conversation with a task that has no privilege', async () => assert.equal((await state()).privileged, false));

names.forEach((name, worker) => {
	test(`a worker ${name} does a handler's work`, async () => {
		const before = await state();
		const request = crunch(3000, worker);
		link.send(request);
		assert.equal((await link.answerTo(request.id)).result, 3000);
		const after = await state();
		assert.equal(after.workers[worker].finished, before.workers[worker].finished + 1);
	});

	test(`a cancel reaches a worker ${name} while it computes`, async () => {
		link.forget();
		const before = await state();
		const request = crunch(0, worker);
		link.send(request);
		await until('progress', async () => {
			await link.listen(20);
			return reportsOf(request.id).length >= 3;
		});
		const middle = await state();
		cancel(request.id);
		assert.equal((await link.answerTo(request.id)).error?.code, -32800);
		const after = await state();
		await sleep(50);
		const later = await state();
		const reports = reportsOf(request.id);
		assert.ok(reports.at(-1) > reports[0], `it computes: ${reports}`);
		assert.ok(middle.preemptions > before.preemptions, 'and is interrupted');
		assert.equal(after.workers[worker].stopped, before.workers[worker].stopped + 1, 'it was stopped');
		assert.equal(later.workers[worker].turns, after.workers[worker].turns, 'and computes no more');
	});
});

test('a hundred cancels at any moment', async () => {
	const rounds = 50;
	const before = await state();
	let random = 1;
	const below = (n) => { /* the same on every run */
		random = (random * 1103515245 + 12345) % 2 ** 31;
		return Math.floor(random / 2 ** 31 * n);
	};
	let results = 0;
	for (let i = 0; i < rounds; i++) {
		link.forget();
		const requests = [crunch(1 + below(20000), below(2)), crunch(below(3) * 100000, below(2))]; /* 0: endless */
		link.send(...requests);
		for (const { id } of requests) {
			if (below(3) > 0) await sleep(below(20));
			cancel(id);
		}
		for (const { id } of requests) await link.answerTo(id);
		const idle = async () => (await state()).live === 1; /* its own request */
		await until('the end of both', idle);
		for (const { id } of requests) {
			const answers = answersTo(id);
			assert.ok(answers.length === 1, JSON.stringify(answers));
			results += answers.filter((answer) => 'result' in answer).length;
			assert.ok('result' in answers[0] || answers[0].error.code === -32800);
			link.giveUp(id);
		}
	}
	const after = await state();
	const sum = (what, { workers }) => workers.reduce((all, worker) => all + worker[what], 0);
	const [finished, stopped] = ['finished', 'stopped'].map((what) => sum(what, after) - sum(what, before));
	console.log(`        ${2 * rounds} requests: ${results} results; ${finished} works finished, ${stopped} stopped`);
	assert.ok(results <= finished, 'no result without its work');
	assert.ok(stopped > 0 && finished + stopped <= 2 * rounds);
});

test('the stacks\' guard words are whole, and no byte was lost', async () => {
	const { guards, left, lost, slowest, preemptions } = await state();
	console.log(`        ${preemptions} preemptions, ${left} words left on the fullest stack, slowest cancel ${slowest} ms`);
	assert.deepEqual({ guards, lost }, { guards: true, lost: 0 });
});
