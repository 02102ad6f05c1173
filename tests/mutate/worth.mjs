/* SPDX-License-Identifier: MIT
 * worth.mjs [--src N] [--port N] [--host N] [--no-faults] [--suites "NAME..."] [--dear SECONDS] [--few N] [--hours N] [--seed N] [--lanes N]
 *           [--report] [--write]
 *
 * What each suite is worth: how many random mutants and how many faults of the changelog it finds, and how many it alone.
 * --src, --port, --host   how many mutants of src, port and boards/host (120, 60, 60) that compile, and whose objects are others
 * --no-faults             none of tests/mutate/faults
 * --suites                these alone, of those in tests/mutate/holds
 * --dear, --few           a suite that takes longer (60 s) sees only so many (8) of the mutants that the others let live, and the faults that
 *                         they let live
 * --hours                 ends after that time (6); what is there is reported
 * --report                starts nothing
 * --write                 puts the table into docs/tests.md
 *
 * Each result is written at once to build/worth, so that a second start goes on. The copies of the tree stand in the folder for temporary
 * files; a test that fails without a change finds nothing. Results are those of one tree: when src, port, boards or
 * the tests have changed, a start begins anew. Suites that link the changed file run, the cheapest first, until two have found it: then it
 * is nobody's alone, and what more find it says little. One that takes five times as long as without the change is ended, and has found it. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { table, writePlace } from '../size/page.mjs';
import { patched, patchesIn, pathsIn } from './faults.mjs';
import { Lane, filesOf } from './lane.mjs';
import { allSuites, doesLink, limitOf } from './suites.mjs';
import { equivalentsIn, mutantsOf, shuffled } from './tree.mjs';

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, '../..');
process.chdir(root);
const { values } = parseArgs({
	options: {
		src: { type: 'string', default: '120' }, port: { type: 'string', default: '60' }, host: { type: 'string', default: '60' },
		'no-faults': { type: 'boolean', default: false }, suites: { type: 'string', default: '' }, dear: { type: 'string', default: '60' },
		few: { type: 'string', default: '8' }, hours: { type: 'string', default: '6' }, seed: { type: 'string', default: '1' },
		lanes: { type: 'string', default: '1' }, report: { type: 'boolean', default: false }, write: { type: 'boolean', default: false },
	},
});
const number = (name) => {
	const n = Number(values[name]);
	if (Number.isFinite(n) && n >= 0) return n;
	console.error(`--${name} is a number`);
	process.exit(2);
};
const begun = Date.now(), until = begun + number('hours') * 3600000, lanes = Math.min(2, Math.max(1, number('lanes')));
const samples = { src: number('src'), port: number('port'), 'boards/host': number('host') };

/* --- Suites */

const asked = values.suites.split(/\s+/).filter(Boolean);
const all = allSuites();
const strange = asked.filter((name) => !all.some((suite) => suite.name === name));
if (strange.length) throw new Error(`no line of tests/mutate/holds is of ${strange.join(', ')}`);
const suites = all.filter(({ name, links }) => links.length && (!asked.length || asked.includes(name)));

/* --- Results */

/* What results depend on. */
function treeSum() {
	const sum = createHash('sha256');
	for (const path of filesOf(root).filter((name) => /^(src|include|port|boards|tests|Makefile)/.test(name) && !name.startsWith('tests/mutate/')))
		sum.update(path).update(readFileSync(join(root, path)));
	return sum.digest('hex').slice(0, 12);
}

