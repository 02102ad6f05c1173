/* SPDX-License-Identifier: MIT
 * The options that name a device, and what they mean. */
#ifndef HOST_DEVICE_ARGUMENTS_H
#define HOST_DEVICE_ARGUMENTS_H

#include "arguments.h"
#include "device_options.h"
#include "ports.h"

/** `--tty PATH`, where PATH may be a name of ports.h, `--baud N`, `--reset`, `--tcp HOST:PORT`, `--unix PATH`, for `arguments_read` into a struct device_options that is
 * empty before. HOST is an address in numbers, in brackets if it has colons (`[::1]:7000`), or `localhost`, which is 127.0.0.1.
 * `HOST:PORT` is cut in two in place. */
enum { DEVICE_ARGUMENTS = 5 };
extern const struct argument_option device_arguments[DEVICE_ARGUMENTS];

/** NULL, or what is wrong, in words: no device is named, or one that is not serial is to have a rate or a reset. */
const char *device_conflict(const struct device_options *options);

/** A device by one text, such as `tty:/dev/ttyACM0,115200`, `tcp:127.0.0.1:7000`, `unix:/run/motor`,
 * `exec:program argument`, without quotes. The text is cut in place and must stand as long as the options, which are
 * empty before. The list of a command's words is the process's.
 *
 * @return false when it is none of these */
bool device_parse(struct device_options *options, char *text);

/** Prints on stderr that a name of a port fits several, and what to write for each.
 *
 * @return -1: it fits one or none, or there is no such name; else the exit code */
int device_refuse_several(const char *program, const struct device_options *options);

/* --- What the program around it says of its system */

/** Whether that is an address in numbers, of IPv4 or IPv6. */
bool device_is_address(const char *host);

/** The serial ports of the machine, sorted. */
void device_ports(struct ports *ports);

/** Whether serial devices can be asked for that rate. */
bool device_knows_rate(uint32_t baud);

#endif
