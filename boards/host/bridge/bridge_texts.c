/* SPDX-License-Identifier: MIT */
#include "bridge.h"
#include "bridge_text.h"

#include <stdlib.h>
#include <string.h>

static size_t find(const struct texts *texts, const char *text)
{
	size_t i = 0;
	while (i < texts->count && strcmp(texts->at[i], text) != 0)
		i++;
	return i;
}

bool texts_has(const struct texts *texts, const char *text)
{
	return find(texts, text) < texts->count;
}

bool texts_add(struct texts *texts, const char *text)
{
	if (texts->count == MOST_TEXTS || texts_has(texts, text))
		return false;
	char **const at = realloc(texts->at, (texts->count + 1) * sizeof *at);
	if (at == NULL)
		return false;
	texts->at = at;
	at[texts->count] = text_copy(text);
	texts->count += at[texts->count] != NULL;
	return true;
}

static void take_out(struct texts *texts, size_t i)
{
	free(texts->at[i]);
	memmove(&texts->at[i], &texts->at[i + 1], (--texts->count - i) * sizeof *texts->at);
}

bool texts_remove(struct texts *texts, const char *text)
{
	const size_t i = find(texts, text);
	if (i == texts->count)
		return false;
	take_out(texts, i);
	return true;
}

void texts_add_last(struct texts *texts, const char *text)
{
	(void)texts_remove(texts, text);
	if (texts->count == MOST_TEXTS)
		take_out(texts, 0);
	(void)texts_add(texts, text);
}

void texts_clear(struct texts *texts)
{
	while (texts->count > 0)
		free(texts->at[--texts->count]);
	free(texts->at);
	texts->at = NULL;
}
