/* SPDX-License-Identifier: MIT
 * What devices say otherwise today than in the records of a release: what stands there, what comes in its place, and why. Each of
 * these is met, and there is no other one. */

import { version } from '../../common/version.mjs';

export const differences = {
	'0.3.0': [
		{ recorded: '"version":"0.3.0"', today: `"version":"${version}"`, why: 'programs of boards/apps have the version of the library' },
	],
};
