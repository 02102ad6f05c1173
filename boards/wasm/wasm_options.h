/* SPDX-License-Identifier: MIT
 * The options as the shell needs them. */
#ifndef WASM_OPTIONS_H
#define WASM_OPTIONS_H

#include "bridge_options.h"

/** As JSON: `record`, `noWatchParent`, `devices`, each with `kind`, `path`, `number`, `baud`, `reset` and `command`, and `doors`, each with
 * `way` and a `path` or `host` and `port`, and `page`, whether there is one, in the order in which they open. The caller frees it; NULL: no memory. */
char *options_shown(const struct bridge_options *options);

#endif
