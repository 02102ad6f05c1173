/* SPDX-License-Identifier: MIT
 * A peer begins with a config that is looked at. If that is wrong it is silent, or answers with the fault. */
#include "fault_hooks.h"
#include "faults.h"
#include "state.h"

/* As its link is gone and its TX has no room, nothing of a config is looked at. No handler is called while one seems to
 * be on the stack. */
static void start_silent(quash_peer *peer)
{
	static const quash_peer fresh = { .last_id = 0 };
	static const uint8_t nowhere = 0;
	static const quash_config none = { .tx = (uint8_t *)&nowhere };
	*peer = fresh;
	peer->config = &none;
	peer->writer.buffer = none.tx;
	peer->first = NO_INDEX;
	peer->reason_of = NO_INDEX;
	peer->link.state = LINK_GONE;
}

static bool can_answer(const quash_config *config, quash_fault *fault)
{
	return config != NULL && !quash_is_other_config(config) && config->faults != NULL && config->faults->explain(config, fault);
}

bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault)
{
	quash_fault unread;
	quash_fault *const found = fault != NULL ? fault : &unread;
	const bool wrong = quash_is_config_wrong(config, found);
	if (wrong && !can_answer(config, found)) {
		start_silent(peer);
		return false;
	}
	quash_start_with(peer, config);
	if (wrong)
		peer->refuse = config->faults->refuse;
	return !wrong;
}
