/* SPDX-License-Identifier: MIT
 * Judges mutants: each in a copy of the sources, whose library takes the place of the one that the programs were linked with.
 *
 * A project is { root, folders, builds, checks }. `folders` are copied for each lane. A build is { name, library, object(source),
 * compile(source, object), link(objects, library), sources }: commands as lists of words. A check is { name, build, programs(file) }
 * with the programs in the order in which they run, each { path, args, seconds }. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { failureOf, output } from './run.mjs';

/** A copy of the sources in a folder of its own, with one file changed at a time. */
export class Lane {
	#made = new Map(); /* by build: what stands where the library's own objects stood */

	constructor(project, folder) {
		this.project = project;
		this.folder = folder;
		rmSync(folder, { recursive: true, force: true });
		for (const name of project.folders) cpSync(join(project.root, name), join(folder, name), { recursive: true });
	}

	/* The sources that are compiled anew when a file has changed. */
	#sourcesOf(build, file) {
		return file.endsWith('.h') ? build.sources.filter((source) => build.includes(source).includes(file)) : [file];
	}

	/* Compiles what the mutant changes: false if that fails. */
	async #compiles(build, file) {
		const made = new Map();
		for (const source of this.#sourcesOf(build, file)) {
			const object = join(this.folder, build.name, source.replace(/\.c$/, '.o'));
			mkdirSync(join(object, '..'), { recursive: true });
			if (!(await output(build.compile(source, object), { cwd: this.folder })).good) return false;
			made.set(source, object);
		}
		this.#made.set(build.name, made);
		return true;
	}

	#changesNothing(build) {
		return [...this.#made.get(build.name)].every(([source, object]) => readFileSync(object).equals(readFileSync(build.object(source))));
	}

	async #link(build) {
		const made = this.#made.get(build.name), library = join(this.folder, build.name, basename(build.library));
		const { good, said } = await output(build.link(build.sources.map((source) => made.get(source) ?? build.object(source)), library));
		if (!good) throw new Error(said);
	}

	/* The first of a check's programs that fails, or null. */
	async #fails(check, file) {
		for (const program of check.programs(file)) {
			const how = await failureOf({ ...program, env: { ...program.env, LD_LIBRARY_PATH: join(this.folder, check.build.name) } }, { cwd: this.project.root });
			if (how) return `${program.name ?? basename(program.path)}, ${how}`;
		}
		return null;
	}

	async #tried(file) {
		const linked = new Set();
		for (const check of this.project.checks) {
			const { build } = check;
			if (!linked.has(build) && linked.size > 0 && !await this.#compiles(build, file)) throw new Error(`${build.name} does not compile ${file}`);
			if (!linked.has(build)) await this.#link(build);
			linked.add(build);
			const how = await this.#fails(check, file);
			if (how) return { verdict: 'killed', check: check.name, how };
		}
		return { verdict: 'survived' };
	}

	/** @returns {{verdict: 'broken' | 'same' | 'killed' | 'survived', check?: string, how?: string}} */
	async judge({ file, text }) {
		const copy = join(this.folder, file), whole = readFileSync(copy), [build] = this.project.builds;
		writeFileSync(copy, text());
		try {
			if (!await this.#compiles(build, file)) return { verdict: 'broken' };
			return this.#changesNothing(build) ? { verdict: 'same' } : await this.#tried(file);
		} finally {
			writeFileSync(copy, whole);
		}
	}
}

/** Judges the mutants in their order until `count` were killed or have survived: the same, however many lanes there are.
 * @returns the mutants with their verdicts */
export async function judgeAll(mutants, count, lanes, tell = () => {}) {
	const judged = [];
	let next = 0, counted = 0, running = 0, wake = [];
	const work = async (lane) => {
		for (;;) {
			while (counted + running >= count && running > 0) await new Promise((done) => wake.push(done));
			if (counted + running >= count || next >= mutants.length) return;
			const at = next++;
			running++;
			const result = await lane.judge(mutants[at]);
			running--;
			if (result.verdict === 'killed' || result.verdict === 'survived') counted++;
			judged[at] = { ...mutants[at], ...result };
			tell(judged[at], counted);
			wake.splice(0).forEach((done) => done());
		}
	};
	await Promise.all(lanes.map(work));
	return judged;
}
