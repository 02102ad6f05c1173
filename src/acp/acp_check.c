/* SPDX-License-Identifier: MIT
 * Finds what is wrong with an agent, for quash_init. */
#include "acp_inner.h"

/* --- The agent */

static bool check_agent(const quash_acp_agent *agent, quash_fault *fault)
{
	const char *const name = agent->name;
	return quash_check_member(name != NULL, "agent", NULL, "name", fault) &&
	       quash_check_member(agent->version != NULL, "agent", name, "version", fault) &&
	       quash_check_member(agent->connection != NULL, "agent", name, "connection", fault) &&
	       quash_check_member(agent->sessions != NULL, "agent", name, "sessions", fault) &&
	       quash_check_size(agent->session_count, 1, "agent", "session_count", fault) &&
	       quash_check_member(agent->prompt != NULL, "agent", name, "prompt", fault) &&
	       quash_check_member(agent->modes != NULL || agent->mode_count == 0, "agent", name, "modes", fault);
}

static bool is_mode_twice(const quash_acp_agent *agent, uint8_t mode)
{
	uint8_t i = 0;
	while (!quash_same_text(agent->modes[i].id, agent->modes[mode].id))
		i++;
	return i != mode;
}

static bool check_mode(const quash_acp_agent *agent, uint8_t i, quash_fault *fault)
{
	const quash_acp_mode *const mode = &agent->modes[i];
	const bool good = quash_check_member(mode->id != NULL, "modes", NULL, "id", fault) &&
			  quash_check_member(mode->name != NULL, "modes", mode->id, "name", fault) &&
			  quash_check_member(!is_mode_twice(agent, i), "modes", mode->id, "id", fault);
	if (!good)
		fault->index = i;
	return good;
}

static bool check_modes(const quash_acp_agent *agent, quash_fault *fault)
{
	for (uint8_t i = 0; i < agent->mode_count; i++) {
		if (!check_mode(agent, i, fault))
			return false;
	}
	return true;
}

/* --- The config */

static bool check_acp_config(const quash_config *config, const quash_acp_agent *agent, quash_fault *fault)
{
	return quash_check_member(config->dialect->tag_member != NULL, "config", NULL, "dialect", fault) &&
	       quash_check_size(config->tag_size, QUASH_ACP_TAG_SIZE, "config", "tag_size", fault) &&
	       quash_check_size(config->state_size, QUASH_ACP_STATE(agent->state_size), "config", "state_size", fault) &&
	       quash_check_member(config->new_session != NULL, "config", NULL, "new_session", fault);
}

static bool serves_agent(const quash_method *method, quash_handler *handler, const quash_acp_agent *agent)
{
	return method->handler != handler || method->data == agent;
}

/* The entries that every agent links. */
static bool check_entries(const quash_config *config, const quash_acp_agent *agent, quash_fault *fault)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		const quash_method *const method = &config->methods[i];
		const bool good = serves_agent(method, quash_acp_initialize, agent) && serves_agent(method, quash_acp_new, agent) &&
			serves_agent(method, quash_acp_prompt, agent);
		if (!quash_check_member(good, "methods", method->name, "data", fault)) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

bool quash_acp_check(const quash_config *config, quash_fault *fault)
{
	const quash_acp_agent *const agent = quash_data_of(config, quash_acp_initialize);
	return quash_check_member(agent != NULL, "methods", "initialize", "data", fault) && check_agent(agent, fault) &&
	       check_modes(agent, fault) && check_acp_config(config, agent, fault) && check_entries(config, agent, fault);
}
