/* SPDX-License-Identifier: MIT
 * A small test runner: one line per test, and at the end `N passed, N failed, N skipped`.
 *
 * A test file only calls test(). The tests of every file that is loaded run one after another, in the order
 * of their registration. Those that are marked `together` and follow on each other run at once, some at a time. What a test
 * hands to t.after() is done also when it fails. With FIRST_FAILURE in the environment no test begins after one has failed.
 *
 * A test has no limit of time. One that takes long is named each minute, with what it waits for; so is what still runs when a
 * signal ends the run, or when LIMIT seconds are over, where that is in the environment. That counts as failed. */

import { waitedFor } from './waits.mjs';

export { sleep, until } from './waits.mjs';

const tests = [];
const count = { passed: 0, failed: 0, skipped: 0 };
const running = new Set();
const minute = 60000;
const atOnce = 6;
let skipReason = null;
let onlyFailures = false;
let begins = false;
let over = false;

/* Who registers nothing only borrows from here, and has an end of its own. */
function register(entry) {
	tests.push(entry);
	if (!begins) process.once('beforeExit', runAll);
	begins = true;
}

/** `together`: it mostly waits, and minds no company. */
export function test(name, body, { together = false } = {}) {
	register({ name, body, together });
}

/** A test that cannot run here: counted, and the reason is printed. */
export function skip(name, reason) {
	register({ name, reason });
}

/** Every test of this run is counted as skipped, and the reason is printed. */
export function skipAll(reason) {
	skipReason = reason;
}

/** Tests that pass are counted, not printed. */
export function printOnlyFailures() {
	onlyFailures = true;
}

/** What a test is given: `after` keeps what is done at its end, the last first. */
export class Context {
	#cleanups = [];

	after(cleanup) {
		this.#cleanups.unshift(cleanup);
	}

	async cleanUp() {
		for (const cleanup of this.#cleanups.splice(0)) await cleanup();
	}
}

/* What still runs, with what it waits for. */
function stillRuns(least) {
	const age = ({ since }) => `${Math.round((Date.now() - since) / 1000)} s`;
	const waits = waitedFor().map((wait) => `    for ${wait.what} (${age(wait)})\n`).join('');
	const late = [...running].filter(({ since }) => Date.now() - since >= least);
	return late.length ? `${late.map((one) => `waits   ${one.name} (${age(one)})\n`).join('')}${waits}` : '';
}

async function failureOf({ name, body }) {
	const context = new Context();
	let failure = null;
	await new Promise((resolve, reject) => {
		const one = { name, context, since: Date.now(), fail: reject };
		running.add(one);
		Promise.resolve(context).then(body).then(resolve, reject).finally(() => running.delete(one));
	}).catch((error) => { failure = error; });
	await context.cleanUp().catch((error) => { failure ??= error; });
	return failure;
}

const indented = (text) => text.replace(/^/gm, '        ');

async function runOne(entry) {
	const start = Date.now();
	const failure = await failureOf(entry);
	const took = `${Date.now() - start} ms`;
	if (over) return; /* it is counted already */
	if (failure) {
		count.failed++;
		console.log(`FAIL    ${entry.name} (${took})\n${indented(String(failure?.stack ?? failure))}`);
	} else {
		count.passed++;
		if (!onlyFailures) console.log(`ok      ${entry.name} (${took})`);
	}
}

function skipOne({ name, reason = skipReason }) {
	count.skipped++;
	console.log(`SKIPPED ${name}: ${reason}`);
}

async function run(entry) {
	if (skipReason || entry.reason) skipOne(entry);
	else await runOne(entry);
}

/* The tests that follow on each other and may run at once; at least one test. */
function takeGroup() {
	const end = tests.findIndex(({ together }) => !together);
	return tests.splice(0, Math.max(1, end < 0 ? tests.length : end));
}

const isDecided = () => over || (process.env.FIRST_FAILURE && count.failed > 0);

async function runGroup(group) {
	const lane = async () => {
		while (group.length && !isDecided()) await run(group.shift());
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
}

/* All that runs has failed, and nothing else begins. */
function failAll(why) {
	over = true;
	process.stdout.write(stillRuns(0));
	for (const { name } of running) console.log(`FAIL    ${name}\n        ${why}`);
	count.failed += Math.max(running.size, 1);
}

/* What was started for a test is ended, if that is soon. */
async function endAll(why) {
	failAll(why);
	setTimeout(close, minute / 12).unref();
	await Promise.allSettled([...running].map(({ context }) => context.cleanUp()));
	close();
}

/** The last line of what counts by itself, and its exit code. */
export function closeWith({ passed, failed, skipped = 0 }) {
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	process.exitCode = failed ? 1 : 0;
}

function close() {
	over = true;
	closeWith(count);
	process.exit();
}

function limit() {
	for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => endAll(`ended by ${signal}`));
	process.once('exit', () => {
		if (over) return;
		failAll('nothing is left that it could wait for');
		close();
	});
	setInterval(() => process.stdout.write(stillRuns(minute)), minute).unref();
	const seconds = Number(process.env.LIMIT);
	if (seconds) setTimeout(endAll, seconds * 1000, `not finished after ${seconds} s`).unref();
}

async function runAll() {
	limit();
	while (tests.length && !isDecided()) await runGroup(takeGroup());
	close();
}

function strayError(error) {
	if (running.size) return running.forEach(({ fail }) => fail(error)); /* whose it is nobody knows */
	console.log(`FAIL    outside of any test\n${indented(String(error?.stack ?? error))}`);
	process.exit(1);
}

process.on('uncaughtException', strayError);
process.on('unhandledRejection', strayError);
