/* SPDX-License-Identifier: MIT
 * The toolbox: a device that gives its tools to an agent over MCP.
 *
 * A board with less memory defines the sizes below for itself. */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include "quash/peer.h"

#ifndef TOOLBOX_SLOTS
#define TOOLBOX_SLOTS 8
#endif
#ifndef TOOLBOX_ID_SIZE
#define TOOLBOX_ID_SIZE 64
#endif
#ifndef TOOLBOX_TOKEN_SIZE
#define TOOLBOX_TOKEN_SIZE 40
#endif
#ifndef TOOLBOX_ARENA
#define TOOLBOX_ARENA 4096
#endif
#ifndef TOOLBOX_REASON
#define TOOLBOX_REASON 32
#endif
#ifndef TOOLBOX_TX
#define TOOLBOX_TX 1024
#endif
#ifndef TOOLBOX_LONGEST
#define TOOLBOX_LONGEST 120000 /* ms that the stepper turns at most */
#endif
#ifndef TOOLBOX_CHECK
#define TOOLBOX_CHECK quash_mcp_check /* NULL where a test on the host checks instead */
#endif
#ifndef TOOLBOX_REASONS
#define TOOLBOX_REASONS &quash_modern_reasons /* NULL where flash is scarce */
#endif
#ifndef TOOLBOX_FAULTS
#define TOOLBOX_FAULTS &quash_faults /* NULL where flash is scarce */
#endif

extern const quash_config toolbox_config;
extern const char *const toolbox_name;

/* Forgets the MCP session, the motor and its counts: before another quash_init. */
void toolbox_reset(void);

#endif
