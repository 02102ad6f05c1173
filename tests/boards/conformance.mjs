/* SPDX-License-Identifier: MIT
 * Does a new target, or any firmware, do what every target does? Speaks with it over a command's stdin and stdout:
 *
 *     node tests/boards/conformance.mjs [--dialect acp|jsonrpc|lsp|mcp] [--lossy] [OPTION...] -- COMMAND [ARGUMENT...]
 *
 * A toolbox or a testee has all that is asked for. Of other firmware these name what it has, tools or methods:
 *
 *     --echo NAME:MEMBER               gives this text back, as it is in its result
 *     --slow NAME [--slow-args JSON]   takes long, until it is cancelled: it may move something
 *     --reports NAME [--reports-args JSON]   reports before it ends, by progress or other notifications
 *     --timed NAME:MEMBER              takes so many milliseconds
 *     --stats NAME                     its counters, as docs/sizing.md has them
 *
 * Without them it uses tools of MCP that are named echo, slow or sleep, and stats. What needs a method that it has not is
 * counted as not applicable, with the reason.
 *
 * The command is an emulator with its UART on stdio, `make run`, or a bridge to a serial device. `--dialect` is that of
 * a testee (acp by default); a toolbox is recognised. `--lossy`: the line has no flow control, so a flood may lose
 * messages if the device counts that. It needs nothing but node; docs/porting.md explains more. */

import { parseArgs } from 'node:util';
import { test } from '../common/runner.mjs';
import { reasons } from './anybody.mjs';
import { behavioursOf } from './behaviours.mjs';
import { Link } from '../common/link.mjs';
import { meet } from './speakers.mjs';

const usage = 'conformance.mjs [--dialect acp|jsonrpc|lsp|mcp] [--lossy] [--echo NAME:MEMBER] [--slow NAME [--slow-args JSON]] [--reports NAME [--reports-args JSON]] [--timed NAME:MEMBER] [--stats NAME] -- COMMAND [ARGUMENT...]';
const named = ['echo', 'slow', 'slow-args', 'reports', 'reports-args', 'timed', 'stats'];
const dialects = ['acp', 'jsonrpc', 'lsp', 'mcp'];

function options() {
	try {
		const { values, positionals } = parseArgs({
			options: { dialect: { type: 'string', default: 'acp' }, lossy: { type: 'boolean', default: false },
				...Object.fromEntries(named.map((name) => [name, { type: 'string' }])) },
			allowPositionals: true,
		});
		if (positionals.length > 0 && dialects.includes(values.dialect)) return { ...values, command: positionals };
	} catch (error) {
		console.error(error.message);
	}
	console.error(usage);
	process.exit(2);
}

const { command, dialect, lossy, ...given } = options();
const link = new Link(command, dialect);
process.on('exit', () => link.child.kill('SIGTERM'));

try {
	const device = await meet(link, given);
	console.log(`a ${device.name} at the other end of: ${command.join(' ')}`);
	const all = behavioursOf(device, { dialect, lossy }).map(([name, behaviour, needs = []]) => ({ name, behaviour, lacks: needs.find((need) => !device[need]) }));
	for (const { name, lacks } of all.filter((one) => one.lacks)) console.log(`n/a     ${device.name} ${name}: ${reasons[lacks]}`);
	const lacking = all.filter(({ lacks }) => lacks).length;
	if (lacking) console.log(`${lacking} not applicable`);
	for (const { name, behaviour } of all.filter(({ lacks }) => !lacks))
		test(`${device.name} ${name}`, () => {
			link.forget();
			return behaviour(link, device, { lossy });
		});
} catch (error) {
	test('somebody is at the other end', () => { throw error; });
}
