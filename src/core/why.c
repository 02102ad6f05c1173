/* SPDX-License-Identifier: MIT */
#include "../../include/quash/why.h"

const char *quash_why_text(quash_why why)
{
	static const char *const texts[QUASH_WHYS] = {
		"",
		"it is no JSON",
		"it is no JSON-RPC message",
		"its id cannot be used",
		"a live request has the same id",
		"nobody serves the method",
		"it is nested too deep",
		"it is larger than the arena",
		"the arena is held by requests that have not ended",
		"the slots are held by requests that have not ended",
		"another batch is under way, or it has too many members",
		"another call holds the group",
		"the other side cancelled it",
		"it was cancelled here",
		"the link is gone",
		"a new client began a session",
		"the handler ended without an answer",
		"the handler returned a code that is no error",
		"the handler answered a second time",
		"a put function wrote no JSON",
		"a put function nested too deep",
		"a put function put something else the second time",
		"the config's state_size is too small",
		"TX had no room",
		"it is longer than TX",
		"an answer waits for TX",
		"the handler answered with an error",
		"it holds another group already",
		"the config names no calls",
	};
	return (unsigned)why < QUASH_WHYS ? texts[why] : "";
}
