/* SPDX-License-Identifier: MIT
 * bridge_system.h by what the shell answers. */
#include "settings/bridge_system.h"
#include "wasm_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct file_about) == 40 && offsetof(struct file_about, may_write) == 4 && offsetof(struct file_about, size) == 8,
	"engine.mjs writes one");

/* --- Questions and answers */

/* Words that stand until the next question. */
static char words[200];

static const char *words_of_shell(void)
{
	const int n = shell_system(SHELL_WORDS, "", 0, words, sizeof words - 1);
	words[n > 0 && n < (int)sizeof words ? n : 0] = '\0';
	return words;
}

/* Up to three texts; a text that is NULL, and all behind it, are left out. -1 also without memory. */
static int ask(enum shell_question question, const char *const texts[3], void *to, size_t size)
{
	size_t room = 1, length = 0;
	for (int i = 0; i < 3 && texts[i] != NULL; i++)
		room += strlen(texts[i]) + 1;
	char *const given = malloc(room);
	if (given == NULL)
		return -1;
	for (int i = 0; i < 3 && texts[i] != NULL; i++) {
		const size_t n = strlen(texts[i]) + 1;
		memcpy(given + length, texts[i], n);
		length += n;
	}
	const int n = shell_system((int)question, given, length, to, size);
	free(given);
	return n;
}

/* One text, and an answer of any length with a NUL behind it, for the caller to free. */
static char *ask_text(enum shell_question question, const char *text)
{
	const char *const texts[3] = { text, NULL, NULL };
	const int n = ask(question, texts, NULL, 0);
	char *const answer = n >= 0 ? calloc(1, (size_t)n + 1) : NULL;
	if (answer != NULL && ask(question, texts, answer, (size_t)n) == n)
		return answer;
	free(answer);
	return NULL;
}

/* What is done to one path or two. */
static const char *ask_for(enum shell_question question, const char *path, const char *other)
{
	char nothing;
	return ask(question, (const char *const[3]){ path, other, NULL }, &nothing, 1) >= 0 ? NULL : words_of_shell();
}

/* A path that the shell gives. */
static const char *ask_path(enum shell_question question, const char *const texts[3], char path[FILE_PATH])
{
	const int n = ask(question, texts, path, FILE_PATH - 1);
	path[n >= 0 && n < FILE_PATH ? n : 0] = '\0';
	return n < 0 ? words_of_shell() : n < FILE_PATH ? NULL : "has too long a path";
}

/* --- The program and its surroundings */

static int ask_number(enum shell_question question)
{
	char digit = '0';
	return ask(question, (const char *const[3]){ NULL }, &digit, 1) == 1 ? digit - '0' : 0;
}

enum host_system system_own(void)
{
	return (enum host_system)ask_number(SHELL_OWN);
}

bool system_is_package(void)
{
	return ask_number(SHELL_IS_PACKAGE) != 0;
}

const char *system_variable(const char *name)
{
	return ask_text(SHELL_VARIABLE, name);
}

char *system_folder(void)
{
	return ask_text(SHELL_FOLDER, NULL);
}

char *system_program(void)
{
	return ask_text(SHELL_PROGRAM, NULL);
}

/* --- Files */

const char *system_about(const char *path, struct file_about *about)
{
	*about = (struct file_about){ .kind = FILE_NONE };
	const int n = ask(SHELL_ABOUT, (const char *const[3]){ path, NULL }, about, sizeof *about);
	return n == (int)sizeof *about ? NULL : words_of_shell();
}

const char *system_resolve(const char *path, char resolved[FILE_PATH])
{
	return ask_path(SHELL_RESOLVE, (const char *const[3]){ path, NULL }, resolved);
}

char *system_names(const char *folder)
{
	return ask_text(SHELL_NAMES, folder);
}

const char *system_read(const char *path, char *to, size_t size)
{
	const int n = ask(SHELL_READ, (const char *const[3]){ path, NULL }, to, size);
	return n < 0 ? words_of_shell() : (size_t)n == size ? NULL : "changes while it is read";
}

const char *system_write_beside(const char *path, const char *text, const char *like, char name[FILE_PATH])
{
	return ask_path(SHELL_WRITE_BESIDE, (const char *const[3]){ path, text, like }, name);
}

const char *system_replace(const char *name, const char *path)
{
	return ask_for(SHELL_REPLACE, name, path);
}

const char *system_remove(const char *path)
{
	return ask_for(SHELL_REMOVE, path, NULL);
}
