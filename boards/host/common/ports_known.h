/* SPDX-License-Identifier: MIT
 * USB devices that are boards, or adapters which boards have: whose they are, and what opening their port does. The table is the one home
 * of both, for the native programs and for the module of WebAssembly. */
#ifndef HOST_PORTS_KNOWN_H
#define HOST_PORTS_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a board does when its port is opened, which raises DTR and RTS. */
enum port_opening {
	OPENING_KEEPS,  /**< it runs on */
	OPENING_RESETS, /**< it restarts */
	OPENING_VARIES  /**< it restarts if the lines are wired so: an adapter, or a chip that sees DTR and RTS one after the other */
};

/** Most of a kind. */
struct port_kind {
	uint16_t vid, pid; /**< pid 0: all others of that maker */
	enum port_opening opening;
	bool needs_dtr; /**< it sends nothing, or receives nothing, while DTR is low */
	const char *name;
};

/** By VID, and with one VID by PID, 0 last. */
extern const struct port_kind ports_known[];
extern const size_t ports_known_count;

/** The row of a device, or of its maker. NULL: there is none. */
const struct port_kind *port_kind_of(uint16_t vid, uint16_t pid);

/** Whether it is a maker of boards or adapters. */
bool port_is_known(uint16_t vid);

#endif
