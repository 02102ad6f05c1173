/* SPDX-License-Identifier: MIT
 * Clients: one on stdin and stdout, or those that connect. */
#ifndef BRIDGE_CLIENT_H
#define BRIDGE_CLIENT_H

#include "bridge_inner.h"

/** The one client that needs no door. NULL: no memory. */
struct client *client_open_terminal(struct bridge *bridge);

/** A client whose messages come with HTTP: `leaves` is called with each of its own, `forgotten` before it is freed. NULL: there is no
 * place, or no memory. */
struct client *client_open_http(struct bridge *bridge, void (*leaves)(struct wire *wire, const char *message), void (*forgotten)(struct client *client));

/** Its next message, with its line's end. False: there is no memory. */
bool client_hand_in(struct client *client, const char *message, size_t n);

/** False: as much of it waits as is read ahead, and so many bytes more are not to be handed in but for what cancels. */
bool client_has_room(const struct client *client, size_t n);

/** True if it has read all, and everything of it has left. */
bool client_is_quiet(struct client *client);

/** One that has come through a door of bytes: its line, which is a stranger's while there is a token. NULL: there is no place. */
struct bridge_line *client_comes(struct bridge *bridge, enum bridge_way way);

/** True if one more finds a place. */
bool clients_have_room(const struct bridge *bridge);

/** Those that have shown the token become clients. */
void clients_admit(struct bridge *bridge);

/** True if something has woken what it has under way. */
bool client_is_woken(const struct client *client);

/** Moves bytes; one that has gone is forgotten once nothing of it is live. */
void client_turn(struct client *client);

/** False if it is leaving, or has gone and that was not noticed yet. */
bool client_is_present(const struct client *client);

/** How long it can do without a turn; UINT32_MAX: until something happens; 0: there is something to do now. */
uint32_t client_rest(struct client *client);

/** Everything of it is cancelled; it transmits no more. */
void client_leave(struct client *client, const char *why);

void client_free(struct client *client);

#endif
