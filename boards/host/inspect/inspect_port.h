/* SPDX-License-Identifier: MIT
 * The port between the peer and the device: shows what passes, and keeps noise from the peer. */
#ifndef INSPECT_PORT_H
#define INSPECT_PORT_H

#include "host_device.h"
#include "inspect_noise.h"
#include "inspect_options.h"
#include "inspect_trace.h"

enum { MOST_GREETING = 1023, GREET_AGAIN_MS = 1000 };

/* Opaque. */
struct wire {
	const struct options *options;
	quash_port device;
	struct noise noise;
	const uint8_t *shown;             /* what the device has shown last */
	const char *first;                /* what is still to be transmitted before all else */
	char greeting[MOST_GREETING + 1]; /* the first line that the peer has transmitted */
	size_t greeting_length;
	bool noisy, received_any;
	bool greeting_only; /* it was transmitted, and nothing else */
	uint32_t greeted;
	struct trace transmitted, received;
};

/* Begins; `wire` is zero before. The port is valid as long as wire and device. */
quash_port wire_begin(struct wire *wire, struct device *device, const struct options *options);

/* A board that boots, perhaps because we have opened its serial line, does not receive the greeting. While nothing has come and
 * nothing else was transmitted, this transmits it again, each GREET_AGAIN_MS.
 *
 * @return how many milliseconds there are until then; `never` */
uint32_t wire_greet(struct wire *wire);

void wire_end(struct wire *wire);

#endif
