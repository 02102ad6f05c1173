/* SPDX-License-Identifier: MIT
 * terminal COMMAND [ARG...]
 *
 * A terminal for one program: what we read on stdin is typed, what the program shows goes to stdout. stderr has two lines,
 * `started PID` and, when the program has ended, `ended CODE`, with 128 and the number of a signal. As with a shell, the
 * terminal outlives the program.
 *
 * Whatever the program has started, and what that has left behind, are our descendants, and we stay for them. The end of
 * stdin, SIGTERM, SIGINT, SIGHUP and the end of our parent kill them all, each by its id, and end us. Linux only. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 40, COLUMNS = 120, LOOK_MS = 20, PATH_SIZE = 64 };
enum { EXIT_BAD_OPTION = 2, EXIT_TROUBLE = 3 };

static volatile sig_atomic_t stopped;

static void on_stop(int number)
{
	(void)number;
	stopped = 1;
}

/* --- Descendants */

/* Kills the children of a process, and theirs before them. */
static void kill_below(pid_t process)
{
	char path[PATH_SIZE];
	long child;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)process, (long)process);
	FILE *const children = fopen(path, "re");
	if (children == NULL)
		return;
	while (fscanf(children, "%ld", &child) == 1) {
		kill((pid_t)child, SIGSTOP); /* it starts no more while we look below */
		kill_below((pid_t)child);
		kill((pid_t)child, SIGKILL);
	}
	fclose(children);
}

/* Those whose parent has just been killed become ours. */
static void end_all(void)
{
	do
		kill_below(getpid());
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/* --- What stands between, as a shell does: it leads the session, and the program has the terminal */

static void become(char **words)
{
	setpgid(0, 0);
	tcsetpgrp(STDIN_FILENO, getpid());
	signal(SIGTTOU, SIG_DFL);
	execvp(words[0], words);
	_exit(127);
}

static int code_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void lead(char **words, int reports)
{
	int status;
	signal(SIGTTOU, SIG_IGN);
	const pid_t program = fork();
	if (program == 0)
		become(words);
	setpgid(program, program);
	dprintf(reports, "started %ld\n", (long)program);
	while (waitpid(program, &status, 0) != program && errno == EINTR)
		continue;
	tcsetpgrp(STDIN_FILENO, getpid());
	dprintf(reports, "ended %d\n", code_of(status));
	for (;;)
		pause();
}

/* --- The terminal */

/* False: there is no more to be had. */
static bool pass(int from, int to)
{
	char bytes[4096];
	const ssize_t n = read(from, bytes, sizeof bytes);
	if (n <= 0)
		return n < 0 && errno == EINTR;
	for (ssize_t at = 0; at < n;) {
		const ssize_t written = write(to, bytes + at, (size_t)(n - at));
		if (written < 0 && errno != EINTR)
			return false;
		at += written > 0 ? written : 0;
	}
	return true;
}

static void serve(int master)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = master, .events = POLLIN } };
	while (!stopped) {
		if (poll(fds, 2, LOOK_MS) > 0) {
			if (fds[1].revents != 0 && !pass(master, STDOUT_FILENO))
				fds[1].fd = -1; /* nobody has the terminal open */
			if (fds[0].revents != 0 && !pass(STDIN_FILENO, master))
				return;
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			continue; /* what others have left to us */
	}
}

static void catch_stops(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = on_stop;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		sigaction(numbers[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
	const struct winsize size = { .ws_row = ROWS, .ws_col = COLUMNS };
	int master;
	if (argc < 2) {
		fprintf(stderr, "terminal: terminal COMMAND [ARG...]\n");
		return EXIT_BAD_OPTION;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	const int reports = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const pid_t leader = forkpty(&master, NULL, NULL, &size);
	if (leader == 0)
		lead(&argv[1], reports);
	if (leader < 0)
		return EXIT_TROUBLE;
	catch_stops();
	fcntl(master, F_SETFD, FD_CLOEXEC);
	serve(master);
	end_all();
	return 0;
}
