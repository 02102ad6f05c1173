/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_command.h"

#include "bridge_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "is too long";
static const char no_program[] = "is no program that can be started";

/* --- Values of options */

/* `before`, and then the path or program. */
static const char *with_front(const char *value, size_t front, char *rest, char **word)
{
	const size_t room = front + (rest != NULL ? strlen(rest) : 0) + 1;
	*word = rest != NULL ? malloc(room) : NULL;
	if (*word != NULL)
		snprintf(*word, room, "%.*s%s", (int)front, value, rest);
	free(rest);
	return *word != NULL ? NULL : no_memory;
}

/* `NAME=exec:COMMAND ARG...`, whose words stand between blanks. */
static const char *make_exec(const char *value, size_t front, char **word)
{
	const char *const command = value + front + strspn(value + front, " ");
	char *const name = strndup(command, strcspn(command, " "));
	char *const path = name != NULL ? path_of_program(name) : NULL;
	const bool blank = path != NULL && strchr(path, ' ') != NULL;
	const char *const rest = command + strcspn(command, " ");
	const size_t room = (path != NULL ? strlen(path) : 0) + strlen(rest) + 1;
	char *const whole = path != NULL ? malloc(room) : NULL;
	if (whole != NULL)
		snprintf(whole, room, "%s%s", path, rest);
	free(name);
	free(path);
	if (whole != NULL && !blank)
		return with_front(value, front, whole, word);
	free(whole);
	return blank ? "has a blank in the path of its program, and exec: takes none" : no_program;
}

/* `NAME=LINE`. */
static const char *make_device(const char *value, char **word)
{
	const char *const line = strchr(value, '=') + 1;
	const size_t front = (size_t)(line - value) + strcspn(line, ":") + 1;
	if (strncmp(line, "exec:", strlen("exec:")) == 0)
		return make_exec(value, front, word);
	if (strncmp(line, "tcp:", strlen("tcp:")) == 0)
		return with_front(value, 0, strdup(value), word);
	return with_front(value, front, path_whole(value + front), word);
}

static const char *make_value(const char *option, const char *value, char **word)
{
	static const char *const paths[] = { "--tty", "--unix", "--token-file", "--record" };
	if (strcmp(option, "--device") == 0)
		return make_device(value, word);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		if (strcmp(option, paths[i]) == 0)
			return with_front(value, 0, path_whole(value), word);
	}
	return with_front(value, 0, strdup(value), word);
}

/* --- The command */

static const char *command_add(struct command *command, char *word)
{
	if (word != NULL)
		command->words[command->count++] = word;
	return word != NULL ? NULL : no_memory;
}

/* The words from `at` on, after `--`. */
static const char *add_program(struct command *command, const struct command_line *line, int at)
{
	const char *why = command_add(command, strdup("--"));
	char *const path = why == NULL ? path_of_program(line->argv[at]) : NULL;
	why = path == NULL ? no_program : command_add(command, path);
	while (why == NULL && ++at < line->argc)
		why = command_add(command, strdup(line->argv[at]));
	return why;
}

static const char *add_option(struct command *command, const struct argument_option *option, char *const *words)
{
	char *value = NULL;
	const char *why = command_add(command, strdup(words[0]));
	if (why != NULL || option->kind == ARGUMENT_FLAG)
		return why;
	why = make_value(words[0], words[1], &value);
	return why != NULL ? why : command_add(command, value);
}

static const char *add_all(struct command *command, const struct command_line *line, const char **wrong)
{
	const char *why = NULL;
	int at = 1, next;
	for (; why == NULL && at < line->argc && strcmp(line->argv[at], "--") != 0; at = next) {
		const struct argument_table *table;
		const struct argument_option *const option = argument_find(line->tables, line->table_count, line->argv[at], &table);
		next = at + (option->kind == ARGUMENT_FLAG ? 1 : 2);
		*wrong = line->argv[next - 1];
		if (table->options != line->left_out)
			why = add_option(command, option, line->argv + at);
	}
	if (why != NULL || at + 1 >= line->argc)
		return why;
	*wrong = line->argv[at + 1];
	return add_program(command, line, at + 1);
}

const char *command_make(struct command *command, const struct command_line *line, const char *protocol, const char **wrong)
{
	const size_t added = 2;
	*wrong = line->argv[0];
	char *const own = system_program();
	*command = (struct command){ own != NULL ? own : path_of_program(line->argv[0]), calloc((size_t)line->argc + added, sizeof(char *)), 0 };
	if (command->program == NULL || command->words == NULL)
		return no_program;
	const char *const why = protocol != NULL ? command_add(command, strdup("--protocol")) : NULL;
	if (why != NULL || (protocol != NULL && command_add(command, strdup(protocol)) != NULL))
		return no_memory;
	return add_all(command, line, wrong);
}

const char *command_next_relative(const struct command *command, size_t *at)
{
	size_t i = 0;
	while (i < command->count && strcmp(command->words[i], "--") != 0)
		i++;
	i += 2; /* with the program */
	for (i = *at > i ? *at : i; i < command->count; i++) {
		const char *const word = command->words[i];
		*at = i + 1;
		if (word[0] != '\0' && word[0] != '/' && system_kind(word) != FILE_NONE)
			return word;
	}
	return NULL;
}
