/* SPDX-License-Identifier: MIT
 * A protocol as inspect speaks it. */
#ifndef INSPECT_PROTOCOL_H
#define INSPECT_PROTOCOL_H

#include "inspect_link.h"
#include "span.h"

struct inspect_protocol {
	const char *name;
	const quash_dialect *dialect;
	const quash_method *methods; /* what the device may send us */
	uint8_t method_count;
	bool shows_notes; /* and all other notifications of it are noted as they come */
	/* Speaks from the greeting to the farewell. Returns the exit code. */
	int (*converse)(struct link *link);
	/* The greeting. False: why is noted, `exit` of the link holds the code. */
	bool (*greet)(struct link *link);
	/* The farewell; NULL: there is none. Returns the exit code. */
	int (*leave)(struct link *link, int code);
};

extern const struct inspect_protocol inspect_mcp, inspect_acp, inspect_lsp, inspect_jsonrpc;

/* The one with this name, or NULL. */
const struct inspect_protocol *inspect_protocol_named(struct span name);

#endif
