/* SPDX-License-Identifier: MIT
 * The tool of `make mutate`: which changes it makes, that a seed decides them, and that it tells who is found and who is not. The
 * mutants are those of a small project, which stands in a folder of build/. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { changesOf } from './changes.mjs';
import { patched, patchesIn } from './faults.mjs';
import { Lane, judgeAll } from './judge.mjs';
import { Lane as TreeLane } from './lane.mjs';
import { report } from './report.mjs';
import { output } from './run.mjs';
import { allSuites, levels, SuitesLane } from './suites.mjs';
import { equivalentsIn, mutantsOf, shuffled } from './tree.mjs';

const place = join(root, 'build/mutate-test');

async function run(...words) {
	const { good, said } = await output(words, { cwd: place });
	assert.ok(good, said);
}

const isThere = (id) => {
	try { return process.kill(id, 0); } catch { return false; }
};

/** The changes of a function's body, each as `what -> put`. */
const changed = (body) => {
	const text = `static int f(int a, int *b)\n{\n${body}\n}\n`;
	return changesOf(text, false).map(({ start, end, put }) => `${text.slice(start, end)} -> ${put}`);
};

for (const [body, ...changes] of [
	['\treturn a < 7;', '< -> <=', '< -> >=', '7 -> 6', '7 -> 8'],
	['\treturn a == *b && !a;', '== -> !=', '&& -> ||', '! -> '],
	['\treturn a * -1;', '* -> /', '- -> ', '1 -> 0', '1 -> 2'],
	['\treturn *b + (int)*b;', '+ -> -'],
	['\tg(&a);', 'g(&a); -> ;'],
	['\tint c = 0;\n\tstruct x *y = z;', '0 -> 1'],
	['\tif (a)\n\t\treturn;', 'a -> !(a)', 'a -> 0', 'a -> 1', 'return; -> ;'],
	['\tif (a)\n\t\tx();\n\telse\n\t\ty();', 'a -> 0', 'a -> 1', 'x();\n\telse\n\t\ty(); -> y(); else x();', 'x(); -> ;', 'y(); -> ;'],
	['\twhile (a)\n\t\ta--;', 'a -> 0', 'a--; -> ;', '-- -> ++'],
	['\tfor (;;) {\n\t\tbreak;\n\t}', 'break; -> ;'],
	['\tswitch (a) {\n\tcase X: x(); break;\n\tdefault: break;\n\t}', 'x(); -> ;', 'break; -> ;', 'break; -> ;'],
	['\treturn a ? x : a ? y : z;', 'x : a ? y : z -> a ? y : z : x', 'y : z -> z : y'],
	['\treturn f(a ? x : y, a);', 'x : y -> y : x'],
	["\treturn a == 'b' || a == '\\n';", '== -> !=', "'b' -> 'c'", '|| -> &&', '== -> !='],
	['\t/* a < 7 */\n\tconst char *s = "a < 7"; // 7'],
	['#define X(a) \\\n\t((a) < 7)\n#if 7 > 8\n#endif'],
])
	test(`the changes of ${JSON.stringify(body)}`, () => assert.deepEqual(changed(body).sort(), changes.sort()));

test('outside of functions constants change, in a header nothing', () => {
	const text = 'static const int table[2] = { 7 };\nextern int x;\n';
	assert.deepEqual(changesOf(text, false).map(({ put }) => put), ['1', '3', '6', '8']);
	assert.deepEqual(changesOf(text, true), []);
});

test('the sources have changes of each kind', () => {
	const mutants = mutantsOf(root, 'src');
	assert.deepEqual([...new Set(mutants.map(({ kind }) => kind))].sort(), ['branches', 'condition', 'constant', 'operator', 'statement']);
	assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length, 'a name stands for one mutant');
	const names = (seed) => shuffled(mutants, seed).slice(0, 50).map(({ name }) => name);
	assert.deepEqual(names(3), names(3));
	assert.notDeepEqual(names(3), names(4));
	const some = new Set(names(3).slice(20)), fewer = shuffled(mutants.filter(({ name }) => !some.has(name)), 3);
	assert.deepEqual(fewer.slice(0, 20).map(({ name }) => name), names(3).slice(0, 20), 'the order of some does not depend on others');
});

