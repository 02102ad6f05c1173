/* SPDX-License-Identifier: MIT
 * What a message is that a client has sent over HTTP. A peer judges it in the same way; but it answers without an id what has none that can
 * be used, and the response of HTTP must be found for that. */
#ifndef BRIDGE_HTTP_MESSAGE_H
#define BRIDGE_HTTP_MESSAGE_H

#include "span.h"

enum message_kind {
	MESSAGE_REQUEST, /* with an id that can be used */
	MESSAGE_NOTE,
	MESSAGE_ANSWER,
	MESSAGE_WRONG /* it is answered -32600, with its id if that can be used */
};

struct message {
	enum message_kind kind;
	struct span text, method, id, params; /* those that it has; `id` only if it can be used and stands once */
};

/** Reads one, which is JSON. */
struct message message_read(struct span text);

/** The id as it is answered and compared: minus 0 is 0. */
struct span message_plain_id(struct span id);

#endif
