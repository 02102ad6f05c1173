/* SPDX-License-Identifier: MIT
 * The programs that are counted. */
#ifndef SERVED_H
#define SERVED_H

#include "drive.h"

/* Plain methods in each dialect, with room for everything and with little. */
extern const struct cost_setup cost_plain[];
extern const unsigned cost_plain_count;

/* A server with tools and resources, with a large TX and with the smallest. */
extern const struct cost_setup cost_mcp[2];

/* As many methods as there can be, whose long names begin alike. */
extern const struct cost_setup cost_crowd;

/* Makes the names. */
void cost_crowd_begin(void);

/* A request for a method whose name begins as theirs do and ends so; NULL: with their first letter. */
void cost_crowd_unit(char *to, size_t size, const char *end);

#endif
