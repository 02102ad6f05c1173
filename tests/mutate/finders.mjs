/* SPDX-License-Identifier: MIT
 * What finds mutants, as planted.txt names it:
 *
 *     unit PROGRAM                  a program of unit tests
 *     lwip PROGRAM                  a program of tests/lwip
 *     early PORT                    tests/rtos/early, with that port
 *     talk FILE                     the runner of transcripts, with that file
 *     sim RULE SEEDS [FIRST]        the simulator: a failure by that rule, or that begins as RULE does, within so many seeds
 *     fuzz TARGET RUNS              a target of tests/fuzz, from a fixed seed over the corpus
 *     corpus TARGET FILE RULE       one file of that target's corpus: a failure by that rule
 *     host FILE                     tests of quash-bridge or quash-inspect in tests/host
 *     wakes wakes                   tests/rtos/wakes, which is a race, until it is lost
 *
 * Each has make's goal, the program among what that goal makes, the option of planted.mjs that it is left to, and `find`, which runs the
 * program: that has failed if `failure` is not null. `source` names the folder and the file of a test that may be moved. `again` are the arguments that repeat the failure of one run of many. A finder
 * without it is `whole`: it may take as long as it likes without the mutant, and with it up to `limit` milliseconds. */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { oneFile, sh } from './mutant.mjs';
import { outcomeOf } from './run.mjs';

/** What a mutant says behind its finder, by a pattern of it. */
function parsed(pattern, what, needs) {
	const found = pattern.exec(what);
	if (!found) throw new Error(`"${what}" does not name ${needs}`);
	return found.groups;
}

const simOf = (what) => parsed(/^(?<rule>.+?) (?<seeds>\d+)(?: (?<first>\d+))?$/, what, 'a rule and how many seeds');
const fuzzOf = (what) => parsed(/^(?<target>\w+) (?<runs>\d+)$/, what, 'a target and how many runs');
const corpusOf = (what) => parsed(/^(?<target>\w+) (?<file>\S+) (?<rule>.+)$/, what, 'a target, a file of its corpus and a rule');

async function findBySim(program, what) {
	const { rule, seeds, first } = simOf(what);
	const { said } = await outcomeOf(program, ['--rule', rule, '--seeds', seeds, '--first', first ?? '1']);
	const seed = /^FAIL seed (\d+)/m.exec(said)?.[1];
	return { failure: seed ? `seed ${seed}` : null, again: ['--seed', seed] };
}

/* Over a copy of the corpus, from a fixed seed. Only a failure that left its bytes counts. */
async function findByFuzz(program, what, { folder }) {
	const { target, runs } = fuzzOf(what), corpus = join(folder, 'corpus'), failed = join(folder, 'failed');
	for (const made of [corpus, failed]) {
		rmSync(made, { recursive: true, force: true });
		mkdirSync(made, { recursive: true });
	}
	cpSync(join('tests/fuzz/corpus', target), corpus, { recursive: true });
	const options = sh(`tests/fuzz/run.sh --options ${target}`).trim().split(/\s+/);
	const { said } = await outcomeOf(program, ['-seed=1', `-runs=${runs}`, ...options, `-artifact_prefix=${failed}/`, corpus]);
	const [bytes] = readdirSync(failed), run = /^stat::number_of_executed_units: (\d+)/m.exec(said)?.[1];
	return bytes && run ? { failure: `run ${run}`, again: [join(failed, bytes)] } : { failure: null };
}

/* One file of the corpus. */
async function findByCorpus(program, what) {
	const { target, file, rule } = corpusOf(what);
	const again = [join('tests/fuzz/corpus', target, file)], { failure, said } = await outcomeOf(program, again);
	return { failure: failure && said.includes(`FAIL: ${rule}: `) ? rule : null, again };
}

/* Black-box tests of quash-inspect or quash-bridge, with a mutant up to the first that fails. An environment variable names the program. */
const hostOf = (what) => (what.startsWith('inspect') ? 'inspect' : 'bridge');

async function findByHost(program, what, { limit }) {
	const env = { [hostOf(what).toUpperCase()]: resolve(program), ...(limit ? { FIRST_FAILURE: 'yes' } : {}) };
	const { said, failure, took } = await outcomeOf(process.execPath, [join('tests/host', what)], { limit, env });
	const failed = /^FAIL +(.*) \(\d+ ms\)$/m.exec(said)?.[1];
	if (failure && !failed && failure !== 'does not end') throw new Error(`${what} has not run: ${said}`);
	return { failure: failed ?? failure, took };
}

const whole = (argumentsOf) => (program, what, { limit }) => outcomeOf(program, argumentsOf(what), { limit });

export const finders = {
	unit: { source: (what) => `tests/unit/${what}.c`, goal: 'unit', program: (what) => what, find: whole(() => []) },
	lwip: { goal: 'lwip', program: (what) => what, find: whole(() => []) },
	early: { goal: 'rtos-early', program: () => 'points', find: whole((what) => [what]) },
	talk: { source: (what) => `tests/talk/${what}`, goal: 'talk', program: () => 'talk', find: whole((what) => [oneFile('tests/talk', what)]) },
	sim: { left: '--rest', goal: 'sim-program', program: () => 'sim', find: findBySim, again: true },
	wakes: { left: '--rest', goal: 'rtos-wakes', program: (what) => what, find: (program, what, { limit }) => outcomeOf(program, limit ? ['--until-lost'] : []) },
	host: {
		source: (what) => `tests/host/${what}`, left: '--host', goal: 'build/host/quash-bridge build/host/quash-inspect', program: (what) => `quash-${hostOf(what)}`, find: findByHost,
	},
	corpus: { left: '--rest', goal: 'fuzzers', program: (what) => `fuzz_${corpusOf(what).target}`, find: findByCorpus, again: true },
	fuzz: { left: '--rest', goal: 'fuzzers', program: (what) => `fuzz_${fuzzOf(what).target}`, find: findByFuzz, again: true },
};
