/* SPDX-License-Identifier: MIT
 * A server of MCP that has tools and a port, and nothing besides: what the program of a first device includes. quash.h
 * is all of the library, and has this, too. */
#ifndef QUASH_TOOLS_H
#define QUASH_TOOLS_H

#include "quash/mcp_device.h"
#include "quash/port.h"

#endif
