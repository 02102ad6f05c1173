/* SPDX-License-Identifier: MIT
 * run.mjs [WORD...]: `make wine`. Tries the package of npm on Windows, as Wine has it, and writes the table of docs/desks.md if all has
 * passed. With words those cases alone whose names have one of them, and nothing is written. build/log/wine keeps what was said in each. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from '../common/npm/modules.mjs';
import { test } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';
import { number, table, writePlace } from '../size/page.mjs';
import { cases, known, packageOf, ports } from './cases.mjs';
import { endAll, nodeVersion, prepare, version } from './wine.mjs';

const only = process.argv.slice(2);
const chosen = Object.entries(cases).filter(([name]) => !only.length || only.some((word) => name.includes(word)));
const logs = join(root, 'build/log/wine');
const rows = [];

function keepLog(t, name) {
	writeFileSync(join(logs, `${name.replaceAll(/\W+/g, '-')}.txt`), t.explain?.() ?? '');
}

function whereOf() {
	const client = manifestOf('@modelcontextprotocol/sdk'), { version: ours, optionalDependencies: addons } = packageOf();
	const day = new Date().toISOString().slice(0, 10), commit = printed('git', ['rev-parse', '--short=12', 'HEAD']).trim();
	const addon = Object.entries(addons).map(([name, its]) => `\`${name}\` ${its}`).join(', ');
	return `\`make wine\` on ${day}, commit ${commit}: quash-bridge ${ours} of npm with ${addon}; ${version()}, `
		+ `Node ${nodeVersion} for Windows, the client of \`${client.name}\` ${client.version}.`;
}

mkdirSync(logs, { recursive: true });
prepare(ports, known);
for (const [name, body] of chosen) {
	test(name, async (t) => {
		t.after(endAll);
		t.after(() => keepLog(t, name));
		const { words, ms } = await body(t);
		rows.push([name, words, ms === undefined ? '' : number(Math.round(ms))]);
		console.log(`        ${words}`);
	});
}
if (!only.length) {
	test('docs/desks.md has a row of each', () => {
		if (rows.length < chosen.length) throw new Error('not all have passed');
		writePlace('docs/desks.md', 'wine', `${whereOf()}\n\n${table(['what happens', 'what was seen', 'ms'], rows, [2])}`);
	});
}
