/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "arguments.h"

#include "host_escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Values */

/* Where the number ends; NULL: there is none, or it is too large. */
static const char *read_digits(const char *text, uint32_t *number)
{
	const uint32_t most = INT32_MAX;
	uint32_t value = 0;
	if (*text < '0' || *text > '9')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++) {
		const uint32_t digit = (uint32_t)(*text - '0');
		if (value > (most - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	*number = value;
	return text;
}

bool argument_number(const char *text, uint32_t *number)
{
	const char *const end = read_digits(text, number);
	return end != NULL && *end == '\0';
}

/* 0: it is no unit. */
static uint32_t unit_named(const char *name, uint32_t usual)
{
	if (*name == '\0')
		return usual;
	if (strcmp(name, "ms") == 0)
		return 1;
	if (strcmp(name, "s") == 0)
		return 1000;
	return strcmp(name, "m") == 0 ? 60000 : 0;
}

bool argument_time(const char *text, uint32_t usual, uint32_t *ms)
{
	uint32_t number;
	const char *const name = read_digits(text, &number);
	const uint32_t unit = name != NULL ? unit_named(name, usual) : 0;
	if (unit == 0 || number > INT32_MAX / unit)
		return false;
	*ms = number * unit;
	return true;
}

bool argument_line(const char *path, char *line, size_t size)
{
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return false;
	const bool read = fgets(line, (int)size, file) != NULL;
	fclose(file);
	const size_t mark = read ? escape_mark(line, strlen(line)) : 0;
	if (mark > 0)
		memmove(line, line + mark, strlen(line + mark) + 1);
	const size_t length = read ? strcspn(line, "\r\n") : 0;
	const bool whole = length > 0 && length < size - mark - 1;
	line[whole ? length : 0] = '\0';
	return whole;
}

/* --- What is said of wrong ones */

enum { GIVEN_MOST = 200, LISTED_MOST = 6, LEAST_ALIKE = 3, MOST_UNLIKE = 2 };

/* A word of the command line, or as much of it as a line has room for. */
static void put_word(const char *word)
{
	const size_t length = strlen(word), shown = escape_cut(word, length, GIVEN_MOST);
	const char *const quote = length == 0 || strchr(word, ' ') != NULL ? "'" : "";
	fputs(quote, stderr);
	escape_put(stderr, ESCAPE_LINE, word, shown);
	fprintf(stderr, "%s%s", shown < length ? "..." : "", quote);
}

void arguments_say(const char *program, const char *given, const char *words)
{
	fprintf(stderr, "%s: ", program);
	if (given != NULL) {
		put_word(given);
		fputs(": ", stderr);
	}
	fprintf(stderr, "%s\n", words);
}

int arguments_refuse(const char *program, const char *given, const char *words)
{
	arguments_say(program, given, words);
	return ARGUMENTS_BAD;
}

struct reader {
	const char *program;
	const struct argument_table *tables;
	size_t count;
};

/* How many characters two names have in common at their ends, 0 when that is chance. */
static size_t likeness_of(const char *given, const char *name)
{
	const size_t n = strlen(given), m = strlen(name), least = n < m ? n : m;
	size_t first = 0, last = 0;
	while (first < least && given[first] == name[first])
		first++;
	while (last < least - first && given[n - 1 - last] == name[m - 1 - last])
		last++;
	const size_t alike = first + last, longer = n > m ? n : m;
	return alike >= LEAST_ALIKE && longer - alike <= MOST_UNLIKE ? alike : 0;
}

static const char *nearest_option(const struct reader *r, const char *given)
{
	const char *nearest = NULL;
	size_t most = 0;
	for (size_t t = 0; t < r->count; t++) {
		for (size_t i = 0; i < r->tables[t].count; i++) {
			const char *const name = r->tables[t].options[i].name;
			const size_t alike = likeness_of(given, name);
			nearest = alike > most ? name : nearest;
			most = alike > most ? alike : most;
		}
	}
	return nearest;
}

/* All of them where these are few: then there is no `--help`. */
static void put_options(const struct reader *r)
{
	const char *between = "it takes ";
	for (size_t t = 0; t < r->count; t++) {
		for (size_t i = 0; i < r->tables[t].count; i++) {
			fprintf(stderr, "%s%s", between, r->tables[t].options[i].name);
			between = ", ";
		}
	}
}

static int refuse_unknown(const struct reader *r, const char *word)
{
	const char *const nearest = nearest_option(r, word);
	size_t options = 0;
	for (size_t t = 0; t < r->count; t++)
		options += r->tables[t].count;
	fprintf(stderr, "%s: ", r->program);
	put_word(word);
	fputs(": is no option; ", stderr);
	if (nearest != NULL)
		fprintf(stderr, "is it %s?", nearest);
	else if (options == 0)
		fputs("there are none", stderr);
	else if (options <= LISTED_MOST)
		put_options(r);
	else
		fputs("see --help", stderr);
	putc('\n', stderr);
	return -1;
}

static const char *takes_of(const struct argument_option *option)
{
	if (option->kind == ARGUMENT_MS)
		return "a time: a number of milliseconds, or one with ms, s or m behind it, as in 2s; at most 24 days";
	if (option->kind == ARGUMENT_SECONDS)
		return "a time: a number of seconds, or one with ms, s or m behind it, as in 500ms; at most 24 days";
	return option->takes;
}

/* `value` NULL: none was given. `wrong`: see argument_option.read. */
static int refuse_value(const struct reader *r, const struct argument_option *option, const char *value, const char *wrong)
{
	fprintf(stderr, "%s: %s ", r->program, option->name);
	if (value != NULL)
		put_word(value);
	else
		fputs("without a value", stderr);
	fprintf(stderr, ": %s%s\n", *wrong == '\0' ? "takes " : "", *wrong == '\0' ? takes_of(option) : wrong);
	return -1;
}

/* --- Options */

static const char *read_value(const struct argument_option *option, void *to, char *value)
{
	void *const at = (char *)to + option->at;
	switch (option->kind) {
	case ARGUMENT_FLAG: *(bool *)at = true; return NULL;
	case ARGUMENT_TEXT:
	case ARGUMENT_NAME: *(const char **)at = value; return argument_if(*value != '\0' || option->kind == ARGUMENT_TEXT);
	case ARGUMENT_MS: return argument_if(argument_time(value, 1, at));
	case ARGUMENT_SECONDS: return argument_if(argument_time(value, 1000, at));
	default: return option->read(to, value);
	}
}

const struct argument_option *argument_find(
	const struct argument_table *tables, size_t count, const char *name, const struct argument_table **table)
{
	for (size_t t = 0; t < count; t++) {
		for (size_t i = 0; i < tables[t].count; i++) {
			*table = &tables[t];
			if (strcmp(tables[t].options[i].name, name) == 0)
				return &tables[t].options[i];
		}
	}
	return NULL;
}

/* How many words it has; -1: it is wrong. */
static int read_option(const struct reader *r, char **words)
{
	const struct argument_table *table;
	const struct argument_option *const option = argument_find(r->tables, r->count, words[0], &table);
	if (option == NULL)
		return refuse_unknown(r, words[0]);
	const bool flag = option->kind == ARGUMENT_FLAG;
	if (!flag && words[1] == NULL)
		return refuse_value(r, option, NULL, "");
	char *const given = flag ? NULL : strdup(words[1]); /* a reader may cut the word */
	const char *const wrong = read_value(option, table->to, words[1]);
	if (wrong != NULL)
		refuse_value(r, option, given != NULL ? given : words[1], wrong);
	free(given);
	return wrong != NULL ? -1 : flag ? 1 : 2;
}

int arguments_read(const char *program, const struct argument_table *tables, size_t count, int argc, char **argv)
{
	const struct reader reader = { program, tables, count };
	int at = 1;
	while (at < argc && strcmp(argv[at], "--") != 0) {
		const int words = read_option(&reader, argv + at);
		if (words < 0)
			return -1;
		at += words;
	}
	return at;
}
