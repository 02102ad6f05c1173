/* SPDX-License-Identifier: MIT
 * MCP over HTTP: what a request means (2025-11-25 basic/transports, 2026-07-28 basic/transports/streamable-http). */
#ifndef BRIDGE_HTTP_MCP_H
#define BRIDGE_HTTP_MCP_H

#include "bridge_http.h"

extern const struct http_service http_mcp;

#endif
