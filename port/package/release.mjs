/* SPDX-License-Identifier: MIT
 * release.mjs FOLDER: makes a release of the tree that stands here: its archives, their bill of materials, checksums.
 * What stands against it is printed, and nothing is written. What it cannot know is named: figures of pages that are older. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOf } from './changelog.mjs';
import { billOf } from './sbom.mjs';
import { isPlaceholder, serverName, serverText } from './server.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (command, ...args) =>
	execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const text = (path) => readFileSync(join(root, path), 'utf8');
const version = here('sh', 'port/package/version.sh');
const tools = ['build/host/quash-bridge', 'build/host/quash-inspect'];
const bundleName = 'quash-bridge.mcpb', pageName = 'quash.html';

/* A tree without git, an unpacked archive, has nothing to compare with. What git ignores would be packed too. */
function problemsOfTree() {
	if (!existsSync(join(root, '.git'))) return [];
	const changed = here('git', 'status', '--porcelain', '--ignored').split('\n').filter((line) => line && line !== '!! build/')
		.map((line) => `not committed: ${line}`);
	const tag = here('git', 'tag', '--list', `v${version}`) && here('git', 'rev-parse', `v${version}^{commit}`);
	return [...changed, ...(tag && tag !== here('git', 'rev-parse', 'HEAD') ? [`v${version} is the tag of another commit`] : [])];
}

function checksums(folder, names) {
	return names.map((name) => `${createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')}  ${name}\n`).join('');
}

/* The bridge for who builds nothing, and what the registry is told of it. */
function addBridge(work) {
	here('make', '-s', 'BUILD=build', 'mcpb');
	const bundle = readFileSync(join(root, 'build/mcpb', bundleName));
	copyFileSync(join(root, `build/npm/quash-bridge-${version}.tgz`), join(work, `quash-bridge-${version}.tgz`));
	writeFileSync(join(work, bundleName), bundle);
	writeFileSync(join(work, 'server.json'), serverText({ version, file: bundleName, bundle }));
}

/* The page of a board for browsers, which has the engine in itself. */
function addPage(work) {
	here('make', '-s', 'BUILD=build', 'page');
	copyFileSync(join(root, 'build/page', pageName), join(work, pageName));
}

/** What pages have from a command that only a person starts: [{ page, made, day }], the day in it or null. */
export function madeOnDemand(pages) {
	return pages.flatMap(({ page, text: all }) => [...all.matchAll(/<!-- make ((?:bench|bridge-figures|hosts|safe|wine|worth)[a-z -]*?) -->\n([^]*?)<!-- end of make/g)]
		.map(([, made, block]) => ({ page, made, day: /\b20\d\d-\d\d-\d\d\b/.exec(block)?.[0] ?? null })));
}

/* Not all of it can be made on each day: who publishes decides. */
function olderThan(day) {
	const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => ({ page: `docs/${name}`, text: text(`docs/${name}`) }));
	return madeOnDemand(pages).filter((one) => one.day === null || one.day < day)
		.map(({ page, made, day: when }) => `  ${page}: make ${made} is ${when === null ? 'without a day' : `of ${when}`}`);
}

function release(folder) {
	const work = `${folder}.new`;
	rmSync(work, { recursive: true, force: true });
	mkdirSync(work, { recursive: true });
	here('make', '-s', 'BUILD=build', ...tools); /* where `tools` has them */
	here('sh', 'port/package/archives.sh', work);
	rmSync(join(work, 'files'), { recursive: true });
	addBridge(work);
	addPage(work);
	const archives = readdirSync(work).filter((name) => name !== 'server.json').sort();
	const bill = billOf({ root, version, home: text('port/package/home').trim(), created: `${here('sh', 'port/package/day.sh')}T00:00:00Z`,
		archives: archives.map((name) => join(work, name)), tools: tools.map((path) => join(root, path)) });
	writeFileSync(join(work, `quash-${version}.spdx.json`), `${JSON.stringify(bill, null, 1)}\n`);
	const names = readdirSync(work).sort();
	writeFileSync(join(work, 'SHA256SUMS'), checksums(work, names));
	rmSync(folder, { recursive: true, force: true });
	renameSync(work, folder);
	return [...names, 'SHA256SUMS'];
}

/* What stands in the way, or null. */
function refusal() {
	const between = version.endsWith('-dev') ? [`${version} stands between releases: port/package/version.sh`] : [];
	const problems = [...between, ...problemsOf(text('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)), ...problemsOfTree()];
	return problems.length ? `no release of ${version}:\n${problems.map((problem) => `  ${problem}\n`).join('')}` : null;
}

function main() {
	const why = refusal();
	if (why !== null) {
		console.error(why);
		return 1;
	}
	for (const name of release(resolve(process.argv[2] ?? join(root, 'build/release')))) console.log(`  ${name}`);
	const day = here('sh', 'port/package/day.sh'), older = olderThan(day);
	if (older.length) console.log(`made on demand, before this release of ${day}:\n${older.join('\n')}`);
	if (isPlaceholder(serverName())) console.log(`server.json cannot be published: port/package/mcp-name has no owner yet: ${serverName()}`);
	return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
