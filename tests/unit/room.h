/* SPDX-License-Identifier: MIT
 * What the unit tests take: memory, and rounds of what is tried at random or for every value. The host has room and
 * time for all of it; a board's tests/boards/BOARD/unit.mk says what it has. What the tests claim is the same. */
#ifndef QUASH_TESTS_ROOM_H
#define QUASH_TESTS_ROOM_H

#ifndef UNIT_HEARD
#define UNIT_HEARD 65536 /* what each peer may say between two looks */
#endif
#ifndef UNIT_LOG
#define UNIT_LOG 65536 /* what handlers did between two looks */
#endif
#ifndef UNIT_QUOTED
#define UNIT_QUOTED 32768 /* the last few texts that were `quoted` */
#endif
#ifndef UNIT_VALUE
#define UNIT_VALUE 32768 /* a value of values.h: as text, on its tape, as written */
#endif
#ifndef UNIT_TEXT
#define UNIT_TEXT 65536 /* any other text at most */
#endif
#ifndef UNIT_SLOTS
#define UNIT_SLOTS 8 /* of each peer */
#endif
#ifndef UNIT_ID
#define UNIT_ID 40
#endif
#ifndef UNIT_ARENA
#define UNIT_ARENA 1024
#endif
#ifndef UNIT_TX
#define UNIT_TX 512
#endif
#ifndef UNIT_POOL
#define UNIT_POOL 65536 /* for malloc, where there is none */
#endif
#ifndef UNIT_HASTE
#define UNIT_HASTE 1 /* rounds are fewer by that factor */
#endif

/* A size that is wanted, as far as there is room. */
#define ROOM_FOR(size) ((size) < UNIT_TEXT ? (size) : UNIT_TEXT)

/* A number of rounds, and the step of a loop through all values: odd, so that no bit stays the same. */
#define ROUNDS_OF(count) ((count) / UNIT_HASTE > 0 ? (count) / UNIT_HASTE : 1)
#define STRIDE           (UNIT_HASTE | 1)

#endif
