/* SPDX-License-Identifier: MIT
 * `node tests/host/records/make.mjs BUILD VERSION [NAME...]`: records what passes between a bridge and devices of a release, whose
 * `make all gallery examples` stands in BUILD. README.md here has when. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '../../common/program.mjs';
import { sleep } from '../../common/waits.mjs';
import { conversations } from './conversations.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const [build, version, ...names] = process.argv.slice(2);

/* What a step is about: a message to say; how many milliseconds nothing is said, or the bridge stands still; whose answer to wait for;
 * which question to answer. */
const steps = {
	say: (bridge, message) => bridge.send({ jsonrpc: '2.0', ...message }),
	pass: (bridge, ms) => sleep(ms),
	async still(bridge, ms) {
		bridge.signal('SIGSTOP');
		await sleep(ms);
		bridge.signal('SIGCONT');
	},
	ends: (bridge, id) => bridge.waits(`the answer to ${id}`, () => bridge.messages.some((message) => message.id === id && !message.method)),
	hears: (bridge, method) => bridge.waits(method, () => bridge.messages.some((message) => message.method === method)),
	async answer(bridge, [method, result]) {
		await steps.hears(bridge, method);
		bridge.send({ jsonrpc: '2.0', id: bridge.messages.findLast((message) => message.method === method).id, result });
	},
};

async function record({ name, device, protocol = 'mcp', said }) {
	const path = join(here, version, name);
	rmSync(path, { force: true });
	const bridge = new Program(join(build, 'quash-bridge'), ['--protocol', protocol, '--record', path, '--', join(build, device)], protocol);
	try {
		for (const step of said)
			for (const [what, value] of Object.entries(step)) await steps[what](bridge, value);
		bridge.end();
		await bridge.exits(0);
	} finally {
		bridge.kill();
	}
	writeFileSync(path, readFileSync(path, 'utf8').replaceAll(join(build, device), device)); /* the folder is nobody's business */
}

for (const conversation of conversations)
	if (names.length === 0 || names.includes(conversation.name)) await record(conversation);
