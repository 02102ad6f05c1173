/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what the sample of port/zephyr uses of one. Names, types and parameters are those of
 * Zephyr 4. */
#ifndef ZEPHYR_STATED_DEVICE_H
#define ZEPHYR_STATED_DEVICE_H

#include <stdbool.h>

struct device;

#define STATED_DEVICE(node) (&stated_##node)
#define DEVICE_DT_GET(node) STATED_DEVICE(node)

bool device_is_ready(const struct device *dev);

#endif
