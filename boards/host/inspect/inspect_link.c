/* SPDX-License-Identifier: MIT */
#include "inspect_link.h"

#include "events.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "inspect_signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Opening the device */

enum { LOOK_MS = 20, CONNECT_MS = 10000, TEXT = 256 };

static uint32_t now_of(struct host_device *device)
{
	const quash_port port = host_device_port(device);
	return port.now(port.device);
}

/* Until something happens, or a moment has passed. False when a signal ends the waiting. */
static bool wait_a_moment(int fd)
{
	struct pollfd fds[] = { { .fd = fd, .events = POLLOUT },
		{ .fd = signals_descriptor(), .events = POLLIN } };
	posix_stdio_poll(fds, 2, LOOK_MS);
	signals_read();
	return signals_interrupts() == 0;
}

/* --- Opening the device: locks */

static void report_holder(const struct host_device *device, const char *what)
{
	char name[TEXT], holder[TEXT];
	device_name(&device->options, name, sizeof name);
	host_device_holder(device, holder, sizeof holder);
	note_open();
	note_part("quash-inspect: %s", what);
	note_text(name, strlen(name));
	note_part(" is in use by ");
	note_text(holder, strlen(holder));
	note_close();
}

/* 0 or an errno: EINTR when a signal has come first. */
static int open_when_free(struct host_device *device, uint32_t patience)
{
	const uint32_t start = now_of(device);
	int error = host_device_open(device);
	if (error == EBUSY && patience > 0)
		report_holder(device, "waiting: ");
	while (error == EBUSY && now_of(device) - start < patience)
		error = wait_a_moment(-1) ? host_device_open(device) : EINTR;
	return error;
}

/* --- Opening the device: connections */

static int connect_within(struct host_device *device, uint32_t ms)
{
	const uint32_t start = now_of(device);
	while (host_device_is_connecting(device)) {
		if (!wait_a_moment(device->stdio->out))
			return EINTR;
		if (now_of(device) - start >= ms)
			return ETIMEDOUT;
	}
	return 0;
}

static int report_trouble(struct host_device *device, int error)
{
	char name[TEXT], trouble[TEXT];
	device_name(&device->options, name, sizeof name);
	host_device_trouble(device, error, trouble, sizeof trouble);
	note_open();
	note_part("quash-inspect: ");
	note_text(name, strlen(name));
	note_part(": %s", trouble);
	note_close();
	return EXIT_NO_ANSWER;
}

/* Which port a name means. */
static void report_found(const struct host_device *device)
{
	struct builder line = build_begin(&heap_standard);
	port_put_found(&line, device->options.path, &device->found);
	const size_t length = line.length;
	char *const text = build_end(&line);
	note_open();
	note_part("quash-inspect: ");
	note_text(text != NULL ? text : "", length);
	note_close();
	heap_free(&heap_standard, text);
}

int inspect_open_device(struct host_device *device, const struct inspect_options *options)
{
	int error = open_when_free(device, options->wait);
	if (device->found.path[0] != '\0')
		report_found(device);
	if (error == 0)
		error = connect_within(
			device, options->timed && options->timeout > 0 ? options->timeout : CONNECT_MS);
	const bool lost = error == 0 && device->stdio->gone;
	if (error == 0 && !lost)
		return 0;
	host_device_close(device, 0);
	if (error == EINTR)
		return EXIT_CANCELLED;
	if (error != EBUSY)
		return report_trouble(device, error);
	report_holder(device, "");
	return EXIT_NO_ANSWER;
}

enum {
	SLOTS = 200,
	ID_SIZE = 128,
	STATE_SIZE = 16,
	TX_SIZE = 1 << 16,
	GREETING_MS = 10000,
	FAREWELL_MS = 2000,
	HURRY_MS = 200
};

uint32_t link_now(const struct link *link)
{
	return link->port.now(link->port.device);
}

/* The messages show what has happened; this, why. */
static void trace(
	quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	const struct link *const link = quash_context(peer);
	char line[EVENT_LINE];
	if (!link->options->trace || why == QUASH_WHY_NONE)
		return;
	event_line(line, event, request, detail, why);
	note("-- %s", line);
}

/* --- Opening the link */

