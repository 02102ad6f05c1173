/* SPDX-License-Identifier: MIT
 * What the reader of the command line asks of the system, and files of hosts, which are not written here. */
#include "device_arguments.h"
#include "settings/bridge_install.h"
#include "settings/bridge_places.h"
#include "wasm_host.h"

#include <string.h>

/* --- Of options */

bool device_is_address(const char *host)
{
	return shell_is_address(host, strlen(host)) != 0;
}

/* The line says whether it can be so fast. */
bool device_knows_rate(uint32_t baud)
{
	return baud != 0;
}

/* --- Of settings of hosts */

static const char of_native[] = "writes no settings of hosts: the native program does that";

const char *command_make(struct command *command, const struct command_line *line, const char *protocol, const char **wrong)
{
	(void)command;
	(void)line;
	(void)protocol;
	*wrong = "WebAssembly";
	return of_native;
}

const char *command_next_relative(const struct command *command, size_t *at)
{
	(void)command;
	(void)at;
	return NULL;
}

bool settings_install(FILE *shows, const struct settings_host *host, enum host_system system, const struct server_settings *server,
	struct install_report *report)
{
	(void)shows;
	(void)host;
	(void)system;
	(void)server;
	*report = (struct install_report){ .path = "WebAssembly", .words = of_native };
	return false;
}

bool settings_uninstall(
	FILE *shows, const struct settings_host *host, enum host_system system, const char *name, struct install_report *report)
{
	(void)name;
	return settings_install(shows, host, system, NULL, report);
}

void places_put(FILE *to, const struct settings_host *host, enum host_system system)
{
	(void)to;
	(void)host;
	(void)system;
}

enum host_system system_own(void)
{
	return SYSTEM_LINUX;
}

bool system_is_package(void)
{
	return true;
}
