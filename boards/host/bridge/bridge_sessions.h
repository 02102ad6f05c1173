/* SPDX-License-Identifier: MIT
 * Whose a session of ACP is, where several clients may name one. It belongs to the client whose request for it the agent has
 * answered with a result, as long as that client is there; while a request for one that is nobody's is under way, to the
 * client that has made it. */
#ifndef BRIDGE_SESSIONS_H
#define BRIDGE_SESSIONS_H

#include "bridge.h"

/** What a client may do with the sessions that a message of its names. */
enum session_right {
	SESSION_MAY,       /* they are its own, or nobody's */
	SESSION_WAITS,     /* one is of a client that is leaving, and what that has asked has not ended */
	SESSION_OF_ANOTHER /* one is of another client that is there */
};

enum session_right session_right(const quash_request *request);

/** The agent has answered the request with this result. A client has MOST_TEXTS sessions at most: beyond that the one that
 * had no such result for longest is nobody's. */
void session_answered(quash_request *request, quash_value result);

/** True if what the agent says of that session is for this client, which is there. */
bool session_is_of(const struct client *client, const char *id);

#endif
