/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its error codes, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_ESP_ERR_H
#define STATED_ESP_ERR_H

#include <stdint.h>

typedef int esp_err_t;

#define ESP_OK   0
#define ESP_FAIL (-1)

void stated_abort(const char *expression, esp_err_t error);

#define ESP_ERROR_CHECK(x) \
	do { \
		const esp_err_t stated_error = (x); \
		if (stated_error != ESP_OK) \
			stated_abort(#x, stated_error); \
	} while (0)

#endif
