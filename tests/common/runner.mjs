/* SPDX-License-Identifier: MIT
 * A small test runner: one line per test, and at the end `N passed, N failed, N skipped`.
 *
 * A test file only calls test(). The tests of every file that is loaded run one after another, in the order
 * of their registration, each with a time limit. Those that are marked `together` and follow on each other run at once,
 * some at a time. What a test hands to t.after() is done also when it fails. With FIRST_FAILURE in the environment no test
 * begins after one has failed, and what does not come is waited for less long. */

import { slowest, withSlowest } from './patience.mjs';

const tests = [];
const count = { passed: 0, failed: 0, skipped: 0 };
let skipReason = null;
let onlyFailures = false;
let begins = false;
const atOnce = 6;

const failRunning = new Set();

/* Who registers nothing only borrows from here, and has an end of its own. */
function register(entry) {
	tests.push(entry);
	if (!begins) process.once('beforeExit', runAll);
	begins = true;
}

/** `together`: it mostly waits, and minds no company. */
export function test(name, body, { seconds = 30, together = false } = {}) {
	register({ name, body, seconds, together });
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

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks `probe` again and again until it gives something true; fails aloud when it never does. */
export async function until(what, probe, ms = 10000) {
	const begun = Date.now(), deadline = begun + (process.env.FIRST_FAILURE ? 2 * ms : withSlowest(ms));
	for (;;) {
		const found = await probe();
		if (found) return found;
		if (Date.now() > deadline) throw new Error(`waited ${Date.now() - begun} ms in vain for ${what}`);
		await sleep(5);
	}
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

function limited(body, context, seconds) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error(`not finished after ${seconds * slowest} s`)), withSlowest(seconds * 1000));
		failRunning.add(reject);
		Promise.resolve(context)
			.then(body)
			.then(resolve, reject)
			.finally(() => {
				clearTimeout(timer);
				failRunning.delete(reject);
			});
	});
}

async function failureOf({ body, seconds }) {
	const context = new Context();
	let failure = null;
	await limited(body, context, seconds).catch((error) => { failure = error; });
	await context.cleanUp().catch((error) => { failure ??= error; });
	return failure;
}

const indented = (text) => text.replace(/^/gm, '        ');

async function runOne(entry) {
	const start = Date.now();
	const failure = await failureOf(entry);
	const took = `${Date.now() - start} ms`;
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

const isDecided = () => process.env.FIRST_FAILURE && count.failed > 0;

async function runGroup(group) {
	const lane = async () => {
		while (group.length && !isDecided()) await run(group.shift());
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
}

async function runAll() {
	while (tests.length && !isDecided()) await runGroup(takeGroup());
	console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
	process.exit(count.failed ? 1 : 0);
}

function strayError(error) {
	if (failRunning.size) return failRunning.forEach((fail) => fail(error)); /* whose it is nobody knows */
	console.log(`FAIL    outside of any test\n${indented(String(error?.stack ?? error))}`);
	process.exit(1);
}

process.on('uncaughtException', strayError);
process.on('unhandledRejection', strayError);
