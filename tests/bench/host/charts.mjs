/* SPDX-License-Identifier: MIT
 * Charts of `make bench`, by gnuplot: docs/*.svg. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root } from '../../common/start.mjs';

const folder = join(root, 'build/bench');

/** Draws bars: rows are [name, number, label]. */
export function drawBars(name, unit, rows) {
	const data = join(folder, `${name}.data`);
	writeFileSync(data, rows.map(([what, n, label]) => `"${what}" ${n} "${label}"\n`).join(''));
	const longest = Math.max(...rows.map(([what]) => what.length));
	const settings = `data='${data}'; out='${join(root, 'docs', `${name}.svg`)}'; unit='${unit}'; rows=${rows.length}; left=${longest}`;
	printed('gnuplot', ['-e', settings, join(root, 'tests/bench/host/chart.gp')], { stdio: ['ignore', 'ignore', 2] });
}
