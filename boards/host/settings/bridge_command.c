/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_command.h"

#include "bridge_path.h"
#include "ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "is too long";
static const char no_program[] = "is no program that can be started";
static const char not_whole[] = "is no whole path, and a host starts the command elsewhere";

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

/* A path behind `front` bytes. */
static const char *make_path(const char *value, size_t front, enum host_system system, char **word)
{
	if (system == system_own())
		return with_front(value, front, path_whole(value + front), word);
	return path_is_whole(value + front, system) ? with_front(value, 0, strdup(value), word) : not_whole;
}

/* A serial device, which has no path on Windows, or is named by what it is. */
static const char *make_tty(const char *value, size_t front, enum host_system system, char **word)
{
	const char *const path = value + front;
	const bool named = system == SYSTEM_WINDOWS || port_is_name(path) || strncmp(path, "auto,", strlen("auto,")) == 0;
	return named ? with_front(value, 0, strdup(value), word) : make_path(value, front, system, word);
}

/* `NAME=LINE`. */
static const char *make_device(const char *value, enum host_system system, char **word)
{
	const char *const line = strchr(value, '=') + 1;
	const size_t front = (size_t)(line - value) + strcspn(line, ":") + 1;
	if (strncmp(line, "exec:", strlen("exec:")) == 0 && system == system_own())
		return make_exec(value, front, word);
	if (strncmp(line, "tty:", strlen("tty:")) == 0)
		return make_tty(value, front, system, word);
	if (strncmp(line, "unix:", strlen("unix:")) == 0)
		return make_path(value, front, system, word);
	return with_front(value, 0, strdup(value), word);
}

static const char *make_value(const char *option, const char *value, enum host_system system, char **word)
{
	static const char *const paths[] = { "--unix", "--token-file", "--record" };
	if (strcmp(option, "--device") == 0)
		return make_device(value, system, word);
	if (strcmp(option, "--tty") == 0)
		return make_tty(value, 0, system, word);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		if (strcmp(option, paths[i]) == 0)
			return make_path(value, 0, system, word);
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

/* A program of another system is not looked for. */
static const char *add_started(struct command *command, const char *name, enum host_system system)
{
	if (system == system_own()) {
		char *const path = path_of_program(name);
		return path == NULL ? no_program : command_add(command, path);
	}
	const bool path = strpbrk(name, system == SYSTEM_WINDOWS ? "/\\" : "/") != NULL;
	return path && !path_is_whole(name, system) ? not_whole : command_add(command, strdup(name));
}

/* The words from `at` on, after `--`. */
static const char *add_program(struct command *command, const struct command_line *line, int at)
{
	const char *why = command_add(command, strdup("--"));
	if (why == NULL)
		why = add_started(command, line->argv[at], line->system);
	while (why == NULL && ++at < line->argc)
		why = command_add(command, strdup(line->argv[at]));
	return why;
}

static const char *add_option(
	struct command *command, const struct argument_option *option, char *const *words, enum host_system system)
{
	char *value = NULL;
	const char *why = command_add(command, strdup(words[0]));
	if (why != NULL || option->kind == ARGUMENT_FLAG)
		return why;
	why = make_value(words[0], words[1], system, &value);
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
			why = add_option(command, option, line->argv + at, line->system);
	}
	if (why != NULL || at + 1 >= line->argc)
		return why;
	*wrong = line->argv[at + 1];
	return add_program(command, line, at + 1);
}

static char *package_of(const char *version)
{
	static const char name[] = "quash-bridge@";
	const size_t room = strlen(version) + sizeof name;
	char *const package = malloc(room);
	if (package != NULL)
		snprintf(package, room, "%s%s", name, version);
	return package;
}

/* What runs the program. */
static const char *add_front(struct command *command, const struct command_line *line)
{
	static const char *const front[] = { "/c", "npx", "-y" };
	if (line->form == COMMAND_BY_PATH) {
		char *const own = system_program();
		command->program = own != NULL ? own : path_of_program(line->argv[0]);
		return command->program != NULL ? NULL : no_program;
	}
	const bool by_cmd = line->form == COMMAND_BY_CMD;
	command->program = strdup(by_cmd ? "cmd" : "npx");
	const char *why = command->program == NULL ? no_memory : NULL;
	for (size_t i = by_cmd ? 0 : 2; why == NULL && i < sizeof front / sizeof front[0]; i++)
		why = command_add(command, strdup(front[i]));
	return why != NULL ? why : command_add(command, package_of(line->version));
}

/* `cmd` reads what it runs as a line, where these mean something even in quotes, or end them. */
static const char *check_for_cmd(const struct command *command, const char **wrong)
{
	for (size_t i = 0; i < command->count; i++) {
		*wrong = command->words[i];
		if (strpbrk(*wrong, "&|<>^%\"\r\n") != NULL)
			return "has a character that cmd of Windows changes, and this host starts npx by cmd: & | < > ^ % or quotes";
	}
	return NULL;
}

const char *command_make(struct command *command, const struct command_line *line, const char *protocol, const char **wrong)
{
	const size_t added = 6; /* of npx, and the protocol */
	*wrong = line->argv[0];
	*command = (struct command){ NULL, calloc((size_t)line->argc + added, sizeof(char *)), 0 };
	const char *why = command->words != NULL ? add_front(command, line) : no_memory;
	if (why == NULL && protocol != NULL)
		why = command_add(command, strdup("--protocol"));
	if (why == NULL && protocol != NULL)
		why = command_add(command, strdup(protocol));
	if (why == NULL)
		why = add_all(command, line, wrong);
	return why == NULL && line->form == COMMAND_BY_CMD ? check_for_cmd(command, wrong) : why;
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
		if (word[0] != '\0' && !path_is_whole(word, system_own()) && system_kind(word) != FILE_NONE)
			return word;
	}
	return NULL;
}
