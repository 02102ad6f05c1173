/* SPDX-License-Identifier: MIT
 * What agent hosts send, at a package's program on stdin and stdout. */

import assert from 'node:assert/strict';
import { asking, refusals } from '../host/hosts-messages.mjs';
import { programs } from '../host/hosts-page.mjs';

/** `words` start a program; every host can call its tool. */
export async function servesHosts(t, [path, ...words], tool, args) {
	assert.deepEqual(await refusals(asking(t, path, words).ask, tool, args), programs.refused);
}
