/* SPDX-License-Identifier: MIT */
#include "main.h"

#include "posix/posix_serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Sizes that are chosen when a program starts */

static bool read_size(const char *text, uint32_t *number)
{
	const uint32_t limit = 1000000000;
	return argument_number(text, number) && *number < limit;
}

struct sizes sizes_of(const quash_config *config)
{
	const struct sizes sizes = { config->slot_count, config->arena_size, config->tx_size };
	return sizes;
}

static const char *read_slots(void *to, char *text)
{
	struct sizes *const sizes = to;
	return argument_if(read_size(text, &sizes->slots) && sizes->slots <= UINT8_MAX);
}

static const char *read_host_arena(void *to, char *text)
{
	struct sizes *const sizes = to;
	return argument_if(read_size(text, &sizes->arena));
}

static const char *read_tx(void *to, char *text)
{
	struct sizes *const sizes = to;
	return argument_if(read_size(text, &sizes->tx));
}

const struct argument_option sizes_arguments[SIZES_ARGUMENTS] = {
	{ "--slots", "a number from 1 to 255", ARGUMENT_READ, .read = read_slots },
	{ "--arena", "a number of bytes below 1000000000", ARGUMENT_READ, .read = read_host_arena },
	{ "--tx", "a number of bytes below 1000000000", ARGUMENT_READ, .read = read_tx },
};

static void *provide(const char *program, size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
	if (memory == NULL)
		exit(arguments_refuse(program, NULL, "out of memory; choose smaller sizes"));
	return memory;
}

/* One id and one tag more than slots: of the message that is being received. */
void sizes_provide(const char *program, const struct sizes *sizes, quash_config *config)
{
	config->slot_count = (uint8_t)sizes->slots;
	config->arena_size = (quash_size)sizes->arena;
	config->tx_size = (quash_size)sizes->tx;
	config->slots = provide(program, sizes->slots, sizeof(quash_request));
	config->word = provide(program, 1, sizeof(quash_word));
	config->word_size = QUASH_WORD;
	config->ids = provide(program, sizes->slots + 1, config->id_size);
	config->states = provide(program, sizes->slots, config->state_size);
	config->tags = provide(program, sizes->slots + 1, config->tag_size);
	config->arena = provide(program, sizes->arena, 1);
	config->tx = provide(program, sizes->tx, 1);
	config->counters = provide(program, 1, sizeof(quash_counters));
}

/* --- The program */

enum {
	STEPS_AFTER_CANCEL = 100, /* for handlers to return, while nothing is to be written */
	EXIT_NOT_AT_REST = 1
};

static bool stops(const struct host *host)
{
	return host->stops != NULL && host->stops();
}

/* It has to end though requests may be live: a signal has come, the client has vanished, or whoever started the program has ended. */
static bool must_stop(const struct host *host)
{
	return posix_signals_caught() != 0 || host->stdio.gone || host->orphaned;
}

static uint32_t host_now(const struct host *host)
{
	return host->port.now(host->port.device);
}

/* --- Turns */

/* A client that has vanished shows nothing to wait for; its handlers still get their milliseconds. False: something was
 * there to wake for. */
static bool host_sleep(struct host *host, uint32_t ms)
{
	struct pollfd fds[3] = { { .fd = -1 }, { .fd = -1 }, posix_signals_poll() };
	gather_flush(&host->gather);
	if (!host->stdio.gone)
		posix_stdio_watch(&host->stdio, &host->peer, fds);
	else
		fds[0].fd = fds[1].fd = -1;
	if (!gather_is_empty(&host->gather))
		fds[0].events = POLLOUT;
	posix_stdio_poll(fds, 3, ms);
	if (!host->stdio.gone)
		posix_stdio_seen(&host->stdio, fds);
	return fds[0].revents == 0 && fds[1].revents == 0 && fds[2].revents == 0;
}

/* A signal cancels whatever is live, and what is received after it. So does the end of the parent. */
static void host_pump_peer(struct host *host)
{
	quash_pump(&host->peer, &host->port);
	host->orphaned = posix_parent_ended(&host->parent, host_now(host));
	if (posix_signals_caught() != 0 || host->orphaned)
		quash_cancel_all(&host->peer);
}

void host_pump(struct host *host)
{
	if (host->stdio.ended)
		host_sleep(host, 0); /* whether anybody still reads */
	host_pump_peer(host);
	gather_flush(&host->gather);
}

static bool tx_is_empty(struct host *host)
{
	size_t waiting;
	quash_out(&host->peer, &waiting);
	return waiting == 0;
}

/* Answers that may leave, or input that waits for a step. */
static bool has_work(struct host *host)
{
	struct pollfd fds[2];
	return !host->stdio.gone && (!posix_stdio_watch(&host->stdio, &host->peer, fds) || fds[0].events != 0);
}