static const quash_config *configure(struct link *link)
{
	static quash_request slots[SLOTS];
	static quash_word word;
	static quash_counters counters;
	static uint8_t ids[(SLOTS + 1) * ID_SIZE], tx[TX_SIZE];
	static uint64_t states[SLOTS * STATE_SIZE / sizeof(uint64_t)];
	const struct inspect_protocol *const protocol = link->options->protocol;
	const quash_config config = {
		.dialect = protocol->dialect,
		.methods = protocol->methods,
		.method_count = protocol->method_count,
		.slots = slots,
		.slot_count = SLOTS,
		.word = &word,
		.word_size = sizeof word.text,
		.ids = ids,
		.id_size = ID_SIZE,
		.states = states,
		.state_size = STATE_SIZE,
		.arena = calloc(link->options->arena, 1),
		.arena_size = (quash_size)link->options->arena,
		.tx = tx,
		.tx_size = sizeof tx,
		.counters = &counters,
		.trace = trace,
		.context = link,
		.calls = &quash_calls,
	};
	link->config = config;
	return &link->config;
}

bool link_open(struct link *link, struct inspect_options *options)
{
	link->options = options;
	link->exit = EXIT_NO_ANSWER;
	link->spare = 1;
	link->device.options = options->device;
	link->port = tap_begin(&link->tap, &link->device, options);
	if (!quash_init(&link->peer, configure(link), NULL)) {
		note("quash-inspect: out of memory");
		return false;
	}
	const int refused = inspect_open_device(&link->device, options);
	if (refused != 0)
		link->exit = refused;
	quash_tick(&link->peer, link_now(link));
	return refused == 0;
}

/* --- The loop */

bool link_hurries(const struct link *link)
{
	return signals_interrupts() > link->spare;
}

bool link_is_lost(const struct link *link)
{
	return link->device.stdio == NULL || link->device.stdio->gone;
}

static void link_read_line(struct link *link)
{
	char line[256];
	const ssize_t n = read(STDIN_FILENO, line, sizeof line - 1);
	line[n > 0 ? n : 0] = '\0';
	link->on_line(link, n > 0 ? line : NULL);
}

/* The end of a command does not wake the poll while others hold its pipe. */
static bool link_command_has_ended(struct link *link)
{
	return link->device.options.kind == DEVICE_COMMAND && posix_child_ended(&link->device.as.child);
}

static void sleep_until_something(struct link *link, uint32_t ms)
{
	struct pollfd fds[4] = {
		{ .fd = signals_descriptor(), .events = POLLIN },
		{ .fd = link->asks != NULL ? STDIN_FILENO : -1, .events = POLLIN },
	};
	if (!posix_stdio_watch(link->device.stdio, &link->peer, fds + 2) || link_command_has_ended(link))
		ms = 0;
	posix_stdio_poll(fds, 4, ms);
	posix_stdio_seen(link->device.stdio, fds + 2);
	signals_read();
	if (fds[1].revents != 0)
		link_read_line(link);
}

void link_turn(struct link *link, uint32_t ms)
{
	const uint32_t idle = quash_idle_ms(&link->peer);
	sleep_until_something(link, idle < ms ? idle : ms);
	quash_pump(&link->peer, &link->port);
	quash_step(&link->peer);
}

struct link *link_of(const quash_request *request)
{
	return quash_context(quash_peer_of(request));
}

/* --- Asking */

static void report_error(const struct link *link, quash_value error)
{
	const quash_value message = quash_get(error, "message"), data = quash_get(error, "data");
	if (link->options->json && link->observer == NULL) {
		show_json(error);
		show_line_end();
	}
	note_open();
	note_part("error ");
	note_value(quash_get(error, "code"));
	note_part(": ");
	note_value(message);
	if (quash_kind_of(data) != QUASH_NONE) {
		note_part(" ");
		note_value(data);
	}
	note_close();
}

int link_failure(const struct link *link, const quash_call *call)
{
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_ERROR:
		if (link->observer != NULL)
			link->observer->refused(link->options, call);
		report_error(link, quash_call_answer(call));
		return EXIT_ERROR;
	case QUASH_CALL_OVERDUE:
		note("timeout: no answer to %s within %u ms", call->method, (unsigned)call->deadline);
		break;
	case QUASH_CALL_LINK: note("link lost: no answer to %s will come", call->method); break;
	case QUASH_CALL_TOO_LARGE:
		note("too large: the answer to %s does not fit into the arena (--arena)", call->method);
		break;
	case QUASH_CALL_MALFORMED:
		note("malformed: what came as the answer to %s is none", call->method);
		break;
	default: note("no answer to %s", call->method); break;
	}
	return EXIT_NO_ANSWER;
}

