/* SPDX-License-Identifier: MIT
 * MCP servers side by side: the toolbox in its builds, and the same tools made with the official TypeScript packages. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, manifestOf } from '../../common/npm/modules.mjs';
import { printed, root } from '../../common/start.mjs';
import { served } from './builds.mjs';

const folder = join(root, 'build/bench/plan');
const client = join(root, 'build/host/tests/bench/host/client');
const packages = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server'];

const rival = (name) => ({ name: `${name} ${manifestOf(name).version}`, command: [process.execPath, join(root, 'tests/bench/host/server_sdk.mjs'), name] });

export const areInstalled = () => packages.every(isInstalled);

export const ours = served.map(({ name, program }) => ({ name, command: [program] }));

/** Those of the official packages that are installed. */
export const rivals = () => (areInstalled() ? packages.map(rival) : []);

/** The figures of ours and those of the rivals, as [[name, figures]]. */
export function sides(figures) {
	const isOurs = ([name]) => ours.some((one) => one.name === name);
	return [[...figures].filter(isOurs), [...figures].filter((one) => !isOurs(one))];
}

const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const ping = (id) => line({ id, method: 'ping' });
const call = (id, name, args) => line({ id, method: 'tools/call', params: { name, arguments: args } });
const echo = (id) => call(id, 'echo', { text: 'hello, world' });
const initialize = (id) => line({ id, method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } });
const initialized = line({ method: 'notifications/initialized' });
const cancel = (requestId) => line({ method: 'notifications/cancelled', params: { requestId } });

/** The phases of a run, for client.c, and the ids that must be answered. */
class Plan {
	phases = [];
	answered = [];
	#id = 0;

	#answer() {
		this.answered.push(++this.#id);
		return this.#id;
	}

	#add(what, kind, text) {
		const file = join(folder, `${this.phases.length}`);
		writeFileSync(file, text);
		this.phases.push({ what, argument: `${kind}:${file}` });
	}

	/** The first answer, and the second behind it. */
	start() {
		this.#add('first', 'turns', `${initialize(this.#answer())}\n${initialized}${ping(this.#answer())}`);
	}

	bursts(what, request, n, times) {
		for (let i = 0; i < times; i++)
			this.#add(what, `burst:${n}`, Array.from({ length: n }, () => request(this.#answer())).join(''));
	}

	turns(n) {
		this.#add('turns', 'turns', Array.from({ length: n }, () => ping(this.#answer())).join('\n'));
	}

	/** Pairs of turns: a call begins to work, a ping behind it; its cancel, a ping behind that. It is never answered. */
	cancels(n) {
		const pair = () => {
			const slow = ++this.#id;
			return [call(slow, 'slow', { ms: 600000 }) + ping(this.#answer()), cancel(slow) + ping(this.#answer())];
		};
		this.#add('cancels', 'turns', Array.from({ length: n }, pair).flat().join('\n'));
	}
}

/** How many requests come at once. The long bursts stand last: the rivals are slower ever after. */
const [short, long] = [100, 1000];

function planOf({ warm, bursts, turns, cancels }) {
	mkdirSync(folder, { recursive: true });
	const plan = new Plan();
	plan.start();
	for (const [what, request] of [['pings', ping], ['echoes', echo]]) {
		plan.bursts('warming', request, short, warm);
		plan.bursts(what, request, short, bursts);
	}
	plan.turns(turns);
	plan.cancels(cancels);
	plan.bursts('long', ping, long, bursts / 10);
	return plan;
}

/** Each id is answered once, with a result. */
function checkAnswers(name, plan, text) {
	const answers = text.trimEnd().split('\n').map((one) => JSON.parse(one));
	const refused = answers.filter((answer) => !('result' in answer));
	assert.deepEqual(refused.slice(0, 3), [], `${name}: ${refused.length} of ${answers.length} answers are no results`);
	assert.deepEqual(answers.map(({ id }) => id).sort((a, b) => a - b), plan.answered, `${name}: an answer to each, and no other`);
}

/** What one run of a server took: what -> [{ times, processor }], and its memory. */
function runOne({ name, command }, plan) {
	const file = join(folder, 'answers');
	const answered = printed(client, [file, ...plan.phases.map(({ argument }) => argument), '--', ...command], { stdio: ['ignore', 'pipe', 'ignore'] });
	checkAnswers(name, plan, readFileSync(file, 'utf8'));
	const lines = answered.trimEnd().split('\n').map((one) => one.split(' ').slice(1).map(Number));
	const taken = plan.phases.map(({ what }, i) => ({ what, times: lines[2 * i], processor: lines[2 * i + 1][0] }));
	return { taken, memory: lines.at(-1)[1], answers: plan.answered.length };
}

/* What this part of a list does not exceed. Others use the machine too: a tenth of all runs were hardly disturbed. */
const quantile = (part, list) => [...list].sort((a, b) => a - b)[Math.floor(part * list.length)];
const tenth = (list) => quantile(0.1, list);

/** Over all rounds: microseconds, kilobytes, and how many pings and echoes are answered in a second. */
function figuresOf(runs) {
	const all = (what) => runs.flatMap(({ taken }) => taken.filter((phase) => phase.what === what));
	const rate = (what, n) => 1e9 * n / tenth(all(what).map(({ times }) => times[0]));
	const processor = (what) => quantile(0.5, all(what).map((phase) => phase.processor)) / short / 1000;
	const cancels = all('cancels').flatMap(({ times }) => times.filter((_, i) => i % 2 === 1));
	return {
		first: tenth(all('first').map(({ times }) => times[0])) / 1000,
		turn: tenth(all('turns').flatMap(({ times }) => times)) / 1000,
		cancel: tenth(cancels) / 1000,
		pings: rate('pings', short),
		long: rate('long', long),
		echoes: rate('echoes', short),
		'processor pings': processor('pings'),
		'processor echoes': processor('echoes'),
		memory: Math.max(...runs.map(({ memory }) => memory)),
		answers: runs.reduce((sum, run) => sum + run.answers, 0),
	};
}

/** Runs them in turn, `rounds` times: name -> figures. A refusal, or an answer that is missing, throws. */
export function measureServers(list, size) {
	const plan = planOf(size);
	const runs = new Map(list.map(({ name }) => [name, []]));
	for (let round = 0; round < size.rounds; round++)
		for (const server of list) runs.get(server.name).push(runOne(server, plan));
	return new Map([...runs].map(([name, taken]) => [name, figuresOf(taken)]));
}
