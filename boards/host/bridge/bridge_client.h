/* SPDX-License-Identifier: MIT
 * Clients: one on stdin and stdout, or those that connect. */
#ifndef BRIDGE_CLIENT_H
#define BRIDGE_CLIENT_H

#include "bridge.h"

/** The client on stdin and stdout. NULL: no memory. */
struct client *client_open_terminal(void);

/** A client whose messages come with HTTP: `leaves` is called with each of its own, `forgotten` before it is freed. NULL: there is no
 * place, or no memory. */
struct client *client_open_http(void (*leaves)(struct wire *wire, const char *message), void (*forgotten)(struct client *client));

/** Its next message, with its line's end. False: there is no room for it. */
bool client_hand_in(struct client *client, const char *message, size_t n);

/** False: a message finds no room now, nor do several that have so many bytes together. */
bool client_has_room(const struct client *client, size_t n);

/** True if it has read all, and everything of it has left. */
bool client_is_quiet(struct client *client);

/** Opens what the options name. 0, or an exit code and a line on stderr. */
int client_listen(void);

/** Takes those that wait, as many as there may be. */
void client_accept(void);

/** What to poll for new ones; -1 where there are none. */
void client_watch_doors(struct pollfd fds[2]);

/** Moves bytes; one that has gone is forgotten once nothing of it is live. */
void client_turn(struct client *client);

/** False if it is leaving, or has gone and that was not noticed yet. */
bool client_is_present(const struct client *client);

/** How long it can do without a turn; UINT32_MAX: until something happens. */
uint32_t client_rest(const struct client *client);

/** What to poll for; `rest` becomes no more than that. False: there is something to do now. */
bool client_watch(struct client *client, struct pollfd fds[2], uint32_t *rest);

/** Everything of it is cancelled; it transmits no more. */
void client_leave(struct client *client, const char *why);

void client_free(struct client *client);

/** Closes the doors. */
void client_stop_listening(void);

#endif
