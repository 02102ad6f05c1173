/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what the test of port/zephyr uses of the emulated UART. Names, types and parameters are those of
 * Zephyr 3.6 and 4. */
#ifndef ZEPHYR_STATED_UART_EMUL_H
#define ZEPHYR_STATED_UART_EMUL_H

#include <stddef.h>
#include <stdint.h>

struct device;

uint32_t uart_emul_put_rx_data(const struct device *dev, uint8_t *data, size_t size);
uint32_t uart_emul_get_tx_data(const struct device *dev, uint8_t *data, size_t size);

#endif
