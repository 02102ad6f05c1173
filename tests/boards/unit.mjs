/* SPDX-License-Identifier: MIT
 * node unit.mjs [--write] BOARD...
 *
 * Builds the host's unit tests for the boards named and runs them under their emulators, two at a time. A board begins
 * with groups of tests of a file in one firmware; where a group does not fit, its halves are tried, down to single
 * tests; these in each of the board's UNIT_ROOMS. The peers are smaller in the later rooms, so that what fails there is
 * only not shown to fit. What fits nowhere must stand in tests/boards/BOARD/does_not_fit, with its reason: lines of
 * `FILE TEST: REASON`. What stands there is not tried. With --write it is, and that file is written anew, with the
 * reasons that stand in it. What hangs or crashes to the last fails. UNIT_FILES names some files (`test_lex test_tape`). Closes with `N passed, N failed, N
 * skipped`. */

import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { told } from '../common/start.mjs';

const AT_ONCE = 2;
const NO_ROOM = /overflowed|will not fit|is not within region|no room for the stack/;
const NO_END = 'it does not come to its end';
const CLOSING = /^(\d+) passed, (\d+) failed, (\d+) skipped, (\d+) without room$/m;

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '../..'));

/* --- The board */

function planOf(board) {
	const { status, stdout, stderr } = told('make', ['-s', `BOARD=${board}`, 'unit-plan']);
	if (status !== 0) throw new Error(`no plan for ${board}: ${stderr}`);
	const plan = Object.fromEntries(stdout.trim().split('\n').map((line) => line.split(/ (.*)/s)));
	if (plan.haste) console.log(`${board}: of random and exhaustive rounds one in ${plan.haste} is run`);
	return { board, rooms: plan.rooms.split(' '), group: Number(plan.group), seconds: Number(plan.seconds),
		emulator: plan.emulator.split(' ') };
}

/** Lines `FILE TEST: REASON`, as a map from `FILE TEST`. */
function listedOf(board) {
	const path = `tests/boards/${board}/does_not_fit`;
	const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
	return new Map(lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(/: (.*)/s)));
}

/* Those of the ports of POSIX are for the host alone. */
const paths = new Map(readdirSync('tests/unit', { recursive: true }).filter((path) => /\/test_(?!posix_)\w+\.c$/.test(path))
	.map((path) => [basename(path, '.c'), path]));
const files = [...paths.keys()].sort();

