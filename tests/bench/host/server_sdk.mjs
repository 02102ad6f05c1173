/* SPDX-License-Identifier: MIT
 * An MCP server made with the official TypeScript package that is named: @modelcontextprotocol/sdk or .../server. It has the
 * toolbox's tools `echo` and `slow`. */

import { createRequire } from 'node:module';
import { load, pathOf } from '../../common/npm/modules.mjs';

const name = process.argv[2];
const first = name === '@modelcontextprotocol/sdk';
const { McpServer } = load(first ? `${name}/server/mcp.js` : name);
const { StdioServerTransport } = load(first ? `${name}/server/stdio.js` : `${name}/stdio`);
const z = createRequire(pathOf(first ? `${name}/server/mcp.js` : name))('zod/v4');

const server = new McpServer({ name: 'bench', version: '1.0.0' });
/* The second package wants whole schemas where the first one takes their members. */
const schema = (members) => (first ? members : z.object(members));

server.registerTool('echo', { inputSchema: schema({ text: z.string() }), outputSchema: schema({ text: z.string() }) },
	({ text }) => ({ content: [{ type: 'text', text: JSON.stringify({ text }) }], structuredContent: { text } }));

server.registerTool('slow', { inputSchema: schema({ ms: z.number().int().min(0).max(600000) }) }, ({ ms }, context) =>
	new Promise((resolve, reject) => {
		const signal = first ? context.signal : context.mcpReq.signal;
		const timer = setTimeout(() => resolve({ content: [{ type: 'text', text: `slept ${ms}` }] }), ms);
		signal.addEventListener('abort', () => {
			clearTimeout(timer);
			reject(new Error('cancelled'));
		});
	}));

await server.connect(new StdioServerTransport());
