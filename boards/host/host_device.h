/* SPDX-License-Identifier: MIT
 * What stands at the other end of the line: a serial device, a socket, or a command, by the options that name it.
 *
 * Everything is called on the one thread of the program, never from a signal handler. */
#ifndef HOST_HOST_DEVICE_H
#define HOST_HOST_DEVICE_H

#include "device_arguments.h"
#include "ports_text.h"
#include "posix/posix_child.h"
#include "posix/posix_socket.h"
#include "posix/posix_tty.h"

/** A device. The caller owns it and sets `options` before its first use, all else zero. It stays where it is while it is
 * open. */
struct host_device {
	struct device_options options;
	struct port found; /* what a name of ports.h means since it was first opened; set before by whoever knows it */
	char nameless[PORT_TROUBLE]; /* why it means none now */
	bool open;
	bool deaf;                 /* it takes no more; what it has transmitted is still to be read */
	struct posix_stdio *stdio; /* of the one that is open; for posix_stdio_watch and posix_stdio_seen */
	union {
		struct posix_tty tty;
		struct posix_socket socket;
		struct posix_child child;
	} as;
};

/** Opens it, locked if it is serial. A name of ports.h is looked up each time; nothing but the port that it means is opened. A lock file of another program (`/var/lock/LCK..ttyUSB0`) counts while its process
 * lives. Waits for nothing but a reset of 100 ms. A TCP connection may still be under way
 * (`host_device_is_connecting`). Harmless when it is open.
 *
 * @return 0 or an errno; EBUSY: another program has it locked, see `host_device_holder`. ENODEV: a name means no port.
 *         Then it is not open */
int host_device_open(struct host_device *device);

/** True while the connection is being made. When that fails the port is QUASH_GONE. Asks the system. */
bool host_device_is_connecting(struct host_device *device);

/** The port, for `quash_pump`; valid as long as it is open. A command that has ended is QUASH_GONE after its last
 * bytes, also while others hold its pipe. Then only SIGCHLD ends a sleep, so the program catches it. A command
 * that has closed its stdout is QUASH_GONE too. So is a socket whose input has ended. */
quash_port host_device_port(struct host_device *device);

/** Bytes that were written to it and have not left the machine yet, as far as the system knows (serial devices). */
size_t host_device_unsent(const struct host_device *device);

/** Closes the input of a command, so that it begins to end; does nothing for others. Nothing may be written any more. */
void host_device_hang_up(struct host_device *device);

/** Closes it; harmless when it is closed. Waits at most about `ms` for what was written to leave, or for a command to end.
 * Then the bytes are dropped; the command gets SIGTERM and, as much later, SIGKILL. */
void host_device_close(struct host_device *device, uint32_t ms);

/** Why it is not there, in words: the system's, or how a command has ended. `error` is what `host_device_open` returned, or 0
 * after it was lost. */
void host_device_trouble(struct host_device *device, int error, char *text, size_t size);

/** Where a serial device is: its path, or the one that a name has meant when it was opened. */
const char *host_device_path(const struct host_device *device);

/** Which program has the serial device locked: `minicom (1234)`, or `another program` where the system does not name it. */
void host_device_holder(const struct host_device *device, char *text, size_t size);

#endif
