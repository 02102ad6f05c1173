/* SPDX-License-Identifier: MIT
 * The core alone: JSON-RPC 2.0 in any dialect, methods, and a peer in which every request can be cancelled. For who
 * wants only that. quash.h has everything. Each profile is included by its own name too: quash/mcp.h, quash/acp.h,
 * quash/lsp.h. */
#ifndef QUASH_CORE_H
#define QUASH_CORE_H

#include "dialect.h"
#include "fault.h"
#include "json.h"
#include "lex.h"
#include "method.h"
#include "objects.h"
#include "peer.h"
#include "port.h"
#include "version.h"
#include "why.h"

#endif
