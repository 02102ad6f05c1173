/* SPDX-License-Identifier: MIT */
#include "agent.h"
#include "firmware.h"

const quash_config *const firmware_config = &agent_config;

#ifdef AGENT_MUTE
size_t firmware_words(const quash_fault *fault, char *to, size_t size)
{
	(void)fault, (void)to, (void)size;
	return 0;
}
#endif
