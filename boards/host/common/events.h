/* SPDX-License-Identifier: MIT
 * The events of a peer in words, for programs that trace. */
#ifndef HOST_EVENTS_H
#define HOST_EVENTS_H

#include "quash/peer.h"

enum { EVENT_LINE = 256 };

/** Writes a line such as `refused tools/call -32010: the slots are held`, without its end. All of it are words of ours:
 * nothing in it came from the other side. The arguments are those of a quash_trace. */
void event_line(char line[EVENT_LINE], quash_event event, const quash_request *request, int32_t detail,
	quash_why why);

#endif
