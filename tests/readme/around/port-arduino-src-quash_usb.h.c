/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/arduino/src/quash_usb.h. */
#include "quash_usb.h"

static inline int32_t lamp(quash_request *request) { return quash_mcp_text(request, "on"); }

#include BLOCK
