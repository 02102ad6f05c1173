/* SPDX-License-Identifier: MIT */
#include "agent.h"
#include "firmware.h"

const quash_config *const firmware_config = &agent_config;
