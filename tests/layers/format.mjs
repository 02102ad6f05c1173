/* SPDX-License-Identifier: MIT
 * node format.mjs [--write] [FILE...]
 *
 * Says which C sources of the tree, or of those named, are not laid out as .clang-format has it; with --write they are laid out.
 * See bodies.mjs for what is left alone. What was found right once is not looked at again: build/format/right has a sum of each
 * text, with that of the options, the tool, and what calls it. Closes with `N passed, N failed, N skipped`. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeWith } from '../common/runner.mjs';
import { started, told } from '../common/start.mjs';

import { rangesOf } from './bodies.mjs';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(join(here, '../..'));
const tool = process.env.CLANG_FORMAT ?? 'clang-format', right = 'build/format/right', folder = 'build/format/copies', atOnce = 2, shown = 8;

const sumOf = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash('sha256')).digest('hex');

const sources = () => ['src', 'include', 'port', 'boards', 'tests'].flatMap((folder) => readdirSync(folder, { recursive: true })
	.filter((path) => /\.[ch]$/.test(path) && !path.includes('node_modules')).map((path) => join(folder, path))).sort();

/* One process for many files takes a third of the time: what stays as it is stands between marks, in a copy. */
const [marksOn, marksOff] = ['on', 'off'].map((way) => `/* clang-format ${way} */`);

function marked(text) {
	const lines = text.split('\n'), ranges = rangesOf(text), ends = [0, ...ranges.map(([, last]) => last)];
	const parts = ranges.map(([first, last], i) => [marksOff, ...lines.slice(ends[i], first - 1), marksOn, ...lines.slice(first - 1, last)]);
	return [...parts.flat(), marksOff, ...lines.slice(ends.at(-1))].join('\n');
}

const unmarked = (text) => text.split('\n').filter((line) => ![marksOn, marksOff].includes(line.trim())).join('\n');

/** The texts of { path, text } as clang-format lays them out. */
async function laidOut(files) {
	const copies = files.map(({ path, text }) => {
		const copy = join(folder, path);
		mkdirSync(dirname(copy), { recursive: true });
		writeFileSync(copy, marked(text));
		return copy;
	});
	const share = Math.ceil(copies.length / atOnce), parts = Array.from({ length: atOnce }, (_, i) => copies.slice(i * share, (i + 1) * share));
	await Promise.all(parts.filter((part) => part.length).map(async (part) => {
		if (await started(null, [tool, '-i', ...part]).ended !== 0) throw new Error(`${tool} fails`);
	}));
	return copies.map((copy) => unmarked(readFileSync(copy, 'utf8')));
}

/* Laid out until nothing changes: a line that was split may be a table then. */
async function settled(files) {
	const texts = new Map(files.map(({ path, text }) => [path, text]));
	let open = files;
	for (let tries = 0; tries < 5 && open.length; tries++) {
		const next = await laidOut(open);
		open = open.map(({ path, text }, i) => ({ path, text: next[i], changed: next[i] !== text })).filter(({ changed }) => changed);
		for (const { path, text } of open) texts.set(path, text);
	}
	return texts;
}

/** The first lines that differ, as `path:line: text`. */
function difference(path, text, wanted) {
	const [had, has] = [text, wanted].map((whole) => whole.split('\n'));
	const first = had.findIndex((line, i) => line !== has[i]);
	return [`FAIL    ${path}:${first + 1} is not laid out as \`make format\` does it:`, `        ${had[first]}`, `        ${has[first]}`].join('\n');
}

const words = process.argv.slice(2), writes = words.includes('--write'), named = words.filter((word) => word !== '--write');
const { status, stdout: version } = told(tool, ['--version']);
if (status !== 0) {
	console.log(`skipped: ${tool} is missing`);
	closeWith({ passed: 0, failed: 0, skipped: 1 });
	process.exit(writes ? 1 : 0);
}
const options = sumOf(version, readFileSync('.clang-format'), ...['bodies.mjs', 'format.mjs'].map((name) => readFileSync(join(here, name))));
const known = new Set(existsSync(right) ? readFileSync(right, 'utf8').split('\n') : []);
const keyOf = (path, text) => sumOf(options, path, text);
const files = (named.length ? named : sources()).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const wantedOf = await settled(files.filter(({ path, text }) => !known.has(keyOf(path, text))));
const kept = [], differ = [];

for (const { path, text } of files) {
	const wanted = wantedOf.get(path) ?? text, isRight = wanted === text;
	if (!isRight && writes) writeFileSync(path, wanted);
	if (!isRight && !writes) differ.push(difference(path, text, wanted));
	if (isRight || writes) kept.push(keyOf(path, wanted));
}

mkdirSync(dirname(right), { recursive: true });
writeFileSync(right, [...new Set([...named.length ? known : [], ...kept])].join('\n'));
differ.sort().slice(0, shown).forEach((text) => console.log(text));
if (differ.length > shown) console.log(`and ${differ.length - shown} more; make format lays them out`);
closeWith({ passed: files.length - differ.length, failed: differ.length });
