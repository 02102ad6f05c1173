/* SPDX-License-Identifier: MIT
 * The request that inspect was started for: it is what Ctrl-C cancels. */
#ifndef INSPECT_CALL_H
#define INSPECT_CALL_H

#include "inspect_link.h"

/* What a protocol knows of the request. Members may be NULL. */
struct conduct {
	/* Cancels it; NULL: with the dialect's cancel. */
	void (*cancel)(struct link *link, quash_call *call);
	/* Shows a result; NULL: as JSON. Returns the exit code. */
	int (*show)(struct link *link, quash_value result);
	/* What is asked to see whether the device has received a cancel that it must not answer; NULL: nothing. */
	const char *probe;
	quash_call_put *put_probe;
	void *probe_context;
};

/* Makes the request `call` (method, put, context), which must stand until the link is closed. Cancels it when that is
 * wanted. Shows its result or notes what became of it. Returns the exit code. */
int run_call(struct link *link, quash_call *call, const struct conduct *conduct);

/* The same with the method and params of the command line. */
int run_method(struct link *link, const struct conduct *conduct);

/* Shows a result that stands for itself, as JSON. Returns the exit code. */
int show_whole(quash_value result);

#endif
