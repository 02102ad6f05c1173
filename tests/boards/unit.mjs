/* SPDX-License-Identifier: MIT
 * node unit.mjs BOARD...
 *
 * Builds the host's unit tests for the boards named and runs them under their emulators, two at a time. A firmware begins with all
 * tests of a file. Where the linker finds no room for them it has fewer, by what it lacks, down to single tests. What has no room
 * alone, or says when it runs that its texts or its stack have none, does not fit, which is no failure; but of a board's tests
 * UNIT_LEAST per cent must fit. What hangs or crashes alone fails. UNIT_FILES names some files (`test_lex test_tape`), however many
 * of their tests fit. Closes with `N passed, N failed, N skipped`. */

import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorTicks } from '../common/process.mjs';
import { told } from '../common/start.mjs';

const AT_ONCE = 2;
const TICKS = 100; /* a second */
const NO_ROOM = /overflowed|will not fit|is not within region|no room for the stack/;
const LACKING = /overflowed by (\d+) bytes/;
const CLOSING = /^(\d+) passed, (\d+) failed, (\d+) skipped, (\d+) without room$/m;

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '../..'));

/* --- The board */

function planOf(board) {
	const { status, stdout, stderr } = told('make', ['-s', `BOARD=${board}`, 'unit-plan']);
	if (status !== 0) throw new Error(`no plan for ${board}: ${stderr}`);
	const plan = Object.fromEntries(stdout.trim().split('\n').map((line) => line.split(/ (.*)/s)));
	if (plan.haste) console.log(`${board}: of random and exhaustive rounds one in ${plan.haste} is run`);
	const some = process.env.UNIT_FILES?.split(' ');
	return { board, seconds: Number(plan.seconds), part: Number(plan.part), emulator: plan.emulator.split(' '),
		heard: plan.heard && plan.heard.split(' ').map(Number),
		files: some ?? (plan.files ? plan.files.split(' ') : files), least: some ? 0 : Number(plan.least) };
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

function partsOf({ file, first, names }, count) {
	const size = Math.ceil(names.length / Math.min(count, names.length));
	return Array.from({ length: Math.ceil(names.length / size) }, (_, i) =>
		({ file, first: first + i * size, names: names.slice(i * size, (i + 1) * size) }));
}

/* --- Building and running */

const imageOf = (board, { file, first, names }) => `build/${board}/tests/unit/${file}-${first}-${first + names.length - 1}.elf`;

/* An image whose objects cannot be made is an old one, of other tests perhaps. */
function build(board, groups) {
	const images = groups.map((group) => imageOf(board, group));
	for (const image of images) rmSync(`${image}.log`, { force: true });
	return new Promise((done) => {
		execFile('make', ['-k', '-j', `${AT_ONCE}`, `BOARD=${board}`, ...images], { maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: 'C' } },
			(error, stdout, stderr) => {
				for (const [, image] of stderr.matchAll(/Target '(.*)' not remade because of errors/g)) rmSync(image, { force: true });
				done(error ? stderr : '');
			});
	});
}

/* Tells what stands in the memory of an emulator whenever it has changed. */
function readMemory(path, [at, size], hear) {
	const bytes = Buffer.alloc(size);
	let known = 0;
	return setInterval(() => {
		if (!existsSync(path) || statSync(path).size < at + size) return;
		const file = openSync(path);
		readSync(file, bytes, 0, size, at);
		closeSync(file);
		const end = bytes.indexOf(0);
		hear(bytes.toString('latin1', known, end));
		known = end;
	}, 20);
}

