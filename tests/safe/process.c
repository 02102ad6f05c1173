/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEEPS_BYTES = 4096 };

/* Signals wait meanwhile: one that comes at once would find the parent's handlers in the child, and end nothing. */
pid_t process_fork(void)
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	const pid_t parent = getpid();
	const pid_t pid = fork();
	if (pid != 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (int number = 1; number < SIGRTMIN; number++)
		signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return 0;
}

void process_put(int from, int to)
{
	const int fd = from < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : from;
	if (fd == to)
		fcntl(to, F_SETFD, 0);
	else
		dup2(fd, to);
}

void process_become(char *const *argv, int in, int out, bool loud)
{
	process_put(in, STDIN_FILENO);
	process_put(out, STDOUT_FILENO);
	if (!loud)
		process_put(-1, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(127);
}

void process_end(pid_t *process, int number)
{
	if (*process <= 0)
		return;
	kill(*process, number);
	waitpid(*process, NULL, 0);
	*process = 0;
}

void process_drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool process_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

void process_keep_little(int end)
{
	setsockopt(end, SOL_SOCKET, SO_SNDBUF, &(int){ KEEPS_BYTES }, sizeof(int));
}

void process_keep_asking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

struct sockaddr_un process_address(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	return address;
}
