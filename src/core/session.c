/* SPDX-License-Identifier: MIT */
#include "session.h"

#include "answer.h"
#include "call_hooks.h"
#include "decide.h"
#include "due.h"

bool quash_is_running(const quash_peer *peer)
{
	const quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (slot->life == LIFE_RUNNING)
			return true;
	}
	return false;
}

/* A refusal that stands where the next id would is the last client's too. */
static void silence_refusal(quash_peer *peer)
{
	if (peer->in.pause != PAUSE_REFUSAL || quash_received(peer)->answer != ANSWER_RECORDED)
		return;
	quash_silence(quash_received(peer), QUASH_BY_SESSION);
	peer->in.pause = PAUSE_NONE;
}

void quash_new_session(quash_peer *peer)
{
	peer->link.armed = PROMISE_NONE;
	peer->link.noisy = 0;
	peer->reason_of = NO_INDEX;
	peer->out.old = true;
	quash_count_up(peer, offsetof(quash_counters, sessions));
	quash_trace_event(peer, QUASH_NEW_SESSION, NULL, 0, QUASH_WHY_NONE);
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->gone(peer);
	quash_flag_all(peer, QUASH_BY_SESSION);
	silence_refusal(peer);
	if (quash_config_of(peer)->new_session != NULL && !peer->refused_config)
		quash_config_of(peer)->new_session(peer);
}
