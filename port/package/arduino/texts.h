/* SPDX-License-Identifier: MIT
 * Keeps the library's literals in the flash of an AVR with at most 32 KB of it. avr-gcc copies literals to RAM, and an
 * Arduino library can change neither its options nor its linker script.
 *
 * quash_rom reads a marked address by LPM. Everywhere else a literal is a literal.
 *
 * QUASH_TEXTS_TRIED is for tests on 64-bit hosts: there a named text that is not read through quash_rom is a fault. */
#ifdef __AVR__
#include "quash_texts.h"
#elif defined QUASH_TEXTS_TRIED
#define QUASH_TEXTS_FAR_ 0x8000000000000000u
#endif

#include "quash.h"

#ifdef QUASH_TEXTS_FAR_
#define QUASH_SRC_ROM_H /* in place of src/json/rom.h */
#define QUASH_TEXT(n, literal) ((const char *)((uintptr_t)quash_text_##n + QUASH_TEXTS_FAR_))
#define quash_rom_text(at) (*(at)) /* tables of texts are in RAM */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define QUASH_TEXT_ARRAY(n, literal) static const char quash_text_##n[] PROGMEM = literal;
/* Of the library's own tables; those of a sketch are C++, which knows no __flash. */
#undef QUASH_FLASH
#define QUASH_FLASH __flash
#undef QUASH_NOINLINE
#define QUASH_NOINLINE __attribute__((noinline))

/* Less code, as not all flags of the compiler can be chosen in an Arduino library; -Os alone makes 1.2 KB more. */
#pragma GCC optimize("no-move-loop-invariants", "no-tree-pre", "no-tree-dominator-opts", "no-guess-branch-probability", \
	"no-ssa-phiopt", "no-tree-loop-im", "rename-registers", "no-jump-tables", "no-tree-phiprop", "no-shrink-wrap", \
	"no-tree-loop-optimize", "no-ipa-cp", "no-ipa-sra", "ira-algorithm=priority", "no-inline-small-functions", \
	"no-optimize-sibling-calls", "no-forward-propagate")

__attribute__((naked, used)) void quash_rom_byte(void);

/* In r19 what Z points to; changes no other register. */
void quash_rom_byte(void)
{
	__asm__("cpi r31, %0\n\t"
		"brcc 1f\n\t"
		"ld r19, Z\n\t"
		"ret\n"
		"1:\tsubi r31, %0\n\t"
		"lpm r19, Z\n\t"
		"subi r31, -%0\n\t"
		"ret" : : "i"(QUASH_TEXTS_FAR_ / 256));
}

static inline char quash_rom(const char *at)
{
	register char c __asm__("r19");
	__asm__("%~call quash_rom_byte" : "=r"(c) : "z"(at), "m"(*at));
	return c;
}
#else
#define QUASH_TEXT_ARRAY(n, literal) static const char quash_text_##n[] = literal;

static char quash_rom(const char *at)
{
	return *(const char *)((uintptr_t)at & ~QUASH_TEXTS_FAR_);
}
#endif
#else
#define QUASH_TEXT(n, literal) literal
#endif
