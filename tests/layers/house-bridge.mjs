/* SPDX-License-Identifier: MIT
 * node house-bridge.mjs
 *
 * What a reader of quash-bridge enters who follows one call of a tool: from a client on TCP, through shell and engine, to a device on a
 * socket, and back, until the bridge rests. It is the second one, when all is known that is learned once. `turns way` plays it. Fails
 * where it enters more files than it may. */

import { basename, dirname } from 'node:path';
import { root } from '../common/program.mjs';
import { closeWith } from '../common/runner.mjs';
import { linesByRoom } from './lines.mjs';
import { bridgeWay } from './way.mjs';

const most = 58;

const { functions, files, switches } = bridgeWay(root);
const rooms = new Map(files.map((path) => [dirname(path), files.filter((one) => dirname(one) === dirname(path))]));
console.log(`a call of a tool through quash-bridge and back: ${functions} functions in ${files.length} files, ${switches} switches of file`);
for (const [room, paths] of rooms) console.log(`  ${room}: ${paths.length}\n    ${paths.map((path) => basename(path)).join(' ')}`);

console.log('\nlines:');
for (const [room, lines] of linesByRoom(root)) console.log(`  ${room}: ${lines}`);

const kept = files.length > 0 && files.length <= most;
if (!kept) console.log(`FAIL a call enters ${files.length} files, and ${most} may be`);
closeWith({ passed: Number(kept), failed: Number(!kept) });
