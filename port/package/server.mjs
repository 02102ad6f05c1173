/* SPDX-License-Identifier: MIT
 * server.mjs FOLDER BUNDLE: writes FOLDER/server.json, what the registry of MCP servers is told of this version. BUNDLE is the file of the
 * release that hosts install by a click.
 *
 * The one name of the server stands in port/package/mcp-name, and the package of npm has it from there: whoever publishes proves that it
 * is theirs. The registry takes bundles from releases of GitHub and GitLab alone, so its owner tells the address too. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The name, and whether its owner is still to be written. */
export const serverName = () => readFileSync(join(here, 'mcp-name'), 'utf8').trim();
export const isPlaceholder = (name) => name.includes('/OWNER/') || name.includes('.OWNER/');

/* `io.github.OWNER/...` has its releases there. */
function addressOf(name, version, file) {
	const [, site, owner] = /^io\.(github|gitlab)\.([^/]+)\//.exec(name) ?? [];
	if (!owner) throw new Error(`port/package/mcp-name: ${name} does not begin with io.github.OWNER/`);
	return `https://${site}.com/${owner}/quash/releases/download/v${version}/${file}`;
}

/** The text of server.json. `file` is the name of the bundle, `bundle` its bytes. */
export function serverText({ version, file, bundle, name = serverName() }) {
	const values = { MCP_NAME: name, VERSION: version, BUNDLE: addressOf(name, version, file), SHA256: createHash('sha256').update(bundle).digest('hex') };
	return readFileSync(join(here, 'server.json'), 'utf8').replace(/@([A-Z0-9_]+)@/g, (_, key) => values[key]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [folder, path] = process.argv.slice(2), version = execFileSync('sh', [join(here, 'version.sh')], { encoding: 'utf8' }).trim();
	writeFileSync(join(folder, 'server.json'), serverText({ version, file: basename(path), bundle: readFileSync(path) }));
	if (isPlaceholder(serverName())) console.error(`server.json: write its owner into port/package/mcp-name before it is published: ${serverName()}`);
}
