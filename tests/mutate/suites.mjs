/* SPDX-License-Identifier: MIT
 * The suites of tests/suite.sh that run over a change: what they link, and what they find in a lane. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

const read = (path) => readFileSync(join(here, path), 'utf8');

/** The levels of tests.mk, each with its suites, in the order in which they are run. */
export const levels = () => new Map(['test', 'more', 'all'].map((level) =>
	[level, new RegExp(`^IN_${level.toUpperCase()} = (.*)$`, 'm').exec(read('../tests.mk'))[1].split(' ')]));

/** The suites of the file holds, each on the first level that has something of it: { name, level, links, words }. */
export function allSuites() {
	const lists = [...levels()];
	return read('holds').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => {
		const [name, links, words] = line.split('|').map((cell) => cell.trim());
		return { name, level: lists.find(([, names]) => names.includes(name))?.[0], links: links.split(/\s+/).filter(Boolean), words };
	});
}

export const doesLink = (suite, files) => files.some((file) => suite.links.some((path) => file.replace(/\.[ch]$/, '') === path || file.startsWith(`${path}/`)));

/** How long a suite may take over a change, in milliseconds: five times what it took without it, and some. It has found one that it
 * does not end with. */
export const limitOf = (took) => 5 * took + 30000;

/** Judges mutants as Lane of judge.mjs does, by suites: the first that fails kills. */
export class SuitesLane {
	#lane;
	#took = new Map();

	constructor(lane, names) {
		this.#lane = lane;
		this.suites = names.map((name) => allSuites().find((suite) => suite.name === name));
	}

	/** Makes all, and runs the suites without a mutant. Gives the files that the host's programs are made of. */
	async prepare() {
		this.#lane.sync();
		const { failure, said } = await this.#lane.run(['make', '-s', '-j2', 'all', 'unit', 'talk']);
		if (failure) throw new Error(said.slice(-2000));
		for (const { name, level } of this.suites) {
			const { found, how, took } = await this.#lane.suite(name, level);
			if (found) throw new Error(`without a mutant ${name} fails: ${how}`);
			this.#took.set(name, took);
		}
		await this.#lane.run(['make', '-s', '-j2', 'all', 'unit', 'talk']);
		this.#lane.remember();
		return this.#lane.hostFiles();
	}

	async judge({ file, text }) {
		try {
			const state = await this.#lane.apply(new Map([[file, text()]]));
			return state === 'made' ? await this.#tried(file) : { verdict: state };
		} finally {
			this.#lane.restore();
		}
	}

	async #tried(file) {
		for (const suite of this.suites.filter((one) => doesLink(one, [file]))) {
			const { found, how } = await this.#lane.suite(suite.name, suite.level, { limit: limitOf(this.#took.get(suite.name)) });
			if (found) return { verdict: 'killed', check: suite.name, how };
		}
		return { verdict: 'survived' };
	}
}
