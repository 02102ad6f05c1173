/* SPDX-License-Identifier: MIT
 * The bill of materials of a release, as SPDX 2.3: the library with all its files, the archives, the host's tools with what
 * they link, the packages that only the tests use. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const license = 'MIT';
const supplier = 'Organization: the quash authors';

/* What the tools link, by the name that their ELF file has. A library that is not here must be looked at before a release. */
const linked = {
	'libc.so.6': { name: 'glibc', license: 'LGPL-2.1-or-later' },
	'libgcc_s.so.1': { name: 'libgcc', license: 'GPL-3.0-or-later WITH GCC-exception-3.1' },
};

const sum = (kind, bytes) => createHash(kind).update(bytes).digest('hex');
const checksum = (algorithm, bytes) => ({ algorithm, checksumValue: sum(algorithm.toLowerCase(), bytes) });
const ref = (...words) => `SPDXRef-${words.join('-').replace(/[^A-Za-z0-9.-]+/g, '-')}`;
const relationship = (from, relationshipType, to) => ({ spdxElementId: from, relationshipType, relatedSpdxElement: to });

function filesBelow(root, folder) {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap((entry) => (entry.isDirectory() ? filesBelow(root, join(folder, entry.name)) : [join(folder, entry.name)]));
}

const isSource = (path) => /\.(c|h|cpp|ino|mjs|sh)$/.test(path);

/* The license that a file names itself. Every source must. */
function licenseIn(path, bytes) {
	const [, named] = /SPDX-License-Identifier: (\S+)/.exec(bytes.toString()) ?? [];
	if (isSource(path) && named !== license) throw new Error(`${path} names the license ${named ?? 'nowhere'}`);
	return named ?? 'NONE';
}

function fileEntry(root, path, copyrightText) {
	const bytes = readFileSync(join(root, path));
	return {
		fileName: `./${path}`, SPDXID: ref('file', path), fileTypes: [isSource(path) ? 'SOURCE' : 'TEXT'],
		checksums: [checksum('SHA1', bytes), checksum('SHA256', bytes)],
		licenseConcluded: license, licenseInfoInFiles: [licenseIn(path, bytes)], copyrightText,
	};
}

const packaged = (name, version, purpose, terms, more) => ({
	name, SPDXID: ref(purpose, name), versionInfo: version, primaryPackagePurpose: purpose, filesAnalyzed: false,
	licenseConcluded: terms, licenseDeclared: terms, copyrightText: 'NOASSERTION', downloadLocation: 'NOASSERTION', ...more,
});

function library(version, home, files, copyrightText) {
	const sums = files.map(({ checksums }) => checksums[0].checksumValue).sort();
	return packaged('quash', version, 'LIBRARY', license, {
		supplier, copyrightText, ...(home ? { downloadLocation: home, homepage: home } : {}), filesAnalyzed: true,
		packageVerificationCode: { packageVerificationCodeValue: sum('sha1', sums.join('')) },
		licenseInfoFromFiles: [license], hasFiles: files.map(({ SPDXID }) => SPDXID),
		externalRefs: [
			{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: `pkg:generic/quash@${version}` },
			{ referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: `cpe:2.3:a:quash:quash:${version}:*:*:*:*:*:*:*` },
		],
	});
}

/** The shared libraries that a program needs. Fails for one that is linked statically: what is under the LGPL must be linked
 * so that it can be exchanged. */
