/* SPDX-License-Identifier: MIT
 * What the fronts of UARTs and those of RTOS ports share. */
#ifndef TESTS_RTOS_EARLY_UARTS_H
#define TESTS_RTOS_EARLY_UARTS_H

#include "early.h"
#include "uart/uart_cmsdk.h"

#define EARLY_CMSDK 0x40004000u

extern const early_front early_cmsis2, early_freertos, early_freertos_level, early_zephyr, early_zephyr_level;

const port_uart_buffers *early_buffers(void);

void early_cmsdk_reset(void);
uint32_t early_cmsdk_load(uintptr_t address, unsigned size);
void early_cmsdk_store(uintptr_t address, unsigned size, uint32_t value);
bool early_cmsdk_is_due(void);
void early_cmsdk_interrupt(port_uart_cmsdk *u);

#endif
