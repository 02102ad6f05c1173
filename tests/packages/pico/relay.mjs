/* SPDX-License-Identifier: MIT
 * node relay.mjs SOCKET: opens the port of usb_host.mjs, with its bytes on stdin and stdout; ends when the port is gone. */

import { connect } from 'node:net';

const port = connect(process.argv[2]);
port.on('error', () => process.exit(1)).on('close', () => process.exit(0));
process.stdin.pipe(port);
port.pipe(process.stdout);
