/* SPDX-License-Identifier: MIT
 * What the parts of the ACP client share. */
#ifndef INSPECT_ACP_H
#define INSPECT_ACP_H

#include "inspect_link.h"

/* A question that waits for its answer: the state of `session/request_permission`. */
struct question {
	bool begun;
	bool asked; /* of a person */
	int chosen; /* the option, from 1 on; -1: nobody is there to choose */
};

/* `session/request_permission`, and its `end` hook. */
quash_handler acp_permission, acp_permission_end;

/* `session/update`: the agent's text is a result, all else is noted. */
quash_handler acp_update;

#endif
