/* SPDX-License-Identifier: MIT
 * What the command line asks for, and the exit codes. */
#ifndef INSPECT_OPTIONS_H
#define INSPECT_OPTIONS_H

#include "host_device.h"

#include <stdbool.h>
#include <stdint.h>

/* The exit codes: see docs/inspect.md. */
enum exit_code { EXIT_RESULT = 0, EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_NO_ANSWER = 3, EXIT_ADVICE = 4, EXIT_CANCELLED = 130 };

enum { MOST_ARGUMENTS = 64, MOST_TOKEN = 1024 };

static const uint32_t never = UINT32_MAX;

/* Unset: ask where stdin is a terminal, else reject. */
enum permission { PERMISSION_UNSET, PERMISSION_ASK, PERMISSION_ALLOW, PERMISSION_REJECT, PERMISSION_HANG };

/* An argument for a tool: `name=value`, cut in two. */
struct argument {
	const char *name;
	char *value;
	bool raw; /* the value is JSON, not a string's text */
};

struct inspect_protocol;

struct inspect_options {
	const struct inspect_protocol *protocol;
	const char *method;
	const char *params; /* one line of JSON, or NULL */
	const char *tool;
	const char *prompt;
	struct argument arguments[MOST_ARGUMENTS];
	uint32_t argument_count;
	enum permission permission;
	bool modern, json, trace, by_request, advise, doctor;
	bool timed;            /* a timeout was given */
	uint32_t timeout;      /* milliseconds; 0: none */
	uint32_t cancel_after; /* milliseconds, or never */
	uint32_t grace;        /* milliseconds for the device after a cancel */
	uint32_t listen;       /* milliseconds of listening after a cancel that is not answered */
	uint32_t arena;        /* bytes */
	const char *replay;    /* the file of a record, or NULL */
	const char *name;      /* of a device in it, or NULL */
	const char *counters;  /* the file of a device's stats, or NULL */
	uint32_t wait;         /* milliseconds for another program to let the device go */
	struct device_options device;
	char token[MOST_TOKEN]; /* the line to begin with, or an empty string */
};

/* Reads the command line.
 *
 * @return -1: go on; else the exit code, and the line that explains it is printed */
int inspect_options_read(struct inspect_options *options, int argc, char **argv);

#endif
