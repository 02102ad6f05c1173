/* SPDX-License-Identifier: MIT
 * The outcomes of `make hosts` as tables in words. */

import { number, table } from '../size/page.mjs';
import { cancels } from './acp.mjs';
import { faults, longest, ways } from './cases.mjs';

const rounded = (ms) => number(Math.round(ms));
const failed = ({ failure }) => `**failed**: ${failure}`;
const motorOf = (outcome) => (outcome.failure ? [failed(outcome), ''] : [outcome.cause, rounded(outcome.ms)]);
const turnedOf = (outcomes) => rounded(Math.max(0, ...outcomes.flatMap(({ cases }) => Object.values(cases)).map(({ turned }) => turned ?? 0)));
const bound = (outcomes) => `The motor never turned for longer than ${turnedOf(outcomes)} ms; its longest time is ${number(longest)} ms.`;
const nameOf = ({ host, version }) => `${host.name} ${version}`;

/** A case in a line. */
export const inWords = (outcome) => (outcome.failure ? failed(outcome)
	: [outcome.answer && `answered ${outcome.answer}`, outcome.cause, `${rounded(outcome.ms)} ms`].filter(Boolean).join(', '));

const happenings = { stop: 'Stop', end: 'it is ended', kill: 'its first process is killed', killAll: 'all of its processes are killed' };

const rowsOf = (outcome) => Object.keys(faults).map((fault, i) => [i === 0 ? nameOf(outcome) : '', happenings[fault],
	...Object.keys(ways).flatMap((way) => motorOf(outcome.cases[`${way} ${fault}`]))]);

/** Of the hosts: what ended a motion in each case. */
export function hostsPage(outcomes, where) {
	const hiding = outcomes.filter(({ cases }) => Object.values(cases).some(({ hidden }) => hidden)).map(({ host }) => host.name);
	return [where, table(['agent host', 'what happens', 'on stdin and stdout', 'ms', 'through `quash-bridge`', 'ms'], outcomes.flatMap(rowsOf), [3, 5]),
		`${bound(outcomes)} Tools are behind a search in: ${hiding.join(', ') || 'none'}.`].join('\n\n');
}

const answered = (outcome) => (outcome.failure ? [failed(outcome), '', ''] : [outcome.answer, ...motorOf(outcome)]);

/** Of the agents: what a prompt was answered that was cancelled, and what ended its motion. */
export function agentsPage(outcomes, where) {
	const heads = Object.values(cancels).flatMap((cancel) => [cancel, 'motor', 'ms']);
	return [where, table(['ACP agent', ...heads], outcomes.map((outcome) => [nameOf(outcome), ...Object.keys(cancels).flatMap((by) => answered(outcome.cases[by]))]), [3, 6]),
		bound(outcomes)].join('\n\n');
}
