/* SPDX-License-Identifier: MIT
 * The command that a host is to start: this very command line, wherever it is started. */
#ifndef BRIDGE_COMMAND_H
#define BRIDGE_COMMAND_H

#include "arguments.h"
#include "bridge_system.h"

/** How a host starts the program. */
enum command_form {
	COMMAND_BY_PATH, /**< this very program */
	COMMAND_BY_NPX,  /**< the package of npm, of this version */
	COMMAND_BY_CMD   /**< the same, by a shell of Windows, for hosts that start no `.cmd` */
};

/** A program, and what follows it. */
struct command {
	char *program;
	char **words;
	size_t count;
};

/** A command line that `arguments_read` has taken. */
struct command_line {
	int argc;
	char *const *argv; /**< as it was before */
	const struct argument_table *tables;
	size_t table_count;
	const struct argument_option *left_out; /**< the table whose options a host does not get */
	enum host_system system;                /**< that the host runs on */
	enum command_form form;
	const char *version; /**< of the program */
};

/** Makes a command of it. On this system paths in it become absolute, links on the way stay links, and a program is looked for in PATH. A
 * path of another system must be absolute.
 *
 * @param protocol  is put in front, as `--protocol`; NULL: nothing is
 * @param wrong     the word that is none of a command that works
 * @return          NULL, or what is wrong with that word. All memory is the process's */
const char *command_make(struct command *command, const struct command_line *line, const char *protocol, const char **wrong);

/** A program after `--` may get relative paths. Finds the next such word that names a file here; NULL: there is none. `*at`
 * begins at 0. */
const char *command_next_relative(const struct command *command, size_t *at);

#endif
