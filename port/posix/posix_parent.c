/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_parent.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 64, STATUS_SIZE = 4096, FIRST_PROCESS = 1, IGNORES_HANG_UP = 1, IGNORES_INTERRUPT = 2 };

/* --- What the system tells of other processes, where it does */

/* Empty: it does not tell. */
static void read_status(pid_t pid, const char *name, char status[STATUS_SIZE])
{
	char path[PATH_SIZE];
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/%s", (long)pid, name);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd >= 0 ? read(fd, status, STATUS_SIZE - 1) : 0;
	status[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* 0: it does not tell. */
static pid_t parent_of(pid_t pid)
{
	char status[STATUS_SIZE];
	read_status(pid, "stat", status);
	const char *const name_end = strrchr(status, ')'); /* a name may have any characters */
	return name_end != NULL && strlen(name_end) > sizeof ") S" ? (pid_t)strtol(name_end + sizeof ") S", NULL, 10) : 0;
}

/* None: it does not tell. */
static unsigned ignored_by(pid_t pid)
{
	static const char head[] = "\nSigIgn:";
	char status[STATUS_SIZE];
	read_status(pid, "status", status);
	const char *const at = strstr(status, head);
	const unsigned long long mask = at != NULL ? strtoull(at + sizeof head - 1, NULL, 16) : 0;
	return (mask >> (SIGHUP - 1) & 1 ? IGNORES_HANG_UP : 0) | (mask >> (SIGINT - 1) & 1 ? IGNORES_INTERRUPT : 0);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool has_input(pid_t pid, const struct stat *input)
{
	char path[PATH_SIZE];
	struct stat its;
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/fd/0", (long)pid);
	return stat(path, &its) == 0 && is_same(&its, input);
}

/* Whether it can write into the pipe that is our input. The mode of a link there is that of the descriptor. */
static bool writes_input(pid_t pid, const struct stat *input)
{
	char path[PATH_SIZE];
	bool writes = false;
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/fd", (long)pid);
	DIR *const all = opendir(path);
	for (const struct dirent *one; all != NULL && !writes && (one = readdir(all)) != NULL;) {
		struct stat its, link;
		writes = fstatat(dirfd(all), one->d_name, &its, 0) == 0 && is_same(&its, input) &&
			fstatat(dirfd(all), one->d_name, &link, AT_SYMLINK_NOFOLLOW) == 0 && (link.st_mode & S_IWUSR) != 0;
	}
	if (all != NULL)
		closedir(all);
	return writes;
}

/* --- Which are watched */

static bool is_ignored(int number)
{
	struct sigaction action;
	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static unsigned ignored_here(void)
{
	return (is_ignored(SIGHUP) ? IGNORES_HANG_UP : 0) | (is_ignored(SIGINT) ? IGNORES_INTERRUPT : 0);
}

/* What ignores a signal that its parent heeds was started so by that. A host may give its servers groups of their own: it has the other end
 * of the pipe, which a shell with `&` has not. */
static bool is_in_background(pid_t pid, unsigned ignores, pid_t parent, const struct stat *input)
{
	return (ignores & ~ignored_by(parent)) != 0 || (getpgid(parent) != getpgid(pid) && !writes_input(parent, input));
}

void posix_parent_watch(struct posix_parent *parent, int in, uint32_t now)
{
	static const struct posix_parent none = { 0 };
	struct stat input;
	pid_t pid = getpid(), above = getppid();
	unsigned ignores = ignored_here();
	*parent = none;
	parent->looked = now;
	if (fstat(in, &input) != 0 || (!S_ISFIFO(input.st_mode) && !S_ISSOCK(input.st_mode)))
		return;
	while (above > FIRST_PROCESS && parent->count < sizeof parent->above / sizeof *parent->above &&
		!is_in_background(pid, ignores, above, &input)) {
		parent->above[parent->count++] = above;
		pid = above;
		ignores = ignored_by(pid);
		above = has_input(pid, &input) ? parent_of(pid) : 0;
	}
}

/* --- Whether they are there */

/* A process whose parent ends has another one from then on. */
static bool are_there(const struct posix_parent *parent)
{
	if (getppid() != parent->above[0])
		return false;
	for (unsigned i = 1; i < parent->count; i++) {
		if (parent_of(parent->above[i - 1]) != parent->above[i])
			return false;
	}
	return true;
}

bool posix_parent_ended(struct posix_parent *parent, uint32_t now)
{
	if (posix_parent_rest(parent, now) > 0)
		return parent->ended;
	parent->looked = now;
	parent->ended = !are_there(parent);
	return parent->ended;
}

uint32_t posix_parent_rest(const struct posix_parent *parent, uint32_t now)
{
	const uint32_t passed = now - parent->looked;
	if (parent->count == 0 || parent->ended)
		return UINT32_MAX;
	return passed < POSIX_PARENT_LOOK_MS ? POSIX_PARENT_LOOK_MS - passed : 0;
}