test('every entry of equivalent.md is a mutant of the sources', () => {
	const names = new Set(mutantsOf(root, 'src').map(({ name }) => name));
	const listed = [...equivalentsIn(readFileSync(join(root, 'tests/mutate/equivalent.md'), 'utf8')).keys()];
	assert.ok(listed.length > 0, 'nothing is listed');
	assert.deepEqual(listed.filter((name) => !names.has(name)), []);
});

/* The options of a compiler, without what is asked for by each build. */
const optionsIn = (line) => new Set(line.split(/\s+/).filter((word) => /^-(std|W|f|I)/.test(word)));

test('mutants are compiled as the library is', async () => {
	const lines = async (library) => (await output(['make', '-nB', '--no-print-directory', 'V=1', library, `LIBRARY=${library}`], { cwd: root })).said.split('\n');
	const [theirs, its] = [await lines('build/host/libquash.so'), await lines('build/host/libquash.a')]
		.map((made) => made.filter((line) => line.includes(' -c src/')).map((line) => [/ -c (\S+)/.exec(line)[1], optionsIn(line)]));
	assert.ok(its.length > 30, `${its.length} sources`);
	assert.deepEqual(theirs.sort(), its.sort());
});

/* --- What whole suites are tried with */

test('each fault of the changelog can be put back, and says which it is', () => {
	const patches = patchesIn(join(root, 'tests/mutate/faults'));
	assert.ok(patches.length >= 25, `${patches.length} patches`);
	for (const patch of patches) {
		assert.match(readFileSync(patch, 'utf8'), /^(Unreleased|\d+\.\d+\.\d+), (Fixed|Security): .*\.\n\n--- /, patch);
		for (const [path, text] of patched(root, patch)) assert.notEqual(text, readFileSync(join(root, path), 'utf8'), patch);
	}
});

test('tests/mutate/holds has each suite of tests.mk', () => {
	const wanted = new Set([...levels().values()].flat());
	assert.deepEqual(allSuites().map(({ name }) => name).sort(), [...wanted].sort());
});

const source = `int larger(int a, int b);
int larger(int a, int b)
{
	volatile int n = 3;
	if (a == 12345)
		return 0;
	while (n > 0)
		n--;
	a = a;
	return a > b ? a : b;
}
`;
const program = 'int larger(int, int);\nint main(void) { return larger(2, 1) == 2 && larger(1, 2) == 2 ? 0 : 1; }\n';

/* A tree with suites that do as they are named. */
const suiteScript = `case $1 in
passes) echo '1 passed, 0 failed, 0 skipped' ;;
fails) echo 'FAIL it'; echo '1 passed, 1 failed, 0 skipped' ;;
skips) echo '0 passed, 0 failed, 1 skipped' ;;
nothing) ;;
stays) setsid sleep 1000 & echo $! >sleeper; echo '1 passed, 0 failed, 0 skipped' ;;
hangs) sleep 1000 ;;
unit) make -s all && gcc tests/test.c build/host/port/posix/larger.o -o build/test && build/test && echo '1 passed, 0 failed, 0 skipped' ;;
esac
`;

function smallTree(t) {
	rmSync(place, { recursive: true, force: true });
	t.after(() => rmSync(place, { recursive: true, force: true }));
	for (const folder of ['tests', 'port/posix']) mkdirSync(join(place, folder), { recursive: true });
	writeFileSync(join(place, 'tests/suite.sh'), suiteScript);
	writeFileSync(join(place, 'tests/test.c'), program);
	writeFileSync(join(place, 'port/posix/larger.c'), source);
	writeFileSync(join(place, 'Makefile'), `all lib unit talk: build/host/port/posix/larger.o
build/host/port/posix/larger.o: port/posix/larger.c
	@mkdir -p $(@D)
	gcc -Os -MMD -c $< -o $@
`);
	return run('git', 'init', '-q');
}

