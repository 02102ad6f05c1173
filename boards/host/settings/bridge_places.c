/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_places.h"

#include "bridge_path.h"

#include <stdlib.h>
#include <string.h>

/* --- What places begin with */

/* Folders of the user. On Windows others stand in that of the user's profile when their variable is gone. */
static const struct base {
	const char *mark;     /* as places begin */
	const char *variable; /* NULL: it is that of the home */
	const char *within;   /* the home */
} bases[] = { { "~/", NULL, "" }, { "%APPDATA%/", "APPDATA", "AppData/Roaming/" }, { "%LOCALAPPDATA%/", "LOCALAPPDATA", "AppData/Local/" } };

static const char *home_variable(enum host_system system)
{
	return system == SYSTEM_WINDOWS ? "USERPROFILE" : "HOME";
}

static const char *whole_variable(const char *name)
{
	const char *const value = name != NULL ? system_variable(name) : NULL;
	return value != NULL && path_is_whole(value, system_own()) ? value : NULL;
}

static const struct base *base_of_place(const char *place)
{
	const struct base *base = bases;
	while (strncmp(place, base->mark, strlen(base->mark)) != 0)
		base++;
	return base;
}

/* As the system that this runs on writes it. */
static void own_separators(char *path)
{
	for (; system_own() == SYSTEM_WINDOWS && *path != '\0'; path++)
		*path = *path == '/' ? '\\' : *path;
}

/* The path of a place without `*`, of which `length` bytes count. False: there is no such folder of the user, or it is too long. */
static bool path_of_place(const char *place, size_t length, enum host_system system, char path[FILE_PATH])
{
	char rest[FILE_PATH];
	const struct base *const base = base_of_place(place);
	const size_t mark = strlen(base->mark);
	const char *const named = whole_variable(base->variable), *const home = whole_variable(home_variable(system));
	snprintf(rest, sizeof rest, "%s%.*s", named != NULL ? "" : base->within, (int)(length - mark), place + mark);
	char *const whole = named != NULL || home != NULL ? path_join(named != NULL ? named : home, rest) : NULL;
	const bool fits = whole != NULL && (size_t)snprintf(path, FILE_PATH, "%s", whole) < FILE_PATH;
	free(whole);
	own_separators(path);
	return fits;
}

/* --- Which one it is */

enum found { FOUND_NOTHING, FOUND_NO_FOLDER, FOUND_FOLDER, FOUND_FILE };

static enum found find_at(const char *path)
{
	char folder[FILE_PATH];
	if (system_kind(path) != FILE_NONE)
		return FOUND_FILE;
	return path_folder(path, folder) && system_kind(folder) == FILE_FOLDER ? FOUND_FOLDER : FOUND_NO_FOLDER;
}

/* A place in folders whose names begin in the same way. */
struct starred {
	char folder[FILE_PATH]; /* that they lie in */
	const char *begin, *rest;
	size_t length; /* of `begin` */
};

/* How many of them have that, or more; `path` is the last one of these. */
static unsigned count_starred(const struct starred *place, const char *names, enum found least, char path[FILE_PATH])
{
	unsigned count = 0;
	for (const char *name = names; *name != '\0'; name += strlen(name) + 1) {
		char one[FILE_PATH];
		if (strncmp(name, place->begin, place->length) != 0 ||
			(size_t)snprintf(one, sizeof one, "%s/%s%s", place->folder, name, place->rest) >= sizeof one)
			continue;
		own_separators(one);
		if (find_at(one) < least)
			continue;
		snprintf(path, FILE_PATH, "%s", one);
		count++;
	}
	return count;
}

/* Of several that have a file, or have none but a folder for it, nobody knows which one the host reads. */
static enum found find_starred(const char *place, enum host_system system, char path[FILE_PATH], bool *several)
{
	const char *const star = strchr(place, '*');
	struct starred where = { .begin = star, .rest = star + 1 };
	while (where.begin[-1] != '/')
		where.begin--;
	where.length = (size_t)(star - where.begin);
	char *const names = path_of_place(place, (size_t)(where.begin - place) - 1, system, where.folder) ? system_names(where.folder) : NULL;
	enum found found = names != NULL ? FOUND_FILE : FOUND_NOTHING;
	for (; found > FOUND_NOTHING; found--) {
		const unsigned count = count_starred(&where, names, found, path);
		*several = count > 1 && found > FOUND_NO_FOLDER;
		if (count > 0)
			break;
	}
	free(names);
	return found;
}

const char *places_find(const struct settings_host *host, enum host_system system, char path[FILE_PATH])
{
	enum found best = FOUND_NOTHING;
	path[0] = '\0';
	for (size_t i = 0; i < MOST_PLACES && host->places[system][i] != NULL; i++) {
		const char *const place = host->places[system][i];
		const bool starred = strchr(place, '*') != NULL;
		char one[FILE_PATH];
		bool several = false;
		enum found found = FOUND_NOTHING;
		if (starred)
			found = find_starred(place, system, one, &several);
		else if (path_of_place(place, strlen(place), system, one))
			found = find_at(one);
		if (found > best || (found == FOUND_NO_FOLDER && best == found))
			snprintf(path, FILE_PATH, "%s", one);
		if (several)
			return "is one of several that the host may read: paste there what --print-config prints";
		best = found > best ? found : best;
		if (found == FOUND_FILE || (starred && found != FOUND_NOTHING))
			return NULL;
	}
	if (best != FOUND_NOTHING)
		return NULL;
	return system == SYSTEM_WINDOWS ? "USERPROFILE names no folder" : "HOME names no folder";
}

/* --- Packaged apps */

/* Whether a file of that name in APPDATA stands among those of a packaged app. */
static bool is_packaged(const char *file)
{
	static const char place[] = "%LOCALAPPDATA%/Packages";
	char folder[FILE_PATH], path[FILE_PATH];
	char *const names = path_of_place(place, strlen(place), SYSTEM_WINDOWS, folder) ? system_names(folder) : NULL;
	bool found = false;
	for (const char *name = names; name != NULL && *name != '\0' && !found; name += strlen(name) + 1) {
		const bool fits = (size_t)snprintf(path, sizeof path, "%s/%s/LocalCache/Roaming/%s", folder, name, file) < sizeof path;
		own_separators(path);
		found = fits && system_kind(path) != FILE_NONE;
	}
	free(names);
	return found;
}

bool places_are_virtual(void)
{
	static const char place[] = "%APPDATA%/quash-bridge";
	char path[FILE_PATH], made[FILE_PATH];
	if (!path_of_place(place, strlen(place), SYSTEM_WINDOWS, path) || system_write_beside(path, "", NULL, made) != NULL)
		return false;
	const bool packaged = is_packaged(made + strlen(path) - strlen("quash-bridge"));
	system_remove(made);
	return packaged;
}

/* --- For people */

static void put_place(FILE *to, const char *place, enum host_system system)
{
	const bool windows = system == SYSTEM_WINDOWS;
	if (windows && *place == '~')
		fputs("%USERPROFILE%", to);
	for (place += windows && *place == '~'; *place != '\0'; place++)
		putc(windows && *place == '/' ? '\\' : *place, to);
}

void places_put(FILE *to, const struct settings_host *host, enum host_system system)
{
	const char *between = host->in_project != NULL ? " or " : "";
	fputs(host->in_project != NULL ? host->in_project : "", to);
	for (size_t i = 0; i < MOST_PLACES && host->places[system][i] != NULL; i++) {
		fputs(between, to);
		put_place(to, host->places[system][i], system);
		between = " or ";
	}
}
