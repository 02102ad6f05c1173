/* SPDX-License-Identifier: MIT
 * No header of Zephyr, and no devicetree: it states the nodes that the sample of port/zephyr names. */
#ifndef ZEPHYR_STATED_DEVICETREE_H
#define ZEPHYR_STATED_DEVICETREE_H

#include <zephyr/device.h>

extern struct device stated_uart;

#define DT_CHOSEN_quash_uart  uart
#define DT_HAS_quash_uart     1
#define DT_ALIAS_led0         led_node
#define DT_ALIAS_quash_motor  motor_node

#define DT_HAS_CHOSEN(property) DT_HAS_##property
#define DT_CHOSEN(property)     DT_CHOSEN_##property
#define DT_ALIAS(alias)         DT_ALIAS_##alias

#endif
