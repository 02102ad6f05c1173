/* SPDX-License-Identifier: MIT
 * The port between the peer and the device: shows what passes, and keeps noise from the peer. */
#ifndef INSPECT_PORT_H
#define INSPECT_PORT_H

#include "host_device.h"
#include "inspect_noise.h"
#include "inspect_options.h"
#include "inspect_trace.h"

/* Opaque. */
struct wire {
	const struct options *options;
	quash_port device;
	struct noise noise;
	const uint8_t *shown; /* what the device has shown last */
	const char *token;    /* what of it is still to be transmitted, before all else */
	struct trace transmitted, received;
};

/* Begins; `wire` is zero before. The port is valid as long as wire and device. */
quash_port wire_begin(struct wire *wire, struct device *device, const struct options *options);

void wire_end(struct wire *wire);

#endif
