/* SPDX-License-Identifier: MIT */
#include "main.h"

#include <stdio.h>
#include <unistd.h>

enum {
	STEPS_AFTER_END = 1000,   /* for requests to end by themselves */
	STEPS_AFTER_CANCEL = 100, /* for handlers to let go, while nothing is to be written */
	EXIT_BAD_OPTION = 2
};

const char *host_init(struct host *host, const quash_config *config)
{
	return quash_init(&host->peer, config);
}

void host_pump(struct host *host)
{
	quash_pump(&host->peer, &host->port);
}

static bool stops(const struct host *host)
{
	return host->stops != NULL && host->stops();
}

/* One round: hears, does, says, and sleeps until there is something to do again. */
static void turn(struct host *host)
{
	host_pump(host);
	quash_step(&host->peer);
	const bool idle = !host->stdio.ended && !stops(host) && quash_live_count(&host->peer) == 0;
	posix_stdio_wait(&host->stdio, &host->peer, idle ? UINT32_MAX : 1);
}

static bool nothing_to_write(struct host *host)
{
	size_t waiting;
	quash_out(&host->peer, &waiting);
	return waiting == 0;
}

static bool all_done(struct host *host)
{
	return host->stdio.gone || (quash_live_count(&host->peer) == 0 && nothing_to_write(host));
}

static void serve(struct host *host)
{
	while (!host->stdio.ended && !host->stdio.gone && !stops(host))
		turn(host);
}

/* The other side still listens: what is running may end by itself, then it is cancelled. A program that stops does
 * not wait for either. */
static void finish(struct host *host)
{
	for (int steps = 1; steps < STEPS_AFTER_END && !all_done(host) && !stops(host); steps++) /* the end was heard in front of one */
		turn(host);
	quash_cancel_all(&host->peer);
	for (int steps = 0; steps < STEPS_AFTER_CANCEL && !all_done(host);) {
		const bool quiet = nothing_to_write(host);
		turn(host);
		if (stops(host) || (quiet && nothing_to_write(host)))
			steps++;
	}
}

int host_run(struct host *host)
{
	posix_stdio_open(&host->stdio, STDIN_FILENO, STDOUT_FILENO);
	host->port = posix_stdio_port(&host->stdio);
	serve(host);
	finish(host);
	posix_stdio_close(&host->stdio);
	return host->exit_code != NULL ? host->exit_code() : 0;
}

int host_bad_option(const char *program, const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, detail);
	return EXIT_BAD_OPTION;
}
