/* SPDX-License-Identifier: MIT */
#include "wasm_options.h"

#include "bridge.h"
#include "text.h"

#include <string.h>

static void put_name(struct builder *to, const char *name)
{
	build_text(to, "\"");
	build_text(to, name);
	build_text(to, "\":");
}

static void put_text(struct builder *to, const char *name, const char *text)
{
	put_name(to, name);
	if (text != NULL)
		text_put_string(to, text, strlen(text));
	else
		build_text(to, "null");
	build_char(to, ',');
}

static void put_number(struct builder *to, const char *name, uint32_t number)
{
	put_name(to, name);
	build_number(to, number);
}

static void put_command(struct builder *to, char *const *words)
{
	put_name(to, "command");
	build_char(to, '[');
	for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
		if (i > 0)
			build_char(to, ',');
		text_put_string(to, words[i], strlen(words[i]));
	}
	build_char(to, ']');
}

static const char *name_of_kind(enum device_kind kind)
{
	switch (kind) {
	case DEVICE_TTY: return "tty";
	case DEVICE_TCP: return "tcp";
	case DEVICE_UNIX: return "unix";
	default: return "exec";
	}
}

static void put_device_options(struct builder *to, const struct device_options *device)
{
	build_char(to, '{');
	put_text(to, "kind", name_of_kind(device->kind));
	put_text(to, "path", device->path);
	put_number(to, "number", device->number);
	build_char(to, ',');
	put_number(to, "baud", device->baud);
	build_text(to, device->reset ? ",\"reset\":true," : ",\"reset\":false,");
	put_command(to, device->command);
	build_char(to, '}');
}

static void put_door(struct builder *to, enum bridge_way way, const char *path, const char *host, uint16_t port, bool page)
{
	if (to->length > 0 && to->text[to->length - 1] == '}')
		build_char(to, ',');
	build_char(to, '{');
	put_text(to, "path", path);
	put_text(to, "host", host);
	put_number(to, "port", port);
	build_char(to, ',');
	put_number(to, "way", way);
	build_text(to, page ? ",\"page\":true}" : ",\"page\":false}");
}

char *options_shown(const struct bridge_options *o)
{
	struct builder to = build_begin(&heap_standard);
	build_char(&to, '{');
	put_text(&to, "record", o->record);
	build_text(&to, o->no_watch_parent ? "\"noWatchParent\":true," : "\"noWatchParent\":false,");
	put_name(&to, "devices");
	for (unsigned i = 0; i < o->device_count; i++) {
		build_char(&to, i == 0 ? '[' : ',');
		put_device_options(&to, &o->devices[i].options);
	}
	build_text(&to, "],\"doors\":[");
	if (o->listen_unix != NULL)
		put_door(&to, BRIDGE_LOCAL, o->listen_unix, NULL, 0, false);
	if (o->listens_tcp)
		put_door(&to, BRIDGE_TCP, NULL, o->listen_host, o->listen_number, false);
	if (o->listens_http)
		put_door(&to, BRIDGE_HTTP, NULL, o->http_host, o->http_number, o->page != NULL);
	build_text(&to, "]}");
	return build_end(&to);
}
