/* SPDX-License-Identifier: MIT
 * A host that forgets its call, and one that misspells arguments, at emulated boards whose motor has a short longest time. */

import { forgets, misspells, ways } from '../host/forgetful.mjs';
import { test } from '../common/runner.mjs';
import { make } from '../common/start.mjs';
import { boards, command } from '../interop/boards.mjs';

const LONGEST = 400;
const build = 'build/forgetful';

for (const board of boards) {
	const flags = `-Os -DTOOLBOX_LONGEST=${LONGEST}`;
	make(`BOARD=${board}`, `BUILD=${build}`, `CFLAGS=${flags}`, `${build}/${board}/toolbox.elf`);
	const words = command(board, 'toolbox', { options: [], build });
	for (const [way, through] of Object.entries(ways)) {
		test(`a host that never cancels, at ${board} ${way}: at rest after the longest time`, (t) => forgets(t, through(words), LONGEST));
	}
	test(`unknown arguments at ${board}: nothing moves`, (t) => misspells(t, words));
}