test('a suite in a copy of the tree: what fails, hangs or has no test has found something, and nothing of it stays', async (t) => {
	await smallTree(t);
	const lane = new TreeLane(place, join(place, 'build/lane'));
	lane.sync();
	const found = async (name, limit) => { const { found: is, how, ran } = await lane.suite(name, 'test', { limit }); return [is, how, ran]; };
	assert.deepEqual(await found('passes'), [false, '', true]);
	assert.deepEqual(await found('fails'), [true, 'it', true]);
	assert.equal((await lane.suite('fails', 'test', { known: ['it'] })).found, false, 'it fails without a change, too');
	assert.deepEqual(await found('skips'), [false, '', false]);
	assert.deepEqual((await found('nothing'))[0], true);
	assert.deepEqual(await found('hangs', 500), [true, 'does not end', false]);
	assert.deepEqual(await found('stays'), [false, '', true]);
	const sleeper = Number(readFileSync(join(place, 'build/lane/sleeper'), 'utf8'));
	await until('its end', () => !isThere(sleeper));
});

test('whole suites judge a mutant as its program does, and the copy is as before', async (t) => {
	await smallTree(t);
	const tree = new TreeLane(place, join(place, 'build/lane')), lane = new SuitesLane(tree, ['unit']);
	assert.deepEqual([...await lane.prepare()], ['port/posix/larger.c']);
	const verdict = async (after, before = after) => (await lane.judge(mutantsOf(place, 'port').find((one) => one.after === after && (one.before === before || before === after)))).verdict;
	assert.equal(await verdict('return a <= b ? a : b;'), 'killed');
	assert.equal(await verdict('if (a == 12346)'), 'survived');
	assert.equal(await verdict(';', 'a = a;'), 'same');
	assert.deepEqual(await lane.judge({ file: 'port/posix/larger.c', text: () => 'int' }), { verdict: 'broken' });
	assert.equal(readFileSync(join(place, 'build/lane/port/posix/larger.c'), 'utf8'), source);
});

/* --- What is started */

/* Each starts a shell that says the id of a sleeper, which it waits for, in a group of their own. */
const starting = (call) => `import { failureOf, output } from '${join(root, 'tests/mutate/run.mjs')}';
	const words = ['-c', 'sleep 1000 & echo $! >"$0"; wait', process.argv[1]];
	${call}`;
const starters = { failureOf: "failureOf({ path: 'sh', args: words, seconds: 100 })", output: "output(['sh', ...words])" };

for (const [what, signal] of [['failureOf', 'SIGTERM'], ['output', null]]) {
	const starter = starters[what];
	test(`${what}: ${signal ?? 'its end'} ends what has been started`, async (t) => {
		const file = join(root, 'build/mutate-sleeper');
		rmSync(file, { force: true });
		const ending = signal ? '' : `; import { existsSync } from 'node:fs'; setInterval(() => existsSync('${file}.end') && process.exit(3), 5)`;
		const child = spawn(process.execPath, ['--input-type=module', '-e', starting(`${starter}${ending}`), file], { stdio: ['ignore', 'inherit', 'inherit'] });
		const ended = once(child, 'exit');
		let sleeper = 0;
		t.after(() => {
			child.kill('SIGKILL');
			if (sleeper && isThere(sleeper)) process.kill(sleeper, 'SIGKILL');
			for (const path of [file, `${file}.end`]) rmSync(path, { force: true });
		});
		const said = () => { try { return readFileSync(file, 'utf8'); } catch { return ''; } };
		sleeper = Number(await until('a sleeper', () => said().endsWith('\n') && said().trim()));
		assert.ok(isThere(sleeper));
		if (signal) child.kill(signal);
		else writeFileSync(`${file}.end`, '');
		assert.deepEqual(await ended, signal ? [null, signal] : [3, null]);
		await until('its end', () => !isThere(sleeper));
	});
}

/* --- A small project */

async function smallProject(t) {
	rmSync(place, { recursive: true, force: true });
	t.after(() => rmSync(place, { recursive: true, force: true }));
	mkdirSync(join(place, 'src'), { recursive: true });
	writeFileSync(join(place, 'src/larger.c'), source);
	writeFileSync(join(place, 'test.c'), program);
	const library = join(place, 'liblarger.so'), object = join(place, 'larger.o');
	const build = {
		name: 'plain', library, object: () => object, sources: ['src/larger.c'], includes: () => [],
		compile: (path, to) => ['gcc', '-Os', '-fPIC', '-c', path, '-o', to],
		link: (objects, to) => ['gcc', '-shared', '-Wl,-soname,liblarger.so', '-o', to, ...objects],
	};
	await run(...build.compile('src/larger.c', object));
	await run(...build.link([object], library));
	await run('gcc', 'test.c', '-o', 'test', library);
	const checks = [{ name: 'its test', build, programs: () => [{ path: join(place, 'test'), seconds: 1 }] }];
	return { root: place, folders: ['src'], builds: [build], checks };
}

