/* SPDX-License-Identifier: MIT
 * The command line: options, their values, and what is wrong with them in words. */
#ifndef HOST_ARGUMENTS_H
#define HOST_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARGUMENTS_BAD = 2 }; /**< the exit code */

enum argument_kind {
	ARGUMENT_FLAG,    /**< has no value; sets a bool */
	ARGUMENT_TEXT,    /**< any text, borrowed */
	ARGUMENT_NAME,    /**< a text that is not empty */
	ARGUMENT_MS,      /**< a time, into a uint32_t of milliseconds; a number alone counts milliseconds */
	ARGUMENT_SECONDS, /**< the same, but a number alone counts seconds */
	ARGUMENT_READ     /**< a function reads it */
};

/** An option of a program. */
struct argument_option {
	const char *name; /**< with its hyphens */
	/** What its value is, in words that follow on "takes"; NULL for a flag, and for a time, which has the usual ones. */
	const char *takes;
	enum argument_kind kind;
	size_t at; /**< where in the struct of its table the value stands; not for ARGUMENT_READ */
	/** Reads the value, which may be cut in place. NULL: taken. Else what is wrong with it, in words that follow on the value;
	 * "": it is not what the option takes. */
	const char *(*read)(void *to, char *value);
};

/** Options with the struct that they are read into. */
struct argument_table {
	const struct argument_option *options;
	size_t count;
	void *to;
};

/** Reads options up to the word `--` or the end. The first one that is wrong is explained on stderr in one line.
 *
 * @param tables  of which the first has an option counts; names may be unknown to all
 * @return        the index of `--`, or `argc`; -1: something is wrong, and the exit code is ARGUMENTS_BAD */
int arguments_read(const char *program, const struct argument_table *tables, size_t count, int argc, char **argv);

/** The option of that name and its table; NULL: there is none. */
const struct argument_option *argument_find(
	const struct argument_table *tables, size_t count, const char *name, const struct argument_table **table);

/** Prints one line, `PROGRAM: GIVEN: WORDS`, on stderr. GIVEN is the command line's, shortened and with its control
 * characters escaped; without it (NULL) the line is `PROGRAM: WORDS`. */
void arguments_say(const char *program, const char *given, const char *words);

/** The same; returns ARGUMENTS_BAD. */
int arguments_refuse(const char *program, const char *given, const char *words);

/** What a `read` returns. */
static inline const char *argument_if(bool right)
{
	return right ? NULL : "";
}

/** A number of at most 2^31 - 1, alone. False for anything else. */
bool argument_number(const char *text, uint32_t *number);

/** `500ms`, `2s`, `5m`; a number alone counts so many milliseconds each. At most 2^31 - 1 ms, as deadlines are. */
bool argument_time(const char *text, uint32_t usual, uint32_t *ms);

/** The first line of a file, without its end. False when it can't be read, is empty, or does not fit. */
bool argument_line(const char *path, char *line, size_t size);

#endif
