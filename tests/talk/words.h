/* SPDX-License-Identifier: MIT
 * What every player of transcripts has: text, lines of a file, and the words of which messages are made, see talk.h. */
#ifndef TALK_WORDS_H
#define TALK_WORDS_H

#include "quash.h"

struct text {
	char *data;
	size_t length, size;
};

/* acp, lsp, mcp, jsonrpc */
extern const char *const dialect_words[];

/* --- text.c: bytes that grow */

void text_add(struct text *t, const char *data, size_t length);
void text_append(struct text *t, const char *words);
void text_printf(struct text *t, const char *format, ...);
void text_clear(struct text *t);
void text_free(struct text *t);
bool text_equals(const struct text *t, const char *words);
/* More memory, or the end of the program. */
void *grow(void *memory, size_t size);

/* --- lines.c: the lines of a file, `let`, `opening` and `after` put in their place */

struct lines {
	bool (*take)(void *context, int number, const char *line); /* false: it is not understood */
	void (*opened)(void *context); /* behind the lines of an opening */
	void *context;
};

/* False, after telling why, when the file cannot be read or a line is not understood. */
bool file_lines(const char *path, const struct lines *lines);
/* Whether `*at` begins with `word` as a whole, and steps over it. */
bool line_starts(const char **at, const char *word);

/* --- words.c: what a line's message means in a dialect */

/* False when the line's words make no sense. An expectation that means nothing leaves `out` empty. */
bool words_sent(struct text *out, const char *words, unsigned dialect);
bool words_plain(struct text *out, const char *words);
bool words_raw(struct text *out, const char *words);
bool words_expected(struct text *out, const char *words, unsigned dialect);
/* The id of what the words answer, or 0. */
uint32_t words_answered(const char *words);

/* --- json.c: a second opinion on what the peer sends */

bool json_valid(const char *data, size_t length);
/* The text of the `id` of an answer as this library writes it; an empty one for what is no answer and for batches. */
void json_id(const char *data, size_t length, const char **id, size_t *id_length);
/* The id of a request of its own, else 0. */
uint32_t json_asked(const char *data, size_t length);
/* How often `"id":ID` stands in `sent`. */
size_t json_id_count(const struct text *sent, const char *id, size_t id_length);
/* How long the message at the head of `data` is, and where its body is; 0: not whole yet; -1: bad framing. */
long frame_split(
	const quash_dialect *dialect, const char *data, size_t length, size_t *body, size_t *body_length);

#endif
