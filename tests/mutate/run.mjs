/* SPDX-License-Identifier: MIT
 * Runs programs that may crash or never end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const memory = 2000000; /* kilobytes that a program may take */

/* What has been started and runs, each in a group of its own. */
const running = new Set();

function endGroup(child) {
	try { process.kill(-child.pid, 'SIGKILL'); } catch { /* it has ended */ }
}

const endAll = () => running.forEach(endGroup);

process.on('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM'])
	process.once(signal, () => {
		endAll();
		process.kill(process.pid, signal);
	});

function start(path, args, options) {
	const child = spawn(path, args, { ...options, detached: true });
	if (child.pid) running.add(child);
	return child;
}

/** Null if the program passes; otherwise how it has failed. `seconds` are those of the processor, and ten times as many of the clock;
 * what it says is not read to its end once a line begins with `fails`. */
export async function failureOf({ path, args = [], seconds, fails, env, any }, { cwd } = {}) {
	const limits = `ulimit -t ${seconds}; ulimit -c 0;${any ? '' : ` ulimit -v ${memory};`} exec "$@"`;
	const child = start('sh', ['-c', limits, 'sh', path, ...args],
		{ cwd, env: { ...process.env, ...env }, stdio: ['ignore', fails ? 'pipe' : 'ignore', 'ignore'] });
	let said = '', late = false;
	child.stdout?.on('data', (data) => {
		said = (said + data).slice(-4096);
		if (`\n${said}`.includes(`\n${fails}`)) endGroup(child);
	});
	const timer = setTimeout(() => { late = true; endGroup(child); }, seconds * 10000);
	const [code, signal] = await once(child, 'exit');
	clearTimeout(timer);
	endGroup(child); /* what it has started */
	running.delete(child);
	if (late || signal === 'SIGXCPU' || (signal === 'SIGKILL' && !said)) return 'does not end';
	return signal ?? (code === 0 ? null : `exit code ${code}`);
}

const mostSaid = 1 << 24;

/** Runs a program for `limit` milliseconds at most, or without a limit: what it has said, how it has failed or null, and how long it took.
 * `swept` ends what has left its group, which may hold what is read. */
export async function outcomeOf(path, args, { limit, env, cwd, swept = () => {} } = {}) {
	const begun = performance.now(), child = start(path, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '', late = false;
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (data) => { if (said.length < mostSaid) said += data; });
	const timer = limit && setTimeout(() => { late = true; endGroup(child); }, limit);
	child.once('exit', () => { endGroup(child); swept(); }); /* what it has started */
	const [code, signal] = await once(child, 'close');
	clearTimeout(timer);
	running.delete(child);
	return { said, failure: late ? 'does not end' : signal ?? (code === 0 ? null : `exit code ${code}`), took: performance.now() - begun };
}

/** Runs a command of words; its output, or null if it has failed. */
export async function output(words, { cwd, env } = {}) {
	const child = start(words[0], words.slice(1), { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	child.stdout.on('data', (data) => { said += data; });
	child.stderr.on('data', (data) => { said += data; });
	const [code] = await once(child, 'close');
	running.delete(child);
	return { good: code === 0, said };
}
