/* SPDX-License-Identifier: MIT
 * Shows messages as they pass: `-> {...}` what we transmit, `<- {...}` what we receive, on stderr. */
#ifndef INSPECT_TRACE_H
#define INSPECT_TRACE_H

#include "quash/dialect.h"

/* One direction. Zero at first. */
struct trace {
	const char *arrow;
	quash_framing framing;
	bool in_body; /* of a message with a header */
	size_t body_left;
	size_t length;   /* of the message or header line so far */
	char text[4096]; /* as much of it as is shown */
};

/* Bytes have passed. */
void trace_bytes(struct trace *trace, const uint8_t *data, size_t n);

#endif
