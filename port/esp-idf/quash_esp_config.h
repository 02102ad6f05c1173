/* SPDX-License-Identifier: MIT
 * What `idf.py menuconfig` has under quash, as the macros of a program. `choice` structs are constants:
 *
 *     QUASH_ESP_STORAGE(store, QUASH_MCP_STATE(40, sizeof(struct turn)));
 *     static const quash_esp_uart_choice choice = QUASH_ESP_UART_CHOICE; */
#ifndef QUASH_ESP_CONFIG_H
#define QUASH_ESP_CONFIG_H

#include <sdkconfig.h>

/** QUASH_STORAGE of the configured sizes; `state` is the room for each request, in bytes. */
#define QUASH_ESP_STORAGE(name, state) \
	QUASH_STORAGE(name, CONFIG_QUASH_SLOTS, CONFIG_QUASH_ID_SIZE, (state), CONFIG_QUASH_ARENA_SIZE, CONFIG_QUASH_TX_SIZE)

/** A quash_esp_uart_choice. */
#define QUASH_ESP_UART_CHOICE \
	{ (uart_port_t)CONFIG_QUASH_UART_NUM, CONFIG_QUASH_UART_BAUD, CONFIG_QUASH_UART_TX_PIN, CONFIG_QUASH_UART_RX_PIN, \
	  CONFIG_QUASH_UART_RTS_PIN, CONFIG_QUASH_UART_CTS_PIN, CONFIG_QUASH_UART_RX_SIZE, CONFIG_QUASH_UART_EVENTS, \
	  CONFIG_QUASH_TASK_REST_MS }

/** A quash_esp_usb_choice. */
#define QUASH_ESP_USB_CHOICE { CONFIG_QUASH_USB_TX_SIZE, CONFIG_QUASH_TASK_REST_MS }

/** A quash_esp_tcp_choice. */
#define QUASH_ESP_TCP_CHOICE { CONFIG_QUASH_TCP_ADDRESS, CONFIG_QUASH_TCP_PORT, CONFIG_QUASH_TASK_REST_MS }

#endif
