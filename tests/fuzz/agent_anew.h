/* SPDX-License-Identifier: MIT */
#ifndef FUZZ_AGENT_ANEW_H
#define FUZZ_AGENT_ANEW_H

/* The agent as it is when its program begins: agent_reset lets the numbers of its sessions go on. */
void agent_anew(void);

#endif
