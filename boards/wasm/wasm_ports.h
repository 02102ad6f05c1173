/* SPDX-License-Identifier: MIT
 * Which port a device is on, for the shell. */
#ifndef WASM_PORTS_H
#define WASM_PORTS_H

#include "bridge_options.h"

/** As JSON: `path`, or `trouble` in words; and `found` for the log, if a name means another port than before. The caller frees it; NULL: no
 * memory. */
char *port_shown(const struct bridge_options *options, unsigned device);

#endif
