/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what port/rtos/rtos_zephyr.c and rtos_zephyr_usb.c use of the interrupt-driven UART API, see ../kernel.h. */
#ifndef ZEPHYR_STATED_UART_H
#define ZEPHYR_STATED_UART_H

#include <stdint.h>

struct device;

typedef void (*uart_irq_callback_user_data_t)(const struct device *dev, void *user_data);

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *user_data);
int uart_irq_update(const struct device *dev);
int uart_irq_rx_ready(const struct device *dev);
int uart_irq_tx_ready(const struct device *dev);
void uart_irq_rx_enable(const struct device *dev);
void uart_irq_rx_disable(const struct device *dev);
void uart_irq_tx_enable(const struct device *dev);
void uart_irq_tx_disable(const struct device *dev);
int uart_err_check(const struct device *dev);
int uart_fifo_read(const struct device *dev, uint8_t *rx_data, const int size);
int uart_fifo_fill(const struct device *dev, const uint8_t *tx_data, int size);

/* With CONFIG_UART_LINE_CTRL. */
enum uart_line_ctrl {
	UART_LINE_CTRL_DTR = 1 << 2
};

int uart_line_ctrl_get(const struct device *dev, uint32_t ctrl, uint32_t *val);

#endif
