/* SPDX-License-Identifier: MIT
 * What the picture claims, asked of its data. */

import { ramp, shown } from './run.mjs';

const quiet = 60; /* ms that line and programs may need; what is more was no quiet machine */

/** What is wrong with a run, a line each: it must show a motor that moves until Stop, and stands from `rest` on. */
export function complaints({ outcome, stop, firstStep, lastStep, rest, line, positions }, late = quiet) {
	const end = positions.at(-1)[1];
	const sent = line.filter(([, way]) => way === 'out').map(([, , , method]) => method).filter((method) => method !== 'result');
	return [
		[outcome === 'cancelled', 'the call was cancelled'],
		[firstStep > 0 && firstStep < stop, 'the motor had begun'],
		[positions.filter(([ms]) => ms <= stop).at(-1)[1] > 50, 'the motor had moved'],
		[sent.join() === 'tools/call,notifications/cancelled', 'the line has the call and the cancel'],
		[line.every(([, way, , method]) => way === 'out' || method !== 'result'), 'no answer came'],
		[line.every(([ms, , , method]) => method !== 'notifications/progress' || ms < stop + late), 'no progress came behind the cancel'],
		[rest > stop && rest - stop < ramp + late, 'it was at rest in time'],
		[lastStep <= rest, 'no step was made at rest'],
		[rest < shown - 50 - quiet + late && positions.filter(([ms]) => ms >= rest).every(([, position]) => position === end), 'the position did not grow after the stop'],
		[positions.every(([, position], i) => i === 0 || position >= positions[i - 1][1]), 'the motor turns one way'],
	].filter(([holds]) => !holds).map(([, claim]) => claim);
}
