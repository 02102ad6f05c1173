/* SPDX-License-Identifier: MIT */
import { openSocket } from './socket.mjs';

export const kind = {
	name: 'unix',
	rank: 0,
	open: ({ path }, line) => openSocket({ path }, line),
};
