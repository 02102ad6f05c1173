/* SPDX-License-Identifier: MIT */
#include "../../include/quash/objects.h"

const char *quash_event_text(quash_event event)
{
	static const char *const texts[QUASH_EVENTS] = {
		"received", "kept", "parked", "started", "flagged", "recorded", "written", "silenced", "refused", "freed",
		"late cancel", "dropped", "misused", "new session"
	};
	return (unsigned)event < QUASH_EVENTS ? texts[event] : "";
}
