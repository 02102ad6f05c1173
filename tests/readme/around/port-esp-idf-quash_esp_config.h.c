/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/esp-idf/quash_esp_config.h. */
#include "esp_choice.h"
#include "quash.h"
#include "quash_esp_config.h"
#include "quash_esp_uart.h"

struct turn { int32_t ms; };

#include BLOCK
