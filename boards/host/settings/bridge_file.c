/* SPDX-License-Identifier: MIT */
#include "bridge_file.h"

#include "bridge_path.h"
#include "host_escape.h"

#include <stdlib.h>
#include <string.h>

static const char too_long[] = "has too long a path";

/* --- Reading */

static const char *check_folder(struct settings_file *file, const char *path)
{
	char folder[FILE_PATH];
	if (!path_folder(path, folder) || system_kind(folder) != FILE_FOLDER)
		return "has no folder: has the host been started here before?";
	return (size_t)snprintf(file->path, sizeof file->path, "%s", path) < sizeof file->path ? NULL : too_long;
}

/* All of it, with a NUL at its end. */
static const char *read_all(struct settings_file *file)
{
	const size_t size = (size_t)file->about.size;
	file->text = malloc(size + 1);
	if (file->text == NULL)
		return "is too long for the memory that there is";
	file->text[size] = '\0';
	const char *const why = system_read(file->path, file->text, size);
	if (why != NULL)
		return why;
	if (strlen(file->text) < size)
		return "has a NUL in it, so it is no text";
	return escape_is_utf8(file->text, size) ? NULL : "is no text in UTF-8";
}

static const char *read_there(struct settings_file *file, const char *path)
{
	const char *const why = system_resolve(path, file->path);
	if (why != NULL)
		return why;
	if (file->about.kind != FILE_PLAIN)
		return "is no plain file";
	if (!file->about.may_write)
		return "is not to be written";
	return file->about.size > FILE_MOST ? "is longer than 16 MiB" : read_all(file);
}

const char *file_read(struct settings_file *file, const char *path)
{
	*file = (struct settings_file){ .there = false };
	const char *why = system_about(path, &file->about);
	if (why != NULL)
		return why;
	if (file->about.kind == FILE_LOST_LINK)
		return "is a link that leads nowhere";
	file->there = file->about.kind != FILE_NONE;
	if (file->there)
		return read_there(file, path);
	why = check_folder(file, path);
	file->text = calloc(1, 1);
	return why != NULL || file->text != NULL ? why : "has no memory left for it";
}

void file_free(struct settings_file *file)
{
	free(file->text);
	file->text = NULL;
}

/* --- Writing */

static bool is_unchanged(const struct settings_file *file)
{
	struct file_about now;
	if (system_about(file->path, &now) != NULL)
		return false;
	if (!file->there)
		return now.kind == FILE_NONE;
	return now.kind == FILE_PLAIN && now.size == file->about.size && now.mark.volume == file->about.mark.volume &&
		now.mark.number == file->about.mark.number && now.mark.changed == file->about.mark.changed;
}

static const char *put_in_place(const char *name, const char *path)
{
	const char *const why = system_replace(name, path);
	if (why == NULL)
		return NULL;
	static char words[200];
	snprintf(words, sizeof words, "%s", why);
	system_remove(name);
	return words;
}

const char *file_replace(const struct settings_file *file, const char *text)
{
	static const char changed[] = "was changed by another program just now";
	char name[FILE_PATH];
	if (!is_unchanged(file))
		return changed;
	const char *const why = system_write_beside(file->path, text, file->there ? file->path : NULL, name);
	if (why != NULL)
		return why;
	if (is_unchanged(file))
		return put_in_place(name, file->path);
	system_remove(name);
	return changed;
}

const char *file_copy(const struct settings_file *like, const char *path)
{
	char name[FILE_PATH];
	const char *const why = system_write_beside(path, like->text, like->path, name);
	return why != NULL ? why : put_in_place(name, path);
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
