/* SPDX-License-Identifier: MIT
 * The boards that have an emulator, and how their programs are started, whole and at the pace of the wire. */

import { readdirSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram, root } from '../common/program.mjs';

const wordsOf = (board, variable) =>
	new RegExp(`^${variable} = (.*)$`, 'm').exec(readFileSync(join(root, 'boards', board, 'board.mk'), 'utf8'))?.[1].split(' ');

const emulatorOf = (board) => wordsOf(board, 'EMULATOR');

/** Says whether a program fits into a board. */
export const has = (board, program) => wordsOf(board, 'PROGRAMS').includes(program);

/** Those of the environment variable BOARDS, or all. */
export const boards = process.env.BOARDS?.trim().split(/\s+/) ?? readdirSync(join(root, 'boards'))
	.filter((name) => existsSync(join(root, 'boards', name, 'board.mk')) && emulatorOf(name));

/** Those of the environment variable MODES, or all. On the wire each byte takes its time, both ways. */
export const modes = [
	{ mode: 'whole', name: '', options: [] },
	{ mode: 'wire', name: ', byte by byte', options: ['--baud', '115200'] },
].filter(({ mode }) => process.env.MODES?.split(' ').includes(mode) ?? true);

/** What `make run` does, without the make; of what was made in another folder than build. */
export function command(board, program, { options, build = 'build' }) {
	const words = emulatorOf(board).map((word) => (word.startsWith('boards/') ? join(root, word) : word));
	return [hostProgram('emulate'), ...options, ...words, join(root, build, board, `${program}.elf`)];
}
