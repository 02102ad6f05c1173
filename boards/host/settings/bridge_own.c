/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_own.h"

#include "bridge_words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The words of both values, one behind the other. The next one, which the caller frees, or NULL. */
static char *next_word(const char *values[2])
{
	char *const word = words_next(&values[0]);
	return word != NULL ? word : words_next(&values[1]);
}

/* Behind the folders of either system. */
static const char *base_of(const char *path)
{
	const char *base = path;
	for (; *path != '\0'; path++) {
		if (*path == '/' || *path == '\\')
			base = path + 1;
	}
	return base;
}

static bool is_any_of(const char *text, const char *const all[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcasecmp(text, all[i]) == 0)
			return true;
	}
	return false;
}

static bool is_own(const char *word)
{
	static const char *const ends[] = { "", ".exe", ".cmd", ".js", ".cjs", ".mjs" };
	static const char name[] = "quash-bridge";
	const char *const base = base_of(word), *const end = base + strlen(name);
	if (strncmp(base, name, strlen(name)) != 0)
		return false;
	return is_any_of(end, ends, sizeof ends / sizeof ends[0]) || (base == word && *end == '@');
}

/* Programs that run the one that their words name, behind words that are theirs. */
static const struct runner {
	const char *name;
	const char *words[3];
} runners[] = {
	{ "npx", { NULL } }, { "pnpx", { NULL } }, { "bunx", { NULL } }, { "node", { NULL } }, { "npm", { "exec", "x" } },
	{ "pnpm", { "exec", "dlx" } }, { "yarn", { "exec", "dlx", "run" } }, { "bun", { "x", "run" } }, { "cmd", { "/c" } },
};

static const struct runner *runner_of(const char *word)
{
	static const char *const ends[] = { "", ".exe", ".cmd" };
	const char *const base = base_of(word);
	for (size_t i = 0; i < sizeof runners / sizeof runners[0]; i++) {
		const size_t n = strlen(runners[i].name);
		if (strncasecmp(base, runners[i].name, n) == 0 && is_any_of(base + n, ends, sizeof ends / sizeof ends[0]))
			return &runners[i];
	}
	return NULL;
}

/* Of others it is not known whether the next word is theirs. */
static bool is_passed_over(const struct runner *runner, const char *word)
{
	static const char *const words[] = { "-y", "--yes", "-q", "--quiet", "--silent", "--" };
	for (size_t i = 0; i < sizeof runner->words / sizeof runner->words[0]; i++) {
		if (runner->words[i] != NULL && strcasecmp(word, runner->words[i]) == 0)
			return true;
	}
	return is_any_of(word, words, sizeof words / sizeof words[0]);
}

bool own_command(const char *command, const char *args)
{
	const char *values[2] = { command, args };
	char *word = next_word(values);
	const struct runner *runner = word != NULL ? runner_of(word) : NULL;
	while (runner != NULL) {
		free(word);
		word = next_word(values);
		const struct runner *const inner = word != NULL ? runner_of(word) : NULL;
		const bool runs_inner = inner != NULL && strcmp(runner->name, "cmd") == 0;
		if (runs_inner)
			runner = inner;
		else if (word == NULL || !is_passed_over(runner, word))
			runner = NULL;
	}
	const bool own = word != NULL && is_own(word);
	free(word);
	return own;
}
