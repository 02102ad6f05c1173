/* SPDX-License-Identifier: MIT
 * How much may be on its way to a device unread. A cancel can't overtake what was transmitted before it, so on a slow line
 * requests wait in the bridge, where a cancel takes them away.
 *
 * What a device has read is known when it answers: all that stood before that request, too. In between it is taken to
 * read at the rate of its line. A pipe has no rate: a command that answers at once gets more, as it would wait for the bridge else. */
#ifndef BRIDGE_WINDOW_H
#define BRIDGE_WINDOW_H

#include "quash/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A new request leaves when fewer bytes are unread; on a pipe their number grows up to the second. */
enum { WINDOW_BYTES = 100, WINDOW_MOST = 600, WINDOW_REQUEST = 100, /* about */ WINDOW_ASKED = 256, WINDOW_BAUD = 115200 };

/** The way to one device. Positions count the bytes that were transmitted, and wrap. */
struct window {
	uint32_t rate;    /* of the line, in bits per second */
	uint32_t sent;    /* position of the end */
	uint32_t read;    /* so far it has read, or would have */
	uint32_t since;   /* when that was, in milliseconds */
	uint32_t granted; /* requests that may leave and have not yet */
	uint32_t bytes;   /* fewer are unread when one leaves; */
	uint32_t fitted;  /* that was learned then */
	bool pipe;
	unsigned next;
	struct {
		uint32_t id, end, since;
	} asked[WINDOW_ASKED];
};

/** A new connection. `baud` may be 0: WINDOW_BAUD. `pipe`: to a command. */
void window_begin(struct window *window, uint32_t baud, bool pipe, uint32_t now);

/** So many bytes have been transmitted. */
void window_count(struct window *window, size_t n);

/** They were the end of this message. */
void window_message(struct window *window, const char *text, uint32_t now);

/** The device has answered a request. */
void window_answered(struct window *window, int64_t id, uint32_t now);

/** True if a request may leave now: it is counted as one that does. */
bool window_grant(struct window *window, uint32_t now);

/** Nothing is left that was granted: it has been transmitted, or it was cancelled before. */
void window_settle(struct window *window);

/* --- Signs of life: empty lines for a device that ends what moves when no client is there any more */

struct device;

/** The device has announced what it is: `experimental` may hold the lease. */
void sign_announced(struct device *device, quash_value experimental);

/** True if it wants signs, and a third of its lease has passed since the last one. */
bool sign_is_due(const struct device *device);

/** Milliseconds until one is due. */
uint32_t sign_left(const struct device *device);

/** Transmits one. False: it finds no room yet, or a message is under way, whose bytes are signs enough. */
bool sign_give(struct device *device);

/** The first one of a connection arms the leases of its session: it leaves in front of the first request, which may move
 * something. False: it finds no room yet. */
bool sign_arm(struct device *device);

#endif
