/* SPDX-License-Identifier: MIT
 * What finds mutants. Each kind of finder has make's goal, the program among what that goal makes, what a page says of it,
 * what it is left to, and `find`: it runs the program, which has failed if `failure` is not null; `number` is the
 * seed or the run that has failed, `again` the arguments that repeat the failure, where it is not the whole run. */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { oneFile, outcomeOf, sh } from './mutant.mjs';

/** What a mutant says behind its finder, by a pattern of it. */
function parsed(pattern, what, needs) {
	const found = pattern.exec(what);
	if (!found) throw new Error(`"${what}" does not name ${needs}`);
	return found.groups;
}

const simOf = (what) => parsed(/^(?<rule>.+?) (?<seeds>\d+)(?: (?<first>\d+))?$/, what, 'a rule and how many seeds');
const fuzzOf = (what) => parsed(/^(?<target>\w+) (?<runs>\d+)$/, what, 'a target and how many runs');
const corpusOf = (what) => parsed(/^(?<target>\w+) (?<file>\S+) (?<rule>.+)$/, what, 'a target, a file of its corpus and a rule');

function findBySim(program, what) {
	const { rule, seeds, first } = simOf(what);
	const { said } = outcomeOf(program, ['--rule', rule, '--seeds', seeds, '--first', first ?? '1'], 120);
	const seed = /^FAIL seed (\d+)/m.exec(said)?.[1];
	return { failure: seed ? `seed ${seed}` : null, number: seed, again: ['--seed', seed] };
}

/* Over a copy of the corpus, from a fixed seed. Only a failure that left its bytes counts. */
function findByFuzz(program, what, folder) {
	const { target, runs } = fuzzOf(what), corpus = join(folder, 'corpus'), failed = join(folder, 'failed');
	for (const made of [corpus, failed]) {
		rmSync(made, { recursive: true, force: true });
		mkdirSync(made, { recursive: true });
	}
	cpSync(join('tests/fuzz/corpus', target), corpus, { recursive: true });
	const options = sh(`tests/fuzz/run.sh --options ${target}`).trim().split(/\s+/);
	const { said } = outcomeOf(program, ['-seed=1', `-runs=${runs}`, ...options, `-artifact_prefix=${failed}/`, corpus], 300);
	const [bytes] = readdirSync(failed), run = /^stat::number_of_executed_units: (\d+)/m.exec(said)?.[1];
	if (!bytes || !run) return { failure: null };
	return { failure: `run ${run}`, number: run, again: [join(failed, bytes)] };
}

/* One file of the corpus. */
function findByCorpus(program, what) {
	const { target, file, rule } = corpusOf(what);
	const again = [join('tests/fuzz/corpus', target, file)], { failure, said } = outcomeOf(program, again, 30);
	return { failure: failure && said.includes(`FAIL: ${rule}: `) ? rule : null, again };
}

/* A race: some rounds may go well. */
function findByWakes(program) {
	for (let tries = 0; tries < 3; tries++) {
		const lost = /(\d+) lost/.exec(outcomeOf(program, [], 60).said)?.[1];
		if (lost > 0) return { failure: `${lost} lost` };
	}
	return { failure: null };
}

/* Black-box tests of quash-inspect or quash-bridge, up to the first that fails. An environment variable names the program. */
const hostOf = (what) => (what.startsWith('inspect') ? 'inspect' : 'bridge');

function findByHost(program, what) {
	const { said } = outcomeOf('env', ['FIRST_FAILURE=yes', `${hostOf(what).toUpperCase()}=${resolve(program)}`, process.execPath, join('tests/host', what)], 120);
	const failed = /^FAIL +(.*) \(\d+ ms\)$/m.exec(said)?.[1];
	if (!failed && !/^\d+ passed, 0 failed/m.test(said)) throw new Error(`${what} has not run: ${said}`);
	return { failure: failed ?? null };
}

export const finders = {
	unit: {
		goal: 'unit', program: (what) => what, named: (what) => `\`${what}\``,
		find: (program) => outcomeOf(program, [], 5),
	},
	lwip: {
		goal: 'lwip', program: (what) => what, named: (what) => `\`${what}\``,
		find: (program) => outcomeOf(program, [], 10),
	},
	early: {
		goal: 'rtos-early', program: () => 'points', named: (what) => `early bytes, \`${what}\``,
		find: (program, what) => outcomeOf(program, [what], 10),
	},
	talk: {
		goal: 'talk', program: () => 'talk', named: (what) => `talk, \`${what}\``,
		find: (program, what) => outcomeOf(program, [oneFile('tests/talk', what)], 30),
	},
	sim: {
		left: '--rest', goal: 'sim-program', program: () => 'sim', find: findBySim,
		named: (what) => `simulator, ${simOf(what).rule}${simOf(what).first ? `, seeds from ${simOf(what).first}` : ''}`,
	},
	wakes: { left: '--rest', goal: 'rtos-wakes', program: (what) => what, named: () => 'wakes of another core', find: findByWakes },
	host: {
		left: '--host', goal: 'build/host/quash-bridge build/host/quash-inspect', program: (what) => `quash-${hostOf(what)}`, find: findByHost,
		named: (what) => `\`${what}\``,
	},
	corpus: {
		left: '--rest', goal: 'fuzzers', program: (what) => `fuzz_${corpusOf(what).target}`, find: findByCorpus,
		named: (what) => `fuzzing, \`${corpusOf(what).file}\` of ${corpusOf(what).target}'s corpus`,
	},
	fuzz: {
		left: '--rest', goal: 'fuzzers', program: (what) => `fuzz_${fuzzOf(what).target}`, find: findByFuzz,
		named: (what) => `fuzzing, ${fuzzOf(what).target}`,
	},
};
