/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its GPIO driver, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_GPIO_H
#define STATED_GPIO_H

#include "../esp_err.h"

typedef enum { GPIO_NUM_NC = -1, GPIO_NUM_0 = 0, GPIO_NUM_2 = 2, GPIO_NUM_MAX = 49 } gpio_num_t;
typedef enum { GPIO_MODE_DISABLE = 0, GPIO_MODE_INPUT = 1, GPIO_MODE_OUTPUT = 2 } gpio_mode_t;
typedef enum { GPIO_PULLUP_DISABLE, GPIO_PULLUP_ENABLE } gpio_pullup_t;
typedef enum { GPIO_PULLDOWN_DISABLE, GPIO_PULLDOWN_ENABLE } gpio_pulldown_t;
typedef enum { GPIO_INTR_DISABLE } gpio_int_type_t;

typedef struct {
	uint64_t pin_bit_mask;
	gpio_mode_t mode;
	gpio_pullup_t pull_up_en;
	gpio_pulldown_t pull_down_en;
	gpio_int_type_t intr_type;
} gpio_config_t;

esp_err_t gpio_config(const gpio_config_t *config);
esp_err_t gpio_set_level(gpio_num_t number, uint32_t level);

#endif
