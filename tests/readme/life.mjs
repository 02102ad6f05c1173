/* SPDX-License-Identifier: MIT
 * node tests/readme/life.mjs [--write]
 *
 * A request's life in docs/design.md is that of the code. The core is built with every change of a request's state watched, and plays
 * all transcripts: what it prints is the table of the page and its diagram. --write makes both anew; only the column `when` is written
 * by hand, and must be filled. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '../common/runner.mjs';
import { make, printed, root, told } from '../common/start.mjs';
import { bare, functionsOf, readTree } from '../layers/source.mjs';

const page = join(root, 'docs/design.md');
const build = join(root, 'build/life');

/* What its state is made of. How a change is spelt in the code: `slot` is the request. Hooks are two bits. */
const changes = [
	{ what: 'life', pattern: /\b(\w+)->life =\s[^;]+;/g, state: (slot) => `${slot}->life` },
	{ what: 'answer', pattern: /\b(\w+)->answer =\s[^;]+;/g, state: (slot) => `${slot}->answer` },
	{ what: 'cause', pattern: /\bQUASH_STORE\((\w+)->cause,\s[^;]+;/g, state: (slot) => `${slot}->cause != 0` },
	{ what: 'hooks', pattern: /\bquash_slot_(?:un)?mark\((\w+),\s[^;]*\bMARK_(?:END|RELEASE)\b[^;]*;/g,
		state: (slot) => `(quash_slot_is(${slot}, MARK_END) ? 1 : 0) + (quash_slot_is(${slot}, MARK_RELEASE) ? 2 : 0)` },
];

/* Any other way to change it. A `quash_live` has a cause too, which is a copy. */
const unseen = /(?<!\blive)(?:->|\.)(?:life|answer|cause)\s*(?:[-+|&^]?=(?!=)|\+\+|--)|&\w+(?:->|\.)(?:life|answer|cause)\b|(?:STORE|store_next)\([^,]*\bcause\b/;

/** A source with its changes watched, the lines where these stand, and what changes besides. */
export function watch(path, text) {
	const lines = [];
	let rest = bare(text);
	for (const { what, pattern, state } of changes) {
		rest = rest.replace(pattern, (found) => found.replace(/[^\n]/g, ' '));
		text = text.replace(pattern, (found, slot, at, whole) => {
			lines.push(whole.slice(0, at).split('\n').length);
			return `QUASH_WATCH("${path}", "${what}", ${state(slot)}, ${found.slice(0, -1)});`;
		});
	}
	return { text, lines, other: unseen.exec(rest)?.[0] ?? null };
}

/* The names of states: those of the code's enums, in its order. */
function statesOf(files) {
	const named = (name, prefix) => [...files.values()].map((text) => new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(bare(text))?.[1])
		.find((body) => body !== undefined).match(/\w+/g).map((word) => word.replace(prefix, '').toLowerCase());
	return { life: named('quash_life', 'LIFE_'), answer: named('quash_answer_stage', 'ANSWER_'), cause: ['uncancelled', 'flagged'],
		end: ['no end', 'end due'], released: ['no released', 'released due'] };
}

/* The function of a program that an address stands in. */
function functionAt(program) {
	const symbols = printed('nm', ['-n', program]).split('\n').map((line) => line.split(' '))
		.filter(([, kind]) => /^[tT]$/.test(kind)).map(([at, , name]) => ({ at: parseInt(at, 16), name: name.replace(/\..*/, '') }));
	return (address) => symbols.findLast(({ at }) => at <= parseInt(address, 16))?.name;
}

/* Plays the transcripts; each kind of change, as it was printed. */
function observe(files) {
	rmSync(build, { recursive: true, force: true });
	const watched = [...files].filter(([path]) => path.endsWith('.c')).map(([path, text]) => ({ path, ...watch(path, text) }));
	for (const [path, text] of files) {
		mkdirSync(dirname(join(build, path)), { recursive: true });
		writeFileSync(join(build, path), text);
	}
	/* All that calls what changes it, so that no caller is optimized away. */
	const core = watched.filter(({ path, lines }) => lines.length > 0 || path.startsWith('src/core/'));
	for (const { path, text } of core) writeFileSync(join(build, path), text);
	make('build/life/talk', `LIFE_SOURCES=${core.map(({ path }) => join('build/life', path)).join(' ')}`);
	const callerAt = functionAt(join(build, 'talk'));
	const talks = readdirSync(join(root, 'tests/talk')).filter((name) => name.endsWith('.talk')).map((name) => join('tests/talk', name));
	const { status, stderr } = told(join(build, 'talk'), ['--mode', 'whole', ...talks]);
	assert.equal(status, 0, 'the transcripts pass');
	const seen = stderr.split('\n').filter((line) => line.startsWith('changed ')).map((line) => line.split(' '))
		.map(([, path, line, name, what, was, is, caller]) => ({ path, line: Number(line), name, what, was: Number(was), is: Number(is), caller: callerAt(caller) }));
	return { seen, watched };
}

/* Its arrows: which part, from where to where, the function that makes the change, and those that decide it. That is the same function
 * if it is its file's own, else those that call it. */
function arrowsOf(seen, states, files) {
	const functions = new Map([...files].flatMap(([path, text]) => functionsOf(text).map(({ name, exported }) => [name, { path, exported }])));
	const bits = [['end', 1], ['released', 2]];
	const all = seen.flatMap(({ what, was, is, ...place }) => (what !== 'hooks' ? [{ part: what, was, is, ...place }]
		: bits.map(([part, bit]) => ({ part, was: Math.sign(was & bit), is: Math.sign(is & bit), ...place }))));
	const parts = Object.keys(states);
	/* What is cleared for a message that has ended was part of a name: no state. */
	const isState = ({ part, was, is }) => states[part][was] !== undefined && states[part][is] !== undefined;
	const arrows = new Map();
	for (const { part, was, is, name, path, caller } of all.filter((one) => one.was !== one.is && isState(one))) {
		const key = [part, was, is, name].join(' ');
		if (!arrows.has(key)) arrows.set(key, { part, was, is, name, path, from: states[part][was], to: states[part][is], deciders: new Set() });
		arrows.get(key).deciders.add(functions.get(name)?.exported ? caller : name);
	}
	const placed = (name) => ({ name, path: functions.get(name)?.path ?? 'outside' });
	return [...arrows.values()].map((arrow) => ({ ...arrow, deciders: [...arrow.deciders].sort().map(placed) }))
		.sort((a, b) => parts.indexOf(a.part) - parts.indexOf(b.part) || a.was - b.was || a.is - b.is || (a.name < b.name ? -1 : 1));
}

const titles = { life: 'the request', answer: 'its answer', cause: 'its cause', end: 'its hook `end`', released: 'its hook `released`' };
const keyOf = ({ part, from, to, name }) => `${titles[part]}: ${from} → ${to} | \`${name}\``;

/* A part is a box of the diagram; arrows between the same states are one. */
function diagram(arrows, states) {
	const id = (part, state) => `${part}_${state.replaceAll(' ', '_')}`;
	const boxes = Object.entries(states).map(([part, names]) => {
		const its = arrows.filter((arrow) => arrow.part === part);
		const pairs = new Map(its.map(({ from, to }) => [`${id(part, from)} --> ${id(part, to)}`, its.filter((one) => one.from === from && one.to === to)]));
		return [`    state "${titles[part].replaceAll('`', '')}" as part_${part} {`, ...names.map((name) => `        ${id(part, name)}: ${name}`),
			...[...pairs].map(([pair, ones]) => `        ${pair}: ${[...new Set(ones.flatMap(({ deciders }) => deciders.map(({ name, path }) => `${name} in ${basename(path)}`)))].join(', ')}`), '    }'];
	});
	return ['```mermaid', 'stateDiagram-v2', ...boxes.flat(), '```'].join('\n');
}

/* The column that is written by hand, of each row of the page. */
const whens = (text) => new Map([...text.matchAll(/^\| (.*?: .* → .*?) \| (.*?) \| (`\w+`) in /gm)].map(([, change, when, name]) => [`${change} | ${name}`, when]));

const link = (path) => `[\`${basename(path)}\`](../${path})`;

/* A function that has another name now leaves one row of its change without an arrow. */
function table(arrows, known) {
	const keys = new Set(arrows.map(keyOf));
	const left = (change) => [...known].filter(([key]) => key.startsWith(`${change} | `) && !keys.has(key)).map(([, when]) => when);
	const rows = arrows.map((arrow) => {
		const [change, name] = keyOf(arrow).split(' | ');
		const when = known.get(keyOf(arrow)) ?? (left(change).length === 1 ? left(change)[0] : '');
		const deciders = arrow.deciders.map((one) => `\`${one.name}\` in ${link(one.path)}`).join(', '), maker = `${name} in ${link(arrow.path)}`;
		return `| ${change} | ${when} | ${maker} | ${deciders === maker ? 'the same' : deciders} |`;
	});
	return ['| change | when | made by | decided by |', '|---|---|---|---|', ...rows].join('\n');
}

const place = /(?<=^<!-- make life -->\n)[^]*?(?=^<!-- end of make life -->$)/m;

export const render = (arrows, states, text) => `\n${diagram(arrows, states)}\n\n${table(arrows, whens(text))}\n\n`;

const read = () => readTree(root, ['src', 'include']);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const files = read();
	const text = readFileSync(page, 'utf8');
	const states = statesOf(files);
	const written = text.replace(place, () => render(arrowsOf(observe(files).seen, states, files), states, text));
	if (process.argv.includes('--write')) writeFileSync(page, written);
	else console.log(place.exec(written)[0]);
} else {
	test('a request lives as docs/design.md shows: each change of its state, and the function that makes it', () => {
		const files = read();
		const { seen, watched } = observe(files);
		const states = statesOf(files), arrows = arrowsOf(seen, states, files), text = readFileSync(page, 'utf8');
		assert.deepEqual(watched.filter(({ other }) => other !== null).map(({ path, other }) => `${path}: ${other}`), [], 'it is changed in no other way');
		const reached = new Set(seen.map(({ path, line }) => `${path}:${line}`));
		assert.deepEqual(watched.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`)).filter((at) => !reached.has(at)), [], 'all are reached');
		for (const [part, names] of Object.entries(states))
			for (const name of names)
				assert.ok(['from', 'to'].every((end) => arrows.some((arrow) => arrow.part === part && arrow[end] === name)), `${part}: ${name} is entered and left`);
		assert.equal(place.exec(text)[0], render(arrows, states, text), 'make life');
		assert.deepEqual(arrows.map(keyOf).filter((key) => !whens(text).get(key)), [], 'the page has when it happens');
		const defined = new Set([...files.values()].flatMap((code) => functionsOf(code).map(({ name }) => name)));
		const named = [...whens(text).values()].flatMap((when) => when.match(/(?<=`)[a-z]\w*_\w*(?=`)/g) ?? []);
		assert.deepEqual(named.filter((name) => !defined.has(name)), [], 'the functions that it names are there');
	});

	test('a change of the state is seen however it is spelt', () => {
		const source = (line) => `static void change(quash_request *slot)\n{\n\t${line}\n}\n`;
		for (const line of ['slot->life = LIFE_ENDED;', 'quash_slot_unmark(slot,\n\t\tMARK_END);', 'QUASH_STORE(slot->cause, 1);'])
			assert.deepEqual([watch('a.c', source(line)).lines, watch('a.c', source(line)).other], [[3], null], line);
		for (const line of ['slot->life++;', 'slot->answer |= 1;', 'peer->received.life = 0;', 'uint8_t *life = &slot->life;', 'slot->cause = 1;', 'QUASH_STORE(peer->received.cause, 1);'])
			assert.ok(watch('a.c', source(line)).other !== null, line);
		for (const line of ['if (slot->life == LIFE_ENDED) return;', 'quash_slot_mark(slot, MARK_DUE);', 'live->cause = 1;', '/* slot->life++ */'])
			assert.deepEqual([watch('a.c', source(line)).lines, watch('a.c', source(line)).other], [[], null], line);
	});

	test('the page has another diagram when a change goes or comes', () => {
		const states = { life: ['free', 'parked'] };
		const arrow = { part: 'life', from: 'free', to: 'parked', name: 'claim', path: 'src/core/slots.c', deciders: [{ name: 'accept', path: 'src/core/accept.c' }] };
		const text = render([arrow], states, '');
		assert.ok(text.includes('        life_free --> life_parked: accept in accept.c\n') && text.includes('| the request: free → parked |  | `claim` in'));
		assert.equal(render([arrow], states, text.replace('|  |', '| then |')), text.replace('|  |', '| then |'));
		assert.ok(render([{ ...arrow, name: 'take' }], states, text.replace('|  |', '| then |')).includes('| then | `take` in'));
		for (const others of [[], [{ ...arrow, name: 'free' }], [arrow, { ...arrow, from: 'parked', to: 'free' }], [{ ...arrow, path: 'src/core/step.c' }], [{ ...arrow, deciders: [] }]])
			assert.notEqual(render(others, states, text), text);
	});
}
