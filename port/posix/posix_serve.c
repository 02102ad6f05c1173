/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_serve_inner.h"

#include "../../include/quash/mcp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Asked only where they are linked: a program that serves no tools does not get them from here. */
#pragma weak quash_mcp_tools_end_
#pragma weak quash_mcp_tool_of

/* --- Signals */

enum { SIGNALS = 3, FIRST_SIGNAL_CODE = 128 };

static const int numbers[SIGNALS] = { SIGTERM, SIGINT, SIGHUP };
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t caught;
static bool told; /* the program knows */
static int ends[2] = { -1, -1 };

static void on_signal(int number)
{
	const int error = errno;
	caught = number;
	if (write(ends[1], "", 1) < 0)
		errno = 0; /* full: it is readable as it is */
	errno = error;
}

/* Not in the place of a stdin, stdout or stderr that was closed before the program was started. */
static int out_of_the_way(int fd)
{
	const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd >= 0)
		close(fd);
	return higher;
}

static void close_ends(void)
{
	for (size_t i = 0; i < 2; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
		ends[i] = -1;
	}
}

static int open_ends(void)
{
	int pair[2];
	if (posix_system_pipe(pair, true) != 0)
		return errno;
	ends[0] = out_of_the_way(pair[0]);
	ends[1] = out_of_the_way(pair[1]);
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	close_ends();
	return EMFILE;
}

int posix_signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	const int error = open_ends();
	if (error != 0)
		return error;
	caught = 0;
	told = false;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(numbers[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN) /* whoever started us with it ignored, as nohup does, wants it so */
			sigaction(numbers[i], &action, NULL);
	}
	return 0;
}

int posix_signals_caught(void)
{
	const int number = caught;
	told = told || number != 0;
	return number;
}

int posix_signals_exit_code(void)
{
	return FIRST_SIGNAL_CODE + caught;
}

/* Not read. One that has come since the program asked ends the sleep that it is about to begin. */
struct pollfd posix_signals_poll(void)
{
	return (struct pollfd){ .fd = told ? -1 : ends[0], .events = POLLIN };
}

static void restore_actions(void)
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(numbers[i], &before[i], NULL);
}

void posix_signals_give_back(void)
{
	if (ends[0] < 0)
		return;
	restore_actions();
	close_ends();
	caught = 0;
}

/* --- How far the end is */

const struct posix_serve posix_serve_usual = { STDIN_FILENO, STDOUT_FILENO, 1000, 2000, NULL, false };

/* How long the phase may last; UINT32_MAX: until something happens. */
static uint32_t longest(const struct posix_serving *s)
{
	switch (s->phase) {
	case ENDING: return s->how->grace;
	case STOPPED: return s->how->rest;
	default: return UINT32_MAX;
	}
}

static uint32_t left(const struct posix_serving *s)
{
	const uint32_t most = longest(s);
	const uint32_t passed = s->port.now(s->port.device) - s->since;
	if (most == UINT32_MAX)
		return most;
	return passed < most ? most - passed : 0;
}

/* How long it may sleep. */
static uint32_t rest(const struct posix_serving *s)
{
	const uint32_t idle = quash_idle_ms(&s->peer), limit = left(s), least = idle < limit ? idle : limit;
	const uint32_t parent = s->phase < STOPPED ? posix_parent_rest(&s->parent, s->port.now(s->port.device)) : UINT32_MAX;
	return parent < least ? parent : least;
}

static bool is_stopped(struct posix_serving *s)
{
	return posix_signals_caught() != 0 || s->stdio->gone || posix_parent_ended(&s->parent, s->port.now(s->port.device));
}

static enum posix_phase next_phase(struct posix_serving *s)
{
	if (s->phase < STOPPED && is_stopped(s))
		return STOPPED;
	if (s->phase == SERVING && s->stdio->ended)
		return ENDING;
	return left(s) == 0 ? (enum posix_phase)(s->phase + 1) : s->phase;
}

static void advance(struct posix_serving *s)
{
	const enum posix_phase next = next_phase(s);
	if (next != s->phase)
		s->since = s->port.now(s->port.device);
	s->phase = next;
	if (next == STOPPED)
		quash_cancel_all(&s->peer);
	if (next == LEFT)
		quash_gone(&s->peer);
}

/* The hook of `tools/call` is there for any tool: its tool decides. */
static bool has_end(const quash_request *request)
{
	const quash_method *const method = quash_method_of(request);
	if (quash_mcp_tools_end_ == NULL || method->motion.end != quash_mcp_tools_end_)
		return method->motion.end != NULL;
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	return tool != NULL && tool->motion.end != NULL;
}

