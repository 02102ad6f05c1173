/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_install.h"

#include "bridge_file.h"
#include "bridge_own.h"
#include "bridge_places.h"

#include <stdlib.h>
#include <string.h>

/* --- The file */

/* Files of a packaged app's own are what no other program reads. */
static const char *check_view(const struct settings_host *host, enum host_system system)
{
	const bool in_home = host->places[system][0][0] == '~';
	return system != SYSTEM_WINDOWS || in_home || !places_are_virtual()
		? NULL
		: "cannot be changed from within a packaged app of Windows, whose files in AppData no other program sees: do it in a terminal of its own";
}

/* Reads it, and whether its server is ours: NULL for both. `server` has the names. */
static const char *open_file(const struct settings_host *host, enum host_system system, const struct server_settings *server,
	struct settings_file *file, struct install_report *report)
{
	*report = (struct install_report){ .changed = false };
	const char *why = places_find(host, system, report->path);
	if (why == NULL)
		why = check_view(host, system);
	if (why == NULL)
		why = file_read(file, report->path);
	if (why != NULL)
		return why;
	char *const command = host->format->value(file->text, server, "command", &why);
	char *const args = command != NULL ? host->format->value(file->text, server, "args", &why) : NULL;
	const bool ours = command == NULL || own_command(command, args != NULL ? args : "");
	free(command);
	free(args);
	if (why == NULL && !ours)
		why = "has a server of this name that starts another program: choose another --name";
	return why;
}

/* --- The copy beside it */

/* False when the path is too long. */
static bool copy_path(const struct settings_file *file, char path[FILE_PATH])
{
	return (size_t)snprintf(path, FILE_PATH, "%s.before-quash", file->path) < FILE_PATH;
}

static const char *change_file(FILE *shows, const struct settings_file *file, const char *fresh)
{
	char copy[FILE_PATH];
	if (!copy_path(file, copy))
		return "has too long a path";
	const char *why = file->there ? file_copy(file, copy) : NULL;
	if (why == NULL)
		why = file_replace(file, fresh);
	if (why == NULL)
		file_show_change(shows, file->path, file->text, fresh);
	return why;
}

/* --- In */

bool settings_install(FILE *shows, const struct settings_host *host, enum host_system system, const struct server_settings *server,
	struct install_report *report)
{
	struct settings_file file = { .text = NULL };
	char *fresh = NULL;
	const char *why = open_file(host, system, server, &file, report);
	if (why == NULL)
		fresh = host->format->put(file.text, server, &why);
	const bool same = why == NULL && strcmp(file.text, fresh) == 0;
	if (why == NULL && !same)
		why = change_file(shows, &file, fresh);
	report->changed = why == NULL && !same;
	report->words = why != NULL ? why : same ? "has the server already" : !file.there ? "has the server, and is new" : "has the server; what it was is beside it, as .before-quash";
	free(fresh);
	file_free(&file);
	return why == NULL;
}

/* --- Out */

/* What is there of the server, as it would be put. */
static void read_server(const struct settings_host *host, const char *text, struct server_settings *server)
{
	static const char *const keys[] = { "type", "command", "args" };
	const char *const all[MOST_SETTINGS] = { keys[0], keys[1], keys[2], host->more_key };
	const char *why;
	for (size_t i = 0; i < MOST_SETTINGS; i++) {
		char *const value = all[i] != NULL ? host->format->value(text, server, all[i], &why) : NULL;
		if (value != NULL && value[0] != '\0')
			server->settings[server->count++] = (struct setting){ all[i], value, false };
		else
			free(value);
	}
}

/* Whether the text is `before` with the server put in, and nothing else. */
static bool comes_of(const struct settings_host *host, const char *text, const char *before, const struct server_settings *server)
{
	const char *why = NULL;
	char *const had = host->format->value(before, server, "command", &why);
	char *const put = why == NULL && had == NULL ? host->format->put(before, server, &why) : NULL;
	const bool same = put != NULL && strcmp(put, text) == 0;
	free(had);
	free(put);
	return same;
}

/* Back to the copy, or to no file, if that is all that has changed. */
static bool restore(FILE *shows, const struct settings_host *host, const struct settings_file *file, const struct server_settings *server,
	const char **why)
{
	struct settings_file copy = { .text = NULL };
	char path[FILE_PATH];
	if (!copy_path(file, path) || file_read(&copy, path) != NULL || !comes_of(host, file->text, copy.text, server)) {
		file_free(&copy);
		return false;
	}
	*why = copy.there ? file_replace(file, copy.text) : system_remove(file->path);
	if (*why == NULL)
		file_show_change(shows, file->path, file->text, copy.text);
	if (*why == NULL && copy.there)
		system_remove(path);
	file_free(&copy);
	return true;
}

static const char *take_out_of_file(FILE *shows, const struct settings_host *host, const struct settings_file *file, struct server_settings *server)
{
	const char *why = NULL;
	read_server(host, file->text, server);
	if (restore(shows, host, file, server, &why))
		return why;
	char *const fresh = host->format->drop(file->text, server, &why);
	if (why == NULL)
		why = change_file(shows, file, fresh);
	free(fresh);
	return why;
}

bool settings_uninstall(
	FILE *shows, const struct settings_host *host, enum host_system system, const char *name, struct install_report *report)
{
	struct settings_file file = { .text = NULL };
	struct server_settings server = { .servers = host->servers, .name = name };
	const char *why = open_file(host, system, &server, &file, report);
	char *const command = why == NULL ? host->format->value(file.text, &server, "command", &why) : NULL;
	if (command != NULL)
		why = take_out_of_file(shows, host, &file, &server);
	report->changed = why == NULL && command != NULL;
	report->words = why != NULL ? why : command != NULL ? "is without the server" : "has no server of this name";
	free(command);
	file_free(&file);
	return why == NULL;
}
