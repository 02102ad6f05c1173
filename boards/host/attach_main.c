/* SPDX-License-Identifier: MIT
 * attach COMMAND [ARG...]
 *
 * Puts the stdin and stdout of a command, an emulator mostly, on our own. When our input has ended it waits until the
 * command has said nothing for 300 ms, ends it and exits with 0. The command ends with us, however we end. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __linux__
#include <sys/prctl.h>
#endif

enum { QUIET_MS = 300, EXIT_BAD_OPTION = 2, EXIT_COMMAND_GONE = 1, FIRST_SIGNAL_EXIT = 128 };

struct link {
	int from, to;
	size_t at, length;
	char bytes[4096];
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
	stopped = number;
}

static void catch_signals(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* In the child: becomes the command. */
static void become(char **argv, int in, int out, pid_t parent)
{
#if defined __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	setpgid(0, 0);
	if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(EXIT_BAD_OPTION);
	execvp(argv[0], argv);
	fprintf(stderr, "attach: %s: %s\n", argv[0], strerror(errno));
	_exit(EXIT_BAD_OPTION);
}

static pid_t start(char **argv, struct link *down, struct link *up)
{
	int to[2], from[2];
	const pid_t parent = getpid();
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		return -1;
	const pid_t pid = fork();
	if (pid == 0)
		become(argv, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	*down = (struct link){ .from = STDIN_FILENO, .to = to[1] };
	*up = (struct link){ .from = from[0], .to = STDOUT_FILENO };
	return pid;
}

/* Moves what is there. False when there is no more to be had. */
static bool fill(struct link *l)
{
	const ssize_t n = read(l->from, l->bytes, sizeof l->bytes);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	l->at = 0;
	l->length = (size_t)n;
	return n > 0;
}

static bool flush(struct link *l)
{
	const ssize_t n = write(l->to, l->bytes + l->at, l->length - l->at);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	l->at += (size_t)n;
	return true;
}

static struct pollfd wish(const struct link *l, bool open)
{
	const bool full = l->at < l->length;
	const struct pollfd fd = { .fd = full ? l->to : open ? l->from : -1, .events = full ? POLLOUT : POLLIN };
	return fd;
}

/* True when all is well; false when the link is over. */
static bool serve(struct link *l, const struct pollfd *seen)
{
	if (seen->revents == 0)
		return true;
	return l->at < l->length ? flush(l) : fill(l);
}

/* Until one side ends. Says whether it was ours. */
static bool join(struct link *down, struct link *up)
{
	bool open = true;
	while (!stopped) {
		struct pollfd fds[2] = { wish(down, open), wish(up, true) };
		const int n = poll(fds, 2, open ? -1 : QUIET_MS);
		if (n == 0)
			return true;
		if (n < 0)
			continue;
		if (!serve(down, &fds[0]))
			open = false;
		if (!serve(up, &fds[1]))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct link down, up;
	if (argc < 2) {
		fprintf(stderr, "attach: no command: attach COMMAND [ARG...]\n");
		return EXIT_BAD_OPTION;
	}
	catch_signals();
	const pid_t pid = start(&argv[1], &down, &up);
	if (pid < 0) {
		fprintf(stderr, "attach: %s\n", strerror(errno));
		return EXIT_BAD_OPTION;
	}
	const bool ours = join(&down, &up);
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (stopped)
		return FIRST_SIGNAL_EXIT + stopped;
	return ours ? 0 : EXIT_COMMAND_GONE;
}
