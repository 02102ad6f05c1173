/* SPDX-License-Identifier: MIT
 * The integer types that every other header builds on. */
#ifndef QUASH_SIZE_H
#define QUASH_SIZE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An offset into, or a size of, one of the caller's buffers, in bytes.
 *
 * 16 bits where a pointer has at most 32, else 32. A 32-bit device that needs buffers of 64 KiB or more is
 * built, library and firmware alike, with `QUASH_SIZE_BITS` defined as 32. `quash_init` refuses a buffer
 * that does not fit; the largest usable arena is 16 MiB - 1 in any case. */
#ifndef QUASH_SIZE_BITS
#if UINTPTR_MAX > 0xFFFFFFFFu
#define QUASH_SIZE_BITS 32
#else
#define QUASH_SIZE_BITS 16
#endif
#endif

#if QUASH_SIZE_BITS == 16
typedef uint16_t quash_size;
#else
typedef uint32_t quash_size;
#endif

/** Bits of a counter: 16 where an `int` has 16, else 32. A 32-bit device that is short of RAM is built, library and
 * firmware alike, with `QUASH_COUNT_BITS` defined as 16: a quash_counters takes 82 bytes less then. A counter stops at
 * 65,535, which one of requests reaches within a day at one a second. */
#ifndef QUASH_COUNT_BITS
#define QUASH_COUNT_BITS (UINT_MAX > 0xFFFFu ? 32 : 16)
#endif
#if QUASH_COUNT_BITS < QUASH_SIZE_BITS
#error "quash: marks of buffers need counters as wide as QUASH_SIZE_BITS: define QUASH_COUNT_BITS as 32"
#elif QUASH_COUNT_BITS == 16 && UINT_MAX > 0xFFFFu
#define QUASH_LINKED_COUNTS_ _count16 /* see version.h */
#else
#define QUASH_LINKED_COUNTS_
#endif

/** Of constants that stay in flash on an AVR that keeps its literals there (`QUASH_FLASH_FROM`, see
 * boards/uno/README.md): tables of methods, tools and params, among others. It reads flash by instructions of its own,
 * so they are read through pointers to their types; a `void *` may keep one. Everywhere else this is nothing. */
#ifdef QUASH_FLASH_FROM
#define QUASH_FLASH __flash
#else
#define QUASH_FLASH
#endif

/** Of functions that an AVR's compiler would copy into their callers, where a call takes less flash. */
#ifdef QUASH_FLASH_FROM
#define QUASH_NOINLINE __attribute__((noinline))
#else
#define QUASH_NOINLINE
#endif

/** Of functions that other compilers would copy into their callers, where a call takes less flash; and of static
 * functions that they would call, where a copy takes less. */
#if !defined(__AVR__) && defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)
#define QUASH_OUTLINED_ __attribute__((noinline))
#define QUASH_INLINED_ __attribute__((always_inline)) inline
#else
#define QUASH_OUTLINED_
#define QUASH_INLINED_
#endif

/** Of functions with a format and values for it, by their places among the parameters, where the compiler checks
 * them. */
#ifdef __GNUC__
#define QUASH_FORMAT_(place, first) __attribute__((__format__(__printf__, place, first)))
#else
#define QUASH_FORMAT_(place, first)
#endif

/** A request slot's generation: as wide as this processor stores with one instruction, but not wider than
 * 16 bits. It is what makes a cancel from an interrupt or another thread safe, see `quash_handle`. */
#if UINT_MAX > 0xFFFFu
typedef uint16_t quash_generation;
#else
typedef uint8_t quash_generation;
#endif

#endif
