/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of the component that its examples share, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_EXAMPLES_COMMON_H
#define STATED_EXAMPLES_COMMON_H

#include "esp_err.h"

esp_err_t example_connect(void);

#endif
