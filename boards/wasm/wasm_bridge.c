/* SPDX-License-Identifier: MIT
 * What the module exports: a bridge over the door of bridge.h. Lines are numbers, of wasm_lines.h; a number that names nothing any more
 * changes nothing. Texts and bytes from outside come in the memory that `room` gives, and those from inside stand until the next call.
 *
 *     start(words, length)             words of a command line that end with NUL each, in the room: -1, or the exit code
 *     options()                        as JSON, ends with NUL
 *     port(device)                     likewise, see wasm_ports.h
 *     begin(now)                       the bridge is there
 *     tick(now), wish(), next(), ...   as bridge.h has it */
#include "bridge.h"
#include "bridge_arguments.h"
#include "bridge_output.h"
#include "quash.h"
#include "wasm_host.h"
#include "wasm_lines.h"
#include "wasm_options.h"
#include "wasm_ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bridge_options options;
static struct bridge *bridge;

/* --- What the engine needs */

static void *resize_or_end(void *context, void *memory, size_t size)
{
	void *const given = heap_standard.resize(context, memory, size);
	if (given == NULL && size > 0)
		shell_refuse(size);
	return given;
}

static const struct heap heap = { resize_or_end, NULL };

static bool random_of_shell(void *context, void *bytes, size_t n)
{
	(void)context;
	return shell_random(bytes, n) != 0;
}

static void hand_over(struct builder *made)
{
	char *const text = build_end(made);
	shell_record(text, made->length);
	heap_free(&heap, text);
}

static void record_in_shell(void *context, const char *device, enum record_way way, const char *text, size_t n)
{
	struct builder made = build_begin(&heap);
	const struct record_entry entry = { shell_record_ms(), way, span_of(device), { text, n } };
	(void)context;
	record_put(&made, &entry);
	hand_over(&made);
}

/* --- Its start */

static struct {
	uint8_t *at;
	size_t size;
} from_outside;

WASM_EXPORT(version) const char *wasm_version(void)
{
	return QUASH_VERSION;
}

WASM_EXPORT(room) void *wasm_room(size_t n)
{
	if (n > from_outside.size) {
		from_outside.at = resize_or_end(NULL, from_outside.at, n);
		from_outside.size = n;
	}
	return from_outside.at;
}

/* They stand as long as the module. */
static char **read_words(int argc, size_t n)
{
	char *at = resize_or_end(NULL, NULL, n + 1);
	char **const words = resize_or_end(NULL, NULL, ((size_t)argc + 1) * sizeof *words);
	memcpy(at, from_outside.at, n);
	for (int i = 0; i < argc; i++) {
		words[i] = at;
		at += strlen(at) + 1;
	}
	words[argc] = NULL;
	return words;
}

/* Likewise. */
static const char *read_page(void)
{
	const size_t n = shell_page(NULL, 0);
	char *const text = n > 0 ? resize_or_end(NULL, NULL, n + 1) : NULL;
	if (text == NULL)
		return NULL;
	const size_t read = shell_page(text, n);
	text[read < n ? read : n] = '\0';
	return text;
}

WASM_EXPORT(start) int wasm_start(int argc, size_t n)
{
	const int code = options_read(&options, argc, read_words(argc, n));
	fflush(stdout);
	log_open();
	if (code < 0 && options.listens_http && !options.no_page)
		options.page = read_page();
	return code;
}

WASM_EXPORT(options) const char *wasm_options(void)
{
	static char *text;
	free(text);
	text = options_shown(&options);
	return text;
}

/* Where a serial device is now, as JSON, which ends with NUL. */
WASM_EXPORT(port) const char *wasm_port(uint32_t device)
{
	static char *text;
	free(text);
	text = port_shown(&options, device);
	return text;
}

static void record_head(void)
{
	struct builder made = build_begin(&heap);
	record_put_head(&made, bridge_protocol_name(options.protocol));
	hand_over(&made);
}

/* The record is open, if the options name one. */
WASM_EXPORT(begin) int wasm_begin(uint32_t now)
{
	const struct bridge_host host = { .heap = heap, .random = random_of_shell, .log = log_for_bridge,
		.record = options.record != NULL ? record_in_shell : NULL };
	if (options.record != NULL)
		record_head();
	bridge = bridge_new(&options, &host, now);
	return bridge != NULL;
}

