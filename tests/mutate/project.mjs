/* SPDX-License-Identifier: MIT
 * The library, its test programs, and what they check of a mutant. All is built in build/mutate: the library is a shared one,
 * so that a mutant is linked once and not into each program. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { inPlace } from './mutant.mjs';
import { failureOf, output } from './run.mjs';

const folders = ['src', 'include'];

const unitsIn = (root) => readdirSync(join(root, 'tests/unit'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && existsSync(join(root, 'src', entry.name)))
	.flatMap(({ name }) => readdirSync(join(root, 'tests/unit', name)).filter((file) => /^test_.*\.c$/.test(file))
		.map((file) => `tests/unit/${name}/${file.slice(0, -2)}`));

const words = (command) => command.trim().split(/\s+/).map((word) => word.replaceAll("'", ''));

/** One build of library and programs: `make` with these settings. */
async function build(root, name, settings, programs) {
	const folder = join(root, 'build/mutate', name), out = join(folder, 'host'), library = join(out, 'libquash.so');
	const all = ['--no-print-directory', `BUILD=${folder}`, `LIBRARY=${library}`, ...settings];
	const { good, said } = await output(['make', ...all, library, ...programs.map((path) => join(out, path))], { cwd: root });
	if (!good) throw new Error(said);
	const commands = await output(['make', '-nB', 'V=1', ...all, library], { cwd: root });
	const made = new Map(commands.said.split('\n').map(inPlace).map((line) => [/ -o (\S+)(?: |$)/.exec(line)?.[1], line]).filter(([path]) => path));
	const object = (source) => join(out, source.replace(/\.c$/, '.o'));
	const [before, after] = made.get(library).split(` -o ${library} `);
	const sources = words(after).map((path) => path.slice(out.length + 1).replace(/\.o$/, '.c'));
	return {
		name, library, object, sources, program: (path) => join(out, path),
		link: (objects, to) => [...words(before), '-o', to, ...objects],
		/* A warning is no error, but for a result that is missing. */
		compile: (source, to) => [...words(made.get(object(source)).replace(` -o ${object(source)}`, '').replace(' -MMD -MP', '')),
			'-Wno-error', '-Werror=return-type', '-o', to],
		includes: (source) => readFileSync(object(source).replace(/\.o$/, '.d'), 'utf8').split(/\s+/).map((path) => join(path)),
	};
}

/** What a program took without a mutant, and some: endless loops are to end. */
async function withLimit(program, library) {
	const begun = Date.now();
	const how = await failureOf({ ...program, seconds: 120, env: { ...program.env, LD_LIBRARY_PATH: join(library, '..') } }, { cwd: program.cwd });
	if (how) throw new Error(`without a mutant ${program.name ?? basename(program.path)} fails: ${how}`);
	const took = Date.now() - begun;
	return { ...program, took, seconds: 1 + Math.ceil(took / 300) };
}

async function withLimits(programs, library) {
	const limited = [];
	for (const program of programs) limited.push(await withLimit(program, library));
	return limited.sort((a, b) => a.took - b.took);
}

/** @param {{seeds: number, sanitized: boolean}} options how many seeds the simulator runs; whether what survives runs with sanitizers too */
export async function projectIn(root, { seeds, sanitized }) {
	const units = unitsIn(root), talk = 'tests/talk/talk', sim = 'tests/sim/sim';
	const scenes = readdirSync(join(root, 'tests/talk')).filter((name) => name.endsWith('.talk')).map((name) => `tests/talk/${name}`);
	const plain = await build(root, 'plain', ['CFLAGS=-Os -fPIC -fno-semantic-interposition'], [...units, talk, sim]);
	const unit = await withLimits(units.map((path) => ({ path: plain.program(path), folder: path.split('/')[2], cwd: root })), plain.library);
	const talking = (made, mode, more) => withLimits([{ path: made.program(talk), name: `transcripts ${mode}`, args: ['--mode', mode, ...scenes], fails: 'FAILED', cwd: root, ...more }], made.library);
	const [whole, bytes] = [await talking(plain, 'whole'), await talking(plain, 'bytes')];
	const simulated = await withLimits([{ path: plain.program(sim), args: ['--seeds', `${seeds}`], fails: 'FAIL', cwd: root }], plain.library);
	const folderOf = (file) => file.split('/')[1];
	const checks = [
		{ name: 'unit tests of its folder', build: plain, programs: (file) => unit.filter(({ folder }) => folder === folderOf(file)) },
		{ name: 'other unit tests', build: plain, programs: (file) => unit.filter(({ folder }) => folder !== folderOf(file)) },
		{ name: 'transcripts whole', build: plain, programs: () => whole },
		{ name: 'transcripts byte by byte', build: plain, programs: () => bytes },
		{ name: `${seeds} seeds of the simulator`, build: plain, programs: () => simulated },
	];
	if (!sanitized) return { root, folders, builds: [plain], checks };
	const careful = await build(root, 'sanitized', ['CC=clang',
		'CFLAGS=-O1 -g -fPIC -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DUNIT_HASTE=16'], [...units, talk]);
	const more = { any: true, env: { ASAN_OPTIONS: 'detect_leaks=0:hard_rss_limit_mb=2000' } };
	const carefully = [
		...await withLimits(units.map((path) => ({ path: careful.program(path), cwd: root, ...more })), careful.library),
		...await talking(careful, 'whole', more),
	];
	checks.push({ name: 'unit tests and transcripts under sanitizers', build: careful, programs: () => carefully });
	return { root, folders, builds: [plain, careful], checks };
}
