/* SPDX-License-Identifier: MIT
 * Bridge and devices of a release, by its records (tests/host/records): what the bridge said there is said to the devices of today, which
 * answer as recorded but for a list of differences; and what scenes of today's bridge let devices of the release say is recorded. The time
 * of a device is that of the record. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test as testOf } from '../common/runner.mjs';
import { Program, framed, hostProgram, root } from '../common/program.mjs';
import { lines, tellingClockOf } from './inspect-program.mjs';
import { conversations } from './records/conversations.mjs';
import { differences } from './records/differences.mjs';

/* They mostly wait. */
const test = (name, body) => testOf(name, body, { together: true });

const folder = join(root, 'tests/host/records');
const pathOf = (version, name) => join(folder, version, name);

/** The lines of a record: `{ ms, way, text }`. */
const entriesOf = (version, name) => lines(readFileSync(pathOf(version, name), 'utf8')).slice(1)
	.map((line) => /^(?<ms>\d+) device (?<way>[<>!])(?: (?<text>.*))?$/.exec(line).groups)
	.map(({ ms, way, text = '' }) => ({ ms: Number(ms), way, text })).filter(({ way }) => way !== '!');

/* The folder of test programs is not that of the release. */
const deviceOf = ({ device }) => hostProgram(device.replace('tests/gallery', 'tests/common/gallery'));

const isProgress = (text) => /"method":"(notifications|\$)\/progress"/.test(text);

/* How far it is depends on when it was asked. */
const shapeOf = (progress) => progress.replace(/"(progress|percentage|slept)":\d+/g, '"$1":0');

/* A device may be as much later with an answer than the one that was recorded. */
const slack = 40;

/** What a device of today says to what the bridge said. */
async function answersTo(t, conversation, entries) {
	const clock = tellingClockOf(t);
	const device = Program.start(t, deviceOf(conversation), [], { dialect: conversation.protocol ?? 'mcp', env: { ...process.env, ...clock.env } });
	let sent = 0, wanted = 0;
	const comes = async (ms) => {
		await clock.reaches(sent, ms - entries[0].ms + slack);
		await device.waits(`${wanted} messages, until ${ms} ms`, () => device.lines.filter(({ text }) => !isProgress(text)).length >= wanted);
	};
	for (const { ms, way, text } of entries) {
		if (way === '<') {
			wanted += !isProgress(text);
			continue;
		}
		await comes(ms);
		const bytes = text === '' ? Buffer.from('\n') : framed(device.dialect, text);
		device.child.stdin.write(bytes);
		sent += bytes.length;
	}
	await comes(entries.at(-1).ms);
	clock.passes(sent); /* for what it does at its end */
	await device.endsByInput();
	return device.lines.map(({ text }) => text);
}

/** The recorded text as it is today, by the list. Notes in `met` what was used of that. */
function asToday(recorded, today, list, met) {
	for (const difference of recorded === today ? [] : list) {
		const changed = recorded.replaceAll(difference.recorded, difference.today);
		if (changed !== recorded) met.add(difference);
		recorded = changed;
	}
	return recorded;
}

const noProgress = (texts) => texts.filter((text) => !isProgress(text));
const progressShapes = (texts) => [...new Set(texts.filter(isProgress).map(shapeOf))].sort();

for (const [version, list] of Object.entries(differences)) {
	const names = readdirSync(join(folder, version)).sort(), met = new Set();
	let ended = 0;

	for (const name of names)
		test(`the bridge of ${version} at a device of today: ${name}`, async (t) => {
			const entries = entriesOf(version, name), recorded = entries.filter(({ way }) => way === '<').map(({ text }) => text);
			const today = await answersTo(t, conversations.find((conversation) => conversation.name === name), entries);
			const expected = noProgress(recorded).map((text, i) => asToday(text, noProgress(today)[i], list, met));
			assert.deepEqual(noProgress(today), expected);
			assert.deepEqual(progressShapes(today), progressShapes(recorded));
			ended++;
		});

	testOf(`each listed difference to ${version} is met`, () => {
		if (ended === names.length) assert.deepEqual(list.filter((difference) => !met.has(difference)).map(({ why }) => why), []);
	});
}

/* --- Scenes with devices of a release */

/* What a bridge chose. */
const withHoles = (text) => text.replace(/"<[a-z_]+>"|<[a-z_]+>|"[wp]\d{3,}"/g, '<>')
	.replace(/("(?:requestId|quash\/request|io\.modelcontextprotocol\/subscriptionId)":)\d{3,}/g, '$1<>');

/** Of an answer without its id, which a bridge chose too. */
const recordedAs = (text) => withHoles(text.replace(/("jsonrpc":"2.0",)"id":\d+,(?="(result|error)")/, '$1'));

/** The text of a message that a scene spells with words: tests/talk/talk.h. */
function spelled(words) {
	const [, word, first, rest = ''] = /^(\S+) (\S+)(?: (.*))?$/.exec(words);
	const [, method, params] = /^(\S*)(?: (.*))?$/.exec(rest);
	const withParams = (text) => (text === undefined ? '' : `,"params":${text}`);
	switch (word) {
	case 'answers': return `{"jsonrpc":"2.0","result":${rest}}`;
	case 'notify': return `{"jsonrpc":"2.0","method":"${first}"${withParams(rest || undefined)}}`;
	case 'ask': return `{"jsonrpc":"2.0","id":${first},"method":"${method}"${withParams(params)}}`;
	case 'cancel': return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${first}}}`;
	default: return words.replace(/"id":<[a-z_]+>,/, '');
	}
}

/** What `device` says in the scenes of a file. */
function saidIn(scenes) {
	const lets = new Map(), expanded = (text) => text.replace(/\$([A-Z_]+)/g, (whole, name) => lets.get(name) ?? whole);
	const said = [];
	for (const line of lines(scenes)) {
		const [, name, text] = /^let (\S+) (.*)$/.exec(line) ?? [];
		if (name) lets.set(name, expanded(text));
		if (line.startsWith('device -> ')) said.push(withHoles(spelled(expanded(line.slice('device -> '.length)))));
	}
	return said;
}

for (const version of Object.keys(differences)) {
	const scenes = readFileSync(join(root, `tests/talk/bridge/firmware-${version}.talk`), 'utf8');
	const recorded = new Set(readdirSync(join(folder, version)).flatMap((name) => entriesOf(version, name))
		.filter(({ way }) => way === '<').map(({ text }) => recordedAs(text)));

	testOf(`what devices of ${version} say in scenes is recorded, and all that is recorded is said`, () => {
		const said = saidIn(scenes);
		assert.ok(said.length >= recorded.size);
		assert.deepEqual(said.filter((text) => !recorded.has(text)), []);
		assert.deepEqual([...recorded].filter((text) => !said.includes(text)), []);
	});

	testOf(`another name in a device's message is found: ${version}`, () => {
		const changed = saidIn(scenes.replaceAll('quash/lifeSign', 'quash/sign'));
		assert.ok(changed.some((text) => !recorded.has(text)));
	});
}
