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
const tool = process.env.CLANG_FORMAT ?? 'clang-format', right = 'build/format/right', atOnce = 2, shown = 8;

const sumOf = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash('sha256')).digest('hex');

const sources = () => ['src', 'include', 'port', 'boards', 'tests'].flatMap((folder) => readdirSync(folder, { recursive: true })
	.filter((path) => /\.[ch]$/.test(path) && !path.includes('node_modules')).map((path) => join(folder, path))).sort();

/** The text as clang-format lays it out. */
async function laidOut(path, text) {
	const lines = rangesOf(text).map(([first, last]) => `--lines=${first}:${last}`);
	if (!lines.length) return text;
	const child = started(null, [tool, ...lines, `--assume-filename=${path}`]);
	child.stdin.end(text);
	if (await child.ended !== 0) throw new Error(`${tool} fails at ${path}`);
	return child.said;
}

/* Laid out until nothing changes: a line that was split may be a table then. */
async function settled(path, text) {
	for (let tries = 0; tries < 5; tries++) {
		const next = await laidOut(path, text);
		if (next === text) break;
		text = next;
	}
	return text;
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
const kept = [], differ = [], queue = (named.length ? named : sources()).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
let passed = 0;

async function lane() {
	for (let next = queue.shift(); next; next = queue.shift()) {
		const { path, text } = next, key = keyOf(path, text);
		const wanted = known.has(key) ? text : await settled(path, text);
		if (wanted !== text && writes) writeFileSync(path, wanted);
		if (wanted !== text && !writes) differ.push(difference(path, text, wanted));
		else passed++;
		if (wanted === text || writes) kept.push(keyOf(path, wanted));
	}
}

await Promise.all(Array.from({ length: atOnce }, lane));
mkdirSync(dirname(right), { recursive: true });
writeFileSync(right, [...new Set([...named.length ? known : [], ...kept])].join('\n'));
differ.sort().slice(0, shown).forEach((text) => console.log(text));
if (differ.length > shown) console.log(`and ${differ.length - shown} more; make format lays them out`);
closeWith({ passed, failed: differ.length });
