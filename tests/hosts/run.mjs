/* SPDX-License-Identifier: MIT
 * run.mjs [PROGRAM...]: `make hosts`. Runs all cases of all hosts one after another, and writes the tables of docs/hosts.md.
 * With names of programs those alone: the others' rows are of the same day's run, and without them nothing is written.
 * build/log/hosts keeps what each has shown, and its outcomes. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, manifestOf, partOf } from '../common/npm/modules.mjs';
import { root } from '../common/program.mjs';
import { Context, closeWith } from '../common/runner.mjs';
import { writePlace } from '../size/page.mjs';
import { cancels, tryAgent } from './acp.mjs';
import { faults, tryCase, ways } from './cases.mjs';
import { agents, hosts } from './hosts.mjs';
import { agentsPage, hostsPage, inWords } from './tables.mjs';

const only = process.argv.slice(2);
const limit = 300000, wholeLimit = 2 * 15 * 60000, begun = Date.now();
const logs = join(root, 'build/log/hosts');

const pinned = JSON.parse(readFileSync(join(root, 'tests/common/npm/package.json'), 'utf8')).devDependencies;
const programOf = (host) => partOf('.bin', host.program);

/* Why a host cannot be run, or null. */
function missing(host) {
	if (!isInstalled(host.package) || !existsSync(programOf(host))) return 'it is not installed';
	const { version } = manifestOf(host.package);
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

const casesOf = (host) => Object.fromEntries(Object.keys(faults).flatMap((fault) => Object.keys(ways)
	.map((way) => [`${way} ${fault}`, (t) => tryCase(t, host, programOf(host), way, fault)])));
const cancelsOf = (agent) => Object.fromEntries(Object.keys(cancels).map((by) => [by, (t) => tryAgent(t, agent, programOf(agent), by)]));

const day = new Date().toISOString().slice(0, 10);
const kept = (host, kind) => join(logs, `${kind}-${host.program}.json`);

async function runAll(list, kind, triesOf) {
	const outcomes = [];
	for (const host of list.filter(({ program }) => !only.length || only.includes(program))) {
		const outcome = await runHost(host, triesOf(host));
		writeFileSync(kept(host, kind), JSON.stringify({ day, ...outcome }));
		outcomes.push(outcome);
	}
	return outcomes;
}

/* The outcomes of all of a list on this day; null when some have not been run. */
function gathered(list, kind) {
	const all = list.map((host) => (existsSync(kept(host, kind)) ? JSON.parse(readFileSync(kept(host, kind), 'utf8')) : {}));
	return all.every((outcome, i) => outcome.day === day && outcome.version === pinned[list[i].package]) ? all : null;
}

const where = `\`make hosts\` on ${day}, Node ${process.versions.node}, ${process.platform} ${process.arch}.`;

function writePage(place, outcomes, pageOf) {
	if (outcomes) writePlace('docs/hosts.md', place, pageOf(outcomes, where));
	else console.log(`docs/hosts.md keeps its table, make ${place}: not all were run today`);
}

mkdirSync(logs, { recursive: true });
const outcomes = [...await runAll(hosts, 'host', casesOf), ...await runAll(agents, 'agent', cancelsOf)];
writePage('hosts', gathered(hosts, 'host'), hostsPage);
writePage('hosts acp', gathered(agents, 'agent'), agentsPage);
const all = outcomes.flatMap(({ cases }) => Object.values(cases));
const failed = all.filter(({ failure }) => failure).length;
closeWith({ passed: all.length - failed, failed });
process.exit();
