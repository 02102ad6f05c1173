/* SPDX-License-Identifier: MIT
 * node conformance.mjs [TARGET...]
 *
 * The official conformance suite of MCP against the program `conformance`: on the host, and on emulated boards, each behind one
 * quash-bridge that serves HTTP for the whole run. A scenario that is scored and has checked nothing counts as skipped. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge } from '../host/bridge-program.mjs';
import { partOf } from '../common/npm/modules.mjs';
import { hostProgram, root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { command } from './boards.mjs';

const suite = partOf('@modelcontextprotocol/conformance', 'dist/index.js');
const results = join(root, 'build/conformance');
const boards = ['mps2-an385', 'riscv-virt'];
const targets = process.argv.length > 2 ? process.argv.slice(2) : ['host', ...boards];
const scored = { '2025-11-25': 30, '2026-07-28': 37 };
const warned = ['sep-2322-ignore-unexpected-params']; /* it sends answers without the state that came with the questions */
const wholeMs = 300000;

const device = (target) => (target === 'host' ? [hostProgram('conformance')] : command(target, 'conformance', { options: [] }));

/* What the suite has printed, and its exit status. */
function run(url, revision, folder) {
	const child = spawn(process.execPath, [suite, 'server', '--url', url, '--requirements', revision, '-o', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
	const timer = setTimeout(() => child.kill('SIGKILL'), wholeMs);
	let text = '';
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => { text += more; });
	return new Promise((resolve) => child.on('close', (code) => {
		clearTimeout(timer);
		resolve({ code, text });
	}));
}

/* The lines of its sum: a name, and how many checks have passed and failed. */
function scenariosOf(text) {
	const unscored = new Set([...text.matchAll(/^ {2}. (\S+) \((?:extension|pending|added-after-release)\)$/gm)].map(([, name]) => name));
	return [...text.matchAll(/^. (\S+): (\d+) passed, (\d+) failed$/gm)].map(([, name, passed, failed]) =>
		({ name, passed: Number(passed), failed: Number(failed), scored: !unscored.has(name) }));
}

/* What was looked at in these scenarios. */
const checksOf = (folder, scenarios) => readdirSync(folder).filter((name) => scenarios.some((scenario) => name.startsWith(`server-${scenario.name}-20`)))
	.flatMap((name) => JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')));

async function conforms(t, target, revision, url) {
	const folder = join(results, `${target}-${revision}`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const { code, text } = await run(url, revision, folder);
	const all = scenariosOf(text), counted = all.filter((scenario) => scenario.scored);
	const passed = counted.filter((scenario) => scenario.failed === 0 && scenario.passed > 0);
	console.log(`${target}, ${revision}: ${passed.length} of ${counted.length} scored scenarios, ` +
		`${counted.reduce((sum, scenario) => sum + scenario.passed, 0)} checks; exit status ${code}`);
	assert.deepEqual(counted.filter((scenario) => !passed.includes(scenario)), [], text.slice(-3000));
	assert.deepEqual([counted.length, code], [scored[revision], 0], text.slice(-3000));
	const checks = checksOf(folder, counted);
	assert.ok(checks.filter(({ id, status }) => id === 'wire-schema-valid' && status === 'SUCCESS').length >= scored[revision] - 3, 'the wire is looked at');
	assert.deepEqual(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id), []);
	assert.deepEqual(checks.filter(({ id, status }) => status === 'WARNING' && !warned.includes(id)).map(({ id, errorMessage }) => `${id}: ${errorMessage}`), []);
}

for (const target of targets) {
	const revisions = Object.keys(scored);
	test(`the conformance suite, ${target}: ${revisions.join(' and ')}, through one bridge`, async (t) => {
		const bridge = Bridge.start(t, ['--log', 'info', '--listen-http', '127.0.0.1:0', '--', ...device(target)]);
		const [, url] = await bridge.says(/listening on (http:\S+)$/m);
		await bridge.says(/device: ready/, 20000);
		for (const revision of revisions) await conforms(t, target, revision, url);
		bridge.signal('SIGTERM');
		await bridge.exits(143);
	});
}
