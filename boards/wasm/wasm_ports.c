/* SPDX-License-Identifier: MIT */
#include "wasm_ports.h"

#include "device_arguments.h"
#include "ports_text.h"
#include "text.h"
#include "wasm_host.h"

#include <stdlib.h>
#include <string.h>

static const char folder[] = "/sys/class/tty";

enum { NAMES = 1 << 16 };

/* False: there is no such folder. */
static bool read_folder(struct ports *ports)
{
	char *const names = calloc(NAMES + 1, 1);
	const int n = names != NULL ? shell_folder(folder, strlen(folder), names, NAMES) : -1;
	for (int at = 0; at < n; at += (int)strlen(names + at) + 1)
		ports_add_from(ports, folder, names + at);
	free(names);
	return n >= 0;
}

static void read_shown(struct ports *ports)
{
	const size_t n = shell_ports(NULL, 0);
	char *const text = malloc(n + 1);
	if (text != NULL)
		ports_read(ports, text, shell_ports(text, n));
	free(text);
}

void device_ports(struct ports *ports)
{
	ports->count = 0;
	if (!read_folder(ports))
		read_shown(ports);
	ports_sort(ports);
}

static void put_member(struct builder *to, const char *name, const char *text)
{
	build_text(to, name);
	text_put_string(to, text, strlen(text));
}

static void put_found(struct builder *to, const char *device, const char *name, const struct port *port)
{
	struct builder line = build_begin(&heap_standard);
	build_text(&line, device);
	build_text(&line, ": ");
	port_put_found(&line, name, port);
	char *const text = build_end(&line);
	if (text != NULL)
		put_member(to, ",\"found\":", text);
	heap_free(&heap_standard, text);
}

/* The name of a port. */
static void put_port_of(struct builder *to, const char *device, const char *name, struct port *found)
{
	char trouble[PORT_TROUBLE];
	const struct port before = *found;
	struct ports *const ports = malloc(sizeof *ports);
	if (ports == NULL)
		return;
	device_ports(ports);
	const enum port_choice choice = port_choose(ports, name, found);
	if (choice != PORT_ONE) {
		port_write_trouble(trouble, ports, name, choice, found);
		put_member(to, "\"trouble\":", trouble);
	} else {
		put_member(to, "\"path\":", found->path);
		if (strcmp(before.path, found->path) != 0)
			put_found(to, device, name, found);
	}
	free(ports);
}

char *port_shown(const struct bridge_options *options, unsigned device)
{
	static struct port found[MOST_DEVICES];
	const char *const path = options->devices[device].options.path;
	struct builder to = build_begin(&heap_standard);
	build_char(&to, '{');
	if (port_is_name(path))
		put_port_of(&to, options->devices[device].name, path, &found[device]);
	else
		put_member(&to, "\"path\":", path);
	build_char(&to, '}');
	return build_end(&to);
}
