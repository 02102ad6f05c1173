/* SPDX-License-Identifier: MIT */
#include "utf8.h"

/* Only the second byte is narrowed, by the first one. */
uint32_t quash_utf8_next(uint32_t begun)
{
	switch (begun) {
	case 0xE0: return 0xBFA0;
	case 0xED: return 0x9F80;
	case 0xF0: return 0xBF90;
	case 0xF4: return 0x8F80;
	default: return 0xBF80;
	}
}
