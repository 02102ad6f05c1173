/* SPDX-License-Identifier: MIT
 * The langserver: a language server without a language, for clients and tests of the Language Server Protocol.
 *
 * A board with less memory defines the sizes below for itself. */
#ifndef LANGSERVER_H
#define LANGSERVER_H

#include "quash/peer.h"

#ifndef LANGSERVER_SLOTS
#define LANGSERVER_SLOTS 16
#endif
#ifndef LANGSERVER_ID_SIZE
#define LANGSERVER_ID_SIZE 64
#endif
#ifndef LANGSERVER_TOKEN_SIZE
#define LANGSERVER_TOKEN_SIZE 64
#endif
#ifndef LANGSERVER_ARENA
#define LANGSERVER_ARENA 65536
#endif
#ifndef LANGSERVER_TX
#define LANGSERVER_TX 1024
#endif

extern const quash_config langserver_config;
extern const char *const langserver_name;

/* Whether `exit` was received: the program ends now, with the exit code. */
bool langserver_exited(void);

/* 0 after `shutdown`, else 1; also for the end of input. */
int langserver_exit_code(void);

/* Forgets the session: before another quash_init, and with quash_reopen. */
void langserver_reset(void);

#endif
