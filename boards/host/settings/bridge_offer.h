/* SPDX-License-Identifier: MIT
 * Ways to set a host up that are no file: a link that it opens, or a command of its own. */
#ifndef BRIDGE_OFFER_H
#define BRIDGE_OFFER_H

#include "bridge_command.h"
#include "bridge_settings.h"

#include <stdio.h>

/** Prints it in words that follow on "or", without an end of line.
 *
 * @param server  what the host's settings have of the command
 * @param system  whose shell reads it */
typedef void host_offer(FILE *to, const struct server_settings *server, const struct command *command, enum host_system system);

host_offer offer_claude, offer_cursor, offer_vscode;

#endif