/* One round: receives, steps, transmits, and sleeps until there is something to do again. False: that was at once. With a
 * client that reads nothing there is no hurry. */
static bool host_turn(struct host *host)
{
	host_pump_peer(host);
	const bool reads = tx_is_empty(host);
	quash_step(&host->peer);
	if (reads && has_work(host))
		return false;
	const bool idle = !host->stdio.ended && !stops(host) && !must_stop(host) && quash_live_count(&host->peer) == 0;
	return host_sleep(host, idle ? posix_parent_rest(&host->parent, host_now(host)) : 1);
}

/* A turn that was woken early is a step too, but of those one counts in a millisecond. So a client that reads fast takes
 * no time from what is live. */
static bool host_counts(struct host *host, uint32_t *counted)
{
	const bool slept = host_turn(host);
	const uint32_t before = *counted;
	*counted = host_now(host);
	return slept || *counted != before;
}

/* --- The end */

static bool nothing_to_write(struct host *host)
{
	return tx_is_empty(host) && gather_is_empty(&host->gather);
}

static bool is_at_rest(struct host *host)
{
	return quash_is_at_rest(&host->peer) && gather_is_empty(&host->gather);
}

/* The next request whose handler has ended and whose `end` hook may still be at work. */
static bool next_ending(const struct host *host, quash_live *live)
{
	while (quash_next_live(&host->peer, live)) {
		if (live->ended && quash_method_of(live->request)->motion.end != NULL)
			return true;
	}
	return false;
}

/* The other side still reads: what is running may end by itself, then it is cancelled. A program that stops does
 * not wait for either. A step takes about a millisecond. */
static void finish(struct host *host)
{
	uint32_t counted = host_now(host);
	uint32_t steps = 1; /* the end was received in front of one */
	while (steps < posix_serve_usual.grace && !is_at_rest(host) && !stops(host) && !must_stop(host))
		steps += host_counts(host, &counted);
	quash_cancel_all(&host->peer);
	for (steps = 0; steps < STEPS_AFTER_CANCEL && !is_at_rest(host) && !must_stop(host);) {
		const bool quiet = nothing_to_write(host);
		if (host_counts(host, &counted) && (stops(host) || (quiet && nothing_to_write(host))))
			steps++;
	}
}

/* The port reports a vanished client in a pump, which flags what is live: so there is one at least. */
static void host_let_go(struct host *host, uint32_t start)
{
	if (!must_stop(host))
		return;
	do
		host_turn(host);
	while (!is_at_rest(host) && host_now(host) - start < posix_serve_usual.rest);
}

/* What moves has longer than what computes. A client that does not read is not waited for. */
static void come_to_rest(struct host *host, uint32_t start)
{
	if (!nothing_to_write(host))
		quash_gone(&host->peer);
	do {
		quash_live live = { 0 };
		if (!next_ending(host, &live))
			return;
		host_turn(host);
	} while (host_now(host) - start < posix_serve_usual.rest);
}

static int host_report(struct host *host)
{
	quash_live live = { 0 };
	int code = 0;
	while (next_ending(host, &live)) {
		fprintf(stderr, "%s: %s: has not come to rest\n", host->name, live.method);
		code = EXIT_NOT_AT_REST;
	}
	return code;
}

static void host_end(struct host *host)
{
	finish(host);
	const uint32_t start = host_now(host);
	host_let_go(host, start);
	come_to_rest(host, start);
}

static int exit_code(struct host *host)
{
	const int code = host_report(host);
	if (posix_signals_caught() != 0)
		return posix_signals_exit_code();
	return code == 0 && host->exit_code != NULL ? host->exit_code() : code;
}

int host_run(struct host *host, const quash_config *config)
{
	quash_fault fault;
	const bool refused = !quash_init(&host->peer, config, &fault);
	if (refused)
		posix_serve_explain(host->name, &fault);
	if (quash_is_gone(&host->peer)) /* it cannot even answer so */
		return ARGUMENTS_BAD;
	const int error = posix_signals_catch();
	if (error != 0) {
		fprintf(stderr, "%s: signals cannot be caught: %s\n", host->name, strerror(error));
		return POSIX_SERVE_FAILED;
	}
	posix_stdio_open(&host->stdio, STDIN_FILENO, STDOUT_FILENO);
	gather_open(&host->gather, &host->stdio);
	host->port = gather_port(&host->gather);
	posix_parent_watch(&host->parent, STDIN_FILENO, host_now(host));
	while (!host->stdio.ended && !stops(host) && !must_stop(host))
		host_turn(host);
	host_end(host);
	posix_stdio_close(&host->stdio);
	return refused ? ARGUMENTS_BAD : exit_code(host);
}
