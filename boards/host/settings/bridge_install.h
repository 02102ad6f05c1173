/* SPDX-License-Identifier: MIT
 * A server in the file of a host. What else is in it stays, byte for byte. A file that cannot be read is not touched. */
#ifndef BRIDGE_INSTALL_H
#define BRIDGE_INSTALL_H

#include "bridge_hosts.h"
#include "bridge_system.h"

/** What became of it, for people. */
struct install_report {
	char path[FILE_PATH]; /**< of the file */
	const char *words;    /**< that follow on the path */
	bool changed;
};

/** Puts the server into the host's file on that system. The change is printed as a diff without context. Beside the
 * file is a copy then, PATH.before-quash, with what it was. The file is replaced at once, so a reader sees the old one or the new
 * one. A second time changes nothing. A server of that name that starts another program is left alone.
 *
 * @param shows  where the change is printed
 * @return       false: nothing was changed, and the words are the reason */
bool settings_install(FILE *shows, const struct settings_host *host, enum host_system system, const struct server_settings *server,
	struct install_report *report);

/** Takes the server of that name out again, in the same way. Where nothing else has changed the file is what the copy has, or is
 * gone if there was none, and so is the copy. */
bool settings_uninstall(
	FILE *shows, const struct settings_host *host, enum host_system system, const char *name, struct install_report *report);

#endif
