/* SPDX-License-Identifier: MIT
 * Several devices as one MCP server: names that distinguish them. With a single device everything here leaves names as
 * they are. */
#ifndef BRIDGE_MANY_H
#define BRIDGE_MANY_H

#include "bridge_inner.h"

/** True if every device is ready. */
bool many_all_ready(struct bridge *bridge);

/** Prepares a device's routes. */
void many_routes(struct device *device);

/** The route of a request, by the name or URI in its params. */
const quash_route *many_choose(quash_request *request, int32_t *verdict);

/** How the device names a URI that clients see; NULL if it is another's. */
const char *many_own_uri(const struct device *device, const char *shown);

/** Puts a device's URI, or the name of its logger, as clients see it. */
void many_put_uri(quash_writer *w, const struct device *device, quash_value uri);
void many_put_logger(quash_writer *w, const struct device *device, quash_value logger);

/** What clients see of an item of a list: its name, for a resource its URI. At most 64 characters that hosts accept, if it is a name. Two
 * names of one device differ, whatever else it lists. To be freed. */
char *many_shown(const struct device *device, enum list_kind kind, const char *name);

/** The same of a name that nobody is called by. */
char *many_label(const struct device *device, const char *name);

/** A list has come, `fresh` of that kind: what is listed twice is taken out, and the log says so. `is_news`: and what is changed. */
void many_settle(struct device *device, enum list_kind kind, bool is_news);

#endif
