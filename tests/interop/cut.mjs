/* SPDX-License-Identifier: MIT
 * Stands between a client and a server and cuts what passes into single bytes, both ways.
 *
 *     node cut.mjs PROGRAM [ARGUMENT...] */

import { spawn } from 'node:child_process';

const server = spawn(process.argv[2], process.argv.slice(3), { stdio: ['pipe', 'pipe', 'inherit'] });
const written = (stream, bytes) => new Promise((resolve) => stream.write(bytes, resolve));

async function cut(from, to) {
	for await (const chunk of from)
		for (let i = 0; i < chunk.length; i++) await written(to, chunk.subarray(i, i + 1));
}

server.stdin.on('error', () => {}); /* its exit is what counts */
const heard = cut(server.stdout, process.stdout);
cut(process.stdin, server.stdin).then(() => server.stdin.end());
server.on('exit', async (code) => {
	await heard;
	process.exit(code ?? 1);
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
