/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "bridge_clock.h"
#include "bridge_output.h"
#include "bridge_shell.h"
#include "least.h"
#include "posix/posix_serve.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- What the engine needs */

static bool give_random(void *context, void *bytes, size_t n)
{
	(void)context;
	return posix_system_random(bytes, n);
}

static void record_for_bridge(void *context, const char *device, enum record_way way, const char *text, size_t n)
{
	(void)context;
	record_write(device, way, text, n);
}

/* --- A run */

static int open_record(const struct bridge_options *options)
{
	const int error = options->record != NULL ? record_open(options->record, bridge_protocol_name(options->protocol)) : 0;
	char text[4096];
	if (error == 0)
		return 0;
	const int n = snprintf(text, sizeof text, "%s: %s", options->record, strerror(error));
	log_print(LOG_ERROR, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1, false);
	return EXIT_OPTIONS;
}

static void serve(struct shell *shell)
{
	bridge_tick(shell->bridge, bridge_clock());
	lines_obey(shell);
	lines_serve(shell);
}

int shell_open(struct shell *shell)
{
	const struct bridge_options *const options = shell->options;
	const struct bridge_host host = { .heap = heap_standard, .random = give_random, .log = log_for_bridge,
		.record = options->record != NULL ? record_for_bridge : NULL };
	const int code = open_record(options);
	if (code != 0)
		return code;
	shell->now = bridge_clock();
	shell->bridge = bridge_new(options, &host, shell->now);
	if (shell->bridge == NULL || !lines_open_terminal(shell))
		return EXIT_OPTIONS;
	shell->watches_parent = bridge_terminal(shell->bridge) != NULL && !options->no_watch_parent;
	if (shell->watches_parent)
		posix_parent_watch(&shell->parent, STDIN_FILENO, shell->now);
	const int opened = doors_open(shell);
	if (opened == 0)
		serve(shell);
	return opened;
}

/* Signals, then doors, then lines. */
static void sleep_a_while(struct shell *shell)
{
	struct pollfd *const fds = shell->fds;
	fds[0] = posix_signals_poll();
	doors_watch(shell, fds + 1);
	const uint32_t parent = shell->watches_parent ? posix_parent_rest(&shell->parent, shell->now) : UINT32_MAX;
	const uint32_t ms = less(less(bridge_idle_ms(shell->bridge), lines_rest(shell)), parent);
	record_flush();
	posix_stdio_poll(fds, shell->fd_count, ms);
	shell->now = bridge_clock();
}

/* Nobody may be left to end the input: another process can hold it open. */
static void look_after_parent(struct shell *shell)
{
	static const char words[] = "the program that has started the bridge has ended";
	if (!shell->watches_parent || bridge_is_ending(shell->bridge) || !posix_parent_ended(&shell->parent, shell->now))
		return;
	if (shell->options->level >= LOG_INFO)
		log_print(LOG_INFO, words, strlen(words), false);
	bridge_end(shell->bridge);
}

/* What has come is read before others are let in, who could take its place. */
void shell_turn(struct shell *shell)
{
	struct pollfd doors[SHELL_DOORS];
	sleep_a_while(shell);
	memcpy(doors, shell->fds + 1, sizeof doors);
	lines_read(shell);
	doors_accept(shell, doors);
	if (posix_signals_caught() != 0)
		bridge_end(shell->bridge);
	look_after_parent(shell);
	serve(shell);
	if (bridge_is_ending(shell->bridge))
		doors_close(shell);
}
