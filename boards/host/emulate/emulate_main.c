/* SPDX-License-Identifier: MIT
 * emulate [--baud N] [--bound] COMMAND [ARG...]
 *
 * Puts the stdin and stdout of a command, an emulator mostly, on our own. When our input has ended it waits until the
 * command has read all of it and written nothing for 300 ms, ends it and exits with 0. On a busy machine, where it may just
 * not have had a processor, that takes up to 1 s. A command that no longer reads is ended after 10 s. The command ends
 * with us, however we end.
 *
 * --baud: as if there were a wire in between, a byte at a time, both ways, each with a start and a stop bit.
 * --bound: we end with the process that started us, also when it is killed and our input goes on (Linux). */
#include "posix/posix_system.h"

#include "emulate_starved.h"
#include "posix/posix_serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BITS_PER_BYTE = 10, BAUD_MAX = 10000000 };
enum { EXIT_BAD_OPTION = 2, EXIT_COMMAND_GONE = 1 };

static const int64_t second = 1000000000, forever = INT64_MAX;
static const int64_t quiet = 300000000, look = 20000000; /* so long, and a look so often */
static const int64_t longest_quiet = 1000000000; /* with a command that had no processor: clients wait for 2 s */
static const int64_t patience = 10000000000;   /* with a command that has not read all of its input */
static const int64_t late = 500000;            /* what a wire makes up for, when we were called late */

struct emulate_options {
	int64_t pause; /* between two bytes, in nanoseconds */
	bool bound;
	char **command;
};

/* One way: what was read from here and not written there yet. */
struct relay {
	int from, to;
	bool open; /* there may be more to read */
	size_t at, length;
	int64_t pause, due; /* no byte is written before */
	char bytes[4096];
};

/* The latest sign of life. */
struct life {
	pid_t pid;
	int64_t at;
	int64_t looked, starved; /* how long until then, about */
	int waiting;             /* bytes that the command had not read then */
};

static void (*pipe_before)(int); /* what SIGPIPE did */

static int64_t emulate_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * second + t.tv_nsec;
}

/* --- The command */

/* In the child. */
static void become(char **argv, int in, int out, pid_t parent)
{
	posix_system_end_with_parent(SIGKILL);
	setpgid(0, 0);
	signal(SIGPIPE, pipe_before);
	if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(EXIT_BAD_OPTION);
	execvp(argv[0], argv);
	fprintf(stderr, "emulate: %s: %s\n", argv[0], strerror(errno));
	_exit(EXIT_BAD_OPTION);
}

