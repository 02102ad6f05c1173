/* SPDX-License-Identifier: MIT
 * node talk-bridge.mjs [OPTION...] FILE.talk[:LINE]...
 *
 * The player of transcripts of quash-bridge, which stands in WebAssembly with the engine: `make talk-wasm`. */

import { readFileSync, writeSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { imports } from '../../boards/wasm/engine.mjs';
import { root } from '../common/start.mjs';

const memory = new WebAssembly.Memory({ initial: 64, maximum: 32767 });
const host = { print: writeSync, file: (path) => readFileSync(path), isAddress: (text) => isIP(text) !== 0 };
const module = new WebAssembly.Module(readFileSync(join(root, 'build/wasm/tests/talk/talk-bridge.wasm')));
const { exports: x } = new WebAssembly.Instance(module, { shell: imports(memory, host), env: { memory } });

function put(bytes) {
	const at = x.malloc(bytes.length);
	new Uint8Array(memory.buffer, at).set(bytes);
	return at;
}

const words = ['talk-bridge', ...process.argv.slice(2)].map((word) => put(Buffer.from(`${word}\0`)));
x._initialize();
process.exitCode = x.__main_argc_argv(words.length, put(new Uint8Array(Uint32Array.of(...words, 0).buffer)));
x.fflush(0);