static bool is_ending(const quash_live *live)
{
	return live->started && has_end(live->request);
}

static bool has_moved(const struct posix_serving *s)
{
	quash_live live = { 0 };
	while (quash_next_live(&s->peer, &live)) {
		if (is_ending(&live))
			return true;
	}
	return false;
}

static bool is_over(const struct posix_serving *s)
{
	if (s->phase == LEFT && !has_moved(s))
		return true;
	return s->phase != SERVING && quash_is_at_rest(&s->peer);
}

/* --- Turns */

/* What is gone shows nothing to wait for. */
static void sleep_until_news(struct posix_serving *s)
{
	struct pollfd fds[3] = { { .fd = -1 }, { .fd = -1 }, posix_signals_poll() };
	quash_tick(&s->peer, s->port.now(s->port.device)); /* the step took its time */
	if (!s->stdio->gone && !posix_stdio_watch(s->stdio, &s->peer, fds))
		return;
	if (quash_is_gone(&s->peer))
		fds[1].fd = -1; /* nothing is read any more: it would end each sleep */
	posix_stdio_poll(fds, 3, rest(s));
	if (!s->stdio->gone)
		posix_stdio_seen(s->stdio, fds);
}

static void pump(struct posix_serving *s)
{
	quash_pump(&s->peer, &s->port);
	advance(s);
}

void posix_serve_pump(quash_peer *peer)
{
	struct posix_serving *const s = (struct posix_serving *)(void *)peer;
	struct pollfd fds[2];
	if (!s->stdio->gone && posix_stdio_watch(s->stdio, peer, fds)) {
		posix_stdio_poll(fds, 2, 0); /* whether anybody still reads */
		posix_stdio_seen(s->stdio, fds);
	}
	pump(s);
}

void posix_serving_run(struct posix_serving *s, struct posix_stdio *stdio, quash_port port)
{
	s->stdio = stdio;
	s->port = port;
	s->phase = SERVING;
	s->since = port.now(port.device);
	while (!is_over(s)) {
		sleep_until_news(s);
		pump(s);
		quash_step(&s->peer);
	}
}

/* --- From beginning to end */

void posix_serve_explain(const char *program, const quash_fault *fault)
{
	char line[200];
	(void)quash_fault_line(fault, line, sizeof line);
	fprintf(stderr, "%s: bad config: %s\n", program, line);
}

/* False if the peer does not even answer with its fault. */
static bool may_serve(struct posix_serving *s, const quash_config *config, const struct posix_serve *how)
{
	quash_fault fault;
	s->refused = !quash_init(&s->peer, config, &fault);
	if (!s->refused)
		return true;
	if (how->fault != NULL)
		*how->fault = fault;
	posix_serve_explain("quash", &fault);
	return !quash_is_gone(&s->peer);
}

int posix_serving_begin(struct posix_serving *s, const quash_config *config, const struct posix_serve *how)
{
	static const struct posix_parent none = { 0 };
	s->how = how;
	s->parent = none;
	if (!may_serve(s, config, how))
		return POSIX_SERVE_REFUSED;
	if (posix_signals_catch() != 0)
		return POSIX_SERVE_FAILED;
	sigaction(SIGPIPE, NULL, &s->pipes);
	return POSIX_SERVED;
}

int posix_serving_end(struct posix_serving *s)
{
	const bool abandoned = quash_live_count(&s->peer) > 0;
	const int code = s->refused ? POSIX_SERVE_REFUSED : abandoned ? POSIX_SERVE_ABANDONED : POSIX_SERVED;
	restore_actions(); /* a signal from here on is the caller's */
	const int signalled = posix_signals_caught() != 0 ? posix_signals_exit_code() : 0;
	sigaction(SIGPIPE, &s->pipes, NULL);
	posix_signals_give_back();
	return signalled != 0 ? signalled : code;
}

int posix_stdio_serve_as(const quash_config *config, const struct posix_serve *how)
{
	struct posix_serving s;
	struct posix_stdio stdio;
	const int refused = posix_serving_begin(&s, config, how);
	if (refused != POSIX_SERVED)
		return refused;
	const quash_port port = posix_stdio_port(&stdio);
	posix_stdio_open(&stdio, how->in, how->out);
	if (!how->no_watch_parent)
		posix_parent_watch(&s.parent, how->in, port.now(port.device));
	posix_serving_run(&s, &stdio, port);
	posix_stdio_close(&stdio);
	return posix_serving_end(&s);
}

int posix_stdio_serve(const quash_config *config)
{
	return posix_stdio_serve_as(config, &posix_serve_usual);
}