/** What a firmware says, until its closing line or the end of its time, which is one of the processor. */
function run({ emulator, seconds, heard }, image) {
	const words = emulator.some((word) => word.includes('IMAGE')) ? emulator.map((word) => word.replace('IMAGE', image)) : [...emulator, image];
	const memory = `${image}.memory`;
	return new Promise((done) => {
		const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
		let text = '';
		const hear = (chunk) => {
			text += chunk;
			if (CLOSING.test(text)) child.kill('SIGKILL');
		};
		const timers = [setInterval(() => { if (processorTicks(child.pid) > seconds * TICKS) child.kill('SIGKILL'); }, 1000)];
		if (heard) timers.push(readMemory(memory, heard, hear));
		child.stdout.on('data', hear);
		child.stderr.on('data', hear);
		child.on('error', (error) => (text += error.message));
		child.on('exit', () => timers.forEach(clearInterval));
		child.on('close', () => {
			rmSync(memory, { force: true });
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

/** `failed` and `noRoom` map a test's name to why. `parts`: it says nothing as a whole, because of `why`; so many parts may. */
function outcomeOf(group, text) {
	const closing = CLOSING.exec(text);
	const found = (what) => new Map([...text.matchAll(new RegExp(`^${what}: (\\w+): (.*)$`, 'gm'))].map(([, name, why]) => [name, why]));
	const outcome = { failed: found('FAILED'), noRoom: found('no room') };
	if (!closing) return { parts: 2, fails: true, why: `it does not come to its end: ${JSON.stringify(text.slice(-200))}` };
	if ([...outcome.noRoom.values()].includes('for the stack')) return { parts: 2, why: 'too much stack' };
	const [, passed, failed, skipped] = closing.map(Number);
	if (passed + skipped + outcome.failed.size + outcome.noRoom.size !== group.names.length || outcome.failed.size !== failed)
		return { parts: 2, fails: true, why: `it says ${JSON.stringify(text.slice(-200))}` };
	return { ...outcome, passed, skipped };
}

async function tryOne(plan, group, errors) {
	const image = imageOf(plan.board, group);
	if (existsSync(image)) return outcomeOf(group, await run(plan, image));
	const log = existsSync(`${image}.log`) ? readFileSync(`${image}.log`, 'utf8') : errors;
	if (!NO_ROOM.test(log)) return { parts: 0, fails: true, why: `not built: ${log.slice(-600)}` };
	return { parts: 2 + Math.floor(Number(LACKING.exec(log)?.[1] ?? 0) / plan.part), why: 'too much RAM' };
}

function fail(sum, board, file, name, why) {
	console.log(`FAILED: ${board} ${file} ${name}: ${why}`);
	sum.failed++;
}

/** Tries groups, and what there is left of them in smaller ones. */
async function tryAll({ board, ...plan }, groups, sum) {
	while (groups.length > 0) {
		const errors = await build(board, groups);
		const next = [];
		await inTurn(groups, async (group) => {
			const { parts, fails, why, ...outcome } = await tryOne({ board, ...plan }, group, errors);
			if (parts > 1 && group.names.length > 1) return next.push(...partsOf(group, parts));
			if (fails) return fail(sum, board, group.file, group.names.join(' '), why);
			if (why) return sum.unfit.push(`${group.file} ${group.names[0]}: ${why}`);
			sum.passed += outcome.passed;
			sum.skipped += outcome.skipped;
			for (const name of outcome.noRoom.keys()) sum.unfit.push(`${group.file} ${name}: it needs more than there is`);
			for (const [name, said] of outcome.failed) fail(sum, board, group.file, name, said);
		});
		groups = next;
	}
}

async function testBoard(board) {
	const plan = planOf(board);
	const sum = { passed: 0, failed: 0, skipped: 0, unfit: [] };
	const begun = Date.now();
	await tryAll(plan, plan.files.map((file) => ({ file, first: 0, names: testsIn(file) })), sum);
	const fit = sum.passed + sum.failed + sum.skipped, share = 100 * fit / (fit + sum.unfit.length);
	if (share < plan.least) fail(sum, board, 'all files', 'together', `${share} % of the tests fit, and ${plan.least} % must`);
	console.log(`${board}: ${sum.passed} unit tests passed, ${sum.unfit.length} do not fit (build/log/unit-${board} names them), in ${Math.round((Date.now() - begun) / 1000)} s`);
	mkdirSync('build/log', { recursive: true });
	writeFileSync(`build/log/unit-${board}`, sum.unfit.sort().map((line) => `${line}\n`).join(''));
	return sum;
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const board of process.argv.slice(2)) {
	const sum = await testBoard(board);
	for (const key of Object.keys(total)) total[key] += sum[key];
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
