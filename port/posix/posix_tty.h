/* SPDX-License-Identifier: MIT
 * The transport contract over a serial device: a board on a UART or on USB (`/dev/ttyUSB0`, `/dev/ttyACM0`).
 *
 * Boards are often wired so that DTR resets them. Linux raises DTR whenever a device is opened, and lowers it at the
 * last close if the device's settings demand it (HUPCL). Here they are set not to, for good. So the first opening after
 * the board was plugged in may reset it. Later ones do not. `posix_tty_reset` does it on purpose.
 *
 * Everything here is called on the peer's thread, never from a signal handler. */
#ifndef POSIX_TTY_H
#define POSIX_TTY_H

#include "posix_stdio.h"

#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A serial device. The caller owns it. Opaque but for `stdio`, whose `gone` may be read and which is what
 * `posix_stdio_wait` and its parts want. It stays where it is while it is open. */
struct posix_tty {
	struct posix_stdio stdio;
	struct termios found; /* its settings, to be restored */
	uint32_t found_rate;  /* that termios has no name for; 0: it has */
};

/** Whether it is a rate that the system can be asked for: on Linux any but 0, elsewhere those that termios.h has names for. */
bool posix_tty_knows(uint32_t baud);

/** Opens a device: bytes as they are, 8 bits, no parity, one stop bit, no flow control. What came before is dropped. It
 * is locked (flock), so programs that ask for it in the same way are refused. It is marked (TIOCEXCL), so others cannot
 * open it either, unless they run as root. Those that have it open already keep it. The process ignores SIGPIPE from
 * now on. Does not wait for a carrier. The program's start calls it.
 *
 * @param path  borrowed for the call
 * @param baud  bits per second: 9600, 115200, 250000, …; 0: as it is. A device that cannot be so fast exactly may be up to 2 % off
 * @return      0 or an errno: EINVAL when the device cannot do that, EBUSY when it is locked or marked, ENOTTY when it is
 *              none; then nothing is open, and its settings are as before */
int posix_tty_open(struct posix_tty *tty, const char *path, uint32_t baud);

/** The port, for `quash_pump`; valid as long as `tty`. A device has no end. When it hangs up or is unplugged, the port
 * is QUASH_GONE. */
quash_port posix_tty_port(struct posix_tty *tty);

/** Resets a board that is wired so: lowers DTR and RTS for 100 ms and raises them again. Blocks as long.
 * What came before is dropped; the board's first bytes are not. The program's start calls it, and whoever has found out
 * that the board does not answer. Then `quash_reopen` the peer after `quash_gone`. Not from handlers.
 *
 * @return 0 or an errno: ENOTTY or EINVAL when the device has no such lines */
int posix_tty_reset(struct posix_tty *tty);

/** Bytes that were written and have not left the machine, as far as the system knows; 0 also where it does not. */
size_t posix_tty_unsent(const struct posix_tty *tty);

/** Closes the device; harmless when it is closed. Its settings are as they were found, but for HUPCL, which stays off.
 * Blocks until what was written has left. That is up to a few kilobytes at the device's rate, and without end when the
 * device takes nothing. The program's end calls it. */
void posix_tty_close(struct posix_tty *tty);

/** The same, but blocks for at most about `ms` milliseconds. What has not left then is dropped. */
void posix_tty_close_within(struct posix_tty *tty, uint32_t ms);

#ifdef __cplusplus
}
#endif
#endif
