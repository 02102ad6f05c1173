/* SPDX-License-Identifier: MIT */
#include "agent_anew.h"

#include "agent.h"

void agent_anew(void)
{
	static const quash_acp_connection fresh;
	const quash_acp_agent *agent = NULL;
	for (uint8_t i = 0; agent == NULL && i < agent_config.method_count; i++)
		agent = agent_config.methods[i].handler == quash_acp_initialize_ ? agent_config.methods[i].data : NULL;
	agent_reset();
	if (agent != NULL)
		*agent->connection = fresh;
}
