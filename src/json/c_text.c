/* SPDX-License-Identifier: MIT */
#include "c_text.h"

#include "rom.h"

#ifdef QUASH_FLASH_FROM
__attribute__((naked, used)) void quash_rom_byte(void);

void quash_rom_byte(void)
{
	__asm__("cpi r31, hi8(%0)\n\t"
		"brcc 1f\n\t"
		"ld r19, Z\n\t"
		"ret\n"
		"1:\tlpm r19, Z\n\t"
		"ret" : : "i"(QUASH_FLASH_FROM));
}
#endif

size_t quash_text_length(const char *text)
{
	size_t n = 0;
	/*@ loop unroll 40; */
	while (quash_rom(&text[n]) != '\0')
		n++;
	return n;
}

const char *quash_text_at(const char *texts, unsigned before)
{
	for (; before > 0; before--)
		texts += quash_text_length(texts) + 1;
	return texts;
}

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
		if (quash_same_text(quash_rom_text((const char *const *)entry), text))
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