/* A line of the shell's for the log, of `n` bytes in the room. */
WASM_EXPORT(say) void wasm_say(int level, size_t n)
{
	if (level <= (int)options.level)
		log_print((enum log_level)level, (const char *)from_outside.at, n, false);
}

/* --- Turns */

WASM_EXPORT(tick) void wasm_tick(uint32_t now)
{
	bridge_tick(bridge, now);
}

WASM_EXPORT(idle) uint32_t wasm_idle(void)
{
	return bridge_idle_ms(bridge);
}

WASM_EXPORT(end) void wasm_end(void)
{
	bridge_end(bridge);
}

WASM_EXPORT(is_ending) int wasm_is_ending(void)
{
	return bridge_is_ending(bridge);
}

/* -1, or the exit code. */
WASM_EXPORT(over) int wasm_over(void)
{
	int code;
	return bridge_is_over(bridge, &code) ? code : -1;
}

/* Kind, line, device, milliseconds. NULL: there is none. */
WASM_EXPORT(wish) const uint32_t *wasm_wish(void)
{
	static uint32_t shown[4];
	struct bridge_wish wish;
	if (!bridge_wants(bridge, &wish))
		return NULL;
	shown[0] = wish.kind;
	shown[1] = line_number(wish.line);
	shown[2] = wish.device;
	shown[3] = wish.ms;
	return shown;
}

/* --- Lines: their life */

WASM_EXPORT(takes) int wasm_takes(int way)
{
	return bridge_takes(bridge, (enum bridge_way)way);
}

WASM_EXPORT(client) uint32_t wasm_client(int way)
{
	return line_number(bridge_client(bridge, (enum bridge_way)way));
}

WASM_EXPORT(terminal) uint32_t wasm_terminal(void)
{
	return line_number(bridge_terminal(bridge));
}

WASM_EXPORT(opened) void wasm_opened(uint32_t number)
{
	struct bridge_line *const line = line_numbered(number);
	if (line != NULL)
		bridge_opened(line);
}

WASM_EXPORT(ended) void wasm_ended(uint32_t number, int unread)
{
	struct bridge_line *const line = line_numbered(number);
	if (line != NULL)
		bridge_ended(line, unread != 0);
}

/* The words in the room end with NUL, here and below. */
WASM_EXPORT(lost) void wasm_lost(uint32_t number)
{
	struct bridge_line *const line = line_numbered(number);
	if (line != NULL)
		bridge_lost(line, (const char *)from_outside.at);
}

WASM_EXPORT(failed) void wasm_failed(uint32_t number, int in_use)
{
	struct bridge_line *const line = line_let_go(number);
	if (line != NULL)
		bridge_failed(line, in_use != 0 ? BRIDGE_IN_USE : BRIDGE_FAILED, (const char *)from_outside.at);
}

WASM_EXPORT(closed) void wasm_closed(uint32_t number)
{
	struct bridge_line *const line = line_let_go(number);
	if (line != NULL)
		bridge_closed(line);
}

/* --- Lines: bytes */

/* The bytes are in the room. Returns how many were taken: all, of a line that has ended. */
WASM_EXPORT(feed) size_t wasm_feed(uint32_t number, size_t n)
{
	struct bridge_line *const line = line_numbered(number);
	return line != NULL ? bridge_feed(line, from_outside.at, n) : n;
}

WASM_EXPORT(reads) int wasm_reads(uint32_t number)
{
	const struct bridge_line *const line = line_numbered(number);
	return line != NULL && bridge_reads(line);
}

/* Where they stand, and how many. */
WASM_EXPORT(out) const uint32_t *wasm_out(uint32_t number)
{
	static uint32_t shown[2];
	const struct bridge_line *const line = line_numbered(number);
	size_t n = 0;
	shown[0] = line != NULL ? (uint32_t)(uintptr_t)bridge_out(line, &n) : 0;
	shown[1] = (uint32_t)n;
	return shown;
}

WASM_EXPORT(sent) void wasm_sent(uint32_t number, size_t n)
{
	struct bridge_line *const line = line_numbered(number);
	if (line != NULL)
		bridge_sent(line, n);
}

WASM_EXPORT(next) uint32_t wasm_next(void)
{
	return line_number(bridge_next(bridge));
}
