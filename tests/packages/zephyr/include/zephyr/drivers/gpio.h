/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what the sample of port/zephyr uses of the GPIO API, see ../device.h. */
#ifndef ZEPHYR_STATED_GPIO_H
#define ZEPHYR_STATED_GPIO_H

#include <zephyr/devicetree.h>

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t gpio_pin_t;
typedef uint16_t gpio_dt_flags_t;
typedef uint32_t gpio_flags_t;

struct gpio_dt_spec {
	const struct device *port;
	gpio_pin_t pin;
	gpio_dt_flags_t dt_flags;
};

enum { STATED_led_node = 13, STATED_motor_node = 14 };

#define STATED_PIN(node)                { &stated_uart, STATED_##node, 0 }
#define GPIO_DT_SPEC_GET(node, property) STATED_PIN(node)
#define GPIO_OUTPUT_INACTIVE            ((gpio_flags_t)0x60000)

bool gpio_is_ready_dt(const struct gpio_dt_spec *spec);
int gpio_pin_configure_dt(const struct gpio_dt_spec *spec, gpio_flags_t extra_flags);
int gpio_pin_set_dt(const struct gpio_dt_spec *spec, int value);

#endif
