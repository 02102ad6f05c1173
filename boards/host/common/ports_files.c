/* SPDX-License-Identifier: MIT
 * Serial ports as files of Linux show them: what sysfs has of /sys/class/tty. */
#include "ports.h"

#include "format.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 512 };

/* A path that is too long names nothing. */
static void path_below(char path[PATH], const char *folder, const char *name)
{
	if (format_text(path, PATH, "%s/%s", folder, name) == PATH - 1)
		path[0] = '\0';
}

/* False: there is no such file. */
static bool read_port_file(const char *folder, const char *name, char text[PORT_TEXT])
{
	char path[PATH], line[4 * PORT_TEXT] = "";
	path_below(path, folder, name);
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return false;
	const size_t n = fread(line, 1, sizeof line - 1, file);
	fclose(file);
	port_set(text, line, n);
	return true;
}

static bool is_usb(struct port *port, const char *device)
{
	char vid[PORT_TEXT], pid[PORT_TEXT];
	if (!read_port_file(device, "idVendor", vid) || !read_port_file(device, "idProduct", pid))
		return false;
	port->usb = port_number(vid, &port->vid) && port_number(pid, &port->pid);
	return port->usb;
}

/* A chip on USB with several ports has a folder for each. */
static void describe_port(struct port *port, const char *folder)
{
	static const char *const above[] = { "device", "device/..", "device/../.." };
	char device[PATH];
	for (size_t i = 0; i < sizeof above / sizeof above[0] && !port->usb; i++) {
		path_below(device, folder, above[i]);
		if (!is_usb(port, device))
			continue;
		(void)read_port_file(device, "manufacturer", port->maker);
		(void)read_port_file(device, "product", port->product);
		(void)read_port_file(device, "serial", port->serial);
	}
}

/* Linux has names for serial chips that a machine might have; those that it has not are of type 0. Consoles have no device at all. */
static bool is_there(const char *folder)
{
	char text[PORT_TEXT];
	return read_port_file(folder, "device/uevent", text) && (!read_port_file(folder, "type", text) || strcmp(text, "0") != 0);
}

void ports_add_from(struct ports *ports, const char *folder, const char *name)
{
	char path[PATH], device[PATH];
	struct port described = { .usb = false };
	path_below(path, folder, name);
	path_below(device, "/dev", name);
	if (name[0] == '.')
		return;
	describe_port(&described, path);
	struct port *const port = described.usb || is_there(path) ? ports_add(ports, device) : NULL;
	if (port == NULL)
		return;
	memcpy(described.path, port->path, sizeof described.path);
	*port = described;
}
