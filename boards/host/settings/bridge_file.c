/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, mkstemp */
#include "bridge_file.h"

#include "host_escape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Reading */

/* Finds where links lead. */
static const char *resolve(struct settings_file *file, const char *path)
{
	struct stat about;
	char folder[FILE_PATH];
	const char *const slash = strrchr(path, '/');
	char *const found = realpath(path, NULL);
	if (found != NULL) {
		const bool fits = (size_t)snprintf(file->path, sizeof file->path, "%s", found) < sizeof file->path;
		free(found);
		file->there = true;
		return fits ? NULL : strerror(ENAMETOOLONG);
	}
	if (errno != ENOENT)
		return strerror(errno);
	if (lstat(path, &about) == 0)
		return "is a link that leads nowhere";
	if ((size_t)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) >= sizeof folder ||
		stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
		return "has no folder: has the host been started here before?";
	return (size_t)snprintf(file->path, sizeof file->path, "%s", path) < sizeof file->path ? NULL : strerror(ENAMETOOLONG);
}

/* All of it, with a NUL at its end. */
static const char *read_all(struct settings_file *file, int fd)
{
	const size_t size = (size_t)file->about.st_size;
	size_t at = 0;
	ssize_t n = 1;
	file->text = malloc(size + 1);
	if (file->text == NULL)
		return strerror(ENOMEM);
	while (at < size && (n = read(fd, file->text + at, size - at)) > 0)
		at += (size_t)n;
	file->text[at] = '\0';
	if (at < size)
		return n < 0 ? strerror(errno) : "changes while it is read";
	if (strlen(file->text) < size)
		return "has a NUL in it, so it is no text";
	return escape_is_utf8(file->text, size) ? NULL : "is no text in UTF-8";
}

const char *file_read(struct settings_file *file, const char *path)
{
	*file = (struct settings_file){ .there = false };
	snprintf(file->path, sizeof file->path, "%s", path);
	const char *why = resolve(file, path);
	if (why != NULL)
		return why;
	if (!file->there)
		return (file->text = calloc(1, 1)) != NULL ? NULL : strerror(ENOMEM);
	const int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &file->about) != 0)
		why = strerror(errno);
	else if (!S_ISREG(file->about.st_mode))
		why = "is no plain file";
	else if (access(file->path, W_OK) != 0)
		why = "is not to be written";
	else if (file->about.st_size > FILE_MOST)
		why = "is longer than 16 MiB";
	else
		why = read_all(file, fd);
	close(fd);
	return why;
}

void file_free(struct settings_file *file)
{
	free(file->text);
	file->text = NULL;
}

/* --- Writing */

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

/* A file of its own beside `path`, which is whole on the disk. Its name is written to `name`. */
static bool write_beside(const struct settings_file *like, const char *path, const char *text, char name[FILE_PATH])
{
	if ((size_t)snprintf(name, FILE_PATH, "%s.XXXXXX", path) >= FILE_PATH) {
		errno = ENAMETOOLONG;
		return false;
	}
	const int fd = mkstemp(name);
	if (fd < 0)
		return false;
	const bool same_owner = !like->there || (like->about.st_uid == geteuid() && like->about.st_gid == getegid());
	bool written = same_owner || fchown(fd, like->about.st_uid, like->about.st_gid) == 0;
	written = written && (!like->there || fchmod(fd, like->about.st_mode & 07777) == 0);
	written = written && write_whole(fd, text) && fsync(fd) == 0;
	const int error = errno;
	written = close(fd) == 0 && written;
	if (!written)
		unlink(name);
	errno = error;
	return written;
}

static bool is_unchanged(const struct settings_file *file)
{
	struct stat now;
	if (stat(file->path, &now) != 0)
		return !file->there && errno == ENOENT;
	return file->there && now.st_dev == file->about.st_dev && now.st_ino == file->about.st_ino && now.st_size == file->about.st_size &&
		now.st_mtim.tv_sec == file->about.st_mtim.tv_sec && now.st_mtim.tv_nsec == file->about.st_mtim.tv_nsec;
}

static const char *put_in_place(const char *name, const char *path)
{
	if (rename(name, path) == 0)
		return NULL;
	const int error = errno;
	unlink(name);
	return strerror(error);
}

const char *file_replace(const struct settings_file *file, const char *text)
{
	char name[FILE_PATH];
	if (!write_beside(file, file->path, text, name))
		return strerror(errno);
	if (is_unchanged(file))
		return put_in_place(name, file->path);
	unlink(name);
	return "was changed by another program just now";
}

const char *file_copy(const struct settings_file *like, const char *path)
{
	char name[FILE_PATH];
	return write_beside(like, path, like->text, name) ? put_in_place(name, path) : strerror(errno);
}

/* --- On the screen */

static size_t line_length(const char *text)
{
	const size_t n = strcspn(text, "\n");
	return n + (text[n] == '\n');
}

static unsigned number_of_lines(const char *text, const char *end)
{
	unsigned lines = 0;
	for (; text < end; text += line_length(text))
		lines++;
	return lines;
}

static void show_changed_lines(FILE *to, char sign, const char *text, const char *end)
{
	while (text < end) {
		const size_t n = line_length(text);
		const bool whole = text[n - 1] == '\n';
		putc(sign, to);
		escape_put(to, ESCAPE_LINES, text, n);
		fputs(whole ? "" : "\n\\ No newline at end of file\n", to);
		text += n;
	}
}

/* In a diff a place without lines is called by the line before it. */
static void show_range(FILE *to, char sign, unsigned before, unsigned lines)
{
	fprintf(to, "%c%u,%u", sign, before + (lines > 0), lines);
}

/* Whether a line begins so many bytes before the end of a text that begins one. */
static bool is_line(const char *text, size_t length, size_t before_end)
{
	return before_end == length || text[length - before_end - 1] == '\n';
}

/* How many bytes of whole lines two texts have in common at their ends. */
static size_t common_end(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t n = 0, whole = 0;
	while (n < a_length && n < b_length && a[a_length - n - 1] == b[b_length - n - 1]) {
		n++;
		whole = is_line(a, a_length, n) && is_line(b, b_length, n) ? n : whole;
	}
	return whole;
}

void file_show_change(FILE *to, const char *path, const char *before, const char *after)
{
	size_t start = 0;
	while (before[start] != '\0' && after[start] != '\0') {
		const size_t n = line_length(before + start);
		if (n != line_length(after + start) || memcmp(before + start, after + start, n) != 0)
			break;
		start += n;
	}
	const char *const a = before + start, *const b = after + start;
	const size_t a_left = strlen(a), b_left = strlen(b);
	const size_t common = common_end(a, a_left, b, b_left);
	const char *const a_end = a + a_left - common, *const b_end = b + b_left - common;
	const unsigned lines = number_of_lines(before, a);
	for (unsigned i = 0; i < 2; i++) {
		fputs(i == 0 ? "--- " : "+++ ", to);
		escape_put(to, ESCAPE_LINE, path, strlen(path));
		putc('\n', to);
	}
	fputs("@@ ", to);
	show_range(to, '-', lines, number_of_lines(a, a_end));
	putc(' ', to);
	show_range(to, '+', lines, number_of_lines(b, b_end));
	fputs(" @@\n", to);
	show_changed_lines(to, '-', a, a_end);
	show_changed_lines(to, '+', b, b_end);
}
