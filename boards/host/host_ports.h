/* SPDX-License-Identifier: MIT
 * The serial ports of this machine; `device_ports` of device_arguments.h is theirs. */
#ifndef HOST_HOST_PORTS_H
#define HOST_HOST_PORTS_H

#include "ports.h"

/** Adds those of a folder as /sys/class/tty of Linux: see `ports_add_from`.
 *
 * @return false when there is no such folder */
bool host_ports_in(struct ports *ports, const char *folder);

#endif
