/* SPDX-License-Identifier: MIT
 *
 * quash: JSON-RPC 2.0 for microcontrollers, in which every request can be cancelled.
 *
 * Conventions of the whole library:
 *
 * - Memory. Nothing is allocated, so nothing is released. Every object is the caller's; structs are complete so
 *   that their size is known, and opaque unless a member is documented.
 * - Pointers. An argument must not be NULL unless its description allows it. A borrowed one is not kept.
 * - Strings are UTF-8 and NUL-terminated unless a length stands beside them. Sizes are in bytes, times in
 *   milliseconds.
 * - Errors. What the other side can cause is answered or counted, never fatal. There is no assert.
 * - Names that end with _ are for the macros of these headers and for the library's own sources. No program names one.
 * - Threads. A peer belongs to one thread. What may be called from elsewhere is marked *anywhere*.
 * - Versions follow semver. Structs are complete, so a change of their size is not called a break: build library
 *   and program from the same headers. The linker refuses others, see quash/version.h. */
#ifndef QUASH_H
#define QUASH_H

#include "quash/acp.h"
#include "quash/acp_client.h"
#include "quash/call.h"
#include "quash/carrier.h"
#include "quash/core.h"
#include "quash/cxx.h"
#include "quash/forward.h"
#include "quash/lsp.h"
#include "quash/mcp.h"
#include "quash/mcp_ask.h"
#include "quash/mcp_completion.h"
#include "quash/mcp_confirm.h"
#include "quash/mcp_device.h"
#include "quash/mcp_input.h"
#include "quash/mcp_listen.h"
#include "quash/mcp_logging.h"
#include "quash/mcp_prompts.h"
#include "quash/mcp_resources.h"
#include "quash/mcp_schema.h"
#include "quash/params.h"

#endif
