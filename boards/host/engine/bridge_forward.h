/* SPDX-License-Identifier: MIT
 * What passes through: requests and notifications of both sides, and the time that a request may take. */
#ifndef BRIDGE_FORWARD_H
#define BRIDGE_FORWARD_H

#include "bridge_inner.h"

enum {
	LOOK_AGAIN_MS = 20, /* what waits for a device looks so often */
	OTHERS_MS = 1500    /* for those of several devices that are not there at the start */
};

#define FORWARD_STOPPED "stopped by a person at the page" /* whoever waits for a call that a Stop of everything ends reads that */

/** What the bridge knows of a client's request; it stands in its state. */
struct own {
	const quash_route *route; /* NULL: not chosen yet */
	struct device *device;
	uint32_t begun;
	uint32_t limit;           /* ms until its answer should have come; 0: none */
	uint8_t extensions;       /* of that */
	bool passed;              /* its result was looked at */
	bool granted;             /* MCP: it opens the session of its client, the one that has begun so often */
	unsigned begins;
	bool noted;               /* its call is known */
	bool queued;              /* it waits for room on the line, between these of its client: */
	struct own *before, *next;
	quash_request *request;   /* whose state this is, then */
	bool room;                /* it has got it */
	uint32_t started;         /* when */
	bool failed;              /* its result has isError */
	bool told;                /* its end is in the log */
	bool stopped;             /* by a Stop of everything */
	bool waits;               /* for its device to come, and since when */
	uint32_t since;
	uint16_t skip;            /* bytes at the beginning of a name or URI that clients see */
	char *text;               /* a result of the bridge's own, JSON, to be freed */
	char *name;               /* of the tool or prompt at its device, to be freed; or NULL */
};

/** The same of a device's notification. */
struct note {
	uint64_t done[MOST_CLIENTS / 64]; /* one bit for each client */
	unsigned client; /* the number of the one whose request it names; 0: of none */
	uint32_t since;
	bool begun;
	bool delayed; /* by a step */
	bool held;    /* until a client has its session */
};

/** Entries for tables. Of those of clients: what is forwarded, and what the bridge answers itself. `cancelled` and `marks` as in
 * quash_method. */
quash_method forward_request(const char *name, const char *cancelled, uint8_t marks);
quash_method forward_own(const char *name, quash_handler *handler, uint8_t marks);

/** The hook of those of clients, for a hook in its place to call. */
void forward_released(quash_request *request);

quash_handler client_request, client_note, device_request, device_note, device_progress;

/** The route if its device is ready. Else NULL, and what the handler returns: it waits for a device that comes, and one
 * that was lost ends it. */
const quash_route *forward_when_ready(quash_request *request, struct device *device, const quash_route *route,
	int32_t *verdict);

/** What is known of a request that was handed on to a device or a client; NULL for any other. */
const struct own *forward_of(const quash_request *request);

/** Ends the request with a JSON text, which is freed with the request. */
int32_t forward_reply_text(quash_request *request, char *text);
/** The same as an error object. */
int32_t forward_fail_text(quash_request *request, char *text);

/** How many requests of clients that are there wait for that device's answer. */
unsigned forward_live(const struct device *device);

/** True if any does. Cost: clients that have nothing under way are passed over. */
bool forward_waits(const struct device *device);

/** The idle time of what goes on in that session of ACP begins anew. */
void forward_renew_session(struct bridge *bridge, const char *id);

/** True if what a client asks is not to be answered before its session has begun. */
bool forward_is_early(const quash_request *request);

/** True if it has waited for its device so long, or none will come. */
bool forward_has_waited(quash_request *request, uint32_t ms);

/** Wakes what waits for devices, or for a client's session to begin. */
void forward_wake(struct bridge *bridge);

#endif
