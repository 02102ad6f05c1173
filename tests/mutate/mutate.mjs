/* SPDX-License-Identifier: MIT
 * mutate.mjs [--of src|port|boards/host] [--count N] [--seed N] [--lanes N] [--seeds N] [--plain] [--only FILE:LINE]... [--listed]
 *
 * Makes random mutants of src/ or of other code that runs on the host, and tells which of them no test finds. The same seed chooses the same mutants of the same tree; where
 * a few lines have changed, the others keep their order.
 * --of        the folder (src). Those of port and boards/host are judged by whole suites in a copy of the tree, in minutes each
 * --count     how many to judge (300): those that do not compile, and those that are equivalent, do not count
 * --lanes     how many at once (1), 2 at most
 * --seeds     how many seeds the simulator runs (3000)
 * --plain     nothing runs under sanitizers
 * --only      all mutants of that line, and no others: step.c:97; or of those of a file as many as --count: step.c
 * --listed    those of equivalent.md, which nothing should find
 *
 * Exit code 1 if one has survived, or an entry of equivalent.md matches nothing. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Lane, judgeAll } from './judge.mjs';
import { Lane as TreeLane } from './lane.mjs';
import { projectIn } from './project.mjs';
import { report, shown } from './report.mjs';
import { SuitesLane, allSuites, doesLink } from './suites.mjs';
import { equivalentsIn, mutantsOf, shuffled } from './tree.mjs';

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, '../..');
const { values } = parseArgs({
	options: {
		of: { type: 'string', default: 'src' }, count: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' }, lanes: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '3000' }, plain: { type: 'boolean', default: false }, only: { type: 'string', multiple: true },
		listed: { type: 'boolean', default: false },
	},
});

function number(name, least, most) {
	const n = Number(values[name]);
	if (Number.isInteger(n) && n >= least && n <= most) return n;
	console.error(`--${name} is a number from ${least} to ${most}`);
	process.exit(2);
}

const count = number('count', 1, 1e6), seed = number('seed', 0, 2 ** 32 - 1), lanes = number('lanes', 1, 2), seeds = number('seeds', 1, 1e6);
/* What judges those of other folders. */
const judges = { port: ['unit', 'lwip', 'readme', 'host', 'bridge'], 'boards/host': ['unit', 'host', 'bridge'] };
if (values.of !== 'src' && !judges[values.of]) {
	console.error(`--of is src, ${Object.keys(judges).join(' or ')}`);
	process.exit(2);
}
const equivalents = equivalentsIn(readFileSync(join(here, 'equivalent.md'), 'utf8'));
let mutants = mutantsOf(root, values.of);
const names = new Set(mutants.map(({ name }) => name));
const forgotten = [...equivalents.keys()].filter((name) => name.startsWith(`${values.of}/`) && !names.has(name));

const isListed = ({ name }) => equivalents.has(name);
const placesOf = ({ file, line }) => [basename(file), file].flatMap((name) => [name, `${name}:${line}`]);
const isOnly = (mutant) => placesOf(mutant).some((place) => values.only.includes(place));

/* Which are judged, in which order, and how many of them. */
function chosen() {
	if (values.listed) return { order: mutants.filter(isListed), most: Infinity };
	const lines = values.only?.every((place) => place.includes(':'));
	if (lines) return { order: mutants.filter(isOnly), most: Infinity };
	if (values.only) return { order: shuffled(mutants, seed).filter(isOnly), most: count };
	return { order: shuffled(mutants, seed), most: count };
}

/* What judges, and the names of its checks. */
async function judging() {
	const folder = values.of === 'src' ? join(root, 'build/mutate') : join(tmpdir(), `quash-mutate-${basename(root)}`);
	const folders = Array.from({ length: lanes }, (_, i) => join(folder, `lane-${i + 1}`));
	if (values.of === 'src') {
		const project = await projectIn(root, { seeds, sanitized: !values.plain });
		return { places: folders.map((folder) => new Lane(project, folder)), checks: project.checks };
	}
	const files = [...new Set((values.only ? mutants.filter(isOnly) : mutants).map((one) => one.file))];
	const names = allSuites().filter((suite) => judges[values.of].includes(suite.name) && doesLink(suite, files)).map(({ name }) => name);
	const places = folders.map((place) => new SuitesLane(new TreeLane(root, place), names));
	for (const place of places) {
		const built = await place.prepare();
		mutants = mutants.filter(({ file }) => built.has(file));
	}
	return { places, checks: places[0].suites };
}

const { places, checks } = await judging();
const { order, most } = chosen();
const candidates = values.listed ? order : order.filter((one) => !isListed(one));
console.log(most === Infinity ? `${candidates.length} mutants` : `${most} of ${mutants.length} mutants, seed ${seed}`);

function tell(one, counted) {
	if (one.verdict === 'survived') console.log(`${counted} survived: ${shown(one)}`);
	else if (one.verdict === 'killed') console.log(`${counted} killed by ${one.check} (${one.how}): ${one.file}:${one.line}`);
}

const judged = await judgeAll(candidates, most, places, tell);

/* Those of the list that stood among the judged: in the order before the last one. */
const last = order.indexOf(candidates[judged.length - 1]);
const listed = values.listed ? [] : order.slice(0, last + 1).filter(isListed).map((one) => [one, equivalents.get(one.name)]);
console.log(`\n${report(judged, listed, forgotten, checks)}`);
process.exitCode = (!values.listed && judged.some(({ verdict }) => verdict === 'survived')) || forgotten.length ? 1 : 0;
