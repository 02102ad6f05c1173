/* SPDX-License-Identifier: MIT
 * How each client under test is made and called. */

import { load } from './modules.mjs';

const info = { name: 'quash-interop', version: '1.0.0' };

function sdk() {
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
	return {
		name: 'sdk 1.32.2',
		modern: false,
		newClient: () => new Client(info),
		newTransport: (server) => new StdioClientTransport(server),
		callTool: (client, params, options) => client.callTool(params, undefined, options),
	};
}

function client(name, mode, modern) {
	const { Client } = load('@modelcontextprotocol/client');
	const { StdioClientTransport } = load('@modelcontextprotocol/client/stdio');
	return {
		name: `client 2.4.0 ${name}`,
		modern,
		newClient: () => new Client(info, { versionNegotiation: { mode } }),
		newTransport: (server) => new StdioClientTransport(server),
		callTool: (instance, params, options) => instance.callTool(params, options),
	};
}

export const sdkFlavour = sdk();
export const legacyFlavour = client('legacy', 'legacy', false);
export const autoFlavour = client('auto', 'auto', true);
export const modernFlavour = client('modern', { pin: '2026-07-28' }, true);

/** The same client, whose server is behind quash-bridge. */
export const behindBridge = (flavour) => ({ ...flavour, name: `${flavour.name} over a bridge`, tap: { bridged: true } });

/** What every request of the 2026-07-28 revision carries. */
export const modernMeta = (version = '2026-07-28') => ({
	'io.modelcontextprotocol/protocolVersion': version,
	'io.modelcontextprotocol/clientInfo': info,
	'io.modelcontextprotocol/clientCapabilities': {},
});

/** Params as this era wants them. */
export const paramsFor = (flavour, params = {}) => (flavour.modern ? { ...params, _meta: modernMeta() } : params);
