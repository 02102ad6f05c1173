/* SPDX-License-Identifier: MIT
 * node run.mjs [some] [others]
 *
 * Official clients and servers, in one run. `some`: each once, as most users have it. `others`: what stands between a client and the
 * bridge, other ways of the same clients, and sizes. Both, if none is named. */

const files = {
	some: ['mcp-sdk', 'mcp-client', 'gallery-sdk', 'gallery-client', 'inspector', 'bridge', 'vscode-jsonrpc', 'inspect', 'acp', 'connect', 'picture', 'readme', 'http'],
	others: ['mcp-client-eras', 'bridge-clients', 'middlemen', 'sizing', 'http-others'],
};

const parts = process.argv.slice(2);
for (const part of parts.length ? parts : Object.keys(files))
	for (const name of files[part]) await import(`./${name}.test.mjs`);
