/* SPDX-License-Identifier: MIT
 * The line to a device: opening it, losing it, trying again; and signs of life on it. */
#ifndef BRIDGE_SERVER_H
#define BRIDGE_SERVER_H

#include "bridge_inner.h"

/** Makes the server of `options.servers[index]` and its peer. False: no memory. */
bool server_open(struct bridge *bridge, unsigned index);

/** Moves bytes, and opens the line when it is time. */
void server_turn(struct server *server);

/** How long it can do without a turn; UINT32_MAX: until something happens. */
uint32_t server_rest(struct server *server);

/** Starts a call of the bridge's own. */
void server_ask(struct server *server, quash_call *call, const char *method, quash_call_put *put, uint32_t ms);

/** Its greeting has ended, or its line: another one may begin. */
void server_end_greeting(struct server *server);

/** Its name and version, as it has given them itself. */
void server_note_name(struct server *server, quash_value info);

/** Its greeting was refused with this error; QUASH_NONE: its result is none of the protocol. */
void server_refused(struct server *server, quash_value error);

/** Its greeting was not answered in time: another one is to begin. */
void server_unanswered(struct server *server);

/** Requests may pass: its session is made, or it was refused, or there is none. */
void server_ready(struct server *server);

/** A command notices that nothing more comes. */
void server_hang_up(struct server *server);

/** Gives back all that it has but its line. */
void server_free(struct server *server);

/** Closes its line; what is due is to leave within `ms`. */
void server_close(struct server *server, uint32_t ms);

/** What is wrong with one that is not ready, in words: why it is away, or what its line shows and what to do. */
enum { SERVER_WORDS = SYMPTOMS_WORDS + 600 };
void server_words(const struct server *server, char to[SERVER_WORDS]);

/** "ready", "connecting", "waiting". */
const char *server_state(const struct server *server);

#endif