async function judged(t, count, laneCount, choose = () => true) {
	const project = await smallProject(t), mutants = mutantsOf(place, 'src').filter(choose);
	const lanes = Array.from({ length: laneCount }, (_, i) => new Lane(project, join(place, `lane-${i}`)));
	return judgeAll(shuffled(mutants, 1), count, lanes);
}

const verdictOf = (all, after) => all.find((one) => one.after === after)?.verdict;

test('a mutant that the test finds is killed, one that it does not find has survived and is printed', async (t) => {
	const all = await judged(t, 1000, 2), text = report(all, [], [], [{ name: 'its test' }]);
	assert.equal(verdictOf(all, 'return a <= b ? a : b;'), 'killed');
	assert.equal(verdictOf(all, 'if (a == 12346)'), 'survived');
	assert.match(text, /^survived: src\/larger\.c:5\n {4}src\/larger\.c, larger\n {4}- if \(a == 12345\)\n {4}\+ if \(a == 12346\)$/m);
	const count = (verdict) => all.filter((one) => one.verdict === verdict).length, n = count('killed') + count('survived');
	assert.ok(text.includes(`${n} mutants, ${count('killed')} killed (its test ${count('killed')}), ${count('survived')} survived, ${count('same')} equivalent`), text);
});

test('the same object code is no mutant, a loop without end is killed, what does not compile is counted apart', async (t) => {
	const all = await judged(t, 1000, 1, ({ before }) => ['a = a;', 'n--;'].includes(before));
	const without = (line) => all.filter(({ before, after }) => before === line && after === ';').map(({ verdict, how }) => [verdict, how]);
	assert.deepEqual(without('a = a;'), [['same', undefined]]);
	assert.deepEqual(without('n--;'), [['killed', 'test, does not end']]);
	const project = await smallProject(t), lane = new Lane(project, join(place, 'lane'));
	assert.deepEqual(await lane.judge({ file: 'src/larger.c', text: () => 'int' }), { verdict: 'broken' });
});

test('as many are judged as were asked for, the same with two lanes as with one', async (t) => {
	const verdicts = async (lanes) => (await judged(t, 5, lanes)).map(({ name, verdict }) => `${verdict} ${name}`);
	const [one, two] = [await verdicts(1), await verdicts(2)];
	assert.deepEqual(one, two);
	assert.equal(one.filter((text) => /^(killed|survived)/.test(text)).length, 5);
});

test('the list of equivalents: a reason for each, and what matches nothing is said', () => {
	const page = '# Title\n\nNobody can see it.\n\n    src/a.c, f\n    - x\n    + y\n\n    src/a.c, f (2)\n    - x\n    + y\n\nAnother\nreason.\n\n    src/b.c, g\n    - z\n    + ;\n';
	const list = equivalentsIn(page);
	assert.deepEqual([...list], [['src/a.c, f\n- x\n+ y', 'Nobody can see it.'], ['src/a.c, f (2)\n- x\n+ y', 'Nobody can see it.'],
		['src/b.c, g\n- z\n+ ;', 'Another reason.']]);
	assert.throws(() => equivalentsIn('A reason.\n\n    src/a.c, f\n    - x\n'), /a line before and a line after/);
	const text = report([], [[{ file: 'src/a.c', line: 3, name: 'src/a.c, f\n- x\n+ y' }, 'Nobody can see it.']], ['src/b.c, g\n- z\n+ ;'], []);
	assert.match(text, /listed as equivalent: src\/a\.c:3\n[^]*Nobody can see it\.\n/);
	assert.match(text, /matches no mutant:\n {4}src\/b\.c, g\n/);
	assert.match(text, /0 survived, 1 equivalent/);
});
