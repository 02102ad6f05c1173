/* SPDX-License-Identifier: MIT
 * What other programs print of ports. */
#include "ports.h"

#include <string.h>

/* --- Fields that end with NUL */

enum { FIELDS = 6 };

static bool read_fields(const char **at, const char *end, const char *fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++) {
		const char *const nul = memchr(*at, '\0', (size_t)(end - *at));
		if (nul == NULL)
			return false;
		fields[i] = *at;
		*at = nul + 1;
	}
	return true;
}

static void add_fields(struct ports *ports, const char *const fields[FIELDS])
{
	struct port *const port = ports_add(ports, fields[0]);
	if (port == NULL)
		return;
	port_set(port->maker, fields[1], strlen(fields[1]));
	port_set(port->product, fields[2], strlen(fields[2]));
	port_set(port->serial, fields[3], strlen(fields[3]));
	port->usb = port_number(fields[4], &port->vid) && port_number(fields[5], &port->pid);
}

/* --- ioreg: `+-o NAME  <class CLASS, ...>` begins a node, and what stands farther right belongs to it */

enum { MOST_NESTED = 16 };

struct ioreg_device {
	size_t column;
	struct port port; /* without a path */
};

struct ioreg {
	struct ports *ports;
	struct ioreg_device open[MOST_NESTED]; /* of USB, each within the one before */
	size_t count;
	bool in_device; /* what comes next is about the last one itself, not about what belongs to it */
};

static const char *find_in_line(const char *line, size_t length, const char *text)
{
	const size_t n = strlen(text);
	for (size_t i = 0; i + n <= length; i++) {
		if (memcmp(line + i, text, n) == 0)
			return line + i;
	}
	return NULL;
}

static void begin_node(struct ioreg *reader, const char *line, size_t length, size_t column)
{
	const bool usb = find_in_line(line, length, "<class IOUSBHostDevice") != NULL || find_in_line(line, length, "<class IOUSBDevice") != NULL;
	while (reader->count > 0 && reader->open[reader->count - 1].column >= column)
		reader->count--;
	reader->in_device = usb && reader->count < MOST_NESTED;
	if (!reader->in_device)
		return;
	struct ioreg_device *const device = &reader->open[reader->count++];
	memset(device, 0, sizeof *device);
	device->column = column;
}

/* The value of `"NAME" = VALUE`; a string without its quotes. NULL: the line has another name. */
static const char *ioreg_value(const char *line, size_t length, const char *name, size_t *n)
{
	const char *const at = find_in_line(line, length, name);
	const char *value = at != NULL ? at + strlen(name) : NULL;
	const char *end = line + length;
	if (value == NULL)
		return NULL;
	if (value < end && *value == '"') {
		value++;
		while (end > value && end[-1] != '"')
			end--;
		end -= end > value ? 1 : 0;
	}
	*n = (size_t)(end - value);
	return value;
}

static bool read_text(const char *line, size_t length, const char *name, char text[PORT_TEXT])
{
	size_t n;
	const char *const value = ioreg_value(line, length, name, &n);
	if (value != NULL)
		port_set(text, value, n);
	return value != NULL;
}

/* In decimal digits, or from 0x on in hexadecimal ones. */
static bool read_integer(const char *line, size_t length, const char *name, uint16_t *number)
{
	size_t n;
	unsigned value = 0;
	const char *const digits = ioreg_value(line, length, name, &n);
	if (digits == NULL)
		return false;
	const bool hex = n > 2 && digits[0] == '0' && digits[1] == 'x';
	for (size_t i = hex ? 2 : 0; i < n && value <= UINT16_MAX; i++) {
		const char c = digits[i];
		if (c >= '0' && c <= '9')
			value = value * (hex ? 16 : 10) + (unsigned)(c - '0');
		else if (hex && c >= 'a' && c <= 'f')
			value = value * 16 + (unsigned)(c - 'a') + 10;
		else
			break;
	}
	*number = (uint16_t)value;
	return true;
}

static void read_property(struct port *device, const char *line, size_t length)
{
	if (read_integer(line, length, "\"idVendor\" = ", &device->vid))
		device->usb = true;
	else if (!read_integer(line, length, "\"idProduct\" = ", &device->pid) && !read_text(line, length, "\"USB Vendor Name\" = ", device->maker) &&
		!read_text(line, length, "\"USB Product Name\" = ", device->product) && !read_text(line, length, "\"USB Serial Number\" = ", device->serial) &&
		!read_text(line, length, "\"kUSBVendorString\" = ", device->maker) && !read_text(line, length, "\"kUSBProductString\" = ", device->product))
		(void)read_text(line, length, "\"kUSBSerialNumberString\" = ", device->serial);
}

static void read_line(struct ioreg *reader, const char *line, size_t length)
{
	char path[PORT_TEXT] = "";
	struct ioreg_device *const device = reader->count > 0 ? &reader->open[reader->count - 1] : NULL;
	const char *const node = find_in_line(line, length, "+-o ");
	if (node != NULL && find_in_line(line, (size_t)(node - line), "\"") == NULL) {
		begin_node(reader, line, length, (size_t)(node - line));
	} else if (read_text(line, length, "\"IOCalloutDevice\" = ", path)) {
		struct port *const port = ports_add(reader->ports, path);
		if (port != NULL && device != NULL) {
			*port = device->port;
			memcpy(port->path, path, sizeof path);
		}
	} else if (reader->in_device) {
		read_property(&device->port, line, length);
	}
}

static void read_ioreg(struct ports *ports, const char *text, size_t length)
{
	struct ioreg reader = { .ports = ports };
	while (length > 0) {
		const char *const end = memchr(text, '\n', length);
		const size_t n = end != NULL ? (size_t)(end - text) : length;
		read_line(&reader, text, n);
		text += n + (end != NULL);
		length -= n + (end != NULL);
	}
}

void ports_read(struct ports *ports, const char *text, size_t length)
{
	const char *const end = text + length, *fields[FIELDS];
	if (length > 0 && memchr(text, '\0', length) == NULL) {
		read_ioreg(ports, text, length);
		return;
	}
	while (read_fields(&text, end, fields))
		add_fields(ports, fields);
}