export function neededBy(program) {
	const dynamic = execFileSync('readelf', ['-d', program], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
	const needed = [...dynamic.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name);
	if (!needed.includes('libc.so.6')) throw new Error(`${basename(program)} does not link the C library dynamically`);
	const unknown = needed.filter((name) => !Object.hasOwn(linked, name));
	if (unknown.length) throw new Error(`${basename(program)} needs ${unknown.join(', ')}: no license is known`);
	return needed;
}

function toolEntries(tools, version, libraryId) {
	const packages = [], relationships = [];
	for (const tool of tools) {
		const entry = packaged(basename(tool), version, 'APPLICATION', license, { supplier });
		packages.push(entry);
		relationships.push(relationship(entry.SPDXID, 'STATIC_LINK', libraryId));
		for (const name of neededBy(tool)) {
			const other = packaged(linked[name].name, 'NOASSERTION', 'LIBRARY', linked[name].license, { comment: `${name} of the system` });
			if (!packages.some(({ SPDXID }) => SPDXID === other.SPDXID)) packages.push(other);
			relationships.push(relationship(entry.SPDXID, 'DYNAMIC_LINK', other.SPDXID));
		}
	}
	return { packages, relationships };
}

/* What the linker takes into bridge.wasm, from packages of the system. */
const linkedIntoModule = [
	['wasi-libc', 'CC0-1.0 AND MIT'],
	['compiler-rt', 'Apache-2.0 WITH LLVM-exception'],
];

/* The package of npm, the bundle and the page: what their module is linked with, and packages that the first names and the second holds. What
 * only builds an addon is in none. */
function bridgeEntries(root, libraryId, { tarball, bundle, page }) {
	const { packages: locked } = JSON.parse(readFileSync(join(root, 'port/package/npm/npm-shrinkwrap.json'), 'utf8'));
	const linked = linkedIntoModule.map(([name, terms]) => packaged(name, 'NOASSERTION', 'LIBRARY', terms, { comment: 'in bridge.wasm' }));
	const needed = Object.entries(locked).filter(([path]) => path.startsWith('node_modules/') && path !== 'node_modules/node-addon-api')
		.map(([path, { version, license: terms }]) => {
			const name = path.replace(/^.*node_modules\//, '');
			const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
			return packaged(name, version, 'LIBRARY', terms, { SPDXID: ref('LIBRARY', 'npm', name, version),
				externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }] });
		});
	return {
		packages: [...linked, ...needed],
		relationships: [
			...[tarball, bundle, page].filter(Boolean).flatMap((archive) => [libraryId, ...linked.map(({ SPDXID }) => SPDXID)].map((id) => relationship(archive, 'STATIC_LINK', id))),
			...needed.flatMap(({ SPDXID }) => [...tarball ? [relationship(SPDXID, 'OPTIONAL_DEPENDENCY_OF', tarball)] : [], ...bundle ? [relationship(bundle, 'CONTAINS', SPDXID)] : []]),
		],
	};
}

/* The licenses of packages whose manifests name none: as the file LICENSE in each says. */
const byFile = { supergateway: 'MIT' };

/* Packages that the tests install, and nothing that is shipped contains. */
function testEntries(root, libraryId) {
	const read = (name) => JSON.parse(readFileSync(join(root, 'tests/common/npm', name), 'utf8'));
	const { packages: locked } = read('package-lock.json');
	const { dependencies, optionalDependencies } = read('package.json');
	const packages = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => {
		const { version, license: terms = byFile[name] } = locked[`node_modules/${name}`];
		return packaged(name, version, 'LIBRARY', terms, { comment: 'used by tests only' });
	});
	return { packages, relationships: packages.map(({ SPDXID }) => relationship(SPDXID, 'TEST_DEPENDENCY_OF', libraryId)) };
}

function archiveEntries(archives, version, libraryId) {
	const packages = archives.map((path) => packaged(basename(path), version, 'ARCHIVE', license,
		{ supplier, packageFileName: basename(path), checksums: [checksum('SHA256', readFileSync(path))] }));
	return { packages, relationships: packages.map(({ SPDXID }) => relationship(SPDXID, 'GENERATED_FROM', libraryId)) };
}

/** The document as a value. `archives` and `tools` are paths; `created` is a moment as ISO 8601 with seconds. The same
 * release gives the same document. */
export function billOf({ root, version, home, created, archives, tools }) {
	const [copyrightText] = /^Copyright .*$/m.exec(readFileSync(join(root, 'LICENSE'), 'utf8'));
	const files = ['include', 'port', 'src'].flatMap((folder) => filesBelow(root, folder))
		.map((path) => fileEntry(root, path, copyrightText));
	const main = library(version, home, files, copyrightText);
	const of = (end) => archives.map((path) => basename(path)).filter((name) => name.endsWith(end)).map((name) => ref('ARCHIVE', name))[0];
	const parts = [archiveEntries(archives, version, main.SPDXID), toolEntries(tools, version, main.SPDXID),
		bridgeEntries(root, main.SPDXID, { tarball: of('.tgz'), bundle: of('.mcpb'), page: of('.html') }), testEntries(root, main.SPDXID)];
	const packages = [main, ...parts.flatMap((part) => part.packages)];
	return {
		spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT', name: `quash-${version}`,
		documentNamespace: `${home || 'https://spdx.org'}/spdxdocs/quash-${version}-${sum('sha256', JSON.stringify(packages)).slice(0, 16)}`,
		creationInfo: { created, creators: [supplier, 'Tool: quash-sbom'] },
		packages, files,
		relationships: [relationship('SPDXRef-DOCUMENT', 'DESCRIBES', main.SPDXID), ...parts.flatMap((part) => part.relationships)],
	};
}
