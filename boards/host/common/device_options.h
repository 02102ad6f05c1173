/* SPDX-License-Identifier: MIT
 * A device by the options that name it: a serial device, a socket, or a command. */
#ifndef HOST_DEVICE_OPTIONS_H
#define HOST_DEVICE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum device_kind { DEVICE_NONE, DEVICE_TTY, DEVICE_TCP, DEVICE_UNIX, DEVICE_COMMAND };

/** What the options ask for. Strings are borrowed as long as the device is used. */
struct device_options {
	enum device_kind kind;
	const char *path; /* of the serial device or the Unix socket; of TCP the host */
	uint16_t number;  /* of the TCP port */
	uint32_t baud;    /* 0: as it is */
	bool reset;       /* by DTR and RTS, each time it is opened */
	char **command;   /* ends with NULL */
};

/** What it is called on screens: the path, `HOST:PORT`, the command's name. Written to `text`, NUL-terminated, cut. */
void device_name(const struct device_options *options, char *text, size_t size);

#endif