/* The interrupt that has cancelled the main request is used up. */
static bool is_interrupted(const struct link *link)
{
	return signals_interrupts() > (link->cancelling ? link->spare : 0);
}

uint32_t link_patience(const struct link *link)
{
	return link->options->timed ? link->options->timeout : GREETING_MS;
}

bool link_await(struct link *link, quash_call *call, uint32_t ms)
{
	link->asked = call;
	call->deadline = ms;
	quash_call_start(&link->peer, call);
	while (!quash_call_has_ended(call) && !is_interrupted(link))
		link_turn(link, tap_greet(&link->tap));
	return quash_call_has_ended(call);
}

bool link_ask(struct link *link, quash_call *call)
{
	const bool ended = link_await(link, call, link_patience(link));
	if (quash_call_outcome(call) == QUASH_CALL_RESULT)
		return true;
	link->exit = ended ? link_failure(link, call) : EXIT_CANCELLED;
	return false;
}

void link_notify(struct link *link, const char *method, quash_call_put *put, const quash_call *call)
{
	for (;;) {
		quash_writer *const w = quash_notify(&link->peer, method);
		if (put != NULL) {
			put(w, call);
		} else {
			quash_put_object(w);
			quash_put_end(w);
		}
		if (quash_notify_send(&link->peer) || !quash_notify_fits(&link->peer) || link_hurries(link))
			return;
		link_turn(link, never);
	}
}

/* --- Closing */

static void transmit_what_is_due(struct link *link)
{
	const uint32_t start = link_now(link);
	size_t waiting;
	quash_pump(&link->peer, &link->port);
	quash_out(&link->peer, &waiting);
	while (waiting > 0 && !link_is_lost(link) && !link_hurries(link) &&
		link_now(link) - start < FAREWELL_MS) {
		link_turn(link, FAREWELL_MS);
		quash_out(&link->peer, &waiting);
	}
}

static void report_count(uint32_t count, const char *what)
{
	if (count > 0)
		note("note: %s: %u", what, (unsigned)count);
}

static void report_noise(const struct tap *tap, uint32_t count)
{
	if (count == 0)
		return;
	note_open();
	note_part("note: messages that are no JSON: %u", (unsigned)count);
	if (tap->symptoms.noise > 0) {
		note_part("; the first: ");
		note_text(tap->symptoms.text, tap->symptoms.noise);
	}
	note_close();
}

static void report_strays(const struct tap *tap, uint32_t count)
{
	if (count == 0)
		return;
	note_open();
	note_part("note: answers to nothing: %u; ", (unsigned)count);
	if (tap->stray > 0) {
		note_part("the first error has no id, for what was transmitted could not be read: ");
		note_text(tap->stray_error, tap->stray);
	} else {
		note_part("their ids are of no request");
	}
	note_close();
}

static void report_oddities(const struct link *link)
{
	const quash_counters *const c = quash_counters_of(&link->peer);
	report_noise(&link->tap, c->parse_errors + c->bad_headers);
	report_count(c->invalid + c->duplicate_ids, "messages that are no JSON-RPC");
	report_strays(&link->tap, c->stray_responses);
	if (!link->cancelling)
		report_count(c->late_responses, "answers that came too late or twice");
	report_count(c->unknown_methods, "requests that were refused with -32601");
	report_count(c->too_large + c->busy, "messages that found no room");
}

static void report_fate(const struct host_device *device)
{
	char fate[64];
	if (device->options.kind != DEVICE_COMMAND || device->as.child.status == 0)
		return;
	posix_child_fate(&device->as.child, fate, sizeof fate);
	note("note: %s %s", device->options.command[0], fate);
}

void link_close(struct link *link)
{
	if (link->device.open) {
		transmit_what_is_due(link);
		host_device_close(&link->device, link_hurries(link) ? HURRY_MS : POSIX_CHILD_PATIENCE);
		report_oddities(link);
		report_fate(&link->device);
	}
	tap_end(&link->tap);
	free(link->config.arena);
}
