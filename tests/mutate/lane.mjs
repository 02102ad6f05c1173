/* SPDX-License-Identifier: MIT
 * A copy of the whole tree with a build of its own, in which suites run over one change at a time. */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { outcomeOf } from './run.mjs';

const mark = 'MUTATE_LANE', filesMost = 1 << 26;

/* What is new in the sources is no warning, but for a result that is missing. */
const lenient = (makefile) => makefile.replace(/^(WARNINGS = .*) -Werror$/m, '$1 -Wno-error -Werror=return-type');

/** The files of the tree at `root`, those included that are not committed yet. */
export function filesOf(root) {
	const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: filesMost });
	if (status !== 0) throw new Error(stderr);
	return stdout.split('\0').filter((path) => path && existsSync(join(root, path)) && statSync(join(root, path)).isFile()).sort();
}

const isFolder = (path) => existsSync(path) && statSync(path).isDirectory();
const filesBelow = (folder, ending) => (isFolder(folder) ? readdirSync(folder, { recursive: true }) : [])
	.filter((path) => path.endsWith(ending)).map((path) => join(folder, path));

const sumOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/* The processes that carry this word in their environment: what has left its group is found by it. */
function carriersOf(word) {
	return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((id) => {
		try { return id !== process.pid && readFileSync(`/proc/${id}/environ`, 'latin1').includes(word); } catch { return false; }
	});
}

/* The tests that a suite says have failed. */
const failuresIn = (said) => [...said.matchAll(/^ *(?:FAIL\w*|not ok|\[  FAILED  \]):? +(.*?)(?: \(\d+ ms\))?$/gm)].map(([, name]) => name.slice(0, 120));

/** The closing line of a suite: { passed, failed, skipped }. */
function countsOf(said) {
	const all = [...said.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1) ?? [0, 0, 0, 0];
	const [, passed, failed, skipped] = all.map((n) => Number(n ?? 0));
	return { passed, failed, skipped };
}

export class Lane {
	#root;
	#word = `${mark}=${randomUUID()}`;
	#replaced = new Map(); /* path -> text */
	#objects = new Map(); /* path -> sum, of the tree without a change */

