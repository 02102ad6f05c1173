/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/zephyr/README.md. */
#define CONFIG_QUASH_SLOTS 4
#define CONFIG_QUASH_ID_SIZE 40
#define CONFIG_QUASH_ARENA 256
#define CONFIG_QUASH_TX 256
#define CONFIG_QUASH_UART_IN 128
#define CONFIG_QUASH_UART_OUT 64
#define CONFIG_QUASH_STACK_SIZE 2048
#define CONFIG_QUASH_THREAD_PRIORITY 7

#if NUMBER == 1
#include BLOCK
#else
#include <quash.h>
#include <quash/zephyr.h>
#include <quash/zephyr_console.h>

static quash_peer peer;
static rtos_zephyr uart_link;

#pragma GCC diagnostic ignored "-Wshadow"
static void serve(void)
{
	static console console;
	static uint8_t log[256];
#include BLOCK
}
#endif
