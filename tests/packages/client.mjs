/* SPDX-License-Identifier: MIT
 * The official clients, for programs that a package's user has built. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, whyMissing } from '../common/npm/modules.mjs';
import { skip, until } from '../common/runner.mjs';
import { emptyFolder } from './archives.mjs';
import { testWith } from './tools.mjs';

/* These two skip every test of a run that has no client. In their place a client has a name for titles. */
const interop = (name) => (installed ? import(`../interop/${name}.mjs`) : {});
const client = { name: 'an official client' };
export const { autoFlavour = client, legacyFlavour = client, modernFlavour = client, sdkFlavour = client } = await interop('flavours');
export const { Session } = await interop('session');

/** Registers a test, as `test` does, that needs the client and these commands. */
export const clientTestWith = (...tools) => (installed ? testWith(...tools) : (name) => skip(name, whyMissing));

/** The same where the client alone is needed. */
export const clientTest = clientTestWith();

/** The words that start a program, with its standard error in a file; `log()` is what it has printed there. */
export function logged(t, program) {
	const file = join(emptyFolder(t), 'log');
	return { program: ['sh', '-c', 'exec "$0" 2>"$1"', program, file], log: () => readFileSync(file, 'utf8') };
}

/** The first text of a tool's answer. */
export const textOf = ({ content: [{ text }] }) => text;

/** Calls a tool and cancels it when it has reported progress, which is returned. The call gets no answer. */
export async function cancel(session, name, args) {
	const call = await session.start(name, args);
	const progress = await until('progress', () => session.wire.progressOf(call.id)[0]);
	call.cancel();
	assert.ok((await call.outcome).error, 'the client has given up');
	await session.client.ping();
	assert.deepEqual(session.wire.answersTo(call.id), [], 'no answer, as MCP demands');
	return progress;
}
