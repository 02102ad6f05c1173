/* SPDX-License-Identifier: MIT */
#include "main.h"

#include "stop.h"

#include <stdio.h>
#include <unistd.h>

enum {
	STEPS_AFTER_END = 1000,   /* for requests to end by themselves */
	STEPS_AFTER_CANCEL = 100, /* for handlers to let go, while nothing is to be written */
	MS_AFTER_STOP = 2000,     /* the same for a program that has to end, its writing included */
	EXIT_BAD_OPTION = 2
};

const char *host_init(struct host *host, const quash_config *config)
{
	return quash_init(&host->peer, config);
}

static bool stops(const struct host *host)
{
	return host->stops != NULL && host->stops();
}

/* It has to end though requests may be live: a signal has come, or the client has vanished. */
static bool must_stop(const struct host *host)
{
	return stop_signal() != 0 || host->stdio.gone;
}

static uint32_t now(const struct host *host)
{
	return host->port.now(host->port.device);
}

/* A client that has vanished shows nothing to wait for; its handlers still get their milliseconds. False: something
 * was there to wake for. */
static bool sleep_a_while(struct host *host, uint32_t ms)
{
	struct pollfd fds[3] = { { .fd = -1 }, { .fd = -1 }, stop_poll() };
	if (!host->stdio.gone && !posix_stdio_watch(&host->stdio, &host->peer, fds))
		return false;
	if (host->stdio.gone)
		fds[0].fd = fds[1].fd = -1;
	posix_stdio_poll(fds, 3, ms);
	if (!host->stdio.gone)
		posix_stdio_seen(&host->stdio, fds);
	return fds[0].revents == 0 && fds[1].revents == 0 && fds[2].revents == 0;
}

/* What a signal cancels is whatever lives then, what is heard behind it included. */
static void pump(struct host *host)
{
	quash_pump(&host->peer, &host->port);
	if (stop_signal() != 0)
		quash_cancel_all(&host->peer);
}

void host_pump(struct host *host)
{
	if (host->stdio.ended)
		sleep_a_while(host, 0); /* whether anybody still reads */
	pump(host);
}

/* One round: hears, does, says, and sleeps until there is something to do again. False: that was at once. */
static bool turn(struct host *host)
{
	pump(host);
	quash_step(&host->peer);
	const bool idle = !host->stdio.ended && !stops(host) && !must_stop(host) && quash_live_count(&host->peer) == 0;
	return sleep_a_while(host, idle ? UINT32_MAX : 1);
}

/* A turn that was woken early is a step too, but of those one counts in a millisecond: a client that reads fast takes
 * no time from what is live. */
static bool counts(struct host *host, uint32_t *counted)
{
	const bool slept = turn(host);
	const uint32_t before = *counted;
	*counted = now(host);
	return slept || *counted != before;
}

static bool nothing_to_write(struct host *host)
{
	size_t waiting;
	quash_out(&host->peer, &waiting);
	return waiting == 0;
}

static bool all_done(struct host *host)
{
	return quash_live_count(&host->peer) == 0 && (host->stdio.gone || nothing_to_write(host));
}

static void serve(struct host *host)
{
	while (!host->stdio.ended && !stops(host) && !must_stop(host))
		turn(host);
}

/* The other side still listens: what is running may end by itself, then it is cancelled. A program that stops does
 * not wait for either. */
static void finish(struct host *host)
{
	uint32_t counted = now(host);
	int steps = 1; /* the end was heard in front of one */
	while (steps < STEPS_AFTER_END && !all_done(host) && !stops(host) && !must_stop(host))
		steps += counts(host, &counted);
	quash_cancel_all(&host->peer);
	for (steps = 0; steps < STEPS_AFTER_CANCEL && !all_done(host) && !must_stop(host);) {
		const bool quiet = nothing_to_write(host);
		if (counts(host, &counted) && (stops(host) || (quiet && nothing_to_write(host))))
			steps++;
	}
}

/* The port tells of a vanished client in a pump, which flags what is live: so there is one at least. */
static void let_go(struct host *host)
{
	const uint32_t start = now(host);
	if (!must_stop(host))
		return;
	do
		turn(host);
	while (!all_done(host) && now(host) - start < MS_AFTER_STOP);
}

static int exit_code(const struct host *host)
{
	if (stop_signal() != 0)
		return stop_exit_code();
	return host->exit_code != NULL ? host->exit_code() : 0;
}

int host_run(struct host *host)
{
	stop_catch();
	posix_stdio_open(&host->stdio, STDIN_FILENO, STDOUT_FILENO);
	host->port = posix_stdio_port(&host->stdio);
	serve(host);
	finish(host);
	let_go(host);
	posix_stdio_close(&host->stdio);
	return exit_code(host);
}

int host_bad_option(const char *program, const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, detail);
	return EXIT_BAD_OPTION;
}
