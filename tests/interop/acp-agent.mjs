/* SPDX-License-Identifier: MIT
 * An agent made of the official ACP library:  node acp-agent.mjs PATH_OF_LIBRARY
 * A prompt asks for permission, then counts until its turn is cancelled or 50 is reached. */

import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const acp = await import(process.argv[2]);
const { AGENT_METHODS, CLIENT_METHODS } = acp;
const turns = new Map();

async function prompt({ params: { sessionId }, signal, client }) {
	const turn = new AbortController();
	turns.set(sessionId, turn);
	const { outcome } = await client.request(CLIENT_METHODS.session_request_permission, {
		sessionId,
		toolCall: { toolCallId: 'count', title: 'Count' },
		options: [
			{ optionId: 'go', name: 'Go', kind: 'allow_once' },
			{ optionId: 'stay', name: 'Stay', kind: 'reject_once' },
		],
	}, { cancellationSignal: signal });
	if (outcome.outcome === 'cancelled') return { stopReason: 'cancelled' };
	if (outcome.optionId !== 'go') return { stopReason: 'refusal' };
	for (let n = 1; n <= 50 && !turn.signal.aborted; n++) {
		const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${n} ` } };
		await client.notify(CLIENT_METHODS.session_update, { sessionId, update });
		await sleep(50, undefined, { signal });
	}
	return { stopReason: turn.signal.aborted ? 'cancelled' : 'end_turn' };
}

acp.agent({ name: 'counter' })
	.onRequest(AGENT_METHODS.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
	.onRequest(AGENT_METHODS.session_new, () => ({ sessionId: 'a session' }))
	.onRequest(AGENT_METHODS.session_prompt, prompt)
	.onNotification(AGENT_METHODS.session_cancel, ({ params }) => turns.get(params.sessionId)?.abort())
	.connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
