/* SPDX-License-Identifier: MIT
 * What every unit test includes. A test file is named after its source file, or a part of it: test_lex.c tests src/json/lex.c. */
#ifndef QUASH_TESTS_UNIT_H
#define QUASH_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "quash/port.h"

#include "room.h"

/* What does not fit is an error here; on a board with little memory the test is skipped. */
#ifndef assert_room
#define assert_room(holds) assert_true(holds)
#endif

/* Who asserts on behalf of another file says so. */
#ifndef UNIT_FILE
#define UNIT_FILE __FILE__
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
