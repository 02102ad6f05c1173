/* SPDX-License-Identifier: MIT */
#include "inspect_link.h"

#include "inspect_protocol.h"
#include "inspect_show.h"
#include "inspect_signals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SLOTS = 200,
	FREE_SLOTS = 8, /* left alone by what is heard in one round */
	ID_SIZE = 128,
	STATE_SIZE = 4096,
	TX_SIZE = 1 << 16,
	DOSE = 1 << 15, /* bytes heard in one round: a flood shall not fill the arena */
	GREETING_MS = 10000,
	FAREWELL_MS = 2000,
	HURRY_MS = 200
};

/* --- The port: shows what passes; stops hearing before notifications find no room */

static int read_some(void *device, uint8_t *data, size_t n)
{
	struct link *const link = device;
	if (link->dose == 0 || quash_live_count(&link->peer) >= SLOTS - FREE_SLOTS)
		return 0;
	const int count = link->pipe.read(link->pipe.device, data, n < link->dose ? n : link->dose);
	if (count <= 0)
		return count;
	link->dose -= (size_t)count;
	if (link->options->trace)
		trace_bytes(&link->heard, data, (size_t)count);
	return count;
}

static int write_some(void *device, const uint8_t *data, size_t n)
{
	struct link *const link = device;
	const int count = link->pipe.write(link->pipe.device, data, n);
	if (count > 0 && link->options->trace)
		trace_bytes(&link->said, data, (size_t)count);
	return count;
}

static uint32_t tell_time(void *device)
{
	const struct link *const link = device;
	return link->pipe.now(link->pipe.device);
}

uint32_t link_now(const struct link *link)
{
	return link->pipe.now(link->pipe.device);
}

/* --- Opening */

static const quash_config *configure(struct link *link)
{
	static quash_request slots[SLOTS];
	static uint8_t ids[SLOTS * ID_SIZE], tx[TX_SIZE];
	static uint64_t states[SLOTS * STATE_SIZE / sizeof(uint64_t)];
	const struct protocol *const protocol = link->options->protocol;
	const quash_config config = {
		.dialect = protocol->dialect,
		.methods = protocol->methods,
		.method_count = protocol->method_count,
		.slots = slots,
		.slot_count = SLOTS,
		.ids = ids,
		.id_size = ID_SIZE,
		.states = states,
		.state_size = STATE_SIZE,
		.arena = calloc(link->options->arena, 1),
		.arena_size = (quash_size)link->options->arena,
		.tx = tx,
		.tx_size = sizeof tx,
		.context = link,
	};
	link->config = config;
	return &link->config;
}

static void join(struct link *link)
{
	const quash_port port = { .read = read_some, .write = write_some, .now = tell_time, .device = link };
	link->pipe = posix_stdio_port(&link->child.stdio);
	link->port = port;
	link->said.arrow = "->";
	link->heard.arrow = "<-";
	link->said.framing = link->heard.framing = link->options->protocol->dialect->framing;
}

bool link_open(struct link *link, struct options *options)
{
	link->options = options;
	link->exit = EXIT_NO_ANSWER;
	link->spare = 1;
	link->child.stdio.in = link->child.stdio.out = -1;
	join(link);
	if (quash_init(&link->peer, configure(link)) != NULL) {
		note("inspect: out of memory");
		return false;
	}
	if (!signals_catch()) {
		note("inspect: signals cannot be caught");
		return false;
	}
	const int error = posix_child_start(&link->child, options->command);
	if (error != 0)
		note("inspect: %s: %s", options->command[0], strerror(error));
	quash_tick(&link->peer, link_now(link));
	return error == 0;
}

/* --- The loop */

bool link_hurries(const struct link *link)
{
	return signals_interrupts() > link->spare;
}

/* A command that has ended says no more, whoever else holds its pipe. */
static void hear(struct link *link)
{
	const bool ended = posix_child_ended(&link->child); /* asked before the last that it said is read */
	link->dose = DOSE;
	quash_pump(&link->peer, &link->port);
	if (!ended || link->child_gone || link->dose < DOSE)
		return;
	link->child_gone = true;
	quash_end(&link->peer);
}

