/* SPDX-License-Identifier: MIT
 * The examples of boards/apps/examples: the same scenes on the host, and on an emulated board. What moves is looked at with the
 * tools of the example itself, on the same line. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { clientInfo } from '../common/client.mjs';
import { Link } from '../common/link.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { make, printed, root } from '../common/start.mjs';
import { command } from '../interop/boards.mjs';

const board = 'lm3s6965evb';
const names = ['sensor', 'relay', 'homing', 'strip', 'dispenser', 'logger', 'hoist'];

make('examples', 'build/host/libquash-posix.a', 'build/host/emulate');
make(`BOARD=${board}`, 'examples');

/* --- An example, and a host of agents before it */

class Example extends Link {
	static async start(t, words, capabilities = {}) {
		const example = new Example(words, 'mcp');
		t.after(() => example.kill());
		example.hello = await example.asks('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
		return example;
	}

	/** Begins a call, and gives its id. */
	begin(name, args = {}) {
		return this.ask('tools/call', { name, arguments: args, _meta: { progressToken: 'p' } });
	}

	/** What a model reads, and whether it is an error. */
	async call(name, args) {
		return this.read(this.begin(name, args));
	}

	async read(id) {
		const { result, error } = await this.answerTo(id);
		assert.ok(result, `no result: ${JSON.stringify(error)}`);
		return { text: result.content[0].text, failed: result.isError === true, data: result.structuredContent };
	}

	/** Cancels a call, of which no answer may come. `overtaken`: its answer may be on its way. */
	cancel(id, { overtaken = false } = {}) {
		this.giveUp(id, { overtaken });
		this.notify('notifications/cancelled', { requestId: id });
	}
}

/** The scene of an example, on the host and on the board. */
function scene(name, title, play, { capabilities } = {}) {
	const places = { 'the host': [hostProgram(name)], [board]: command(board, name, { options: [] }) };
	for (const [place, words] of Object.entries(places))
		test(`${name} on ${place}: ${title}`, async (t) => play(await Example.start(t, words, capabilities)), { together: true });
}

/* --- All of them */

/* A wrong argument of each, and what is answered. */
const wrong = {
	sensor: ['temperature', { offset: 11 }, 'offset: must be a number from -10 to 10'],
	relay: ['run', { seconds: 3 }, 'seconds: is unknown'],
	homing: ['move', { to: 1001 }, 'to: must be an integer from 0 to 1000'],
	strip: ['fade', { red: 1, gren: 2, blue: 3 }, 'gren: is unknown, try green'],
	dispenser: ['dispense', { count: 0 }, 'count: must be an integer from 1 to 20'],
	logger: ['stream', {}, 'ms: is required'],
	hoist: ['lift', { mm: -1 }, 'mm: must be an integer from 0 to 1000'],
};

for (const name of names)
	scene(name, 'it names its tools, and a wrong argument is refused in words', async (example) => {
		assert.equal(example.hello.result.serverInfo.name, name);
		const { tools } = (await example.asks('tools/list', {})).result;
		const [tool, args, text] = wrong[name];
		assert.equal(tools[0].name, tool);
		assert.deepEqual(await example.call(tool, args), { text, failed: true, data: undefined });
	});

/* --- sensor */

scene('sensor', 'a temperature, with and without what is to be added', async (example) => {
	const first = await example.call('temperature');
	assert.deepEqual([first.failed, first.data], [false, { celsius: 22.1 }]);
	assert.deepEqual((await example.call('temperature', { offset: -2.5 })).data, { celsius: 19.7 });
});

/* --- relay */

const isOn = async (example) => (await example.call('state')).text === 'on';

scene('relay', 'it runs for its time, one call at a time', async (example) => {
	const id = example.begin('run', { ms: 1500 });
	assert.equal(await isOn(example), true);
	assert.deepEqual(await example.call('run'), { text: 'the pump runs', failed: true, data: undefined });
	assert.equal((await example.read(id)).text, 'it has run');
	assert.equal(await isOn(example), false);
});

scene('relay', 'a cancel switches it off, without an answer', async (example) => {
	const id = example.begin('run');
	assert.equal(await isOn(example), true);
	example.cancel(id);
	assert.equal(await isOn(example), false);
	assert.deepEqual(example.answersTo(id), []);
});

scene('relay', 'a host that forgets: it is off after the longest time, and the model reads why', async (example) => {
	const begun = Date.now();
	const { text, failed } = await example.read(example.begin('run'));
	assert.deepEqual([text, failed], ['run: stopped, its longest time of 3000 ms is up', true]);
	assert.ok(Date.now() - begun > 2500, `after ${Date.now() - begun} ms`);
	assert.equal(await isOn(example), false);
});

scene('relay', 'without signs of life from a client that had given one, its lease runs out', async (example) => {
	const id = example.begin('run');
	example.sendBytes('\n');
	const { error } = await example.answerTo(id);
	assert.equal(error.code, -32800);
	assert.equal(await isOn(example), false);
});

/* --- homing */

const where = async (example) => (await example.call('where')).data;

scene('homing', 'it looks for its switch first, then it goes to its place, and reports', async (example) => {
	assert.deepEqual(await where(example), { position: 0, known: false, driven: false });
	assert.equal((await example.call('move', { to: 120 })).text, 'there');
	assert.deepEqual(await where(example), { position: 120, known: true, driven: false });
	assert.equal((await example.call('move', { to: 40 })).text, 'there');
	assert.deepEqual(await where(example), { position: 40, known: true, driven: false });
	assert.ok(example.all('notifications/progress').length >= 3);
});

scene('homing', 'a cancel slows it down and keeps its place, also while it looks for the switch', async (example) => {
	example.cancel(example.begin('move', { to: 10 }));
	assert.deepEqual([(await where(example)).known, (await where(example)).driven], [false, false]);
	assert.equal((await example.call('move', { to: 0 })).text, 'there');
	const id = example.begin('move', { to: 1000 });
	await until('the carriage to be under way', async () => (await where(example)).position > 30);
	example.cancel(id);
	await until('it to be at rest', async () => !(await where(example)).driven);
	const { position } = await where(example);
	await sleep(50);
	assert.deepEqual(await where(example), { position, known: true, driven: false });
	assert.equal((await example.call('move', { to: 0 })).text, 'there');
	assert.deepEqual(example.answersTo(id), []);
});

test('homing on the host: a switch that is not found stops it, in words', async (t) => {
	const program = join(root, 'build/host/homing-without-switch');
	printed('gcc', ['-DPINS_START=100000', '-Iinclude', '-Iport', '-Iboards/apps', 'boards/apps/examples/homing.c', 'boards/apps/examples/pins.c',
		'boards/host/examples/example.c', 'build/host/libquash-posix.a', 'build/host/libquash.a', '-o', program]);
	const example = await Example.start(t, [program]);
	assert.deepEqual(await example.call('move', { to: 5 }), { text: 'the end switch was not found: look at the carriage', failed: true, data: undefined });
	assert.equal((await where(example)).driven, false);
});

/* --- strip */

const colour = async (example) => (await example.call('colour')).data;

scene('strip', 'it fades, and reports how far it is', async (example) => {
	assert.equal((await example.call('fade', { red: 200, green: 100, blue: 0, ms: 1500 })).text, 'faded');
	assert.deepEqual(await colour(example), { red: 200, green: 100, blue: 0 });
	const told = example.all('notifications/progress').map(({ params }) => params.progress);
	assert.ok(told.length >= 1 && told.every((value, i) => i === 0 || value > told[i - 1]), `${told}`);
});

scene('strip', 'a cancel leaves it where it is', async (example) => {
	const id = example.begin('fade', { red: 250, green: 250, blue: 250, ms: 20000 });
	await until('some light', async () => (await colour(example)).red > 0);
	example.cancel(id);
	const left = await colour(example);
	await sleep(100);
	assert.deepEqual(await colour(example), left);
	assert.ok(left.red < 250);
});

/* --- dispenser */

const stock = async (example) => (await example.call('stock')).data;

async function assertNoneTwice(example) {
	const { dispensed, left, open } = await stock(example);
	assert.deepEqual([dispensed + left, open], [80, false], 'what has fallen is counted, by beam and by scale');
	return dispensed;
}

scene('dispenser', 'as many pills as are asked for, and an answer in words when it is empty', async (example) => {
	for (let i = 0; i < 5; i++) {
		assert.equal((await example.call('dispense', { count: 15 })).text, 'dispensed 15 of 15');
		assert.equal(await assertNoneTwice(example), 15 * (i + 1));
	}
	assert.deepEqual(await example.call('dispense', { count: 15 }), { text: 'dispensed 5 of 15', failed: true, data: undefined });
	assert.equal(await assertNoneTwice(example), 80);
});

scene('dispenser', 'cancels at any moment: each pill that has fallen is counted, and none falls twice', async (example) => {
	let last = 0;
	for (let i = 0; i < 25; i++) {
		const id = example.begin('dispense', { count: 4 });
		await sleep((i * 37) % 160);
		example.cancel(id, { overtaken: true });
		const dispensed = await assertNoneTwice(example);
		assert.ok(dispensed - last <= 4, `${dispensed - last} for one call of 4`);
		assert.ok(example.answersTo(id).length <= 1);
		last = dispensed;
	}
	assert.ok(last > 10, `${last}`);
	await sleep(100);
	assert.equal(await assertNoneTwice(example), last, 'none falls behind a cancel');
});

/* --- logger */

const counts = async (example) => (await example.call('count')).data;

scene('logger', 'samples until it is cancelled; none is lost without a count', async (example) => {
	const id = example.begin('stream', { ms: 20 });
	await until('ten samples', async () => (await counts(example)).samples >= 10);
	example.cancel(id);
	const { samples, dropped, runs } = await counts(example);
	assert.equal(runs, false);
	await example.listen(100);
	const logs = example.all('notifications/message').map(({ params }) => params);
	assert.equal(logs.length, samples - dropped);
	assert.ok(logs.every(({ level, logger, data }) => level === 'info' && logger === 'thermometer' && data.millivolts >= 720));
	assert.equal((await counts(example)).samples, samples, 'no sample behind the cancel');
});

/* --- hoist */

const hangsAt = async (example) => (await example.call('state')).data;
const question = 'elicitation/create';

/* Says what its user has done with the question that comes. */
async function answer(example, action) {
	const known = example.all(question).length;
	await until('a question', async () => {
		await example.listen(50);
		return example.all(question).length > known;
	});
	const asked = example.all(question).at(-1);
	example.send({ id: asked.id, result: { action, content: {} } });
	return asked.params.message;
}

scene('hoist', 'a person confirms what is high, each time; nothing moves before, nor if it is declined', async (example) => {
	assert.equal((await example.call('lift', { mm: 500 })).text, 'there');
	const id = example.begin('lift', { mm: 520 });
	assert.deepEqual(await hangsAt(example), { mm: 500, driven: false, waits: true });
	example.send({ id: example.all(question)[0].id, result: { action: 'accept', content: {} } });
	assert.equal((await example.read(id)).text, 'there');
	const again = example.begin('lift', { mm: 521 });
	assert.equal(await answer(example, 'decline'), 'Confirm lift: mm is 521. Is everybody away from the load?');
	assert.deepEqual(await example.read(again), { text: 'Nothing was done: the person has declined it', failed: true, data: undefined });
	assert.deepEqual(await hangsAt(example), { mm: 520, driven: false, waits: false });
}, { capabilities: { elicitation: {} } });

scene('hoist', 'a cancel ends the question, or stops the load', async (example) => {
	const id = example.begin('lift', { mm: 600 });
	assert.equal((await hangsAt(example)).waits, true);
	example.cancel(id);
	assert.deepEqual(await hangsAt(example), { mm: 0, driven: false, waits: false });
	const [{ id: asked }] = example.all(question);
	assert.deepEqual(example.all('notifications/cancelled').map(({ params }) => params.requestId), [asked]);
	const moving = example.begin('lift', { mm: 400 });
	await until('the load to move', async () => (await hangsAt(example)).mm > 10);
	example.cancel(moving);
	const left = await hangsAt(example);
	await sleep(50);
	assert.deepEqual(await hangsAt(example), left);
	assert.deepEqual([left.driven, left.mm < 400], [false, true]);
}, { capabilities: { elicitation: {} } });

test('hoist on the host: the button confirms for a client that cannot ask', async (t) => {
	const example = await Example.start(t, [hostProgram('hoist')]);
	const id = example.begin('lift', { mm: 501 });
	await sleep(400);
	assert.equal((await hangsAt(example)).waits, true);
	example.child.kill('SIGUSR1');
	assert.equal((await example.read(id)).text, 'there');
}, { together: true });

/* --- The end of input, on the host: what moves is at rest before the program ends */

for (const [name, tool, args] of [['relay', 'run', {}], ['homing', 'move', { to: 900 }], ['dispenser', 'dispense', { count: 20 }], ['hoist', 'lift', { mm: 500 }]])
	test(`${name} on the host: the end of input stops it`, async (t) => {
		const example = await Example.start(t, [hostProgram(name)]);
		const id = example.begin(tool, args);
		await sleep(100);
		example.giveUp(id);
		await example.endsByInput();
	}, { together: true });
