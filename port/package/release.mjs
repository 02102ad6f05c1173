/* SPDX-License-Identifier: MIT
 * release.mjs FOLDER: makes a release of the tree that stands here: its archives, their bill of materials, checksums.
 * What stands against it is printed, and nothing is written. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOf } from './changelog.mjs';
import { billOf } from './sbom.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (command, ...args) =>
	execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const text = (path) => readFileSync(join(root, path), 'utf8');
const version = here('sh', 'port/package/version.sh');
const tools = ['build/host/quash-bridge', 'build/host/quash-inspect'];

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

function release(folder) {
	const work = `${folder}.new`;
	rmSync(work, { recursive: true, force: true });
	mkdirSync(work, { recursive: true });
	here('make', '-s', 'BUILD=build', ...tools); /* where `tools` has them */
	here('sh', 'port/package/archives.sh', work);
	rmSync(join(work, 'files'), { recursive: true });
	const archives = readdirSync(work).sort();
	const bill = billOf({ root, version, home: text('port/package/home').trim(), created: `${here('sh', 'port/package/day.sh')}T00:00:00Z`,
		archives: archives.map((name) => join(work, name)), tools: tools.map((path) => join(root, path)) });
	writeFileSync(join(work, `quash-${version}.spdx.json`), `${JSON.stringify(bill, null, 1)}\n`);
	const names = readdirSync(work).sort();
	writeFileSync(join(work, 'SHA256SUMS'), checksums(work, names));
	rmSync(folder, { recursive: true, force: true });
	renameSync(work, folder);
	return [...names, 'SHA256SUMS'];
}

const between = version.endsWith('-dev') ? [`${version} stands between releases: port/package/version.sh`] : [];
const problems = [...between, ...problemsOf(text('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)), ...problemsOfTree()];
if (problems.length) {
	console.error(`no release of ${version}:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
	process.exit(1);
}
const folder = resolve(process.argv[2] ?? join(root, 'build/release'));
for (const name of release(folder)) console.log(`  ${name}`);
