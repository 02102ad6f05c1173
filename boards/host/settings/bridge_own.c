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

static bool is_one_of(const char *text, const char *const all[], size_t count)
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
	return is_one_of(end, ends, sizeof ends / sizeof ends[0]) || (base == word && *end == '@');
}

/* Programs that run the one that their words name. */
static bool is_runner(const char *word)
{
	static const char *const names[] = { "npx", "npm", "pnpx", "pnpm", "yarn", "bunx", "bun", "node", "cmd" };
	static const char *const ends[] = { "", ".exe", ".cmd" };
	const char *const base = base_of(word);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const size_t n = strlen(names[i]);
		if (strncasecmp(base, names[i], n) == 0 && is_one_of(base + n, ends, sizeof ends / sizeof ends[0]))
			return true;
	}
	return false;
}

/* Of others it is not known whether the next word is theirs. */
static bool is_passed_over(const char *word)
{
	static const char *const words[] = { "exec", "x", "dlx", "run", "/c", "-y", "--yes", "-q", "--quiet", "--silent", "--" };
	return is_runner(word) || is_one_of(word, words, sizeof words / sizeof words[0]);
}

bool own_command(const char *command, const char *args)
{
	const char *values[2] = { command, args };
	char *word = next_word(values);
	bool over = word != NULL && is_runner(word);
	while (over) {
		free(word);
		word = next_word(values);
		over = word != NULL && is_passed_over(word);
	}
	const bool own = word != NULL && is_own(word);
	free(word);
	return own;
}
