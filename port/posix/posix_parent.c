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

enum { PATH_SIZE = 64, STATUS_SIZE = 512, FIRST_PROCESS = 1 };

/* --- What the system tells of other processes, where it does */

/* 0: it does not tell. */
static pid_t parent_of(pid_t pid)
{
	char path[PATH_SIZE], status[STATUS_SIZE] = "";
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/stat", (long)pid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	const ssize_t n = read(fd, status, sizeof status - 1);
	close(fd);
	const char *const name_end = n > 0 ? strrchr(status, ')') : NULL; /* a name may have any characters */
	return name_end != NULL && strlen(name_end) > sizeof ") S" ? (pid_t)strtol(name_end + sizeof ") S", NULL, 10) : 0;
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

/* A host may give its servers groups of their own: it has the other end of the pipe, which a shell with `&` has not. */
static bool is_in_background(pid_t parent, const struct stat *input)
{
	return is_ignored(SIGHUP) || is_ignored(SIGINT) || (getpgid(parent) != getpgrp() && !writes_input(parent, input));
}

void posix_parent_watch(struct posix_parent *parent, int in, uint32_t now)
{
	static const struct posix_parent none = { 0 };
	struct stat input;
	pid_t above = getppid();
	*parent = none;
	parent->looked = now;
	if (fstat(in, &input) != 0 || (!S_ISFIFO(input.st_mode) && !S_ISSOCK(input.st_mode)) || is_in_background(above, &input))
		return;
	while (above > FIRST_PROCESS && parent->count < POSIX_PARENT_MOST) {
		parent->above[parent->count++] = above;
		above = has_input(above, &input) ? parent_of(above) : 0;
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
