/* SPDX-License-Identifier: MIT */
#include "firmware.h"
#include "toolbox.h"

const quash_config *const firmware_config = &toolbox_config;
