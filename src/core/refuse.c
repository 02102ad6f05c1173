/* SPDX-License-Identifier: MIT
 * A peer whose config was refused answers each request with what is wrong. */
#include "../json/c_text.h"
#include "../json/rom.h"
#include "../json/writer.h"
#include "accept.h"
#include "answer.h"
#include "checked.h"
#include "fault_hooks.h"
#include "faults.h"

/* --- Why, where only the config tells */

static quash_fault_reason reason_of_dialect(const quash_dialect *d)
{
	if (d == NULL)
		return QUASH_FAULT_MISSING;
	if (d->cancel_id == NULL)
		return QUASH_FAULT_CANCEL_ID;
	if (d->own_code >= 0 || d->other_code > 0)
		return QUASH_FAULT_CODES;
	return d->batch != NULL && d->framing != QUASH_LINES ? QUASH_FAULT_BATCH : QUASH_FAULT_CANCELS;
}

/* The name of a method that no other has is too long for any word, or the dialect's own. */
static quash_fault_reason reason_of_method_name(const quash_config *config, const quash_fault *fault)
{
	if (quash_is_listed(fault->name, config->methods, sizeof *config->methods, (uint8_t)fault->index))
		return QUASH_FAULT_TWICE;
	return quash_text_length(fault->name) + QUASH_LEX_ROOM > UINT8_MAX ? QUASH_FAULT_LONG : QUASH_FAULT_TAKEN;
}

/* The size is askew, or else the address. */
static void explain_state_size(const quash_config *config, quash_fault *fault)
{
	const uint32_t more = config->state_size % QUASH_STATE_ALIGNMENT;
	fault->reason = QUASH_FAULT_ASKEW;
	if (more > 0) {
		fault->needs = config->state_size - more + QUASH_STATE_ALIGNMENT;
		return;
	}
	fault->member = "states";
	fault->is = fault->needs = 0;
}

/* A check of the program's own may have stored why. */
static void explain(const quash_config *config, enum quash_config_state state, quash_fault *fault)
{
	const bool methods = quash_same_text(fault->table, "methods");
	if (fault->reason != QUASH_FAULT_NONE)
		return;
	fault->reason = quash_fault_reason_of(fault);
	if (state == CONFIG_UNUSABLE && quash_same_text(fault->member, "dialect"))
		fault->reason = reason_of_dialect(config->dialect);
	else if (quash_same_text(fault->member, "state_size") && quash_are_states_askew(config))
		explain_state_size(config, fault);
	else if (methods && fault->name != NULL && fault->reason == QUASH_FAULT_TWICE)
		fault->reason = reason_of_method_name(config, fault);
	else if (methods && quash_same_text(fault->member, "data") && config->methods[fault->index].data != NULL)
		fault->reason = QUASH_FAULT_OTHER;
}

/* --- The answer */

/* The config is looked at again: no copy is kept. What was wrong may have been set right since. */
static void put_refusal(quash_writer *w, const quash_request *request)
{
	const quash_config *const config = quash_config_of(request->peer);
	quash_fault fault;
	const enum quash_config_state state = quash_check_config(config, &fault);
	quash_put_string_open(w);
	if (state != CONFIG_RIGHT) {
		explain(config, state, &fault);
		quash_put_fault_line(w, &fault);
	} else {
		quash_put_string_part(w, "Internal error", sizeof "Internal error" - 1);
	}
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
	quash_checked_record(slot);
	if (claimed != NULL && (peer->batch & BATCH_RECEIVING) != 0)
		quash_slot_mark(slot, MARK_MEMBER);
	return QUASH_WHYS;
}

/* --- Its begin */

static bool begin(quash_peer *peer, const quash_config *config, enum quash_config_state state, quash_fault *fault)
{
	explain(config, state, fault);
	if (state == CONFIG_UNUSABLE && !quash_same_text(fault->member, "methods") &&
		!quash_same_text(fault->member, "method_count"))
		return false;
	quash_start_with_(peer, config);
	peer->refused_config = true;
	return true;
}

const struct quash_fault_code quash_faults = { begin, refuse_request };
