/* SPDX-License-Identifier: MIT
 * Finds what is wrong with an agent, for quash_init. */
#include "acp_inner.h"

/* --- The agent */

/* The wrong member, or NULL. */
static const char *wrong_agent_member(const quash_acp_agent *agent)
{
	if (agent->name == NULL)
		return "name";
	if (agent->version == NULL)
		return "version";
	if (agent->connection == NULL)
		return "connection";
	if (agent->sessions == NULL)
		return "sessions";
	if (agent->prompt == NULL)
		return "prompt";
	return agent->modes == NULL && agent->mode_count > 0 ? "modes" : NULL;
}

static bool check_agent(const quash_acp_agent *agent, quash_fault *fault)
{
	if (!quash_check_member(fault, "agent", agent->name, wrong_agent_member(agent)))
		return false;
	if (agent->session_count > 0)
		return true;
	(void)quash_check_member(fault, "agent", NULL, "session_count");
	fault->needs = 1;
	return false;
}

static bool is_mode_twice(const quash_acp_agent *agent, uint8_t mode)
{
	uint8_t i = 0;
	while (!quash_same_text(agent->modes[i].id, agent->modes[mode].id))
		i++;
	return i != mode;
}

static bool check_modes(const quash_acp_agent *agent, quash_fault *fault)
{
	for (uint8_t i = 0; i < agent->mode_count; i++) {
		const quash_acp_mode *const mode = &agent->modes[i];
		const bool wrong_id = mode->id == NULL || (mode->name != NULL && is_mode_twice(agent, i));
		const char *const wrong = wrong_id ? "id" : mode->name == NULL ? "name" : NULL;
		if (!quash_check_member(fault, "modes", mode->id, wrong)) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

/* --- The config */

/* What the table lacks, by what stands for it; or NULL. */
static const char *wrong_entries_member(const quash_config *config, const quash_acp_agent *agent)
{
	if (quash_entry_of(config, quash_acp_authenticate_) == NULL || quash_entry_of(config, quash_acp_new_) == NULL)
		return "QUASH_ACP_BEGIN";
	if (quash_entry_of(config, quash_acp_prompt_) == NULL)
		return "QUASH_ACP_PROMPT";
	return agent->mode_count > 0 && !quash_is_listed("session/set_mode", config->methods, sizeof config->methods[0],
		config->method_count) ? "QUASH_ACP_MODES" : NULL;
}

static bool serves_agent(const quash_method *method, quash_handler *handler, const quash_acp_agent *agent)
{
	return method->handler != handler || method->data == agent;
}

/* Checked are the entries that every agent has. */
static bool check_entries(const quash_config *config, const quash_acp_agent *agent, quash_fault *fault)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		const quash_method *const method = &config->methods[i];
		const bool good = serves_agent(method, quash_acp_initialize_, agent) &&
			serves_agent(method, quash_acp_authenticate_, agent) && serves_agent(method, quash_acp_new_, agent) &&
			serves_agent(method, quash_acp_prompt_, agent);
		const bool rests = method->handler != quash_acp_prompt_ ||
			(method->motion.end == quash_acp_prompt_end_ && (method->motion.lease == 0 || agent->end != NULL));
		if (!quash_check_member(fault, "methods", method->name, !good ? "data" : rests ? NULL : "motion.end")) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

bool quash_acp_check(const quash_config *config, quash_fault *fault)
{
	const quash_acp_agent *const agent = quash_check_initialize(fault, config, quash_acp_initialize_);
	return agent != NULL && check_agent(agent, fault) && check_modes(agent, fault) &&
	       quash_check_leases(fault, "agent", agent->name, agent->leases, config) &&
	       quash_check_member(fault, "config", NULL, config->dialect->tag_member == NULL ? "dialect" : NULL) &&
	       quash_check_size(fault, "tag_size", config->tag_size, QUASH_ACP_TAG_SIZE) &&
	       quash_check_size(fault, "state_size", config->state_size, QUASH_ACP_STATE(agent->state_size)) &&
	       quash_check_member(fault, "config", NULL, config->new_session == NULL ? "new_session" : NULL) &&
	       quash_check_member(fault, "agent", agent->name, wrong_entries_member(config, agent)) &&
	       check_entries(config, agent, fault);
}
