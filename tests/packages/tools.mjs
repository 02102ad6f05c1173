/* SPDX-License-Identifier: MIT
 * Tests that need a tool which may be missing: they are skipped then, and the reason is printed. */

import { skip, test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';

/** Debian's Python, for Debian's packages of it. */
export const python = '/usr/bin/python3';

/** A module of Python, as a tool. */
export const pythonModule = (name) => ({ name, command: python, args: ['-c', `import ${name}`] });

const works = ({ command, args }) => told(command, args).status === 0;
const asTool = (tool) => (typeof tool === 'string' ? { name: tool, command: tool, args: ['--version'] } : tool);

/** Registers a test, as `test` does, that runs these tools: names of commands, or what pythonModule gives. */
export function testWith(...tools) {
	const missing = tools.map(asTool).filter((tool) => !works(tool)).map(({ name }) => name);
	return missing.length === 0 ? test : (name) => skip(name, `${missing.join(', ')}: missing`);
}
