/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *separators(enum host_system system)
{
	return system == SYSTEM_WINDOWS ? "/\\" : "/";
}

/* The last separator; NULL: there is none. */
static const char *find_separator(const char *path)
{
	const char *found = NULL;
	for (const char *at = path; (at = strpbrk(at, separators(system_own()))) != NULL; at++)
		found = at;
	return found;
}

bool path_is_whole(const char *path, enum host_system system)
{
	const bool drive = ((path[0] | 0x20) >= 'a' && (path[0] | 0x20) <= 'z') && path[1] == ':';
	return path[0] == '/' || (system == SYSTEM_WINDOWS && (drive || path[0] == '\\'));
}

bool path_folder(const char *path, char folder[FILE_PATH])
{
	const char *const end = find_separator(path);
	const size_t length = end == NULL ? 0 : end > path ? (size_t)(end - path) : 1;
	if (length == 0 || length >= FILE_PATH)
		return false;
	memcpy(folder, path, length);
	folder[length] = '\0';
	return true;
}

char *path_join(const char *folder, const char *path)
{
	const size_t length = strlen(folder), room = length + strlen(path) + strlen("/") + 1;
	const char *const all = separators(system_own());
	const bool separated = length > 0 && strchr(all, folder[length - 1]) != NULL;
	char *const joined = malloc(room);
	if (joined != NULL)
		snprintf(joined, room, "%s%s%s", folder, separated ? "" : all + strlen(all) - 1, path);
	return joined;
}

char *path_whole(const char *path)
{
	if (path_is_whole(path, system_own()))
		return strdup(path);
	while (path[0] == '.' && path[1] != '\0' && strchr(separators(system_own()), path[1]) != NULL)
		path += 2;
	char *const here = system_folder();
	char *const whole = here != NULL ? path_join(here, path) : NULL;
	free(here);
	return whole;
}

/* --- Programs */

static bool is_program(const char *path)
{
	struct file_about about;
	return system_about(path, &about) == NULL && about.kind == FILE_PLAIN && about.may_start;
}

/* Frees the path when it is none. On Windows its ending may be left out. */
static char *program_at(char *path)
{
	const size_t room = path != NULL ? strlen(path) + sizeof ".exe" : 0;
	if (path == NULL || is_program(path))
		return path;
	char *const ending = system_own() == SYSTEM_WINDOWS ? malloc(room) : NULL;
	if (ending != NULL)
		snprintf(ending, room, "%s.exe", path);
	free(path);
	if (ending == NULL || is_program(ending))
		return ending;
	free(ending);
	return NULL;
}

/* In the folders of PATH, of which an empty one is the working folder. */
static char *search(const char *name)
{
	const char *const between = system_own() == SYSTEM_WINDOWS ? ";" : ":";
	const char *next = system_variable("PATH");
	while (next != NULL && *next != '\0') {
		const size_t length = strcspn(next, between);
		char *const folder = length > 0 ? strndup(next, length) : strdup(".");
		char *const path = folder != NULL ? path_join(folder, name) : NULL;
		char *const found = program_at(path != NULL ? path_whole(path) : NULL);
		free(folder);
		free(path);
		if (found != NULL)
			return found;
		next += length;
		next += *next != '\0';
	}
	return NULL;
}

char *path_of_program(const char *name)
{
	return strpbrk(name, separators(system_own())) != NULL ? program_at(path_whole(name)) : search(name);
}
