/* SPDX-License-Identifier: MIT
 * Serial ports for a program under test, in place of the system's: LD_PRELOAD names it, and PLUGGED a folder that stands for / where the
 * program opens a path of /sys/class/tty, or of a serial device in /dev. */
#define _GNU_SOURCE 1 /* RTLD_NEXT, open64 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* The path to use; `room` is for it. */
static const char *moved(const char *path, char room[PATH_MAX])
{
	static const char *const parts[] = { "/sys/class/tty", "/dev/ttyACM", "/dev/ttyUSB" };
	const char *const root = getenv("PLUGGED");
	for (size_t i = 0; root != NULL && i < sizeof parts / sizeof parts[0]; i++) {
		if (strncmp(path, parts[i], strlen(parts[i])) == 0 && snprintf(room, PATH_MAX, "%s%s", root, path) < PATH_MAX)
			return room;
	}
	return path;
}

/* Each of these calls the function of that name behind it, with the path that is meant. */

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		char room[PATH_MAX]; \
		mode_t mode = 0; \
		int (*next)(const char *, int, ...); \
		*(void **)&next = dlsym(RTLD_NEXT, #name); \
		if ((flags & O_CREAT) != 0) { \
			va_list more; \
			va_start(more, flags); \
			mode = (mode_t)va_arg(more, unsigned); \
			va_end(more); \
		} \
		return next(moved(path, room), flags, mode); \
	}
OPEN(open)
OPEN(open64)

#define ONE(result, name, second) \
	result name(const char *path, second other) \
	{ \
		char room[PATH_MAX]; \
		result (*next)(const char *, second); \
		*(void **)&next = dlsym(RTLD_NEXT, #name); \
		return next(moved(path, room), other); \
	}
ONE(FILE *, fopen, const char *)
ONE(FILE *, fopen64, const char *)
ONE(int, stat, struct stat *)
ONE(char *, realpath, char *)

DIR *opendir(const char *path)
{
	char room[PATH_MAX];
	DIR *(*next)(const char *);
	*(void **)&next = dlsym(RTLD_NEXT, "opendir");
	return next(moved(path, room));
}

#define SCAN(name, entry) \
	int name(const char *path, struct entry ***list, int (*takes)(const struct entry *), int (*compare)(const struct entry **, const struct entry **)) \
	{ \
		char room[PATH_MAX]; \
		int (*next)(const char *, struct entry ***, int (*)(const struct entry *), int (*)(const struct entry **, const struct entry **)); \
		*(void **)&next = dlsym(RTLD_NEXT, #name); \
		return next(moved(path, room), list, takes, compare); \
	}
SCAN(scandir, dirent)
SCAN(scandir64, dirent64)

/* Node asks for a file's kind in this way. */
long syscall(long number, ...)
{
	char room[PATH_MAX];
	long with[6], (*next)(long, ...);
	va_list more;
	*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	va_start(more, number);
	for (size_t i = 0; i < sizeof with / sizeof with[0]; i++)
		with[i] = va_arg(more, long);
	va_end(more);
	if (number == SYS_statx && with[1] != 0)
		with[1] = (long)(intptr_t)moved((const char *)(intptr_t)with[1], room);
	return next(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}
