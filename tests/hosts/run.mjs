/* SPDX-License-Identifier: MIT
 * run.mjs [PROGRAM...]: `make hosts`. Runs all cases of all hosts one after another, and writes the tables of docs/hosts.md.
 * With names of programs those alone, and nothing is written. build/log/hosts keeps what each has shown. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { Context } from '../host/runner.mjs';
import { writePlace } from '../size/page.mjs';
import { cancels, tryAgent } from './acp.mjs';
import { faults, tryCase, ways } from './cases.mjs';
import { agents, hosts } from './hosts.mjs';
import { agentsPage, hostsPage, inWords } from './tables.mjs';

const modules = join(process.env.HOSTS_MODULES ?? '', 'node_modules');
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

function within(ms, promise) {
	let timer;
	const late = new Promise((resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`not finished after ${ms} ms`)), ms);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* Its outcome, or its `failure` in a line. */
async function outcomeOf(name, body) {
	const t = new Context();
	const left = Math.min(limit, begun + wholeLimit - Date.now());
	try {
		if (left <= 0) throw new Error('no time is left');
		return await within(left, body(t));
	} catch (error) {
		return { failure: String(error.message).split('\n')[0] };
	} finally {
		writeFileSync(join(logs, `${name.replaceAll(' ', '-')}.txt`), t.explain?.() ?? '');
		await t.cleanUp();
	}
}

/* `tries` has a function for each case. */
async function runHost(host, tries) {
	const why = missing(host);
	const cases = {};
	for (const [name, body] of Object.entries(tries)) {
		const outcome = why ? { failure: why } : await outcomeOf(`${host.program} ${name}`, body);
		console.log(`${outcome.failure ? 'FAIL   ' : 'ok     '} ${host.name}, ${name}: ${inWords(outcome)}`);
		cases[name] = outcome;
	}
	return { host, version: pinned[host.package], cases };
}

const programOf = (host) => join(modules, '.bin', host.program);

const casesOf = (host) => Object.fromEntries(Object.keys(faults).flatMap((fault) => Object.keys(ways)
	.map((way) => [`${way} ${fault}`, (t) => tryCase(t, host, programOf(host), way, fault)])));
const cancelsOf = (agent) => Object.fromEntries(Object.keys(cancels).map((by) => [by, (t) => tryAgent(t, agent, programOf(agent), by)]));

async function runAll(list, triesOf) {
	const outcomes = [];
	for (const host of list.filter(({ program }) => !only.length || only.includes(program))) outcomes.push(await runHost(host, triesOf(host)));
	return outcomes;
}

mkdirSync(logs, { recursive: true });
const where = `\`make hosts\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform} ${process.arch}.`;
const outcomes = { hosts: await runAll(hosts, casesOf), agents: await runAll(agents, cancelsOf) };
const pages = { hosts: hostsPage(outcomes.hosts, where), 'hosts acp': agentsPage(outcomes.agents, where) };
for (const [place, text] of Object.entries(pages)) {
	if (only.length) console.log(`\n${text}`);
	else writePlace('docs/hosts.md', place, text);
}
const all = Object.values(outcomes).flat().flatMap(({ cases }) => Object.values(cases));
const failed = all.filter(({ failure }) => failure).length;
console.log(`${all.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
