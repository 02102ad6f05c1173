/* SPDX-License-Identifier: MIT
 * The version, and the check that header and library are of the same one. */
#ifndef QUASH_VERSION_H
#define QUASH_VERSION_H

#include "size.h"

/** The version: these four lines are the only place where it stands. CHANGELOG.md has what each number covers. Between
 * releases QUASH_VERSION_DEV is 1, and the numbers are those of the release that comes next. */
#define QUASH_VERSION_MAJOR 0
#define QUASH_VERSION_MINOR 4
#define QUASH_VERSION_PATCH 0
#define QUASH_VERSION_DEV 1

/** The same for `#if`: major * 10000 + minor * 100 + patch. */
#define QUASH_VERSION_NUMBER (QUASH_VERSION_MAJOR * 10000 + QUASH_VERSION_MINOR * 100 + QUASH_VERSION_PATCH)

#define QUASH_QUOTE_NUMBERS_(major, minor, patch) #major "." #minor "." #patch
#define QUASH_EXPAND_QUOTE_(major, minor, patch) QUASH_QUOTE_NUMBERS_(major, minor, patch)
#define QUASH_VERSION_NUMBERS_ QUASH_EXPAND_QUOTE_(QUASH_VERSION_MAJOR, QUASH_VERSION_MINOR, QUASH_VERSION_PATCH)
#if QUASH_VERSION_DEV
/** The same as a literal: "MAJOR.MINOR.PATCH", between releases "MAJOR.MINOR.PATCH-dev". */
#define QUASH_VERSION QUASH_VERSION_NUMBERS_ "-dev"
#define QUASH_LINKED_SIZE_ dev_size
#else
#define QUASH_VERSION QUASH_VERSION_NUMBERS_
#define QUASH_LINKED_SIZE_ size
#endif
#define QUASH_JOIN_LINKED_(name, major, minor, patch, size, bits, counts) \
	name##_##major##_##minor##_##patch##_##size##bits##counts
#define QUASH_EXPAND_LINKED_(name, major, minor, patch, size, bits, counts) \
	QUASH_JOIN_LINKED_(name, major, minor, patch, size, bits, counts)
/** What the linker knows a function by that every program calls: its name, the version, QUASH_SIZE_BITS, and
 * QUASH_COUNT_BITS where it is not the usual one. Structs are complete, so a program must be built from the headers of
 * the library that it links. One that is not ends with an undefined reference such as `quash_init_0_4_0_dev_size16`. */
#define QUASH_LINKED_(name) \
	QUASH_EXPAND_LINKED_(name, QUASH_VERSION_MAJOR, QUASH_VERSION_MINOR, QUASH_VERSION_PATCH, QUASH_LINKED_SIZE_, \
		QUASH_SIZE_BITS, QUASH_LINKED_COUNTS_)

#endif
