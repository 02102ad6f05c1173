/* SPDX-License-Identifier: MIT
 * What a bridge is to do: what the command line asks for. */
#ifndef BRIDGE_OPTIONS_H
#define BRIDGE_OPTIONS_H

#include "bridge_host.h"
#include "device_options.h"

#include <stdbool.h>
#include <stdint.h>

/** How many clients connect by themselves, at most, and how many are of HTTP; tests build it smaller. Together a multiple of 64. */
#ifndef BRIDGE_LINES
#define BRIDGE_LINES 64
#define BRIDGE_HTTP_CLIENTS 256
#endif

enum {
	MOST_LINES = BRIDGE_LINES,
	MOST_CLIENTS = BRIDGE_LINES + BRIDGE_HTTP_CLIENTS,
	MOST_HTTP_HOSTS = 8,
	MOST_HTTP_ORIGINS = 8,
	MOST_DEVICES = 24,
	DEVICE_NAME = 25,
	MOST_LISTENERS = 16,
	MOST_LIMITS = 64,
	MOST_STRANGERS = 8,
	TOKEN_MOST = 1024,
	NO_LEVEL = -1
};

enum bridge_exit { EXIT_WELL = 0, EXIT_DEVICE_LOST = 1, EXIT_OPTIONS = 2, EXIT_IN_USE = 3 };

struct protocol;

/** What the command line asks for. Strings are those of the command line. Times are in milliseconds. */
struct bridge_options {
	const struct protocol *protocol;
	struct {
		const char *name; /* "device" for a single one */
		struct device_options options;
	} devices[MOST_DEVICES];
	unsigned device_count;
	bool many_devices; /* they were given names: clients see one server made of all */
	const char *listen_unix;
	const char *listen_host;
	uint16_t listen_number;
	bool listens_tcp;
	char *token; /* the first line of a TCP connection, either way, and what HTTP shows; or NULL */
	bool listens_http;
	const char *http_host;
	uint16_t http_number;
	const char *http_hosts[MOST_HTTP_HOSTS]; /* names that a request may have in Host and Origin */
	unsigned http_host_count;
	const char *http_origins[MOST_HTTP_ORIGINS]; /* that a request may have besides; `SCHEME://` and an asterisk: all of a scheme */
	unsigned http_origin_count;
	uint32_t session_idle; /* of HTTP; 0: none */
	unsigned clients;
	bool no_page;
	const char *page; /* the text that HTTP serves at `/`; NULL: none, and no endpoints of its own */
	bool no_watch_parent; /* of the client on stdin and stdout: it goes on when the parent process has ended */
	uint32_t wait, grace, timeout, idle; /* the last two: 0 for none */
	uint32_t initialize_timeout;
	const char *record;
	bool trace;
	enum log_level level; /* what is less grave is not shown; LOG_TRACE always is */
};

#endif
