/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, mkstemp */
#include "bridge_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* --- The program and its surroundings */

enum host_system system_own(void)
{
	struct utsname about;
	return uname(&about) >= 0 && strcmp(about.sysname, "Darwin") == 0 ? SYSTEM_MACOS : SYSTEM_LINUX;
}

bool system_is_package(void)
{
	return false;
}

const char *system_variable(const char *name)
{
	return getenv(name);
}

char *system_folder(void)
{
	char here[PATH_MAX];
	return getcwd(here, sizeof here) != NULL ? strdup(here) : NULL;
}

char *system_program(void)
{
	return NULL;
}

/* --- What there is */

static const char *words_if(bool failed)
{
	return failed ? strerror(errno) : NULL;
}

static enum file_kind kind_of_file(const struct stat *about)
{
	return S_ISREG(about->st_mode) ? FILE_PLAIN : S_ISDIR(about->st_mode) ? FILE_FOLDER : FILE_OTHER;
}

const char *system_about(const char *path, struct file_about *about)
{
	struct stat is;
	*about = (struct file_about){ .kind = FILE_NONE };
	if (stat(path, &is) != 0) {
		const int error = errno;
		if (error == ENOENT && lstat(path, &is) == 0)
			about->kind = FILE_LOST_LINK;
		return error == ENOENT ? NULL : strerror(error);
	}
	about->kind = kind_of_file(&is);
	about->may_write = access(path, W_OK) == 0;
	about->may_start = access(path, X_OK) == 0;
	about->size = (uint64_t)is.st_size;
	about->mark = (struct file_mark){ (uint64_t)is.st_dev, (uint64_t)is.st_ino,
		(uint64_t)is.st_mtim.tv_sec * 1000000000 + (uint64_t)is.st_mtim.tv_nsec };
	return NULL;
}

const char *system_resolve(const char *path, char resolved[FILE_PATH])
{
	char *const found = realpath(path, NULL);
	if (found == NULL)
		return strerror(errno);
	const bool fits = (size_t)snprintf(resolved, FILE_PATH, "%s", found) < FILE_PATH;
	free(found);
	return fits ? NULL : strerror(ENAMETOOLONG);
}

char *system_names(const char *folder)
{
	DIR *const open = opendir(folder);
	char *names = open != NULL ? calloc(1, 1) : NULL;
	size_t length = 0;
	for (struct dirent *entry; names != NULL && (entry = readdir(open)) != NULL;) {
		const size_t n = strlen(entry->d_name) + 1;
		char *const more = realloc(names, length + n + 1);
		if (more == NULL) {
			free(names);
			names = NULL;
			break;
		}
		names = more;
		memcpy(names + length, entry->d_name, n);
		length += n;
		names[length] = '\0';
	}
	if (open != NULL)
		closedir(open);
	return names;
}

/* --- Files */

const char *system_read(const char *path, char *to, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t at = 0;
	ssize_t n = 1;
	if (fd < 0)
		return strerror(errno);
	while (at < size && (n = read(fd, to + at, size - at)) > 0)
		at += (size_t)n;
	const int error = errno;
	close(fd);
	return at == size ? NULL : n < 0 ? strerror(error) : "changes while it is read";
}

static bool write_whole(int fd, const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		const ssize_t n = write(fd, text, left);
		if (n < 0 && errno != EINTR)
			return false;
		text += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Owner and mode of a file. */
static bool make_like(int fd, const char *like)
{
	struct stat is;
	if (like == NULL)
		return true;
	if (stat(like, &is) != 0)
		return false;
	const bool same_owner = is.st_uid == geteuid() && is.st_gid == getegid();
	return (same_owner || fchown(fd, is.st_uid, is.st_gid) == 0) && fchmod(fd, is.st_mode & 07777) == 0;
}

const char *system_write_beside(const char *path, const char *text, const char *like, char name[FILE_PATH])
{
	if ((size_t)snprintf(name, FILE_PATH, "%s.XXXXXX", path) >= FILE_PATH)
		return strerror(ENAMETOOLONG);
	const int fd = mkstemp(name);
	if (fd < 0)
		return strerror(errno);
	bool written = make_like(fd, like) && write_whole(fd, text) && fsync(fd) == 0;
	const int error = errno;
	written = close(fd) == 0 && written;
	if (written)
		return NULL;
	unlink(name);
	return strerror(error);
}

const char *system_replace(const char *name, const char *path)
{
	return words_if(rename(name, path) != 0);
}

const char *system_remove(const char *path)
{
	return words_if(unlink(path) != 0);
}
