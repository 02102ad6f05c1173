/* SPDX-License-Identifier: MIT
 * `make release` and `make branches`, in a tree of their own. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOf } from '../../port/package/changelog.mjs';
import { madeOnDemand } from '../../port/package/release.mjs';
import { neededBy } from '../../port/package/sbom.mjs';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { numbers as version, withPatch } from '../common/version.mjs';
import { deadLinks } from '../readme/dead-links.mjs';
import { emptyFolder, forTheRun, run, unpack } from './archives.mjs';
import { testWith } from './tools.mjs';

const packaged = readdirSync(join(root, 'port/package')).filter((name) => existsSync(join(root, 'port/package', name, 'pack.sh')) && name !== 'source');
const git = (tree, ...args) => run('git', ['-c', 'user.name=tester', '-c', 'user.email=tester@example.org', ...args], { cwd: tree });

const page = (...heads) => `# Changelog\n\n${heads.map((head) => `## ${head}\n\n### Added\n\n- A thing.\n\n`).join('')}`;

/* The header is as old as that of the tree, so that nothing is built for its change. */
function keepBuilt(tree) {
	const { atime, mtime } = statSync(join(root, 'include/quash/version.h'));
	utimesSync(join(tree, 'include/quash/version.h'), atime, mtime);
}

/* Nothing that another make is writing, and no tests. */
const isBuilt = (path) => !/\.\d+(\.o)?$/.test(path) && !path.startsWith(join(root, 'build/wasm/tests'));

/* The unpacked source, and the host's programs, which need not be built once more. It can be released, also while what stands
 * in the tree cannot. */
function treeFor(t) {
	const tree = unpack('source', emptyFolder(t));
	writeFileSync(join(tree, 'CHANGELOG.md'), page(`[${version}] - 2026-01-01`));
	run('sh', ['port/package/version.sh', version], { cwd: tree });
	keepBuilt(tree);
	for (const folder of ['host', 'wasm', 'library'].filter((name) => existsSync(join(root, 'build', name))))
		cpSync(join(root, 'build', folder), join(tree, 'build', folder), { recursive: true, preserveTimestamps: true, filter: isBuilt });
	return tree;
}

function repositoryFor(t) {
	const tree = treeFor(t);
	git(tree, 'init', '-q', '-b', 'main');
	git(tree, 'add', '-A');
	git(tree, 'commit', '-q', '-m', 'All');
	return tree;
}

const release = (tree) => run('make', ['-s', 'release'], { cwd: tree, env: { ...process.env, MAKEFLAGS: '' } });

let released;

/* A tree with a release, made once. */
function releasedTree() {
	if (released) return released;
	const tree = treeFor(forTheRun);
	release(tree);
	return released = tree;
}

const refused = (tree, why) => assert.throws(() => release(tree), (error) => error.message.includes(why), why);
const sum = (kind, bytes) => createHash(kind).update(bytes).digest('hex');

/* Gives the tree another patch version; returns the whole of it. */
function repatched(tree, patch) {
	const header = join(tree, 'include/quash/version.h');
	writeFileSync(header, withPatch(readFileSync(header, 'utf8'), patch));
	return version.replace(/\d+$/, patch);
}

