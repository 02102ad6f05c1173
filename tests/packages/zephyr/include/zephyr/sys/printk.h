/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what the sample of port/zephyr uses of one, see device.h. */
#ifndef ZEPHYR_STATED_PRINTK_H
#define ZEPHYR_STATED_PRINTK_H

void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
