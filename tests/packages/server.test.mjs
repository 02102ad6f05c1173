/* SPDX-License-Identifier: MIT
 * server.json, which tells the registry of MCP servers of a version: the rules of its schema of 2025-12-11, and those of the registry. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlaceholder, serverName, serverText } from '../../port/package/server.mjs';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { folderFor, told } from '../common/start.mjs';
import { version } from '../common/version.mjs';

const bundle = Buffer.from('a bundle');
const made = (how) => JSON.parse(serverText({ version: '1.2.3', file: 'quash-bridge.mcpb', bundle, ...how }));
const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

test('server.json: names, versions and texts are such as the registry takes', () => {
	const { $schema, name, title, description, version: its, packages } = made();
	assert.equal($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
	assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
	assert.equal(name, serverName());
	assert.ok(title.length <= 100 && description.length >= 1 && description.length <= 100, `${description.length}`);
	assert.match(its, exact);
	for (const { registryType, identifier, transport } of packages) assert.ok(registryType && identifier && transport.type === 'stdio');
});

test('server.json: the package of npm is of this version, and is given a port', () => {
	const [npm] = made().packages;
	assert.deepEqual([npm.registryType, npm.identifier, npm.version, npm.runtimeHint], ['npm', 'quash-bridge', '1.2.3', 'npx']);
	for (const one of npm.packageArguments) assert.ok(one.type === 'positional' && ('value' in one || 'valueHint' in one), 'a named one is written --tty=VALUE, which the bridge does not take');
	const words = npm.packageArguments.map((one) => one.value ?? one.default);
	assert.deepEqual(words, ['--tty', 'auto']);
});

test('server.json: the bundle has its address and its sum', () => {
	const [, mcpb] = made().packages;
	assert.equal(mcpb.registryType, 'mcpb');
	assert.equal(mcpb.version, undefined, 'the address has it');
	assert.equal(mcpb.fileSha256, createHash('sha256').update(bundle).digest('hex'));
	const addressed = (name) => made({ name }).packages[1].identifier;
	assert.equal(addressed('io.github.somebody/quash-bridge'), 'https://github.com/somebody/quash/releases/download/v1.2.3/quash-bridge.mcpb');
	assert.equal(addressed('io.gitlab.somebody/quash-bridge'), 'https://gitlab.com/somebody/quash/releases/download/v1.2.3/quash-bridge.mcpb');
	assert.throws(() => made({ name: 'com.example/quash-bridge' }), /mcp-name: com\.example\/quash-bridge does not begin with io\.github\.OWNER\//);
});

test('server.json: written for a release, it says while nobody owns the name', (t) => {
	const folder = folderFor(t), path = join(folder, 'quash-bridge.mcpb');
	writeFileSync(path, bundle);
	const { status, stderr } = told(process.execPath, [join(root, 'port/package/server.mjs'), folder, path]);
	assert.deepEqual([status, stderr.length > 0], [0, isPlaceholder(serverName())], stderr);
	assert.deepEqual(JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')), made({ version }));
	assert.deepEqual([isPlaceholder('io.github.OWNER/a'), isPlaceholder('io.github.owner/a')], [true, false]);
});