test('a release: archives of all packages, a bill of materials, checksums that hold; a second one has the same bytes', () => {
	const tree = releasedTree();
	const folder = join(tree, 'build/release');
	const names = readdirSync(folder).sort();
	for (const name of packaged)
		assert.ok(names.some((file) => file.startsWith(`quash-${name}-${version}.`)), `an archive for ${name}`);
	for (const name of [`quash-${version}.tar.gz`, `quash-${version}.spdx.json`, `quash-bridge-${version}.tgz`, 'quash-bridge.mcpb', 'quash.html', 'server.json'])
		assert.ok(names.includes(name), name);
	const { version: told, packages: [npm, bundle] } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'));
	assert.deepEqual([told, npm.version, bundle.fileSha256], [version, version, sum('sha256', readFileSync(join(folder, 'quash-bridge.mcpb')))]);
	const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
	assert.deepEqual(sums.split('\n').slice(0, -1).map((line) => line.slice(66)), names.filter((name) => name !== 'SHA256SUMS'));
	run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
	release(tree);
	assert.equal(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'), sums);
});

/* --- The bill of materials, against the text of SPDX 2.3 */

const licenses = new Set(['CC0-1.0 AND MIT', 'Apache-2.0 WITH LLVM-exception', 'MIT', 'Apache-2.0', 'ISC', 'MPL-2.0', 'LGPL-2.1-or-later', 'GPL-3.0-or-later WITH GCC-exception-3.1']);
const kinds = new Set(['LIBRARY', 'ARCHIVE', 'APPLICATION']);

function checkDocument(bill) {
	assert.equal(bill.spdxVersion, 'SPDX-2.3');
	assert.equal(bill.dataLicense, 'CC0-1.0');
	assert.equal(bill.SPDXID, 'SPDXRef-DOCUMENT');
	assert.match(bill.creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
	assert.ok(bill.creationInfo.creators.every((creator) => /^(Person|Organization|Tool): \S/.test(creator)));
	assert.ok(!bill.documentNamespace.includes('#') && new URL(bill.documentNamespace));
	const ids = [bill, ...bill.packages, ...bill.files].map(({ SPDXID }) => SPDXID);
	assert.equal(new Set(ids).size, ids.length, 'each id once');
	for (const id of ids) assert.match(id, /^SPDXRef-[A-Za-z0-9.-]+$/);
	for (const { spdxElementId, relatedSpdxElement } of bill.relationships)
		assert.ok(ids.includes(spdxElementId) && ids.includes(relatedSpdxElement), `${spdxElementId} and ${relatedSpdxElement} are there`);
}

function checkPackages(bill) {
	for (const entry of bill.packages) {
		assert.ok(licenses.has(entry.licenseDeclared) && licenses.has(entry.licenseConcluded), `${entry.name}: ${entry.licenseDeclared}`);
		assert.ok(kinds.has(entry.primaryPackagePurpose) && entry.name && entry.versionInfo && entry.downloadLocation, entry.name);
		assert.equal(entry.filesAnalyzed, Boolean(entry.packageVerificationCode), entry.name);
	}
}

function checkFiles(bill, tree) {
	for (const { fileName, checksums, licenseConcluded } of bill.files) {
		const bytes = readFileSync(join(tree, fileName));
		assert.deepEqual(checksums.map(({ algorithm, checksumValue }) => `${algorithm} ${checksumValue}`),
			[`SHA1 ${sum('sha1', bytes)}`, `SHA256 ${sum('sha256', bytes)}`], fileName);
		assert.equal(licenseConcluded, 'MIT', fileName);
	}
	const [library] = bill.packages;
	const sums = bill.files.map(({ checksums }) => checksums[0].checksumValue).sort();
	assert.equal(library.packageVerificationCode.packageVerificationCodeValue, sum('sha1', sums.join('')));
	assert.deepEqual(library.hasFiles, bill.files.map(({ SPDXID }) => SPDXID));
	for (const name of ['./src/core/peer.c', './include/quash.h', './port/uart/uart.c'])
		assert.ok(bill.files.some(({ fileName }) => fileName === name), name);
}

function checkLinks(bill) {
	const licenseOf = new Map(bill.packages.map(({ SPDXID, licenseDeclared }) => [SPDXID, licenseDeclared]));
	for (const tool of ['quash-bridge', 'quash-inspect']) {
		const links = bill.relationships.filter(({ spdxElementId }) => spdxElementId === `SPDXRef-APPLICATION-${tool}`)
			.map(({ relationshipType, relatedSpdxElement }) => `${relationshipType} ${licenseOf.get(relatedSpdxElement)}`);
		assert.deepEqual(links.sort(), ['DYNAMIC_LINK LGPL-2.1-or-later', 'STATIC_LINK MIT'], tool);
	}
}

/* The bundle holds what the package of npm names, but for what builds an addon. */
function checkBridge(bill) {
	const related = (from, type) => bill.relationships.filter((one) => one.spdxElementId === from && one.relationshipType === type).map(({ relatedSpdxElement }) => relatedSpdxElement);
	const bundle = 'SPDXRef-ARCHIVE-quash-bridge.mcpb', tarball = `SPDXRef-ARCHIVE-quash-bridge-${version}.tgz`;
	const held = related(bundle, 'CONTAINS');
	assert.ok(held.length >= 7 && held.some((id) => id.includes('serialport-bindings-cpp')), held.join(' '));
	assert.deepEqual(held.filter((id) => !related(id, 'OPTIONAL_DEPENDENCY_OF').includes(tarball)), []);
	for (const archive of [bundle, tarball, 'SPDXRef-ARCHIVE-quash.html']) assert.equal(related(archive, 'STATIC_LINK').length, 3, archive);
}

test('the bill of materials keeps the rules of SPDX 2.3; what is under the LGPL is linked dynamically', () => {
	const tree = releasedTree();
	const folder = join(tree, 'build/release');
	const bill = JSON.parse(readFileSync(join(folder, `quash-${version}.spdx.json`), 'utf8'));
	checkDocument(bill);
	checkPackages(bill);
	checkFiles(bill, tree);
	checkLinks(bill);
	checkBridge(bill);
	for (const { packageFileName, checksums } of bill.packages.filter(({ primaryPackagePurpose }) => primaryPackagePurpose === 'ARCHIVE'))
		assert.equal(checksums[0].checksumValue, sum('sha256', readFileSync(join(folder, packageFileName))), packageFileName);
});

test('what a page has from a command that only a person starts is found, with its day', () => {
	const text = '<!-- make wine -->\n`make wine` on 2026-11-29\n<!-- end of make wine -->\n<!-- make size -->\n2026-01-01\n<!-- end of make size -->\n' +
		'<!-- make hosts acp -->\nnone\n<!-- end of make hosts acp -->\n';
	assert.deepEqual(madeOnDemand([{ page: 'docs/a.md', text }]),
		[{ page: 'docs/a.md', made: 'wine', day: '2026-11-29' }, { page: 'docs/a.md', made: 'hosts acp', day: null }]);
	const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
	const made = madeOnDemand(pages.map((name) => ({ page: name, text: readFileSync(join(root, 'docs', name), 'utf8') }))).map((one) => one.made);
	for (const name of ['bench figures', 'hosts', 'safe']) assert.ok(made.includes(name), name);
});

test('a tool that is linked statically has no bill', (t) => {
	const folder = emptyFolder(t);
	writeFileSync(join(folder, 'a.c'), 'int main(void) { return 0; }\n');
	run('gcc', ['-static', 'a.c', '-o', 'fixed'], { cwd: folder });
	run('gcc', ['a.c', '-o', 'shared'], { cwd: folder });
	assert.throws(() => neededBy(join(folder, 'fixed')), /does not link the C library dynamically/);
	assert.deepEqual(neededBy(join(folder, 'shared')), ['libc.so.6']);
});

/* --- What stands against a release */

testWith('git')('what stands against a release is named, and nothing is written', (t) => {
	const tree = repositoryFor(t);
	release(tree);
	run('rm', ['-r', 'build/release'], { cwd: tree });
	writeFileSync(join(tree, 'docs/draft.md'), 'a draft\n');
	refused(tree, 'not committed: ?? docs/draft.md');
	refused(tree, `CHANGELOG.md begins with ${version}, the header says ${repatched(tree, 99)}`);
	git(tree, 'checkout', '-q', '.');
	keepBuilt(tree);
	git(tree, 'clean', '-q', '-f', 'docs');
	writeFileSync(join(tree, '.git/info/exclude'), '*~\n');
	writeFileSync(join(tree, 'src/core/peer.c~'), 'a copy of an editor\n');
	refused(tree, 'not committed: !! src/core/peer.c~');
	run('rm', ['src/core/peer.c~'], { cwd: tree });
	git(tree, 'tag', `v${version}`);
	release(tree);
	appendFileSync(join(tree, 'README.md'), '\n');
	git(tree, 'commit', '-q', '-a', '-m', 'More');
	run('rm', ['-r', 'build/release'], { cwd: tree });
	refused(tree, `v${version} is the tag of another commit`);
	assert.ok(!existsSync(join(tree, 'build/release')));
});

test('what stands between two releases is no release', (t) => {
	const tree = treeFor(t);
	run('sh', ['port/package/version.sh', '1.2.3-dev'], { cwd: tree });
	refused(tree, 'CHANGELOG.md begins with ' + version + ', the header says 1.2.3-dev');
	writeFileSync(join(tree, 'CHANGELOG.md'), page('[1.2.3-dev] - 2026-01-01'));
	refused(tree, '1.2.3-dev stands between releases');
	assert.throws(() => run('sh', ['port/package/branch.sh', 'pair'], { cwd: tree, stdio: 'pipe' }), /1\.2\.3-dev stands between releases/);
});

testWith('git')('another version is written into the header and into all pages that name it, and back', (t) => {
	const tree = repositoryFor(t);
	const to = (...words) => run('sh', ['port/package/version.sh', ...words], { cwd: tree });
	for (const [other, linked] of [['9.8.7-dev', '9_8_7_dev_size'], ['10.0.1', '10_0_1_size'], ['0.4.10-dev', '0_4_10_dev_size']]) {
		to(other);
		assert.equal(to(), `${other}\n`);
		const changed = git(tree, 'diff', '--name-only').trim().split('\n');
		for (const name of ['include/quash/version.h', 'README.md', 'docs/tutorial.md', 'docs/upgrading.md', 'port/package/cmake/README.md']) assert.ok(changed.includes(name), name);
		assert.match(readFileSync(join(tree, 'README.md'), 'utf8'), new RegExp(`quash-arduino-${other.replaceAll('.', '\\.')}\\.zip`));
		assert.ok(readFileSync(join(tree, 'docs/upgrading.md'), 'utf8').includes(`posix_stdio_serve_${linked}16`));
	}
	to(version);
	assert.equal(git(tree, 'diff', '--stat'), '', 'all is what it was');
	for (const wrong of ['1.2', '1.2.3.4', '1.2.3-rc', '01.2.3', 'x', '1.2.3-dev-dev']) assert.throws(() => to(wrong), /is neither/);
});

test('the changelog that a release needs', () => {
	const problems = (text) => problemsOf(text, '1.2.0', '2026-05-05').join('; ');
	assert.equal(problems(page('[1.2.0] - 2026-05-05', '[1.1.9] - 2026-05-04', '[1.1.0] - never released')), '');
	assert.match(problems(page('[1.2.0] - unreleased')), /1\.2\.0 has no day/);
	assert.match(problems(page('[1.2.0] - 2026-13-05')), /1\.2\.0 has no day/);
	assert.match(problems(page('[1.2.0] - 2026-05-06')), /today is 2026-05-05/);
	assert.match(problems(page('[1.1.0] - 2026-05-05')), /begins with 1\.1\.0/);
	assert.match(problems(page('[Unreleased]', '[1.2.0] - 2026-05-05')), /begins with Unreleased/);
	assert.match(problems(page('[1.2.0] - 2026-05-05', '[1.1.0] - soon')), /1\.1\.0 has neither/);
	assert.match(problems(page('[1.2.0] - 2026-05-05', '[1.10.0] - 2026-05-04')), /1\.10\.0 stands below/);
	assert.match(problems(page('[1.2.0] - 2026-05-04', '[1.1.0] - 2026-05-05')), /younger/);
	assert.match(problems('## [1.2.0] - 2026-05-05\n\nNothing.\n'), /1\.2\.0 has no changes/);
	assert.match(problems(''), /begins with nothing/);
});

test('the changelog of the tree lacks at most a number, a day and changes', () => {
	const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').replace(/^## \[.*$/m, '## [999.0.0] - 2999-01-01\n\n- A thing.');
	assert.deepEqual(problemsOf(text, '999.0.0', '2999-01-01'), []);
});

/* --- What is published */

test('every manifest has the version and the address; no place is left open', (t) => {
	const open = packaged.flatMap((name) =>
		run('sh', ['-c', 'grep -rIlE "@(VERSION|HOME)@" . || true'], { cwd: unpack(name, emptyFolder(t)) }).split('\n').filter(Boolean));
	assert.deepEqual(open, []);
});

test('links of each archive\'s pages lead to what is in it, or to a public address', (t) => {
	for (const name of packaged) {
		const folder = unpack(name, emptyFolder(t));
		const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.md'));
		assert.ok(pages.includes('README.md'), name);
		for (const page of pages) assert.deepEqual(deadLinks(folder, page, readFileSync(join(folder, page), 'utf8')), [], `${name}: ${page}`);
	}
	const changelog = readFileSync(join(unpack('esp-idf', emptyFolder(t)), 'CHANGELOG.md'), 'utf8');
	assert.match(changelog, /[^(]docs\/upgrading\.md of the source archive/, 'a page that is not packed');
});

test('no archive has an address that nobody has', (t) => {
	const placeholders = packaged.flatMap((name) =>
		run('sh', ['-c', 'grep -rIE "example\\.(org|com|net)" . || true'], { cwd: unpack(name, emptyFolder(t)) }).split('\n').filter(Boolean));
	assert.deepEqual(placeholders, []);
});

/* Pages and manifests that can have no comment, or have none by custom. */
const withoutHead = /(^|\/)(LICENSE|keywords\.txt|library\.properties|library\.json|.*\.(md|rst))$/;

test('each file in an archive names its license, or is a page or a manifest', (t) => {
	for (const name of packaged) {
		const folder = unpack(name, emptyFolder(t));
		const files = run('grep', ['-rL', 'SPDX-License-Identifier: MIT', '.'], { cwd: folder }).trim().split('\n');
		assert.ok(files.includes('./LICENSE'), name);
		assert.deepEqual(files.filter((file) => !withoutHead.test(file)), [], name);
	}
});

/* The archives that a tree with these modes makes, of which one has a file that can be executed. */
const sumsUnder = (tree, umask, environment) => run('sh', ['-ec', `umask ${umask}; make -s packages PACKAGES="pair meson source" >/dev/null; cd build/packages; sha256sum *.*`],
	{ cwd: tree, env: { ...process.env, MAKEFLAGS: '', ...environment } });

test('whoever makes the archives, the bytes are the same', (t) => {
	const one = treeFor(t);
	const other = join(emptyFolder(t), 'a tree of somebody else');
	cpSync(one, other, { recursive: true });
	run('sh', ['-ec', 'find . -type f -exec chmod go= {} +'], { cwd: other });
	const sums = sumsUnder(one, '022', {});
	assert.equal(sums.trim().split('\n').length, 3);
	assert.equal(sumsUnder(other, '077', { TZ: 'Asia/Tokyo', TAR_OPTIONS: '--mode=u+x', ZIPOPT: '-1', GZIP: '-1' }), sums);
});

testWith('git')('a tree that lacks a file has no archive', (t) => {
	const tree = repositoryFor(t);
	const packages = () => run('make', ['-s', 'packages', 'PACKAGES=source'], { cwd: tree, env: { ...process.env, MAKEFLAGS: '' } });
	run('rm', ['docs/memory.md'], { cwd: tree });
	assert.throws(packages, /docs\/memory\.md/);
	git(tree, 'checkout', '-q', '.');
	writeFileSync(join(tree, 'docs/Größe.md'), 'a name beyond ASCII\n');
	git(tree, 'add', '-A');
	packages();
	const names = run('tar', ['-tzf', `build/packages/quash-${version}.tar.gz`], { cwd: tree });
	assert.equal(names.split('\n').filter((name) => name && !name.endsWith('/')).length, git(tree, 'ls-files').trim().split('\n').length);
});

testWith('git')('branches hold what archives hold, one commit a version; the work tree is left alone', (t) => {
	const tree = repositoryFor(t);
	const branches = () => run('make', ['-s', 'branches', 'PACKAGES=pair'], { cwd: tree, env: { ...process.env, MAKEFLAGS: '',
		GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' } });
	assert.equal(branches(), `  package/pair: ${version}\n`);
	assert.equal(branches(), `  package/pair has ${version}\n`);
	assert.equal(git(tree, 'ls-tree', '--name-only', 'package/pair').includes('quash.c'), true);
	assert.equal(git(tree, 'show', 'package/pair:quash.h'), readFileSync(join(tree, 'build/packages/files/pair/quash/quash.h'), 'utf8'));
	assert.equal(git(tree, 'status', '--porcelain'), '');
	appendFileSync(join(tree, 'LICENSE'), '\n');
	assert.throws(branches, /something is not committed/);
	git(tree, 'commit', '-q', '-a', '-m', 'More');
	assert.throws(branches, /package\/pair has other contents as /);
	const raised = repatched(tree, 99);
	git(tree, 'commit', '-q', '-a', '-m', 'Raise the version');
	assert.equal(branches(), `  package/pair: ${raised}\n`);
	assert.equal(git(tree, 'rev-list', '--count', 'package/pair').trim(), '2');
});
