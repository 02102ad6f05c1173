/* SPDX-License-Identifier: MIT
 * The hosts that start servers, and what their settings have of one. */
#ifndef BRIDGE_HOSTS_H
#define BRIDGE_HOSTS_H

#include "bridge_command.h"
#include "bridge_settings.h"

#include <stdio.h>

enum { MOST_PATHS = 2 };

struct settings_host {
	const char *name;     /**< as an option's value */
	const char *place;    /**< the file that a block is pasted into, for people */
	const char *protocol; /**< that it speaks */
	/** Its file under the home folder, and another place for it; NULL: none that can be changed. */
	const char *paths[MOST_PATHS];
	const struct settings_format *format; /**< NULL: its settings are a program */
	const char *servers;
	const char *type;                    /**< of the server, as text of the format; NULL: it has none */
	const char *more_key, *more;         /**< what must be there besides; or NULL */
	bool one_list;                       /**< command and arguments are one list */
	void (*put_more)(FILE *to, const char *name); /**< what follows on the block; or NULL */
};

/** NULL when there is none. */
const struct settings_host *host_named(const char *name);

/** The names of all hosts, or of those whose file can be changed, with blanks between them. Not for several threads at once. */
const char *host_names(bool with_file);

/** What the host's settings have of a server that is this command. The texts are the process's. False without memory. */
bool host_server(const struct settings_host *host, const struct command *command, const char *name, struct server_settings *server);

/** Prints the block to paste. False without memory. */
bool host_print(FILE *to, const struct settings_host *host, const struct command *command, const char *name);

#endif
