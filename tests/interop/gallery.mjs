/* SPDX-License-Identifier: MIT
 * The server that offers something of everything, and where its scenarios are run. */

import { test } from '../common/runner.mjs';

const program = 'tests/common/gallery/gallery';
const places = [['', { program }], [' over a bridge', { program, bridged: true }]];

/** Gives what tests a scenario in each place. `connect(t, tap, options)` makes a session; the body gets it as
 * `open(options)`. */
export function scenariosOf(client, connect) {
	return (name, body, { bridged = true } = {}) => {
		for (const [place, tap] of bridged ? places : places.slice(0, 1))
			test(`${client} gallery${place}: ${name}`, (t) => body((options) => connect(t, tap, options)));
	};
}
