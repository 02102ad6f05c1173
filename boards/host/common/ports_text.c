/* SPDX-License-Identifier: MIT */
#include "ports_text.h"

#include "format.h"
#include "ports_known.h"
#include "text.h"

#include <string.h>

enum { NUMBER = 5 };

static void write_number(char text[NUMBER], uint16_t number)
{
	(void)format_text(text, NUMBER, "%04x", (unsigned)number);
}

/* --- JSON */

static void put_known(struct builder *to, const char *name, const char *text)
{
	if (text[0] == '\0')
		return;
	if (to->length > 0 && to->text[to->length - 1] != '{')
		build_char(to, ',');
	build_char(to, '"');
	build_text(to, name);
	build_text(to, "\":");
	text_put_string(to, text, strlen(text));
}

static void put_port(struct builder *to, const struct port *port)
{
	char vid[NUMBER] = "", pid[NUMBER] = "";
	if (port->usb) {
		write_number(vid, port->vid);
		write_number(pid, port->pid);
	}
	build_char(to, '{');
	put_known(to, "path", port->path);
	put_known(to, "maker", port->maker);
	put_known(to, "product", port->product);
	put_known(to, "serial", port->serial);
	put_known(to, "vid", vid);
	put_known(to, "pid", pid);
	build_char(to, '}');
}

void ports_put_json(struct builder *to, const struct ports *ports)
{
	build_char(to, '[');
	for (size_t i = 0; i < ports->count; i++) {
		if (i > 0)
			build_char(to, ',');
		put_port(to, &ports->at[i]);
	}
	build_char(to, ']');
}

/* --- Names */

static void write_usb(char name[PORT_NAME], const struct port *port)
{
	(void)format_text(name, PORT_NAME, "usb:%04x:%04x%s%s", (unsigned)port->vid, (unsigned)port->pid, port->serial[0] != '\0' ? ":" : "", port->serial);
}

static size_t count_fitting(const struct ports *ports, const char *name)
{
	size_t count = 0;
	for (size_t i = 0; i < ports->count; i++)
		count += port_fits(&ports->at[i], name);
	return count;
}

/* It stands in a shell as it is shown, with quotes around a blank, and in `--device`, which splits at a comma. A device may say anything. */
static bool may_be_pasted(const char *serial)
{
	static const char taken[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ :._+=@/-";
	return strspn(serial, taken) == strlen(serial);
}

/* With the serial number wherever there is one: another board of the kind may come. */
void port_write_name(char name[PORT_NAME], const struct ports *ports, const struct port *port)
{
	write_usb(name, port);
	if (!port->usb || !may_be_pasted(port->serial) || count_fitting(ports, name) != 1)
		text_fit(name, PORT_NAME, port->path);
}

/* --- In words */

static const struct port_kind *kind_of_port(const struct port *port)
{
	return port->usb ? port_kind_of(port->vid, port->pid) : NULL;
}

/* As the device says, else as the table has it. A maker whose first word the product begins with, too, is left out. */
static void put_product(struct builder *to, const struct port *port)
{
	const struct port_kind *const kind = kind_of_port(port);
	const char *const product = port->product[0] != '\0' ? port->product : kind != NULL ? kind->name : "serial port";
	const size_t word = strcspn(port->maker, " ");
	if (word > 0 && strncmp(product, port->maker, word) != 0) {
		build_text(to, port->maker);
		build_char(to, ' ');
	}
	build_text(to, product);
}

static void put_opening(struct builder *to, const char *before, const struct port *port)
{
	const struct port_kind *const kind = kind_of_port(port);
	if (kind == NULL || kind->opening == OPENING_KEEPS)
		return;
	build_text(to, before);
	build_text(to, kind->opening == OPENING_RESETS ? "opening it resets the board" : "opening it may reset the board");
}

void port_put_line(struct builder *to, const struct ports *ports, const struct port *port)
{
	char name[PORT_NAME];
	port_write_name(name, ports, port);
	build_text(to, port->path);
	build_text(to, "  ");
	put_product(to, port);
	if (strcmp(name, port->path) != 0) {
		build_text(to, "  ");
		build_text(to, name);
	}
	put_opening(to, "  ", port);
}

void port_put_found(struct builder *to, const char *name, const struct port *port)
{
	char usb[PORT_NAME];
	write_usb(usb, port);
	build_text(to, name);
	build_text(to, " is ");
	build_text(to, port->path);
	build_text(to, ", ");
	put_product(to, port);
	if (strcmp(name, usb) != 0) {
		build_text(to, " (");
		build_text(to, usb);
		build_char(to, ')');
	}
	put_opening(to, "; ", port);
}

static bool has_usb(const struct ports *ports)
{
	for (size_t i = 0; i < ports->count; i++) {
		if (ports->at[i].usb)
			return true;
	}
	return false;
}

void port_write_trouble(char words[PORT_TROUBLE], const struct ports *ports, const char *name, enum port_choice choice, const struct port *found)
{
	const char *trouble = "no such board is plugged in";
	if (choice == PORT_SEVERAL)
		trouble = "it fits several ports, which quash-bridge --list names";
	else if (found->path[0] != '\0')
		trouble = "the board that it was is not plugged in";
	else if (strcmp(name, "auto") == 0)
		trouble = has_usb(ports) ? "no board of a maker that auto knows is plugged in, see quash-bridge --list" : "no board is plugged in";
	text_fit(words, PORT_TROUBLE, trouble);
}
