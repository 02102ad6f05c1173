/* SPDX-License-Identifier: MIT */
#include "firmware.h"
#include "langserver.h"

const quash_config *const firmware_config = &langserver_config;
