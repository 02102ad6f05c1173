/* SPDX-License-Identifier: MIT
 * run.mjs [PROGRAM...]: `make hosts`. Runs all cases of all hosts one after another, and writes the table of docs/hosts.md.
 * With names of programs those hosts alone, and nothing is written. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { table, writePlace } from '../size/page.mjs';
import { faults, longest, slack, tryCase, ways } from './cases.mjs';
import { hosts } from './hosts.mjs';

const modules = join(process.env.HOSTS_MODULES, 'node_modules');
const only = process.argv.slice(2);
const limit = 60000, wholeLimit = 15 * 60000, begun = Date.now();
const logs = join(root, 'build/log/hosts');

const pinned = JSON.parse(readFileSync(join(root, 'tests/hosts/package.json'), 'utf8')).dependencies;

/* Why a host cannot be run, or null. */
function missing(host) {
	const path = join(modules, host.package, 'package.json');
	if (!existsSync(path) || !existsSync(join(modules, '.bin', host.program))) return 'it is not installed';
	const { version } = JSON.parse(readFileSync(path, 'utf8'));
	return version === pinned[host.package] ? null : `${version} is installed`;
}

class Context {
	#cleanups = [];

	after(cleanup) {
		this.#cleanups.unshift(cleanup);
	}

	async cleanUp() {
		for (const cleanup of this.#cleanups.splice(0)) await cleanup();
	}
}

function within(ms, promise) {
	let timer;
	const late = new Promise((resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`not finished after ${ms} ms`)), ms);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* Its outcome, or its `failure` in a line. */
async function outcomeOf(host, way, fault) {
	const t = new Context();
	const left = Math.min(limit, begun + wholeLimit - Date.now());
	try {
		if (left <= 0) throw new Error('no time is left');
		return await within(left, tryCase(t, host, join(modules, '.bin', host.program), way, fault));
	} catch (error) {
		return { failure: String(error.message).split('\n')[0] };
	} finally {
		writeFileSync(join(logs, `${host.program}-${way}-${fault}.txt`), t.explain?.() ?? '');
		await t.cleanUp();
	}
}

const inWords = ({ failure, cause, ms }) => (failure ? `**failed**: ${failure}` : `${cause}, ${ms.toFixed(0)} ms`);

async function runHost(host) {
	const why = missing(host);
	const cases = {};
	for (const fault of Object.keys(faults)) for (const way of Object.keys(ways)) {
		const outcome = why ? { failure: why } : await outcomeOf(host, way, fault);
		console.log(`${outcome.failure ? 'FAIL   ' : 'ok     '} ${host.name}, ${way}, ${fault}: ${inWords(outcome)}`);
		cases[`${fault} ${way}`] = outcome;
	}
	return { host, cases };
}

const titles = { stop: 'Stop', end: 'it is ended', kill: 'its first process is killed', killAll: 'all of its processes are killed' };
const rowsOf = ({ host, cases }) => Object.keys(faults).map((fault, i) => [
	i === 0 ? `${host.name} ${pinned[host.package]}` : '', titles[fault], ...Object.keys(ways).map((way) => inWords(cases[`${fault} ${way}`]))]);

function pageOf(outcomes) {
	const all = outcomes.flatMap(({ cases }) => Object.values(cases));
	const turned = Math.max(...all.map((outcome) => outcome.turned ?? 0));
	const hidden = outcomes.filter(({ cases }) => Object.values(cases).some(({ tools }) => tools === 'behind a search')).map(({ host }) => host.name);
	return [`\`make hosts\` on ${new Date().toISOString().slice(0, 10)}: what ended the motion, and how many milliseconds later the motor was at rest.`,
		table(['agent host', 'what happens', 'on stdin and stdout', 'through `quash-bridge`'], outcomes.flatMap(rowsOf), []),
		`The longest motion took ${turned.toFixed(0)} ms; the longest time is ${longest} ms. ${hidden.join(', ') || 'No host'} puts tools behind a search.`].join('\n\n');
}

mkdirSync(logs, { recursive: true });
const outcomes = [];
for (const host of hosts.filter(({ program }) => !only.length || only.includes(program))) outcomes.push(await runHost(host));
const all = outcomes.flatMap(({ cases }) => Object.values(cases));
const failed = all.filter(({ failure }) => failure).length;
if (only.length) console.log(pageOf(outcomes));
else writePlace('docs/hosts.md', 'hosts', pageOf(outcomes));
console.log(`${all.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
