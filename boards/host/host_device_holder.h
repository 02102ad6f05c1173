/* SPDX-License-Identifier: MIT
 * Who has a serial device, as far as the system knows. */
#ifndef HOST_HOST_DEVICE_HOLDER_H
#define HOST_HOST_DEVICE_HOLDER_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a living process has a lock file for the device, as programs of UUCP's kind make one: `/var/lock/LCK..ttyUSB0`.
 * It is looked up by the name that the path ends in, else by that of the file it links to. */
bool holder_has_lock_file(const char *path);

/** Which process that is, or has the device locked (flock), or else has it open: `minicom (1234)`; `another program` when
 * nothing is to be found. Written to `text`, NUL-terminated, cut. */
void holder_name(const char *path, char *text, size_t size);

#endif
