/* SPDX-License-Identifier: MIT
 * The connection: a peer of the library, its device, the loop, and waiting for an answer. */
#ifndef INSPECT_LINK_H
#define INSPECT_LINK_H

#include "host_device.h"
#include "inspect_options.h"
#include "inspect_port.h"
#include "quash/call.h"
#include "quash/json.h"

/* Who receives what a conversation brings. */
struct observer {
	int (*take)(quash_value result); /* takes the result in place of showing it, gives the exit code */
	void (*refused)(const struct inspect_options *options, const quash_call *call); /* is shown what an error answers */
};

struct link {
	quash_peer peer;
	quash_port port;
	quash_config config;
	struct inspect_options *options;
	const struct observer *observer; /* or NULL */
	struct host_device device;
	struct tap tap;
	int exit;            /* the exit code of what went wrong */
	const quash_call *asked; /* the last call that was made */
	bool cancelling;     /* the main request is cancelled */
	int spare;           /* interrupts that do not end us at once: the one that cancels */
	uint32_t progress;   /* notifications of progress so far */
	quash_request *asks; /* waits for a line from stdin, or NULL */
	void (*on_line)(struct link *link, const char *line);
};

/* Opens the device and makes the peer ready. False: why is noted, `exit` holds the code. `link_close` in any
 * case. */
bool link_open(struct link *link, struct inspect_options *options);

/* Transmits what is due, closes the device, and notes what was odd about the device. */
void link_close(struct link *link);

uint32_t link_now(const struct link *link);

/* One round: sleeps until something happens, for at most `ms`, then transmits, receives and steps. */
void link_turn(struct link *link, uint32_t ms);

/* True when nothing will come any more. */
bool link_is_lost(const struct link *link);

/* True once we shall end at once. */
bool link_hurries(const struct link *link);

/* How long an answer may take that nothing else makes sense without: `--timeout`, or a default. */
uint32_t link_patience(const struct link *link);

/* Asks, and waits until that has ended, at most for so long; 0: without a limit. False: an interrupt came first. */
bool link_await(struct link *link, quash_call *call, uint32_t ms);

/* Asks and waits for the result, as something without which nothing else makes sense. False: why is noted and
 * `exit` holds the code. The answer stays until the call is released. */
bool link_ask(struct link *link, quash_call *call);

/* Notes on stderr how a call that has no result has ended. Returns the exit code. */
int link_failure(const struct link *link, const quash_call *call);

/* Sends a notification. `put` puts its params; NULL: `{}`. */
void link_notify(struct link *link, const char *method, quash_call_put *put, const quash_call *call);

/* The link that a handler's request came from. */
struct link *link_of(const quash_request *request);

/* --- The way to an open device: waits for one that another program has locked, and for a connection to be made */

/* Opens it. Signals are caught already; one ends the waiting.
 *
 * @return 0; else the exit code, and why is noted: then it is not open */
int inspect_open_device(struct host_device *device, const struct inspect_options *options);

#endif
