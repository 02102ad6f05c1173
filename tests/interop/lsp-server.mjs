/* SPDX-License-Identifier: MIT
 * A language server made of vscode-jsonrpc:  node lsp-server.mjs PATH_OF_LIBRARY
 * `test/count` counts in $/progress until it is cancelled. */

import { createRequire } from 'node:module';

const rpc = createRequire(import.meta.url)(process.argv[2]);
const connection = rpc.createMessageConnection(process.stdin, process.stdout);
let code = 1;

connection.onRequest('initialize', () => ({ capabilities: {}, serverInfo: { name: 'counter' } }));
connection.onRequest('shutdown', () => { code = 0; return null; });
connection.onNotification('exit', () => process.exit(code));
connection.onRequest('test/echo', (...params) => params.slice(0, -1));
connection.onRequest('test/count', ({ token }, cancellation) => new Promise((resolve) => {
	let n = 0;
	const timer = setInterval(() => connection.sendNotification('$/progress', { token, value: ++n }), 20);
	cancellation.onCancellationRequested(() => {
		clearInterval(timer);
		resolve(new rpc.ResponseError(-32800, `cancelled at ${n}`));
	});
}));
connection.listen();
