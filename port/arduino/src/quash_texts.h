/* SPDX-License-Identifier: MIT
 * The mark of a text in flash, on AVRs with at most 32 KB of it. There flash and RAM both end below 0x8000. So bit 15 of an
 * address distinguishes them: a text in flash is named by its address with that bit set. */
#ifndef QUASH_TEXTS_H
#define QUASH_TEXTS_H

#if defined __AVR__ && __AVR_ARCH__ < 100
#include <avr/io.h>
#if FLASHEND <= 0x7FFF
#define QUASH_TEXTS_FAR_ 0x8000u
#endif
#endif

#endif
