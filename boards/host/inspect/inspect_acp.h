/* SPDX-License-Identifier: MIT
 * What the parts of the ACP client share. */
#ifndef INSPECT_ACP_H
#define INSPECT_ACP_H

#include "inspect_link.h"

/* `session/request_permission`, and its `end` hook. */
quash_handler acp_permission;
void acp_permission_end(quash_request *request);

/* `session/update`: the agent's text is a result, all else is noted. */
quash_handler acp_update;

#endif
