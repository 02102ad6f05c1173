/* SPDX-License-Identifier: MIT
 * Serial ports: what the system says of them, and which one a name means. A name stands where a path may: `auto` is the only USB port of a
 * known maker of boards and adapters, `usb:VID:PID[:SERIAL]` the port of that USB device, wherever it is plugged in. VID and PID are four
 * hexadecimal digits each. SERIAL is all behind the second colon, and may have colons itself. */
#ifndef HOST_PORTS_H
#define HOST_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_PORTS = 256, PORT_TEXT = 128 };

/** A serial port. A text that is not known is empty. */
struct port {
	char path[PORT_TEXT], maker[PORT_TEXT], product[PORT_TEXT], serial[PORT_TEXT];
	bool usb;
	uint16_t vid, pid; /* of a USB device */
};

/** Those of a machine. The caller owns them. */
struct ports {
	struct port at[MOST_PORTS];
	size_t count;
};

/* --- Filling */

/** The next one, empty but for its path. NULL: there is no room, or the path is there already. */
struct port *ports_add(struct ports *ports, const char *path);

/** Sets a text without the blanks around it. */
void port_set(char text[PORT_TEXT], const char *value, size_t length);

/** A number of four hexadecimal digits, whatever stands behind them. False: it is none. */
bool port_number(const char *digits, uint16_t *number);

/** USB before others, then by their paths, where a number counts as such. */
void ports_sort(struct ports *ports);

/** Adds ports from a text of another program: fields that end with NUL, six of a port: path, maker, product, serial, VID, PID, an
 * unknown one empty. A text without NUL is what `ioreg` of macOS prints: devices of USB with what belongs to them, then all serial ports
 * (`-r -l -w 0 -c IOUSBHostDevice`, then `-c IOSerialBSDClient`). */
void ports_read(struct ports *ports, const char *text, size_t length);

/** Adds `/dev/NAME` if the folder NAME in `folder`, which is as /sys/class/tty of Linux, has hardware behind it. A USB device has files
 * with its numbers and texts one or two folders above that of the port. */
void ports_add_from(struct ports *ports, const char *folder, const char *name);

/* --- Names */

/** Whether that is a name and no path. It may be wrong, as `usb:1`. */
bool port_is_name(const char *text);

/** Whether that is a name as it is to be. */
bool port_is_right_name(const char *text);

/** Whether the name means this port. */
bool port_fits(const struct port *port, const char *name);

/** What there is for a name. */
enum port_choice { PORT_ONE, PORT_NONE, PORT_SEVERAL };

/** Finds the port that a name means. Once `found` has a path, it means that device for good: the same VID, PID and serial number. Of
 * MOST_PORTS ports none is known to be the only one of its kind: there may be more than were added.
 *
 * @param found  is set if there is one; its path is empty before the first time */
enum port_choice port_choose(const struct ports *ports, const char *name, struct port *found);

#endif
