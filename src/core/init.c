/* SPDX-License-Identifier: MIT
 * A peer begins with a config that is looked at. If that is wrong it says what is wrong, or nothing. */
#include "../json/writer.h"
#include "accept.h"
#include "answer.h"
#include "faults.h"
#include "reason_hooks.h"

/* --- The peer that says so */

/* The config is looked at again: no copy is kept. What was wrong may have been set right since. */
static void put_refusal(quash_writer *w, const quash_request *request)
{
	const quash_config *const config = quash_config_of(request->peer);
	quash_fault fault;
	quash_put_string_open(w);
	if (quash_is_config_wrong(config, &fault))
		quash_put_fault_line(w, &fault, config->reasons != NULL ? config->reasons->fault_text(fault.reason) : NULL);
	else
		quash_put_string_part(w, "Internal error", sizeof "Internal error" - 1);
	quash_put_string_close(w);
}

/* In a batch it is one of the members. */
static quash_why refuse_request(quash_peer *peer)
{
	quash_request *slot = quash_received(peer);
	if (!quash_seen(peer, SEEN_ID)) {
		quash_count_up(peer, offsetof(quash_counters, ignored));
		return QUASH_WHYS;
	}
	quash_note(slot, QUASH_RECEIVED);
	if (quash_slot_of_id(peer) != NULL)
		return QUASH_WHY_DUPLICATE_ID;
	quash_request *const claimed = quash_refuse_with(peer, QUASH_INTERNAL_ERROR, QUASH_WHY_CONFIG);
	slot = claimed != NULL ? claimed : slot;
	slot->form = FORM_FAIL_PUT;
	slot->put.value = put_refusal;
	if (claimed != NULL && (peer->batch & BATCH_RECEIVING) != 0)
		quash_slot_mark(slot, MARK_MEMBER);
	return QUASH_WHYS;
}

/* --- The one that says nothing */

/* As its link is gone and its TX has no room, nothing of the config is looked at. No handler is called while one seems to
 * be on the stack. */
static void start_silent(quash_peer *peer)
{
	static const quash_peer fresh = { .last_id = 0 };
	static const quash_config none = { .slot_count = 0 };
	*peer = fresh;
	peer->config = &none;
	peer->first = NO_INDEX;
	peer->reason_of = NO_INDEX;
	peer->refuse = refuse_request;
	peer->link.state = LINK_GONE;
}

/* --- One or the other */

bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault)
{
	quash_fault unread;
	quash_fault *const found = fault != NULL ? fault : &unread;
	if (quash_is_config_mute(config, found)) {
		start_silent(peer);
		return false;
	}
	quash_start_with(peer, config);
	if (!quash_is_config_wrong(config, found))
		return true;
	peer->refuse = refuse_request;
	return false;
}
