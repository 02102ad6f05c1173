/* SPDX-License-Identifier: MIT */
#include "../../include/quash/why.h"

#include "../json/c_text.h"

/* One after the other, as those of faults. */
static const char why_texts[] = "\0"
	"it is no JSON\0"
	"it is no JSON-RPC message\0"
	"its id cannot be used\0"
	"a live request has the same id\0"
	"nobody serves the method\0"
	"it is nested too deep\0"
	"it is larger than the arena\0"
	"the arena is held by requests that have not ended\0"
	"the slots are held by requests that have not ended\0"
	"another batch is under way, or it has too many members\0"
	"another call holds the group\0"
	"the other side cancelled it\0"
	"it was cancelled here\0"
	"the link is gone\0"
	"a new client began a session\0"
	"the handler ended without an answer\0"
	"the handler returned a code that is no error\0"
	"the handler answered a second time\0"
	"a put function wrote no JSON\0"
	"a put function nested too deep\0"
	"a put function put something else the second time\0"
	"the config's state_size is too small\0"
	"TX had no room\0"
	"it is longer than TX\0"
	"an answer waits for TX\0"
	"the handler answered with an error\0"
	"it holds another group already\0"
	"the config names no calls\0"
	"the config is wrong\0"
	"the values of a text find no room\0";

const char *quash_why_text(quash_why why)
{
	return quash_text_at(why_texts, (unsigned)why < QUASH_WHYS ? (unsigned)why : 0);
}