/* Without those of a build for tests: a board has its own. */
function testsIn(file) {
	const text = readFileSync(join('tests/unit', paths.get(file)), 'utf8').replace(/^#ifdef QUASH_CHECKED$[^]*?^#endif$/gm, '');
	return [...text.matchAll(/^\s*cmocka_unit_test(?:_setup)?\((\w+)/gm)].map(([, name]) => name);
}

/** Neighbours in a file, without those that `leave` is for. */
function groupsOf(file, size, leave) {
	const groups = [];
	let group;
	for (const [place, name] of testsIn(file).entries()) {
		if (leave(name)) group = undefined;
		else if (group && group.names.length < size) group.names.push(name);
		else groups.push((group = { file, first: place, names: [name] }));
	}
	return groups;
}

function halvesOf({ file, first, names }) {
	const half = Math.ceil(names.length / 2);
	return [{ file, first, names: names.slice(0, half) }, { file, first: first + half, names: names.slice(half) }];
}

/* --- Building and running */

function imageOf(plan, room, { file, first, names }) {
	return `build/unit-${room}/${plan.board}/tests/unit/${file}-${first}-${first + names.length - 1}.elf`;
}

function build(plan, room, groups) {
	const images = groups.map((group) => imageOf(plan, room, group));
	for (const image of images) rmSync(`${image}.log`, { force: true });
	const options = ['-k', '-j', `${AT_ONCE}`, `BOARD=${plan.board}`, `BUILD=build/unit-${room}`, `UNIT_ROOM=${room}`];
	return new Promise((done) => {
		execFile('make', [...options, ...images], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => done(error ? stderr : ''));
	});
}

/** What a firmware says, until its closing line or the end of the time. */
function run({ emulator: [command, ...options], seconds }, image) {
	return new Promise((done) => {
		const child = spawn(command, [...options, image], { stdio: ['ignore', 'pipe', 'pipe'] });
		let text = '';
		const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
		const hear = (chunk) => {
			text += chunk;
			if (CLOSING.test(text)) child.kill('SIGKILL');
		};
		child.stdout.on('data', hear);
		child.stderr.on('data', hear);
		child.on('error', (error) => (text += error.message));
		child.on('close', () => {
			clearTimeout(timer);
			done(text.replaceAll('\r', ''));
		});
	});
}

async function inTurn(items, work) {
	const queue = [...items];
	await Promise.all(Array.from({ length: AT_ONCE }, async () => {
		while (queue.length > 0) await work(queue.shift());
	}));
}

/* --- What comes out */

/** `count` is how many passed and were skipped; `failed` and `noRoom` map a test's name to why; `unfit`: as a whole. */
function outcomeOf(group, text) {
	const closing = CLOSING.exec(text);
	const found = (what) => new Map([...text.matchAll(new RegExp(`^${what}: (\\w+): (.*)$`, 'gm'))].map(([, name, why]) => [name, why]));
	const outcome = { passed: 0, skipped: 0, failed: found('FAILED'), noRoom: found('no room') };
	if (!closing) return { ...outcome, unfit: NO_END };
	if ([...outcome.noRoom.values()].includes('for the stack')) return { ...outcome, unfit: 'too much stack' };
	[outcome.passed, outcome.skipped] = [Number(closing[1]), Number(closing[3])];
	const named = outcome.passed + outcome.skipped + outcome.failed.size + outcome.noRoom.size;
	if (named !== group.names.length || outcome.failed.size !== Number(closing[2]))
		return { ...outcome, unfit: `it says ${JSON.stringify(text.slice(-200))}` };
	return outcome;
}

async function tryOne(plan, room, group, errors) {
	const image = imageOf(plan, room, group);
	if (existsSync(image)) return outcomeOf(group, await run(plan, image));
	const log = existsSync(`${image}.log`) ? readFileSync(`${image}.log`, 'utf8') : errors;
	if (NO_ROOM.test(log)) return { unfit: 'too much RAM' };
	return { passed: 0, skipped: 0, failed: new Map(group.names.map((name) => [name, `not built: ${log.slice(-600)}`])), noRoom: new Map() };
}

/** Tries groups in a room, and their halves. Returns the tests for which it is too small, and why. */
async function tryRoom(plan, room, groups, sum) {
	const left = [];
	const single = (group, name, why) => left.push({ file: group.file, first: group.first + group.names.indexOf(name), names: [name], why });
	while (groups.length > 0) {
		const errors = await build(plan, room, groups);
		const next = [];
		await inTurn(groups, async (group) => {
			const outcome = await tryOne(plan, room, group, errors);
			if (outcome.unfit && group.names.length > 1) return next.push(...halvesOf(group));
			if (outcome.unfit) return single(group, group.names[0], outcome.unfit);
			sum.passed += outcome.passed;
			sum.skipped += outcome.skipped;
			for (const name of outcome.noRoom.keys()) single(group, name, 'longer texts than there is RAM for');
			for (const [name, why] of outcome.failed) {
				if (room !== plan.rooms[0] || sum.listed.has(`${group.file} ${name}`)) single(group, name, 'larger peers than there is RAM for');
				else fail(sum, plan, group.file, name, why);
			}
		});
		groups = next;
	}
	return left;
}

function fail(sum, plan, file, name, why) {
	console.log(`FAILED: ${plan.board} ${file} ${name}: ${why}`);
	sum.failed++;
}

const HEAD = '# SPDX-License-Identifier: MIT\n# Unit tests that do not fit into this board: FILE TEST: REASON. tests/boards/unit.mjs\n' +
	'# tries all others. With --write it tries these too, and writes this file.\n';

function writeList(plan, left, sum) {
	const found = left.map(({ file, names: [name], why }) => [`${file} ${name}`, sum.listed.get(`${file} ${name}`) ?? why]);
	const lines = [...found, ...sum.others].sort().map(([test, why]) => `${test}: ${why}\n`);
	const text = [...new Set(lines)].join(''); /* a test may stand in a file twice, with other memory */
	writeFileSync(`tests/boards/${plan.board}/does_not_fit`, HEAD + text);
	sum.listed = new Map(found);
}

/** What is left is listed; a test that hangs or crashes in the last room never is. What is listed is a test. */
function checkList(plan, left, sum) {
	for (const { file, names: [name], why } of left) {
		if (why === NO_END) fail(sum, plan, file, name, why);
		else if (!sum.listed.has(`${file} ${name}`)) fail(sum, plan, file, name, `does not fit and is not listed: ${why}`);
	}
	for (const test of sum.listed.keys()) {
		const [file, name] = test.split(' ');
		if (!paths.has(file) || !testsIn(file).includes(name)) fail(sum, plan, file, name, 'is listed but is no test');
	}
}

async function testBoard(board) {
	const plan = planOf(board);
	const only = process.env.UNIT_FILES?.split(' ') ?? files;
	const sum = { passed: 0, failed: 0, skipped: 0, listed: listedOf(board) };
	const begun = Date.now();
	sum.others = new Map([...sum.listed].filter(([test]) => !only.includes(test.split(' ')[0])));
	for (const test of sum.others.keys()) sum.listed.delete(test);
	const leave = (file) => (name) => !write && sum.listed.has(`${file} ${name}`);
	let left = only.flatMap((file) => groupsOf(file, plan.group, leave(file)));
	for (const room of plan.rooms) left = await tryRoom(plan, room, left, sum);
	if (write) writeList(plan, left, sum);
	checkList(plan, left, sum);
	console.log(`${board}: ${sum.passed} unit tests passed, ${write ? left.length : sum.listed.size} do not fit, in ${Math.round((Date.now() - begun) / 1000)} s`);
	return sum;
}

const write = process.argv[2] === '--write';
const total = { passed: 0, failed: 0, skipped: 0 };
for (const board of process.argv.slice(write ? 3 : 2)) {
	const sum = await testBoard(board);
	for (const key of Object.keys(total)) total[key] += sum[key];
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
