/* SPDX-License-Identifier: MIT
 * MCP: the session with each device, what clients agree on with the bridge, and what is sent to whom. */
#ifndef BRIDGE_MCP_H
#define BRIDGE_MCP_H

#include "bridge_inner.h"

/** True if the client speaks the revision of 2026-07-28 in that request. */
bool mcp_is_modern(const quash_request *request);

/** True if its `_meta` names a revision, of whatever type: it is no request of a session. */
bool mcp_names_version(const quash_request *request);

/** Whether a client may ask that in its era; else `*verdict` is what the handler returns. */
bool mcp_admits(quash_request *request, int32_t *verdict);

/** True of a request of a session that its one device has not announced to serve. */
bool mcp_is_unannounced(const quash_request *request);

/** As mcp_admits, for what the bridge answers itself in place of a device. */
bool mcp_opens(quash_request *request, int32_t *verdict);

/** Refuses a `server/discover` without one. */
int32_t mcp_lacks_version(quash_request *request);

/** Refuses it: there is no such URI. */
int32_t mcp_no_resource(quash_request *request);

/** The same for what the legacy era alone has, and the bridge answers itself. */
bool mcp_opens_legacy(quash_request *request, int32_t *verdict);

/** Fetches what a device offers, a step each turn. Whether it has come to an end, and then with what. */
void mcp_fetch(struct device *device);
/** Its line is lost, or it begins anew. */
void mcp_fetch_stop(struct device *device);

/** The same for all that a device offers, as it comes and goes. */
void mcp_lists_changed(const struct device *device);

/** Gives a device the level and the subscriptions that clients want, a step each turn. */
void mcp_give(struct device *device);

/** A log level by its name: 0 debug ... 7 emergency; NO_LEVEL for none. */
int mcp_level(quash_value name);
const char *mcp_level_name(int level);

/** Says in words what is wrong with a device that has not come, or has made no session. */
int32_t mcp_absent(quash_request *request, const struct device *device);

/** Handlers. */
quash_handler mcp_set_level, mcp_subscribe, mcp_unsubscribe;

bool mcp_addresses(const quash_request *note);
void mcp_sent(const quash_request *note, struct client *client);
bool mcp_concerns(const quash_request *note, const struct client *client);
void mcp_put_note(quash_writer *w, const quash_request *note, quash_value params);

/** The last members of a rewrite for requests of clients: devices are asked to name them. */
#define MCP_HOP "quash/related", mcp_put_related
void mcp_put_related(quash_writer *w, const quash_request *request);
/** The request of a client that a message of a device names; NULL: none. */
const quash_request *mcp_cause(const quash_request *message);
/** The client that has made it; NULL: none. */
struct client *mcp_whose(const quash_request *message);
/** QUASH_MCP_SAMPLING ..., of what a client has announced. */
uint8_t mcp_can_be_asked(quash_value capabilities);
/** Whom a question of a device is for. Of several clients it is the one whose request is the cause, if it has announced that it
 * can be asked so. NULL: none. */
struct client *mcp_asked(const quash_request *question);
/** True if it is too early to send something to a client; `asked`: to ask it. */
bool mcp_is_early(const struct client *client, bool asked);
/** For what clients are asked, which then names no request any more. */
extern const quash_rewrite mcp_asked_rewrite;
/** The same for a client of HTTP: its request is named by its id there, so that the question finds its stream. */
extern const quash_rewrite mcp_asked_marked;
/** Subscriptions of the modern era: changes the id in the result. */
extern const quash_rewrite mcp_listen_rewrite;
/** Notes a request that may open one, and the id that it has on the device's line. */
void mcp_note_listener(const quash_request *request, uint32_t call);
/** Handles the device's cancels, which may name only such requests. */
quash_handler mcp_listener_cancelled;

/* --- What several devices offer together */

/** The rest of the result of `initialize`, after the version. Constant. */
const char *many_greeting(void);

/** What clients may ask of all devices together. */
void many_methods(struct client *client);

/** The result of a request for a list of that kind, JSON; `devices`: with the tool of that name. To be freed. */
char *many_list_text(const quash_request *request, enum list_kind kind, bool devices);

/** Puts a device as JSON: what it is, and whether it is there. `tools`: JSON of the member of that name. */
void many_put_device(struct builder *to, const struct device *device, const char *tools);

/** Answers a call of that tool. */
int32_t many_reply_devices(quash_request *request);

#endif
