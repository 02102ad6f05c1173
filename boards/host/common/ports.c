/* SPDX-License-Identifier: MIT */
#include "ports.h"

#include "ports_known.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char automatic[] = "auto", by_usb[] = "usb:";

enum { DIGITS = 4, NUMBERS = 2 * DIGITS + 1 /* VID:PID */ };

/* --- Filling */

struct port *ports_add(struct ports *ports, const char *path)
{
	for (size_t i = 0; i < ports->count; i++) {
		if (strcmp(ports->at[i].path, path) == 0)
			return NULL;
	}
	if (ports->count == MOST_PORTS || path[0] == '\0' || strlen(path) >= PORT_TEXT)
		return NULL;
	struct port *const port = &ports->at[ports->count++];
	memset(port, 0, sizeof *port);
	port_set(port->path, path, strlen(path));
	return port;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void port_set(char text[PORT_TEXT], const char *value, size_t length)
{
	char whole[4 * PORT_TEXT];
	while (length > 0 && is_blank(value[0])) {
		value++;
		length--;
	}
	while (length > 0 && is_blank(value[length - 1]))
		length--;
	length = length < sizeof whole ? length : sizeof whole - 1;
	memcpy(whole, value, length);
	whole[length] = '\0';
	text_fit(text, PORT_TEXT, whole);
}

static int hex_digit(char c)
{
	const char *const digits = "0123456789abcdef";
	const char small = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
	const char *const at = small != '\0' ? strchr(digits, small) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

bool port_number(const char *digits, uint16_t *number)
{
	unsigned value = 0;
	for (size_t i = 0; i < DIGITS; i++) {
		const int digit = hex_digit(digits[i]);
		if (digit < 0)
			return false;
		value = value * 16 + (unsigned)digit;
	}
	*number = (uint16_t)value;
	return true;
}

/* The number that a path ends with stands for itself: 2 before 10. */
static int compare_paths(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	while (n > 0 && a[n - 1] >= '0' && a[n - 1] <= '9')
		n--;
	while (m > 0 && b[m - 1] >= '0' && b[m - 1] <= '9')
		m--;
	if (n != m || memcmp(a, b, n) != 0 || strlen(a) == strlen(b))
		return strcmp(a, b);
	return strlen(a) < strlen(b) ? -1 : 1;
}

static int compare_ports(const void *a, const void *b)
{
	const struct port *const one = a, *const other = b;
	if (one->usb != other->usb)
		return one->usb ? -1 : 1;
	return compare_paths(one->path, other->path);
}

void ports_sort(struct ports *ports)
{
	qsort(ports->at, ports->count, sizeof ports->at[0], compare_ports);
}

/* --- Names */

bool port_is_name(const char *text)
{
	return strcmp(text, automatic) == 0 || strncmp(text, by_usb, strlen(by_usb)) == 0;
}

/* The parts of `usb:VID:PID[:SERIAL]`; the serial number NULL: none is given. */
static bool parts_of(const char *name, uint16_t *vid, uint16_t *pid, const char **serial)
{
	const char *const numbers = name + strlen(by_usb);
	if (strncmp(name, by_usb, strlen(by_usb)) != 0 || !port_number(numbers, vid) || numbers[DIGITS] != ':')
		return false;
	if (!port_number(numbers + DIGITS + 1, pid))
		return false;
	const char *const end = numbers + NUMBERS;
	*serial = end[0] == ':' ? end + 1 : NULL;
	return end[0] == '\0' || (end[0] == ':' && end[1] != '\0');
}

bool port_is_right_name(const char *text)
{
	uint16_t vid, pid;
	const char *serial;
	return strcmp(text, automatic) == 0 || parts_of(text, &vid, &pid, &serial);
}

static bool has_serial(const char *name)
{
	uint16_t vid, pid;
	const char *serial = NULL;
	return parts_of(name, &vid, &pid, &serial) && serial != NULL;
}

/* Windows tells serial numbers in capitals. */
static bool is_same_serial(const char *a, const char *b)
{
	while (*a != '\0' && (*a == *b || (*a >= 'A' && *a <= 'Z' && *a - 'A' + 'a' == *b) || (*b >= 'A' && *b <= 'Z' && *b - 'A' + 'a' == *a))) {
		a++;
		b++;
	}
	return *a == *b;
}

bool port_fits(const struct port *port, const char *name)
{
	uint16_t vid, pid;
	const char *serial;
	if (!port->usb)
		return false;
	if (strcmp(name, automatic) == 0)
		return port_is_known(port->vid);
	return parts_of(name, &vid, &pid, &serial) && port->vid == vid && port->pid == pid && (serial == NULL || is_same_serial(port->serial, serial));
}

static bool is_same_device(const struct port *a, const struct port *b)
{
	return a->vid == b->vid && a->pid == b->pid && is_same_serial(a->serial, b->serial);
}

enum port_choice port_choose(const struct ports *ports, const char *name, struct port *found)
{
	const struct port *only = NULL;
	for (size_t i = 0; i < ports->count; i++) {
		const struct port *const port = &ports->at[i];
		if (!port_fits(port, name) || (found->path[0] != '\0' && !is_same_device(port, found)))
			continue;
		if (only != NULL)
			return PORT_SEVERAL;
		only = port;
	}
	if (only != NULL && ports->count == MOST_PORTS && !has_serial(name))
		return PORT_SEVERAL;
	if (only != NULL)
		*found = *only;
	return only != NULL ? PORT_ONE : PORT_NONE;
}