static void read_line(struct link *link)
{
	char line[256];
	const ssize_t n = read(STDIN_FILENO, line, sizeof line - 1);
	line[n > 0 ? n : 0] = '\0';
	link->on_line(link, n > 0 ? line : NULL);
}

static void sleep_until_something(struct link *link, uint32_t ms)
{
	struct pollfd fds[4] = {
		{ .fd = signals_descriptor(), .events = POLLIN },
		{ .fd = link->asks != NULL ? STDIN_FILENO : -1, .events = POLLIN },
	};
	const bool draining = link->child.pid == 0 && !link->child_gone;
	if (!posix_stdio_watch(&link->child.stdio, &link->peer, fds + 2) || draining)
		ms = 0;
	if (link->child_gone)
		fds[3].fd = -1;
	posix_stdio_poll(fds, 4, ms);
	posix_stdio_seen(&link->child.stdio, fds + 2);
	signals_read();
	if (fds[1].revents != 0)
		read_line(link);
}

void link_turn(struct link *link, uint32_t ms)
{
	const uint32_t idle = quash_idle_ms(&link->peer);
	sleep_until_something(link, idle < ms ? idle : ms);
	hear(link);
	quash_step(&link->peer);
}

struct link *link_of(const quash_request *request)
{
	return quash_context(quash_peer_of(request));
}

/* --- Asking */

static void tell_error(const struct link *link, quash_value error)
{
	const quash_value message = quash_get(error, "message"), data = quash_get(error, "data");
	if (link->options->json) {
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
	case QUASH_CALL_ERROR: tell_error(link, quash_answer(call)); return EXIT_ERROR;
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

bool link_ask(struct link *link, quash_call *call)
{
	call->deadline = link->options->timed ? link->options->timeout : GREETING_MS;
	quash_ask(&link->peer, call);
	while (!quash_answered(call) && !is_interrupted(link))
		link_turn(link, never);
	if (quash_call_outcome(call) == QUASH_CALL_RESULT)
		return true;
	link->exit = quash_answered(call) ? link_failure(link, call) : EXIT_CANCELLED;
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
		if (quash_notify_send(&link->peer) != QUASH_RETRY || link_hurries(link))
			return;
		link_turn(link, never);
	}
}

/* --- Closing */

static void say_what_is_due(struct link *link)
{
	const uint32_t start = link_now(link);
	size_t waiting;
	quash_pump(&link->peer, &link->port);
	quash_out(&link->peer, &waiting);
	while (waiting > 0 && !link->child.stdio.gone && !link_hurries(link) &&
		link_now(link) - start < FAREWELL_MS) {
		link_turn(link, FAREWELL_MS);
		quash_out(&link->peer, &waiting);
	}
}

static void tell_count(uint32_t count, const char *what)
{
	if (count > 0)
		note("note: %s: %u", what, (unsigned)count);
}

static void tell_oddities(const struct link *link)
{
	const quash_counters *const c = &link->peer.counters;
	tell_count(c->parse_errors + c->bad_headers, "messages that are no JSON");
	tell_count(c->invalid + c->duplicate_ids, "messages that are no JSON-RPC");
	tell_count(c->stray_responses, "answers to nothing");
	if (!link->cancelling)
		tell_count(c->late_responses, "answers that came too late or twice");
	tell_count(c->unknown_methods, "requests that were refused with -32601");
	tell_count(c->too_large + c->busy, "messages that found no room");
}

static void tell_fate(const struct link *link)
{
	char fate[64];
	posix_child_fate(&link->child, fate, sizeof fate);
	if (link->child.status != 0)
		note("note: %s %s", link->options->command[0], fate);
}

void link_close(struct link *link)
{
	const bool started = link->child.pid != 0 || link->child.stdio.in >= 0;
	if (started)
		say_what_is_due(link);
	posix_child_end(&link->child, link_hurries(link) ? HURRY_MS : POSIX_CHILD_PATIENCE);
	if (started) {
		tell_oddities(link);
		tell_fate(link);
	}
	free(link->config.arena);
}
