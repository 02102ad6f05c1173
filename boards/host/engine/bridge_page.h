/* SPDX-License-Identifier: MIT
 * The page that HTTP serves at `/`, and what it asks for beside MCP: `POST /stop` ends every call of every client at every device,
 * `GET /calls` tells of devices and of what goes on. Of both a person makes use, and no client of MCP. Without `options.page` there is
 * none of it. */
#ifndef BRIDGE_PAGE_H
#define BRIDGE_PAGE_H

#include "bridge_http.h"

/** True if the request, which has come whole, is one of these: it is answered, or a Stop that waits for `page_turn`. */
bool page_takes(struct connection *c);

/** False: the request, whose head has come, is a Stop: it has room whatever bodies of others are held. */
bool page_keeps_body(const struct connection *c);

/** Stops everything if somebody has asked for that. To be called when each connection has had its turn. */
void page_turn(struct bridge *bridge);

#endif