	constructor(root, folder) {
		this.#root = root;
		this.folder = folder;
		process.on('exit', () => this.#sweep());
	}

	/** Makes the copy what the tree is. What has not changed keeps its time, so that make leaves it alone. */
	sync() {
		const files = filesOf(this.#root), wanted = new Set(files);
		for (const path of files) this.#copy(path);
		for (const top of readdirSync(this.folder).filter((name) => name !== 'build' && name !== '.git'))
			for (const path of [top, ...filesBelow(join(this.folder, top), '').map((name) => name.slice(this.folder.length + 1))])
				if (!wanted.has(path) && statSync(join(this.folder, path)).isFile()) rmSync(join(this.folder, path));
		this.#share('npm');
		this.#index();
	}

	/* Tests ask git which files there are, and of which commit. */
	#index() {
		const who = ['-c', 'user.name=lane', '-c', 'user.email=lane@localhost'];
		for (const words of [['init', '-q'], ['add', '-A'], [...who, 'commit', '-q', '--allow-empty', '-m', 'lane']]) {
			const { status, stderr } = spawnSync('git', words, { cwd: this.folder, encoding: 'utf8' });
			if (status !== 0) throw new Error(stderr);
		}
	}

	/* What was fetched from elsewhere is not fetched again. */
	#share(name) {
		const [from, to] = [this.#root, this.folder].map((folder) => join(folder, 'build', name));
		if (!existsSync(from) || existsSync(to)) return;
		mkdirSync(dirname(to), { recursive: true });
		symlinkSync(from, to);
	}

	#copy(path) {
		const from = join(this.#root, path), to = join(this.folder, path), { mode, atime, mtime } = statSync(from);
		const text = path === 'Makefile' ? Buffer.from(lenient(readFileSync(from, 'utf8'))) : readFileSync(from);
		const isNew = !existsSync(to);
		if (!isNew && readFileSync(to).equals(text)) return;
		mkdirSync(dirname(to), { recursive: true });
		writeFileSync(to, text);
		chmodSync(to, mode);
		if (isNew) utimesSync(to, atime, mtime);
	}

	/** Runs a command of words in the copy: { said, failure, took, processor }, with the seconds that it and its children took. */
	async run(words, limit) {
		const times = join(this.folder, 'build/times'), [name, value] = this.#word.split('=');
		mkdirSync(dirname(times), { recursive: true });
		const timed = ['-c', '"$@" </dev/null; code=$?; times >"$0"; exit $code', times, ...words];
		rmSync(times, { force: true });
		const env = { [name]: value, MAKEFLAGS: '', MFLAGS: '', MAKELEVEL: '' };
		const found = await outcomeOf('sh', timed, { limit, cwd: this.folder, env, swept: () => this.#sweep() });
		const [minutes, seconds] = /.*\n(.*)/.exec(existsSync(times) ? readFileSync(times, 'utf8') : '')?.[1].match(/[\d.]+(?=m)|[\d.]+(?=s)/g)
			?.reduce(([m, s], n, i) => (i % 2 ? [m, s + Number(n)] : [m + Number(n), s]), [0, 0]) ?? [0, found.took / 1000];
		return { ...found, processor: 60 * minutes + seconds };
	}

	#sweep() {
		for (const id of carriersOf(this.#word)) try { process.kill(id, 'SIGKILL'); } catch { /* it has ended */ }
	}

	/** Runs a suite on a level: { found, how, failures, ran, passed, took, processor }. `found`: something has failed but those that are
	 * known to fail without a change. `ran`: it was not skipped. */
	async suite(name, level, { limit, known = [] } = {}) {
		const { said, failure, took, processor } = await this.run(['sh', 'tests/suite.sh', name, level], limit);
		const { passed, failed, skipped } = countsOf(said), failures = failuresIn(said), others = failures.filter((one) => !known.includes(one));
		const fails = failure !== null || failed > 0 || passed + skipped === 0;
		const found = others.length > 0 || failure === 'does not end' || (fails && failures.length === 0);
		mkdirSync(join(this.folder, 'build/log'), { recursive: true });
		if (found) writeFileSync(join(this.folder, 'build/log', `worth-${name}.log`), said);
		const how = failure === 'does not end' ? failure : others[0] ?? said.trim().split('\n').at(-1).slice(0, 120);
		return { found, how: found ? how : '', failures, ran: passed + failed > 0, passed, took, processor };
	}

	/** Remembers what the objects of the host are without a change. */
	remember() {
		this.#objects = new Map(this.#hostObjects().map((path) => [path, sumOf(path)]));
	}

	#hostObjects() {
		return ['build/library', 'build/host'].flatMap((folder) => filesBelow(join(this.folder, folder), '.o'));
	}

	/** The sources and headers that the host's programs are made of. */
	hostFiles() {
		const texts = ['build/library', 'build/host'].flatMap((folder) => filesBelow(join(this.folder, folder), '.d')).map((path) => readFileSync(path, 'utf8'));
		return new Set(texts.flatMap((text) => text.split(/[\s\\:]+/)).filter((path) => /^(src|port|boards)\/.*\.[ch]$/.test(path)));
	}

	/** Writes files, path -> text, and makes what the host makes of them: 'broken' if that does not compile, 'same' if the objects stay
	 * the same, or 'made'. */
	async apply(files) {
		for (const path of files.keys()) this.#replaced.set(path, readFileSync(join(this.folder, path)));
		for (const [path, text] of files) writeFileSync(join(this.folder, path), text);
		const sources = [...files.keys()].filter((path) => path.endsWith('.c'));
		const isOf = (path, object) => object.endsWith(`/${path.replace(/\.c$/, '.o')}`);
		const known = [...this.#objects.keys()].filter((object) => sources.some((path) => isOf(path, object)));
		const goals = known.map((object) => object.slice(this.folder.length + 1)).filter((path) => path.startsWith('build/host/'));
		const lone = sources.length === files.size && known.length > 0;
		const begun = Date.now();
		const { failure } = await this.run(['make', '-s', '-j2', 'lib', ...(lone ? goals : ['all', 'unit'])]);
		if (failure) return 'broken';
		/* What other builds have left of the last change is not looked at. */
		const objects = [...this.#objects.keys()].filter((path) => existsSync(path) && statSync(path).mtimeMs >= begun);
		return objects.every((path) => sumOf(path) === this.#objects.get(path)) ? 'same' : 'made';
	}

	/** Takes back what apply() has done. */
	restore() {
		for (const [path, text] of this.#replaced) writeFileSync(join(this.folder, path), text);
		this.#replaced.clear();
	}
}