static pid_t start(char **argv, struct relay *down, struct relay *up)
{
	int to[2], from[2];
	const pid_t parent = getpid();
	if (posix_system_pipe(to, false) != 0 || posix_system_pipe(from, false) != 0)
		return -1;
	const pid_t pid = fork();
	if (pid == 0)
		become(argv, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	*down = (struct relay){ .from = STDIN_FILENO, .to = to[1], .open = true };
	*up = (struct relay){ .from = from[0], .to = STDOUT_FILENO, .open = true };
	return pid;
}

static void end_emulator(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A byte does not wait until others are due as well. */
static void make_wire(struct relay *down, struct relay *up, int64_t pause)
{
	down->pause = up->pause = pause;
	if (pause > 0)
		posix_system_sleep_exactly();
}

/* --- What passes */

static bool is_full(const struct relay *l)
{
	return l->at < l->length;
}

static bool again(void)
{
	return errno == EINTR || errno == EAGAIN;
}

/* Moves what is there. False when there is no more to be had. */
static bool fill(struct relay *l)
{
	const ssize_t n = read(l->from, l->bytes, sizeof l->bytes);
	if (n < 0)
		return again();
	l->at = 0;
	l->length = (size_t)n;
	return n > 0;
}

static bool flush_relay(struct relay *l)
{
	const ssize_t n = write(l->to, l->bytes + l->at, l->pause > 0 ? 1 : l->length - l->at);
	if (n < 0)
		return again();
	l->at += (size_t)n;
	const int64_t soonest = emulate_now() - late;
	l->due = (l->due > soonest ? l->due : soonest) + l->pause;
	return true;
}

static bool is_early(const struct relay *l, int64_t time)
{
	return is_full(l) && l->due > time;
}

static struct pollfd relay_wish(const struct relay *l, int64_t time)
{
	if (is_early(l, time) || (!is_full(l) && !l->open))
		return (struct pollfd){ .fd = -1 };
	return is_full(l) ? (struct pollfd){ .fd = l->to, .events = POLLOUT }
			  : (struct pollfd){ .fd = l->from, .events = POLLIN };
}

/* Nothing happens before. */
static int64_t waits_until(const struct relay *l, int64_t time)
{
	return is_early(l, time) ? l->due : forever;
}

static void relay_turn(struct relay *l, const struct pollfd *seen)
{
	if (seen->revents != 0 && !(is_full(l) ? flush_relay(l) : fill(l))) {
		l->open = false;
		l->length = 0;
	}
}

/* --- The end */

static void live(struct life *life)
{
	life->at = emulate_now();
	if (life->at - life->looked < look)
		return;
	life->looked = life->at;
	life->starved = emulate_starved(life->pid);
}

/* While the reader is slow the command is not quiet. */
static void observe(struct life *life, const struct relay *down, const struct relay *up, bool moved)
{
	int waiting = 0;
	if (ioctl(down->to, FIONREAD, &waiting) != 0)
		waiting = 0;
	if (!down->open && (moved || is_full(up) || waiting != life->waiting))
		live(life);
	life->waiting = waiting;
}

/* The time in which it had no processor is not counted. */
static bool is_quiet(const struct life *life, const struct relay *down)
{
	const int64_t time = emulate_now() - life->at;
	if (time < quiet)
		return false;
	if (life->waiting > 0 || is_full(down))
		return time >= patience;
	return time >= longest_quiet || time - (emulate_starved(life->pid) - life->starved) >= quiet;
}

static void sleep_until(struct pollfd fds[3], int64_t due)
{
	const int64_t left = due - emulate_now();
	const struct timespec t = { .tv_sec = left / second, .tv_nsec = left % second };
	if (posix_system_poll(fds, 3, due == forever ? NULL : left > 0 ? &t : &(struct timespec){ 0, 0 }) < 0)
		fds[0].revents = fds[1].revents = 0;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Until one side ends. True: it was ours. */
static bool join_relays(pid_t pid, struct relay *down, struct relay *up)
{
	struct life life = { pid, emulate_now(), 0, 0, 0 };
	while (posix_signals_caught() == 0 && up->open) {
		const int64_t time = emulate_now();
		struct pollfd fds[3] = { relay_wish(down, time), relay_wish(up, time), posix_signals_poll() };
		const int64_t due = sooner(waits_until(down, time), waits_until(up, time));
		sleep_until(fds, down->open ? due : sooner(due, time + look));
		relay_turn(down, &fds[0]);
		relay_turn(up, &fds[1]);
		observe(&life, down, up, (fds[0].revents | fds[1].revents) != 0);
		if (!down->open && is_quiet(&life, down))
			return true;
	}
	return posix_signals_caught() != 0;
}

/* --- Options */

static bool read_emulated_baud(struct emulate_options *o, const char *text)
{
	char *rest;
	const long baud = text == NULL ? 0 : strtol(text, &rest, 10);
	if (baud <= 0 || baud > BAUD_MAX || *rest != '\0')
		return false;
	o->pause = BITS_PER_BYTE * second / baud;
	return true;
}

static bool read_emulate_options(struct emulate_options *o, char **argv)
{
	for (o->command = &argv[1]; *o->command != NULL && **o->command == '-'; o->command++) {
		if (strcmp(*o->command, "--bound") == 0)
			o->bound = true;
		else if (strcmp(*o->command, "--baud") != 0 || !read_emulated_baud(o, *++o->command))
			return false;
	}
	return *o->command != NULL;
}

int main(int argc, char **argv)
{
	struct emulate_options options = { 0, false, NULL };
	struct relay down, up;
	if (argc < 2 || !read_emulate_options(&options, argv)) {
		fprintf(stderr, "emulate: emulate [--baud N] [--bound] COMMAND [ARG...]\n");
		return EXIT_BAD_OPTION;
	}
	pipe_before = signal(SIGPIPE, SIG_IGN);
	if (options.bound)
		posix_system_end_with_parent(SIGTERM);
	const pid_t pid = posix_signals_catch() == 0 ? start(options.command, &down, &up) : -1;
	if (pid < 0) {
		fprintf(stderr, "emulate: %s\n", strerror(errno));
		return EXIT_BAD_OPTION;
	}
	make_wire(&down, &up, options.pause);
	const bool ours = join_relays(pid, &down, &up);
	end_emulator(pid);
	if (posix_signals_caught() != 0)
		return posix_signals_exit_code();
	return ours ? 0 : EXIT_COMMAND_GONE;
}
