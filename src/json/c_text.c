/* SPDX-License-Identifier: MIT */
#include "c_text.h"

#include "rom.h"

bool quash_same_text(const char *a, const char *b)
{
	size_t i = 0;
	/*@ loop unroll 40; */
	while (quash_rom(&a[i]) != '\0' && quash_rom(&a[i]) == quash_rom(&b[i]))
		i++;
	return quash_rom(&a[i]) == quash_rom(&b[i]);
}

bool quash_is_listed(const char *text, const void *entries, size_t size, uint8_t count)
{
	const uint8_t *at = entries;
	for (; count > 0; count--, at += size) {
		const void *const entry = at;
		if (quash_same_text(*(const char *const *)entry, text))
			return true;
	}
	return false;
}

void quash_put_member(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

void quash_put_optional(quash_writer *w, const char *key, const char *text)
{
	if (text != NULL)
		quash_put_member(w, key, text);
}
