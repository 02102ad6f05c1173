/* SPDX-License-Identifier: MIT
 * The server that offers something of everything, and where its scenarios are run. */

import { test } from '../common/runner.mjs';

const program = 'tests/common/gallery/gallery';
const places = [['', { program }], [' over a bridge', { program, bridged: true }]];

/** Gives what tests a scenario in each place. `connect(t, tap, options)` makes a session; the body gets it as
 * `open(options)`. What it has opened and not closed is closed behind it. */
export function scenariosOf(client, connect) {
	return (name, body, { bridged = true } = {}) => {
		for (const [place, tap] of bridged ? places : places.slice(0, 1))
			test(`${client} gallery${place}: ${name}`, async (t) => {
				const sessions = [];
				await body(async (options) => sessions[sessions.push(await connect(t, tap, options)) - 1]);
				for (const session of sessions) await session.close();
			});
	};
}
