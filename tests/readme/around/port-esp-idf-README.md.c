/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/esp-idf/README.md. */
#include "esp_choice.h"

#include BLOCK
