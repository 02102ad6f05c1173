/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_MS = 5, STDERR_NEXT = STDERR_FILENO + 1 };

/* --- Starting */

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_both(int ends[2])
{
	close_one(&ends[0]);
	close_one(&ends[1]);
}

/* A descriptor among the standard ones would be in the way of those of the command. */
static bool lift(int *fd)
{
	if (*fd >= STDERR_NEXT)
		return true;
	const int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_NEXT);
	if (lifted < 0)
		return false;
	close(*fd);
	*fd = lifted;
	return true;
}

/* 0 or an errno; then nothing is open. */
static int open_pipe(int ends[2])
{
	if (posix_system_pipe(ends, false) != 0) {
		ends[0] = ends[1] = -1;
		return errno;
	}
	if (lift(&ends[0]) && lift(&ends[1]))
		return 0;
	const int error = errno;
	close_both(ends);
	return error;
}

static int set_actions(posix_spawn_file_actions_t *actions, int in, int out)
{
	const int error = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);
	return error != 0 ? error : posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
}

/* What we ignore or block, the command shall not. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	const int errors[] = {
		posix_spawnattr_setflags(
			attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK),
		posix_spawnattr_setpgroup(attributes, 0),
		posix_spawnattr_setsigdefault(attributes, &all),
		posix_spawnattr_setsigmask(attributes, &none),
	};
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		if (errors[i] != 0)
			return errors[i];
	}
	return 0;
}

static int spawn_with(pid_t *pid, char *const argv[], posix_spawn_file_actions_t *actions, int in, int out)
{
	posix_spawnattr_t attributes;
	int error = posix_spawnattr_init(&attributes);
	if (error != 0)
		return error;
	error = set_attributes(&attributes);
	if (error == 0)
		error = set_actions(actions, in, out);
	if (error == 0)
		error = posix_spawnp(pid, argv[0], actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	return error;
}

static int spawn(pid_t *pid, char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);
	if (error != 0)
		return error;
	error = spawn_with(pid, argv, &actions, in, out);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* With both pipes open. Closes the command's ends in any case, ours when it does not start. */
static int start_between(struct posix_child *child, char *const argv[], int to[2], int from[2])
{
	const int error = spawn(&child->pid, argv, to[0], from[1]);
	close_one(&to[0]);
	close_one(&from[1]);
	if (error == 0) {
		posix_stdio_open(&child->stdio, from[0], to[1]);
		return 0;
	}
	close_one(&to[1]);
	close_one(&from[0]);
	child->pid = 0;
	return error;
}

int posix_child_start(struct posix_child *child, char *const argv[])
{
	int to[2], from[2];
	child->pid = 0;
	child->status = 0;
	child->stdio.in = child->stdio.out = -1;
	int error = open_pipe(to);
	if (error != 0)
		return error;
	error = open_pipe(from);
	if (error != 0) {
		close_both(to);
		return error;
	}
	return start_between(child, argv, to, from);
}

/* --- Ending */

bool posix_child_ended(struct posix_child *child)
{
	if (child->pid != 0 && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->pid = 0;
	return child->pid == 0;
}

void posix_child_hang_up(struct posix_child *child)
{
	close_one(&child->stdio.out);
}

/* Reads and drops what the command writes, so that it can end; without that, sleeps a moment. False when a signal has
 * come. */
static bool listen_idly(struct posix_child *child, int ms)
{
	char dropped[4096];
	struct pollfd fd = { .fd = child->stdio.in, .events = POLLIN };
	const int seen = poll(&fd, 1, ms);
	if (seen > 0 && read(fd.fd, dropped, sizeof dropped) == 0)
		close_one(&child->stdio.in);
	return seen >= 0;
}

static bool ends_within(struct posix_child *child, uint32_t ms)
{
	const quash_port port = posix_stdio_port(&child->stdio);
	const uint32_t start = port.now(port.device);
	bool undisturbed = true;
	while (!posix_child_ended(child)) {
		if (!undisturbed || port.now(port.device) - start >= ms)
			return false;
		undisturbed = listen_idly(child, LOOK_MS);
	}
	return true;
}

/* It is not reaped yet, so no other process can have its id. */
static void send_signal(const struct posix_child *child, int signal)
{
	if (kill(-child->pid, signal) != 0)
		kill(child->pid, signal);
}

static void wait_for_end(struct posix_child *child)
{
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
}

void posix_child_end(struct posix_child *child, uint32_t patience)
{
	posix_child_hang_up(child);
	if (!ends_within(child, patience)) {
		send_signal(child, SIGTERM);
		if (!ends_within(child, patience)) {
			send_signal(child, SIGKILL);
			wait_for_end(child);
		}
	}
	close_one(&child->stdio.in);
}

void posix_child_fate(const struct posix_child *child, char *text, size_t size)
{
	if (child->pid != 0)
		snprintf(text, size, "is running");
	else if (WIFSIGNALED(child->status))
		snprintf(text, size, "was ended by signal %d", WTERMSIG(child->status));
	else
		snprintf(text, size, "exited with %d", WEXITSTATUS(child->status));
}
