/* SPDX-License-Identifier: MIT */
#include "conformance.h"
#include "firmware.h"

const quash_config *const firmware_config = &conformance_config;
