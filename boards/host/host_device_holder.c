/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "host_device_holder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Lock files */

static bool lives(long pid)
{
	return pid > 0 && pid <= INT_MAX && pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* The number stands there in digits; old programs write it as it is in memory. 0: none. */
static long number_in(const char *bytes, size_t count)
{
	int binary;
	const long number = strtol(bytes, NULL, 10);
	if (number > 0 || count != sizeof binary)
		return number;
	memcpy(&binary, bytes, sizeof binary);
	return binary;
}

static long pid_in(const char *file)
{
	char bytes[64] = "";
	FILE *const lock = fopen(file, "re");
	if (lock == NULL)
		return 0;
	const size_t count = fread(bytes, 1, sizeof bytes - 1, lock);
	fclose(lock);
	return number_in(bytes, count);
}

/* The process of the lock file of the name that `path` ends in; 0: none. */
static long locker(const char *path)
{
	char file[PATH_MAX];
	const char *const slash = strrchr(path, '/');
	snprintf(file, sizeof file, "/var/lock/LCK..%s", slash != NULL ? slash + 1 : path);
	const long pid = pid_in(file);
	return lives(pid) ? pid : 0;
}

static long locker_of_file(const char *path)
{
	char real[PATH_MAX];
	const long pid = locker(path);
	return pid == 0 && realpath(path, real) != NULL ? locker(real) : pid;
}

bool holder_has_lock_file(const char *path)
{
	return locker_of_file(path) != 0;
}

/* --- Locks of the system */

/* Whether a line of the system's table of locks is about this file. A line with an arrow is of one who waits. */
static long pid_of_lock(const char *line, const struct stat *device)
{
	long pid;
	unsigned over, under;
	unsigned long long file;
	if (sscanf(line, "%*s FLOCK %*s %*s %ld %x:%x:%llu", &pid, &over, &under, &file) != 4)
		return 0;
	const bool same = posix_system_is_device(device->st_dev, over, under) && device->st_ino == file;
	return same && lives(pid) ? pid : 0; /* one that has started others may have taken the lock for them, and ended */
}

static long flocker(const struct stat *device)
{
	char line[256];
	long pid = 0;
	FILE *const locks = fopen(POSIX_SYSTEM_PROCESSES "/locks", "re");
	if (locks == NULL)
		return 0;
	while (pid == 0 && fgets(line, sizeof line, locks) != NULL)
		pid = pid_of_lock(line, device);
	fclose(locks);
	return pid;
}

/* --- Open files */

/* Two systems of pseudoterminals may have one of the same number each. */
enum match { NONE, SAME_NUMBER, SAME_FILE };

static enum match match_of(const struct stat *file, const struct stat *device)
{
	if (!S_ISCHR(file->st_mode) || file->st_rdev != device->st_rdev)
		return NONE;
	return file->st_dev == device->st_dev && file->st_ino == device->st_ino ? SAME_FILE : SAME_NUMBER;
}

static enum match has_open(long pid, const struct stat *device)
{
	char folder[64];
	enum match best = NONE;
	struct stat file;
	snprintf(folder, sizeof folder, POSIX_SYSTEM_PROCESSES "/%ld/fd", pid);
	DIR *const descriptors = opendir(folder);
	if (descriptors == NULL)
		return NONE;
	for (const struct dirent *entry; best != SAME_FILE && (entry = readdir(descriptors)) != NULL;) {
		if (fstatat(dirfd(descriptors), entry->d_name, &file, 0) == 0 && match_of(&file, device) > best)
			best = match_of(&file, device);
	}
	closedir(descriptors);
	return best;
}

static long opener(const struct stat *device)
{
	long found = 0;
	enum match best = NONE;
	DIR *const processes = opendir(POSIX_SYSTEM_PROCESSES);
	if (processes == NULL)
		return 0;
	for (const struct dirent *entry; best != SAME_FILE && (entry = readdir(processes)) != NULL;) {
		const long pid = strtol(entry->d_name, NULL, 10);
		const enum match match = pid > 0 && pid != getpid() ? has_open(pid, device) : NONE;
		if (match > best) {
			best = match;
			found = pid;
		}
	}
	closedir(processes);
	return found;
}

/* --- Its name */

static void name_of(long pid, char *text, size_t size)
{
	char path[64], name[64] = "";
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/comm", pid);
	FILE *const comm = fopen(path, "re");
	if (comm != NULL) {
		name[fread(name, 1, sizeof name - 1, comm)] = '\0';
		fclose(comm);
	}
	name[strcspn(name, "\n")] = '\0';
	snprintf(text, size, "%s (%ld)", name[0] != '\0' ? name : "a program", pid);
}

void holder_name(const char *path, char *text, size_t size)
{
	struct stat device;
	long pid = locker_of_file(path);
	const bool exists = stat(path, &device) == 0;
	if (pid == 0 && exists)
		pid = flocker(&device);
	if (pid == 0 && exists)
		pid = opener(&device);
	if (pid != 0)
		name_of(pid, text, size);
	else
		snprintf(text, size, "another program");
}
