/* SPDX-License-Identifier: MIT */
#include "utf8.h"

/* Only the second byte is narrowed, by the first one. */
uint32_t quash_utf8_next(uint32_t begun)
{
	const uint32_t from = begun == 0xE0 ? 0xA0 : begun == 0xF0 ? 0x90 : 0x80;
	const uint32_t to = begun == 0xED ? 0x9F : begun == 0xF4 ? 0x8F : 0xBF;
	return to << 8 | from;
}
