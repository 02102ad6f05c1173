/* SPDX-License-Identifier: MIT
 * What docs/hosts.md has about lengths, and about devices that are too small for a host. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';

const text = readFileSync(join(root, 'docs/hosts.md'), 'utf8');
const cells = (row) => row.split('|').slice(1, -1).map((cell) => cell.trim());
const number = (cell) => Number(cell.replace(',', ''));

/* The rows of the table that has this cell first. */
function rowsOf(first) {
	const [, rows] = text.split(`\n| ${first} |`)[1].match(/^[^\n]*\n\|[-:|]+\|\n((?:\|[^\n]*\n)+)/);
	return rows.trim().split('\n').map(cells);
}

/** Lengths by host and era: its call, of that `_meta`, then in the arena all params of its first request, what is kept of them,
 * and the same of its call. */
export const lengths = rowsOf('host').map(([host, , revision, ...figures]) =>
	({ host, era: revision === '2026-07-28' ? 'modern' : 'legacy', figures: figures.map(number) }));

const devices = rowsOf('device').map(([device, arena, none]) => ({ device, arena: number(arena), refused: none === 'none' ? [] : none.split(', ') }));

/** The toolbox of a board, or of `host`: its arena, and the names of the hosts that cannot call its tools. */
export const toolboxOf = (board) =>
	devices.find(({ device }) => device.startsWith('`toolbox` on ') && device.slice('`toolbox` on '.length).split(', ').includes(board));

/** The same of the Arduino sketch that is smaller than all others, and of all other programs. */
export const oneTool = devices.find(({ device }) => device.startsWith('`OneTool`'));
export const programs = devices[0];
/** What packages set where nothing else is chosen. */
export const defaults = devices.find(({ device }) => device.startsWith('defaults'));
