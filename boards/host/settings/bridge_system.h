/* SPDX-License-Identifier: MIT
 * What settings of hosts ask of the system: variables, folders and files. bridge_system.c asks POSIX; where there is none, the shell
 * around the engine has these functions. Texts are UTF-8. A function that returns words returns NULL when all went well; the words
 * follow on a path, and stand until the next call. */
#ifndef BRIDGE_SYSTEM_H
#define BRIDGE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host_system { SYSTEM_LINUX, SYSTEM_MACOS, SYSTEM_WINDOWS, SYSTEMS };

enum { FILE_PATH = 4096 };

/** The one that the program runs on; others with POSIX count as Linux. */
enum host_system system_own(void);

/** Whether the program is the package of npm, which hosts start by its name and version. */
bool system_is_package(void);

/** A variable of the environment; NULL: there is none. */
const char *system_variable(const char *name);

/** The working folder, for the caller to free. NULL: there is none any more, or no memory. */
char *system_folder(void);

/** The path of the program where the shell knows it, for the caller to free. NULL: it is looked for by the name it was called by. */
char *system_program(void);

enum file_kind { FILE_NONE, FILE_PLAIN, FILE_FOLDER, FILE_OTHER, FILE_LOST_LINK };

/** What a path leads to. */
struct file_about {
	uint32_t kind; /**< enum file_kind; FILE_LOST_LINK: a link that leads nowhere */
	uint8_t may_write, may_start;
	uint64_t size;
	struct file_mark {
		uint64_t volume, number, changed;
	} mark; /**< differs when another file stands there, or it was written */
};

const char *system_about(const char *path, struct file_about *about);

/** What is there, as far as it can be seen. */
static inline enum file_kind system_kind(const char *path)
{
	struct file_about about;
	return system_about(path, &about) == NULL ? (enum file_kind)about.kind : FILE_NONE;
}

/** Where links on the way lead. The path leads to something. */
const char *system_resolve(const char *path, char resolved[FILE_PATH]);

/** Reads `size` bytes, which are all that the file had. */
const char *system_read(const char *path, char *to, size_t size);

/** Writes a new file beside `path`, which is whole on the disk then, and its name to `name`.
 *
 * @param like  a file whose owner and mode it gets; NULL: only its owner may read it */
const char *system_write_beside(const char *path, const char *text, const char *like, char name[FILE_PATH]);

/** Puts a file in the place of another one at once. When that fails the other one is as it was. */
const char *system_replace(const char *name, const char *path);

const char *system_remove(const char *path);

/** The names in a folder, each with its NUL, and an empty one behind the last. The caller frees them; NULL: they cannot be had. */
char *system_names(const char *folder);

#endif
