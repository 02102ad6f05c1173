/* SPDX-License-Identifier: MIT
 * A stand-in for the pico-sdk's header: what the package uses of it. */
#ifndef PICO_TIME_H
#define PICO_TIME_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t absolute_time_t;

absolute_time_t get_absolute_time(void);
uint32_t to_ms_since_boot(absolute_time_t t);
absolute_time_t make_timeout_time_ms(uint32_t ms);
bool best_effort_wfe_or_timeout(absolute_time_t timeout_timestamp);

#endif
