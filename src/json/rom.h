/* SPDX-License-Identifier: MIT
 * Reads a text that may be a literal in flash. Only AVR devices need it: their flash is not among their data addresses.
 * A board defines QUASH_FLASH_FROM, and its linker script puts literals at their flash addresses. What stands from that
 * address on is read by LPM. Everywhere else this is a load and nothing more. */
#ifndef QUASH_SRC_ROM_H
#define QUASH_SRC_ROM_H

#include "../../include/quash/size.h"

#ifdef QUASH_FLASH_FROM
static inline char quash_rom(const char *at)
{
	register char c __asm__("r19");
	__asm__("%~call quash_rom_byte" : "=r"(c) : "z"(at), "m"(*at)); /* changes no other register: a caller saves none */
	return c;
}

/* The same for a table's pointer to a text: the table may stand in flash, too. */
static inline const char *quash_rom_text(const char *const *at)
{
	const char *text;
	if ((uintptr_t)at < QUASH_FLASH_FROM)
		return *at;
	__asm__("lpm %A0, Z+\n\tlpm %B0, Z" : "=&r"(text), "+z"(at));
	return text;
}
#else
#define quash_rom(at) (*(at)) /* no function: so a prover knows what a test of it means for `at` */
#define quash_rom_text(at) (*(at))
#endif

#endif
