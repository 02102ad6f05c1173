/* SPDX-License-Identifier: MIT
 * Whether a server in a host's settings is this bridge. */
#ifndef BRIDGE_OWN_H
#define BRIDGE_OWN_H

#include <stdbool.h>

/** Whether the program that the host starts is `quash-bridge`, in whatever folder and of whatever version, or one of npm or Node
 * that runs nothing else but it. Whatever else leads to it, such as a script, does more, which may not be lost.
 *
 * @param command,args  values of the settings: a program, or it and its words; "" without words */
bool own_command(const char *command, const char *args);

#endif
