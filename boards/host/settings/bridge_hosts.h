/* SPDX-License-Identifier: MIT
 * The hosts that start servers, and what their settings have of one. */
#ifndef BRIDGE_HOSTS_H
#define BRIDGE_HOSTS_H

#include "bridge_offer.h"
#include "bridge_settings.h"

#include <stdio.h>

enum { MOST_PLACES = 2 };

struct settings_host {
	const char *name;       /**< as an option's value */
	const char *protocol;   /**< that it speaks */
	const char *in_project; /**< a file that it reads besides, for people; or NULL */
	/** Its files on each system, and NULL: bridge_places.h. */
	const char *places[SYSTEMS][MOST_PLACES];
	bool only_pasted;       /**< its file is not changed: a person has more to say in it */
	const char *quit;       /**< why, and how, it is ended before its file is changed; NULL: that may be while it runs */
	bool spawns;            /**< on Windows it starts a program itself, so no `.cmd`: docs/hosts.md */
	const struct settings_format *format; /**< NULL: its settings are a program */
	const char *servers;
	const char *type;            /**< of the server, as text of the format; NULL: it has none */
	const char *more_key, *more; /**< what must be there besides; or NULL */
	bool one_list;               /**< command and arguments are one list */
	void (*put_more)(FILE *to, const char *name); /**< what follows on the block; or NULL */
	host_offer *offer;           /**< another way to set it up; or NULL */
};

/** NULL when there is none. */
const struct settings_host *host_named(const char *name);

/** The names of all hosts, or of those whose file can be changed, with blanks between them. Not for several threads at once. */
const char *host_names(bool with_file);

/** What the host's settings have of a server that is this command. The texts are the process's. False without memory. */
bool host_server(const struct settings_host *host, const struct command *command, const char *name, struct server_settings *server);

/** How it starts a program on that system. */
enum command_form host_form(const struct settings_host *host, enum host_system system);

/** Prints the block to paste. False without memory. */
bool host_print(FILE *to, const struct settings_host *host, const struct command *command, const char *name);

#endif
