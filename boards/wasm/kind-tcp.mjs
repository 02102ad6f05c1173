/* SPDX-License-Identifier: MIT */
import { openSocket } from './socket.mjs';

export const kind = {
	name: 'tcp',
	rank: 0,
	open: ({ path, number }, line) => openSocket({ host: path, port: number }, line),
};
