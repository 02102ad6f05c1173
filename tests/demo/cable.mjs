/* SPDX-License-Identifier: MIT
 * A cable to a device that is switched on:  node cable.mjs SOCKET  joins stdin and stdout with it. */

import { connect } from 'node:net';

const socket = connect(process.argv[2]);
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));
process.stdin.pipe(socket).pipe(process.stdout);
