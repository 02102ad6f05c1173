/* SPDX-License-Identifier: MIT
 * `make picture`: writes docs/stop.svg. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../common/program.mjs';
import { complaints } from './claims.mjs';
import { draw } from './draw.mjs';
import { record } from './run.mjs';

const data = await record();
const wrong = complaints(data);
if (wrong.length > 0) {
	console.log(`no picture is written, for this must hold and did not: ${wrong.join('; ')}`);
	process.exit(1);
}
writeFileSync(join(root, 'docs/stop.svg'), draw(data));
console.log(`docs/stop.svg: at rest ${Math.round(data.rest - data.stop)} ms after Stop, ${data.positions.at(-1)[1]} steps`);
