/* SPDX-License-Identifier: MIT */
#include "acp_agent.h"

quash_handler *script;

static quash_acp_connection connection;
static quash_acp_session sessions[2];

static int32_t turn(quash_request *request)
{
	return script(request);
}

const quash_acp_agent unit_agent = {
	.name = "unit",
	.version = "1",
	.connection = &connection,
	.sessions = sessions,
	.prompt = turn,
	.state_size = AGENT_TURN,
	.session_count = COUNT_OF(sessions),
};

static const quash_method methods[] = { QUASH_ACP_METHODS(&unit_agent) };

enum { STATE = (QUASH_ACP_STATE(AGENT_TURN) + 7) / 8 * 8 };
static uint64_t states[LOOP_SLOTS * STATE / 8];

void agent_prepare(void)
{
	static const quash_acp_connection fresh;
	device_prepare(&quash_acp);
	quash_acp_reset(&unit_agent);
	connection = fresh;
	memset(states, 0, sizeof states);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.tag_size = QUASH_ACP_TAG_SIZE;
	device.config.check = quash_acp_check;
	device.config.new_session = quash_acp_new_session;
	device.config.calls = &quash_calls;
}

void agent_start(quash_handler *turn_of_test)
{
	agent_prepare();
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1}"));
	say(REQUEST_WITH("1", "session/new", "{'cwd':'/','mcpServers':[]}"));
	steps(30);
	assert_non_null(strstr(loop_heard(&device), quoted("'sessionId':'s1'")));
	script = turn_of_test;
	device_forget();
}
