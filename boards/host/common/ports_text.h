/* SPDX-License-Identifier: MIT
 * Serial ports in words. Texts of devices pass host_escape.h where they are printed. */
#ifndef HOST_PORTS_TEXT_H
#define HOST_PORTS_TEXT_H

#include "builder.h"
#include "ports.h"

/** An array of objects with the strings `path`, `maker`, `product`, `serial`, `vid`, `pid`, each where it is known. */
void ports_put_json(struct builder *to, const struct ports *ports);

enum { PORT_NAME = PORT_TEXT + 16 };

/** What to write so that this port is meant and no other: `usb:VID:PID:SERIAL`, without a serial number `usb:VID:PID`, or its path if that
 * means several ports, or if the serial number has characters that mean something to a shell. */
void port_write_name(char name[PORT_NAME], const struct ports *ports, const struct port *port);

/** A line of a list: the path, what the port is, `port_write_name`, and what opening it does to a board. */
void port_put_line(struct builder *to, const struct ports *ports, const struct port *port);

/** What a name means now: `auto is /dev/ttyACM0, Arduino Uno (usb:2341:0043:123); opening it resets the board`. */
void port_put_found(struct builder *to, const char *name, const struct port *port);

/** Why a name means no port now, in words of at most PORT_TROUBLE bytes with the NUL. `found` is that of `port_choose`. */
enum { PORT_TROUBLE = 96 };
void port_write_trouble(char words[PORT_TROUBLE], const struct ports *ports, const char *name, enum port_choice choice, const struct port *found);

#endif
