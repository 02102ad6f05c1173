/* SPDX-License-Identifier: MIT
 * A peer begins with a config that is looked at. If that is wrong it is silent, or answers with the fault. */
#include "fault_hooks.h"
#include "faults.h"
#include "state.h"

/* Its link is gone and its TX has no room: nothing of what its config names is looked at but counters and trace. No
 * handler is called while one seems to be on the stack. */
static void start_silent(quash_peer *peer, const quash_config *config)
{
	static const quash_peer fresh = { .last_id = 0 };
	*peer = fresh;
	peer->config = config;
	peer->writer.buffer = &peer->first; /* none of it is written */
	peer->first = NO_INDEX;
	peer->reason_of = NO_INDEX;
	peer->link.state = LINK_GONE;
	peer->refused_config = true;
}

bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault)
{
	quash_fault unread;
	quash_fault *const found = fault != NULL ? fault : &unread;
	const enum quash_config_state state = quash_check_config(config, found);
	if (state == CONFIG_RIGHT)
		quash_start_with_(peer, config);
	else if (quash_is_other_config_(config) || config->faults == NULL ||
		!config->faults->begin(peer, config, state, found))
		start_silent(peer, config);
	return state == CONFIG_RIGHT;
}
