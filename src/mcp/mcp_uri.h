/* SPDX-License-Identifier: MIT
 * URI templates, the part of RFC 6570 that mcp_resources.h names. */
#ifndef QUASH_SRC_MCP_URI_H
#define QUASH_SRC_MCP_URI_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of a URI. */
struct quash_mcp_span {
	const char *text;
	size_t length;
};

/* True if the URI fits the template. `value` is then where the value of the variable `name` stands in the URI; it is
 * unchanged if there is no such variable. `name` may be NULL. */
bool quash_mcp_fits(
	const char *pattern, const char *uri, size_t length, const char *name, struct quash_mcp_span *value);

#endif
