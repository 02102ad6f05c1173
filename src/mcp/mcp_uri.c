/* SPDX-License-Identifier: MIT */
#include "mcp_uri.h"

#include "../json/rom.h"

/* The variable that begins at `pattern` behind its brace. */
struct variable {
	const char *name;
	size_t length;
	bool any; /* a slash too */
	char stop;
};

/* Returns what follows the closing brace, or NULL when there is none. */
static const char *read_variable(const char *pattern, struct variable *v)
{
	v->any = quash_rom(pattern) == '+';
	v->name = pattern + (v->any ? 1 : 0);
	v->length = 0;
	while (quash_rom(&v->name[v->length]) != '\0' && quash_rom(&v->name[v->length]) != '}')
		v->length++;
	if (quash_rom(&v->name[v->length]) == '\0')
		return NULL;
	v->stop = quash_rom(&v->name[v->length + 1]);
	return &v->name[v->length + 1];
}

static bool is_named(const struct variable *v, const char *name)
{
	size_t i = 0;
	while (i < v->length && quash_rom(&name[i]) == quash_rom(&v->name[i]))
		i++;
	return i == v->length && quash_rom(&name[i]) == '\0';
}

static size_t length_of_value(const struct variable *v, const char *uri, size_t length)
{
	size_t n = 0;
	while (n < length && uri[n] != '\0' && uri[n] != v->stop && (v->any || uri[n] != '/'))
		n++;
	return n;
}

bool quash_mcp_fits(
	const char *pattern, const char *uri, size_t length, const char *name, struct quash_mcp_span *value)
{
	size_t at = 0;
	while (quash_rom(pattern) != '\0') {
		struct variable v;
		if (quash_rom(pattern) != '{') {
			if (at == length || uri[at++] != quash_rom(pattern++))
				return false;
			continue;
		}
		pattern = read_variable(pattern + 1, &v);
		const size_t n = pattern != NULL ? length_of_value(&v, &uri[at], length - at) : 0;
		if (n == 0)
			return false;
		if (name != NULL && is_named(&v, name)) {
			value->text = &uri[at];
			value->length = n;
		}
		at += n;
	}
	return at == length;
}
