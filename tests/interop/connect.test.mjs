/* SPDX-License-Identifier: MIT
 * Every block of settings in docs/connect.md works: what it starts is started, with a board on a pseudo terminal, and an
 * official client makes a call and cancels one. Nothing but the path of the program and that of the device is replaced. The
 * board is emulated; without its emulator the host's programs take its place. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { hostProgram, root } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { blocksOfPage, commandIn, device, program } from '../readme/settings.mjs';
import { AcpClient } from './acp-client.mjs';
import { command } from './boards.mjs';
import { Editor, rpc } from './editor.mjs';
import { modernFlavour, sdkFlavour } from './flavours.mjs';

const board = 'lm3s6965evb';
const emulated = existsSync(join(root, 'build', board, 'toolbox.elf'));
const place = emulated ? `on ${board}` : 'on the host';

const speakers = { mcp: 'toolbox', acp: 'agent', lsp: 'langserver' };
const speakerOf = (words) => speakers[words.includes('--protocol') ? words[words.indexOf('--protocol') + 1] : 'mcp'];

/* Plugs the board in, and gives the words of the block with the two paths that are here. */
async function start(t, words) {
	const app = speakerOf(words);
	const { link } = await cable(t, { command: emulated ? command(board, app, { options: [] }) : [hostProgram(app)] });
	const here = new Map([[program, hostProgram('quash-bridge')], [device, link]]);
	assert.ok(words.includes(program) && words.includes(device), 'the paths of the page');
	return words.map((word) => here.get(word) ?? word);
}

/* --- One call with each kind of client */

async function callTools(t, words, flavour) {
	const [path, ...args] = await start(t, words);
	const client = flavour.newClient();
	const transport = flavour.newTransport({ command: path, args, stderr: 'ignore' });
	t.after(() => client.close());
	await client.connect(transport);
	const call = (name, argumentsOf, options) => flavour.callTool(client, { name, arguments: argumentsOf }, options);
	assert.deepEqual((await call('echo', { text: 'ä€😀' })).structuredContent, { text: 'ä€😀' });
	const stop = new AbortController();
	const turn = call('stepper', { steps: 100000 }, { signal: stop.signal, onprogress: () => stop.abort() });
	await assert.rejects(turn);
	await until('the motor to stop', async () => JSON.parse((await call('stats', {})).content[0].text).stepper_stops === 1);
}

async function promptAgent(t, words) {
	const client = await AcpClient.open(t, { command: await start(t, words) });
	const stop = new AbortController();
	const prompt = client.prompt('slow', { cancellationSignal: stop.signal });
	await until('a chunk', () => client.updates.length);
	stop.abort();
	assert.deepEqual(await prompt, { stopReason: 'cancelled' });
	assert.deepEqual(await client.prompt('x'), { stopReason: 'end_turn' });
}

async function askLanguageServer(t, words) {
	const editor = await Editor.open(t, { command: await start(t, words) });
	const stop = new rpc.CancellationTokenSource();
	const slow = editor.ask('test/slow', { ms: 60000, partialResultToken: 1 }, stop.token);
	await until('it runs', () => editor.progressOf(1).length > 0);
	stop.cancel();
	await assert.rejects(slow, { code: -32800 });
	assert.deepEqual(await editor.ask('test/echo', 'a', 'b'), ['a', 'b']);
}

for (const { heading, language, text } of blocksOfPage()) {
	const words = commandIn(language, text);
	const title = (who) => `docs/connect.md, ${heading || 'its block'} (${language}), ${place}: ${who}`;
	switch (speakerOf(words)) {
	case 'toolbox':
		for (const flavour of [sdkFlavour, modernFlavour]) test(title(flavour.name), (t) => callTools(t, words, flavour));
		break;
	case 'agent':
		test(title('the official ACP client'), (t) => promptAgent(t, words));
		break;
	default:
		test(title('vscode-jsonrpc'), (t) => askLanguageServer(t, words));
	}
}
