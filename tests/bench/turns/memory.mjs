/* SPDX-License-Identifier: MIT
 * node memory.mjs
 *
 * The memory that quash-bridge takes of the system for its clients. By itself it fails where that is more than it may be. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { connectTo, greet } from '../../common/client.mjs';
import { HttpClient } from '../../common/http-client.mjs';
import { memoryOf } from '../../common/process.mjs';
import { Program, hostProgram } from '../../common/program.mjs';
import { closeWith } from '../../common/runner.mjs';

const limits = { one: 64, addresses: 160 };
const [bridge, toolbox] = ['quash-bridge', 'toolbox'].map(hostProgram);

const addressesOf = (pid) => Number(/^VmSize:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);

async function echoesOnce(one) {
	await one.result('tools/call', { name: 'echo', arguments: { text: 'hello, world' } });
}

const [lines, sessions] = [64, 256];

/** Of a bridge that has as many clients as there may be, each with a session: kB of one more client on a line, which has had a call, and MB of
 * all. */
export async function memory() {
	const ends = [];
	const t = { after: (end) => ends.unshift(end) };
	const program = Program.start(t, bridge, ['--clients', `${lines}`, '--listen-tcp', '0', '--listen-http', '0', '--', toolbox]);
	const ports = await program.waits('two doors', () => {
		const found = [...program.stderr.matchAll(/listening on [^\n]*:(\d+)/g)].map(([, port]) => Number(port));
		return found.length === 2 && found;
	});
	const sizes = [];
	for (let i = 0; i < lines; i++) {
		const one = await connectTo(t, ports[0]);
		await greet(one);
		await echoesOnce(one);
		sizes.push(memoryOf(program.pid));
	}
	for (let i = 0; i < sessions; i++) {
		const one = new HttpClient(t, ports[1]);
		await one.greet();
	}
	const figures = { clients: lines + sessions, one: (sizes[lines - 1] - sizes[0]) / (lines - 1), addresses: addressesOf(program.pid) / 1024, resident: memoryOf(program.pid) / 1024 };
	for (const end of ends) await end();
	return figures;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
	const { clients, one, addresses } = await memory();
	const kept = [[one <= limits.one, `one more client takes ${one.toFixed(1)} kB, at most ${limits.one}`],
		[addresses <= limits.addresses, `${clients} clients take ${addresses.toFixed(1)} MB of addresses, at most ${limits.addresses}`]];
	for (const [holds, sentence] of kept) console.log(`${holds ? 'ok     ' : 'FAILED:'} ${sentence}`);
	closeWith({ passed: kept.filter(([holds]) => holds).length, failed: kept.filter(([holds]) => !holds).length });
}
