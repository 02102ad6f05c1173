/* SPDX-License-Identifier: MIT
 * What the rest needs of a system. Nothing is imported from WASI: these are the functions of it that the C library calls for stdout
 * and stderr. */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "device_arguments.h"
#include "settings/bridge_install.h"
#include "wasm_host.h"

#include <stdio.h>
#include <string.h>
#include <wasi/api.h>

/* --- Of WASI */

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *pieces, size_t count, __wasi_size_t *written)
{
	*written = 0;
	shell_print((int)fd, pieces, count);
	for (size_t i = 0; i < count; i++)
		*written += pieces[i].buf_len;
	return __WASI_ERRNO_SUCCESS;
}

__wasi_errno_t __wasi_fd_fdstat_get(__wasi_fd_t fd, __wasi_fdstat_t *is)
{
	(void)fd;
	(void)is;
	return __WASI_ERRNO_NOTSUP;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t by, __wasi_whence_t from, __wasi_filesize_t *at)
{
	(void)fd;
	(void)by;
	(void)from;
	(void)at;
	return __WASI_ERRNO_SPIPE;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
	(void)fd;
	return __WASI_ERRNO_SUCCESS;
}

/* A token's file is the only one that is read. */
FILE *fopen(const char *path, const char *mode)
{
	static char bytes[4096];
	const int n = shell_file(path, strlen(path), bytes, sizeof bytes);
	(void)mode;
	return n > 0 ? fmemopen(bytes, (size_t)n, "r") : NULL;
}

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

bool settings_install(FILE *shows, const struct settings_host *host, const struct server_settings *server, struct install_report *report)
{
	(void)shows;
	(void)host;
	(void)server;
	*report = (struct install_report){ .path = "WebAssembly", .words = of_native };
	return false;
}

bool settings_uninstall(FILE *shows, const struct settings_host *host, const char *name, struct install_report *report)
{
	(void)name;
	return settings_install(shows, host, NULL, report);
}