/* Not below build/, where tests look for no sources. */
const lanesFolder = join(tmpdir(), `quash-worth-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
const folder = join(root, 'build/worth'), file = join(folder, `results-${treeSum()}`);
const results = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];

function note(result) {
	results.push(result);
	mkdirSync(folder, { recursive: true });
	appendFileSync(file, `${JSON.stringify(result)}\n`);
	return result;
}

const resultOf = (change, suite) => results.find((one) => one.change === change && one.suite === suite);
const baselineOf = ({ name }) => resultOf('none', name);
const isDear = (suite) => baselineOf(suite).processor > number('dear');

/* --- What is changed */

/* { kind, name, files: path -> text } in the order in which they are tried. */
function mutantChanges(kind, built) {
	const equivalents = equivalentsIn(readFileSync(join(here, 'equivalent.md'), 'utf8'));
	return shuffled(mutantsOf(root, kind).filter((one) => built.has(one.file) && !equivalents.has(one.name)), number('seed'))
		.map((one) => ({ kind, name: one.name, file: one.file, files: () => new Map([[one.file, one.text()]]) }));
}

const faultChanges = () => (values['no-faults'] ? [] : patchesIn(join(here, 'faults')))
	.map((patch) => ({ kind: 'fault', name: basename(patch), files: () => patched(root, patch) }));

/** Takes of each kind in turn. */
function* inTurn(lists) {
	for (let i = 0; lists.some((list) => i < list.length); i++)
		for (const list of lists) if (i < list.length) yield list[i];
}

/* --- What is run */

const isOver = () => Date.now() > until;
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function baselines(lane) {
	for (const suite of suites) {
		if (baselineOf(suite) || isOver()) continue;
		const found = await lane.suite(suite.name, suite.level);
		note({ change: 'none', suite: suite.name, ...found });
		say(`${suite.name} ${suite.level}: ${found.passed} passed, ${found.processor.toFixed(1)} s of processor${found.found ? `; fails without a change: ${found.failures.join(', ')}` : ''}`);
	}
}

const usable = () => suites.filter((suite) => baselineOf(suite)?.ran)
	.sort((a, b) => baselineOf(a).processor - baselineOf(b).processor);

const foundBy = ({ name }) => results.filter((one) => one.change === name && one.suite && one.found).length;

async function runSuites(lane, change, files, chosen) {
	for (const suite of chosen.filter((one) => doesLink(one, files) && !resultOf(change.name, one.name))) {
		if (isOver() || foundBy(change) >= 2) return;
		const { took, failures } = baselineOf(suite), found = await lane.suite(suite.name, suite.level, { limit: limitOf(took), known: failures });
		note({ change: change.name, kind: change.kind, suite: suite.name, found: found.found, how: found.how, took: found.took, processor: found.processor });
		say(`${change.kind} ${suite.name}: ${found.found ? `found (${found.how})` : 'lives'}: ${change.name.split('\n').join(' ')}`);
	}
}

const countOf = (kind) => results.filter((one) => one.kind === kind && one.state === 'made').length;
const hasLived = (change) => foundBy(change) === 0;

/* How many of a kind a dear suite has seen. */
const seenBy = (suite, kind) => results.filter((one) => one.suite === suite.name && one.kind === kind).length;

function chosenFor(change) {
	const dear = usable().filter(isDear);
	if (change.kind === 'fault') return hasLived(change) ? dear : [];
	return hasLived(change) ? dear.filter((suite) => seenBy(suite, 'src') + seenBy(suite, 'port') + seenBy(suite, 'boards/host') < number('few')) : [];
}

async function tryChange(lane, change) {
	const state = results.find((one) => one.change === change.name && one.state)?.state;
	if (state && state !== 'made') return;
	if (!state && change.kind !== 'fault' && countOf(change.kind) + running.get(change.kind) >= samples[change.kind]) return;
	const files = change.files(), paths = [...files.keys()];
	const waits = () => foundBy(change) < 2 && [...usable().filter((suite) => !isDear(suite)), ...chosenFor(change)].some((suite) => doesLink(suite, paths) && !resultOf(change.name, suite.name));
	if (state && !waits()) return;
	running.set(change.kind, running.get(change.kind) + 1);
	try {
		const made = await lane.apply(files), now = change.kind === 'fault' && made === 'same' ? 'made' : made; /* others than the host make of it */
		if (!state) note({ change: change.name, kind: change.kind, state: now });
		if (now !== 'made') return;
		await runSuites(lane, change, paths, usable().filter((suite) => !isDear(suite)));
		await runSuites(lane, change, paths, chosenFor(change));
	} finally {
		lane.restore();
		running.set(change.kind, running.get(change.kind) - 1);
	}
}

const running = new Map(['src', 'port', 'boards/host', 'fault'].map((kind) => [kind, 0]));

async function prepared(i) {
	const lane = new Lane(root, join(lanesFolder, `lane-${i + 1}`));
	lane.sync();
	const { failure, said } = await lane.run(['make', '-s', '-j2', 'all', 'unit', 'talk']);
	if (failure) throw new Error(said.slice(-2000));
	return lane;
}

/* Another start would change the files of the same lanes. */
function lock() {
	const path = join(folder, 'lock'), other = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
	if (other && existsSync(`/proc/${other}`) && readFileSync(`/proc/${other}/cmdline`, 'utf8').includes('worth.mjs')) throw new Error(`process ${other} is at it`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(path, `${process.pid}`);
}

async function runAll() {
	lock();
	const places = [];
	for (let i = 0; i < lanes; i++) places.push(await prepared(i));
	const built = places.slice(1).map(async (lane) => { for (const suite of suites) if (!isOver()) await lane.suite(suite.name, suite.level); });
	await Promise.all([baselines(places[0]), ...built]); /* the other lanes build what the suites need */
	for (const lane of places) {
		await lane.run(['make', '-s', '-j2', 'all', 'unit', 'talk']);
		lane.remember();
	}
	const sources = places[0].hostFiles();
	const queue = inTurn([...Object.keys(samples).map((kind) => mutantChanges(kind, sources)), faultChanges()]);
	const isEnough = () => isOver() || (Object.keys(samples).every((kind) => countOf(kind) >= samples[kind]) && values['no-faults']);
	await Promise.all(places.map(async (lane) => {
		for (const change of queue) {
			if (isEnough()) break;
			await tryChange(lane, change);
		}
	}));
}

/* --- The table */

const kinds = Object.keys(samples);

/* The file that a mutant's name begins with, or those of a patch. */
const changedBy = ({ kind, change }) => (kind === 'fault' ? pathsIn(join(here, 'faults', change)) : [change.split(',')[0]]);
const isLinked = (suite, result) => doesLink(suite, changedBy(result));
const cheapOf = (change) => results.filter((one) => one.change === change && one.suite && baselineOf({ name: one.suite }).processor <= number('dear'));
const isAlone = (result) => cheapOf(result.change).filter(({ found }) => found).length === (baselineOf({ name: result.suite }).processor <= number('dear') ? 1 : 0);

function rowOf(suite) {
	const baseline = resultOf('none', suite.name), its = results.filter((one) => one.suite === suite.name && one.kind && isLinked(suite, one));
	const [mutants, faults] = [its.filter(({ kind }) => kind !== 'fault'), its.filter(({ kind }) => kind === 'fault')];
	const cells = (list) => (list.length ? [list.length, list.filter(({ found }) => found).length, list.filter((one) => one.found && isAlone(one)).length] : ['', '', '']);
	return [suite.level === 'test' ? suite.name : `${suite.name} (${suite.level})`, ...cells(mutants), ...cells(faults),
		baseline?.ran ? baseline.processor.toFixed(0) : '', baseline?.ran ? (baseline.took / 1000).toFixed(0) : '', suite.words];
}

function report() {
	const made = kinds.map((kind) => `${countOf(kind)} of \`${kind}\``).join(', ');
	const nobody = [...new Set(results.filter((one) => one.kind === 'fault' && one.suite).map(({ change }) => change))]
		.filter((change) => !results.some((one) => one.change === change && one.found));
	const head = ['suite', 'mutants', 'found', 'alone', 'faults', 'found', 'alone', 'processor, s', 'waiting, s', 'what it alone holds'];
	return [`${new Date().toISOString().slice(0, 10)}, seed ${values.seed}: ${made}, and ${countOf('fault')} faults of the changelog.`,
		nobody.length ? ` No suite that has run finds ${nobody.map((name) => `\`${name}\``).join(', ')}.` : '', '\n\n',
		table(head, all.map(rowOf), [1, 2, 3, 4, 5, 6, 7, 8])].join('');
}

if (!values.report) await runAll();
console.log(`\n${report()}`);
if (values.write) writePlace('docs/tests.md', 'worth', report());
