/* SPDX-License-Identifier: MIT */
#include "utf8.h"

/* Only the second byte is narrowed, by the first one. */
uint16_t quash_utf8_next(uint8_t first)
{
	const uint8_t from = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
	const uint8_t to = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
	return (uint16_t)((unsigned)to << 8 | from);
}
