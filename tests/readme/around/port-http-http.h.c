/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/http/http.h. */
#include "http/http.h"

static void begin(const char *type) { (void)type; }
static void keep(const uint8_t *bytes, size_t n) { (void)bytes, (void)n; }
static void answer(const port_http_reader *reader) { (void)reader; }
static void refuse(unsigned status) { (void)status; }

#include BLOCK
