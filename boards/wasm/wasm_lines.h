/* SPDX-License-Identifier: MIT
 * Numbers for lines. What an event of JavaScript names may have ended: a number is given once, so it then names nothing. */
#ifndef WASM_LINES_H
#define WASM_LINES_H

#include "bridge.h"

/** The number of a line, above 0. 0: NULL, or there is no memory. */
uint32_t line_number(struct bridge_line *line);

/** The line of that number; NULL: it has ended. */
struct bridge_line *line_numbered(uint32_t number);

/** The same, which ends. */
struct bridge_line *line_let_go(uint32_t number);

#endif
