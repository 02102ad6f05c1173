/* SPDX-License-Identifier: MIT
 * What the faults have shown, as tables in words. */

import { number, table } from '../size/page.mjs';
import { boundOf, violations } from './runs.mjs';

/** The kinds of fault of faults.c, in the order of the tables. */
export const words = {
	'client-killed': 'the client is killed, by one of nine signals',
	'client-leaves': 'the client closes the line and cancels nothing',
	'client-cancels': 'the client cancels',
	'cancel-garbled': 'the client cancels, and the cancel is garbled',
	'client-hangs': 'the client hangs, without a bridge',
	'client-hangs-timeout': 'the client hangs, `--timeout`',
	'client-hangs-idle': 'the client hangs, `--idle-timeout`',
	'client-forgets': 'the client forgets its call, and lives on: from its longest time',
	'client-forgets-mute': 'the same without signs of life',
	'client-floods-killed': 'the client floods the line and is killed',
	'guest-floods': 'a second client floods, the first is killed',
	'session-anew': 'a new client begins, without a bridge',
	'bridge-killed': 'the bridge is killed, by one of five signals',
	'bridge-stopped': 'the bridge gets SIGTERM, SIGINT or SIGHUP',
	'bridge-hangs': 'the bridge hangs (SIGSTOP)',
	'cable-silent': 'the cable falls silent',
	'cable-flood-silent': 'it falls silent in a flood',
	'cable-half': 'it falls silent in the middle of a message',
	'cable-cut': 'it is cut behind one of the first lines',
	'cable-noise': 'noise for ever',
	'cable-reset': 'the line is lost and comes back',
	'blocked-silent': 'nobody reads the device, then silence',
	'blocked-killed': 'nobody reads the device, then the client is killed',
};

const fixed = (ms) => ms.toFixed(1);

/* Of those whose motor had moved and came to rest. */
const restsOf = (lines) => lines.filter(({ outcome }) => outcome === 'kept' || outcome === 'late').map(({ rest }) => rest).sort((a, b) => a - b);
const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** The figures of some lines. `late`: those that were later than the bound because the device had no processor. */
export function figuresOf(lines) {
	const rests = restsOf(lines);
	const late = lines.filter((line) => line.outcome === 'kept' && line.late > 0);
	return { number: lines.length, p50: part(rests, 0.5), p90: part(rests, 0.9), p99: part(rests, 0.99), max: rests.at(-1) ?? 0,
		waited: late.length, longest: Math.max(0, ...late.map((line) => line.late)), violations: violations(lines).length };
}

/** [words, figures] for each kind that was tried. */
const kindsOf = (lines) => Object.entries(words)
	.map(([kind, text]) => [text, lines.filter((line) => line.kind === kind), kind])
	.filter(([, some]) => some.length > 0).map(([text, some, kind]) => [text, figuresOf(some), kind]);

export function tableOf(lines, promise) {
	const row = (text, f, kind) => [text, number(f.number), ...[f.p50, f.p90, f.p99, f.max].map(fixed), boundOf(promise, kind),
		f.waited > 0 ? `${number(f.waited)}, ${fixed(f.longest)}` : '', number(f.violations)];
	return table(['fault', 'faults', 'p50', 'p90', 'p99', 'most', 'bound', 'waited', 'violations'],
		[...kindsOf(lines).map(([text, figures, kind]) => row(text, figures, kind)), row('all', figuresOf(lines))]);
}

/** What the table leaves out. */
export function remarkOf(lines) {
	const count = (wanted) => number(lines.filter(({ outcome }) => outcome === wanted).length);
	return `In ${count('still')} of these runs the fault came before the motor moved, and it never did. In ${count('early')} it was at rest before the fault.`;
}
