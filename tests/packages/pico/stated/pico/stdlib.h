/* SPDX-License-Identifier: MIT
 * A stand-in for the pico-sdk's header: what the package uses of it, and the LED of a Pico. */
#ifndef PICO_STDLIB_H
#define PICO_STDLIB_H

#include "pico/time.h"

typedef unsigned int uint;

#define PICO_DEFAULT_LED_PIN 25

enum { GPIO_IN = 0, GPIO_OUT = 1 };

bool stdio_init_all(void);
void gpio_init(uint gpio);
void gpio_set_dir(uint gpio, bool out);
void gpio_put(uint gpio, bool value);

#endif
