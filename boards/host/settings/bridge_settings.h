/* SPDX-License-Identifier: MIT
 * The settings of a host as text: where a server stands in them, and how it comes in and out. All else stays, byte for byte. */
#ifndef BRIDGE_SETTINGS_H
#define BRIDGE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_SETTINGS = 4 };

/** A server. Its name is of letters, digits, `_` and `-`. Values are texts of the format, on one line. */
struct server_settings {
	const char *servers; /**< the member or table that has all servers */
	const char *name;
	struct setting {
		const char *key;
		const char *value;
		bool stays; /**< the value of a server that is there */
	} settings[MOST_SETTINGS];
	size_t count;
};

/** A format of settings. Each function reads a text that ends with NUL, and returns one that the caller frees. NULL: `*why` is
 * what hinders, in words that follow on the file's name. A text of white space alone has no servers. */
struct settings_format {
	/** The text with the server in it. Of one that is there the settings change, and others of its own stay. */
	char *(*put)(const char *text, const struct server_settings *server, const char **why);
	/** The text without the server, and without what holds it if that is empty then. */
	char *(*drop)(const char *text, const struct server_settings *server, const char **why);
	/** The value of one of the server's settings, as it stands there, an empty text if it has none. NULL and `*why` NULL: there is
	 * no such server. */
	char *(*value)(const char *text, const struct server_settings *server, const char *key, const char **why);
};

/** JSON. There may be comments in it, and a comma after the last member. */
extern const struct settings_format settings_jsonc;

/** TOML, of which a server is a table. */
extern const struct settings_format settings_toml;

/** A copy of `length` bytes; NULL without memory, as each function here. */
char *settings_cut(const char *text, size_t length);

/** The text with `fresh` in place of the bytes from `from` up to `to`. */
char *settings_splice(const char *text, size_t from, size_t to, const char *fresh);

/** How lines of the text end. */
const char *settings_line_end(const char *text);

/** The length of the byte order mark that the text begins with; 0: it has none. The mark stays. */
size_t settings_mark(const char *text);

/** Whether there is nothing but white space, and a byte order mark. */
bool settings_blank(const char *text);

/** Whether two values are the same but for white space outside of strings. The first one has `length` bytes. */
bool settings_same(const char *value, size_t length, const char *other);

/** Puts one setting of a server that is there. */
typedef char *settings_changer(const char *text, const struct server_settings *server, const struct setting *setting, const char **why);

/** The text in which all settings of the server have their values. */
char *settings_change(const char *text, const struct server_settings *server, settings_changer *change, const char **why);

extern const char settings_no_memory[];

#endif
