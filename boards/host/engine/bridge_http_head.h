/* SPDX-License-Identifier: MIT
 * Who may ask over HTTP, and whether the fields of a request's head match its body. */
#ifndef BRIDGE_HTTP_HEAD_H
#define BRIDGE_HTTP_HEAD_H

#include "bridge_log.h"
#include "span.h"
#include "http/http.h"

enum { HTTP_WHY = LOG_TEXT + 80 };

/** 0, or the status for a request that is not let in: 403 for its Host or Origin, 401 for its token.
 *
 * @param why  then what it is about it, for the log */
unsigned http_refusal(struct bridge *bridge, const port_http_reader *head, char why[HTTP_WHY]);

/** The target's path and query; NULL: it has none. */
const char *http_path(const port_http_reader *head);

/** True if the path is that, with or without a query; behind a longer one than `/` may stand a slash. */
bool http_path_is(const port_http_reader *head, const char *path);

/** Whether that may be said in `--http-origin`: an origin, or `SCHEME://` and an asterisk for all of a scheme that is not of the web. */
bool http_is_origin(const char *text);

/** The Origin that was let in; NULL: there is none. */
const char *http_origin(struct bridge *bridge, const port_http_reader *head);

/** Whether the field stands once, and with that value of the body: a string, an integer, true or false.
 *
 * @param coded  it may be Base64 (2026-07-28 basic/transports/streamable-http "Value Encoding") */
bool http_field_is(struct bridge *bridge, const port_http_reader *head, const char *name, struct span value, bool coded);

/** For a call of that tool: whether each argument that its schema marks with `x-mcp-header` stands in its field. */
bool http_arguments_match(struct bridge *bridge, const port_http_reader *head, struct span schema, struct span arguments);

#endif
