/* SPDX-License-Identifier: MIT
 * Stands between a client and a server and records what passes, line by line, untouched.
 *
 *     node tap.mjs LOG [--glue TEXT] PROGRAM [ARGUMENT...]
 *
 * With --glue the first line of the client that contains TEXT is held back until the next one has come; the two
 * then reach the server in a single write. Records are JSON lines, each with the pid of its tap:
 * `server` (the program's pid), `sent` and `heard` (a line, with the time), `rest` (an unfinished line of
 * the server at its end), `endOfInput`, `exit`. */

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log, ...words] = process.argv.slice(2);
let glueTo = words[0] === '--glue' ? words.splice(0, 2)[1] : null;
const server = spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });

function record(entry) {
	appendFileSync(log, JSON.stringify({ tap: process.pid, at: Date.now(), ...entry }) + '\n');
}

/** Calls `whole` with each complete line; gives what is left over when asked. */
function lineReader(stream, whole) {
	let open = '';
	stream.setEncoding('utf8').on('data', (text) => {
		const lines = (open + text).split('\n');
		open = lines.pop();
		lines.forEach(whole);
	});
	return () => open;
}

let held = '';

function fromClient(line) {
	record({ sent: line });
	if (glueTo && line.includes(glueTo)) {
		held = line + '\n';
		glueTo = null;
		return;
	}
	server.stdin.write(held + line + '\n');
	held = '';
}

function fromServer(line) {
	record({ heard: line });
	process.stdout.write(line + '\n');
}

record({ server: server.pid });
lineReader(process.stdin, fromClient);
const unfinished = lineReader(server.stdout, fromServer);

let ended = false;

process.stdin.on('end', () => {
	ended = true;
	record({ endOfInput: true });
	server.stdin.end(held);
});
server.stdin.on('error', () => {}); /* its exit is recorded */
server.on('close', (code, signal) => {
	record({ rest: unfinished() });
	record({ exit: { code, signal } });
	process.exit(code ?? 1);
});

/* Clients give a server 2 s to end by itself after its input, and 2 s more before they kill. A slow machine needs most of both. */
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => setTimeout(() => server.kill(signal), ended ? 1700 : 0));
