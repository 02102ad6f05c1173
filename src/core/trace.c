/* SPDX-License-Identifier: MIT */
#include "trace.h"

void quash_count_up(quash_peer *peer, uint8_t at)
{
	quash_count *counter = (quash_count *)(void *)((uint8_t *)&peer->counters + at);
	const quash_count next = (quash_count)(*counter + 1u);
	if (next != 0)
		*counter = next;
}

void quash_raise_mark(quash_peer *peer, uint8_t at, quash_count value)
{
	quash_count *mark = (quash_count *)(void *)((uint8_t *)&peer->counters + at);
	if (*mark < value)
		*mark = value;
}

quash_count quash_mark_arena(quash_peer *peer)
{
	if (peer->live == 0)
		peer->refused = peer->refused_arena = 0;
	const quash_count values = (quash_count)(peer->refused_arena + peer->tape.length + peer->tape.missing);
	quash_raise_mark(peer, offsetof(quash_counters, most_arena), (quash_count)(peer->tape.start + values));
	return values;
}

void quash_trace_event(quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail, quash_why why)
{
	if (peer->config->trace != NULL)
		peer->config->trace(peer, event, slot, detail, why);
}

void quash_note_misuse(quash_peer *peer, const quash_request *slot, int32_t detail, quash_why why)
{
	quash_count_up(peer, why == QUASH_WHY_CHANGED ? offsetof(quash_counters, changed) : offsetof(quash_counters, misuses));
	quash_trace_event(peer, QUASH_MISUSED, slot, detail, why);
}

void quash_note(const quash_request *slot, quash_event event)
{
	int32_t detail = 0;
	uint8_t why = QUASH_WHY_NONE;
	switch (event) {
	case QUASH_FLAGGED: detail = slot->cause; break;
	case QUASH_WRITTEN: detail = slot->code; break;
	case QUASH_RECORDED: detail = slot->code; why = slot->why; break;
	case QUASH_SILENCED:
	case QUASH_DROPPED: why = slot->why; break;
	default: break;
	}
	quash_trace_event(slot->peer, event, slot, detail, (quash_why)why);
}
