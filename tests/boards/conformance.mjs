/* SPDX-License-Identifier: MIT
 * Does a new target do what every target does? Speaks with a toolbox or a testee over a command's stdin and stdout:
 *
 *     node tests/boards/conformance.mjs [--dialect acp|jsonrpc|lsp|mcp] [--lossy] -- COMMAND [ARGUMENT...]
 *
 * The command is an emulator with its UART on stdio, `make run`, or a bridge to a serial device. `--dialect` is that of
 * a testee (acp by default); a toolbox is recognised. `--lossy`: the line has no flow control, so a flood may lose
 * messages if the device counts that. It needs nothing but node; docs/porting.md explains more. */

import { parseArgs } from 'node:util';
import { test } from '../common/runner.mjs';
import { behavioursOf } from './behaviours.mjs';
import { Link } from '../common/link.mjs';
import { meet } from './speakers.mjs';

const usage = 'conformance.mjs [--dialect acp|jsonrpc|lsp|mcp] [--lossy] -- COMMAND [ARGUMENT...]';
const dialects = ['acp', 'jsonrpc', 'lsp', 'mcp'];

function options() {
	try {
		const { values, positionals } = parseArgs({
			options: { dialect: { type: 'string', default: 'acp' }, lossy: { type: 'boolean', default: false } },
			allowPositionals: true,
		});
		if (positionals.length > 0 && dialects.includes(values.dialect)) return { ...values, command: positionals };
	} catch (error) {
		console.error(error.message);
	}
	console.error(usage);
	process.exit(2);
}

const { command, dialect, lossy } = options();
const link = new Link(command, dialect);
process.on('exit', () => link.child.kill('SIGTERM'));

try {
	const device = await meet(link);
	console.log(`a ${device.name} at the other end of: ${command.join(' ')}`);
	for (const [name, behaviour] of behavioursOf(device, { dialect, lossy }))
		test(`${device.name} ${name}`, () => {
			link.forget();
			return behaviour(link, device, { lossy });
		});
} catch (error) {
	test('somebody is at the other end', () => { throw error; });
}
