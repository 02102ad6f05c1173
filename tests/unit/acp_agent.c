/* SPDX-License-Identifier: MIT */
#include "acp_agent.h"

quash_acp_connection agent_connection;
quash_acp_session agent_sessions[2];
quash_handler *script;
quash_acp_reason stop_reason;

int32_t rest_ms;

struct resting {
	uint8_t turn[AGENT_TURN];
	bool begun;
};

static int32_t turn(quash_request *request)
{
	return script(request);
}

/* Comes to rest after `rest_ms`. */
static int32_t end(quash_request *request)
{
	struct resting *const s = QUASH_STATE(struct resting, request);
	assert_false(quash_acp_may_update(request));
	device_note(request, s->begun ? "rests" : "end");
	if (s->begun || rest_ms == 0)
		return QUASH_DONE;
	s->begun = true;
	return quash_wait(request, (uint32_t)rest_ms);
}

static int32_t opened(quash_acp_session *session, quash_value params)
{
	assert_int_not_equal(session->number, 0);
	device_note(NULL, "open");
	return quash_is(quash_get(params, "cwd"), "refuse") ? -32000 : QUASH_DONE;
}

static void closed(quash_acp_session *session)
{
	assert_int_not_equal(session->number, 0);
	device_note(NULL, "close");
}

static const quash_acp_mode modes[] = { { "a", "A", "first" }, { "b", "B", NULL } };

const quash_acp_agent unit_agent = {
	.name = "unit",
	.version = "1",
	.title = "Unit",
	.connection = &agent_connection,
	.sessions = agent_sessions,
	.modes = modes,
	.prompt = turn,
	.end = end,
	.open = opened,
	.close = closed,
	.leases = &quash_acp_leases,
	.state_size = sizeof(struct resting),
	.session_count = COUNT_OF(agent_sessions),
	.mode_count = COUNT_OF(modes),
	.accepts = QUASH_ACP_IMAGES,
};

static const quash_method methods[] = { QUASH_ACP_METHODS(&unit_agent) };

enum { STATE = (QUASH_ACP_STATE(sizeof(struct resting)) + 7) / 8 * 8 };
static uint64_t states[LOOP_SLOTS * STATE / 8];

int32_t stops(quash_request *request)
{
	return quash_acp_stop(request, stop_reason);
}

void agent_prepare(void)
{
	static const quash_acp_connection fresh;
	device_prepare(&quash_acp);
	quash_acp_reset(&unit_agent);
	agent_connection = fresh;
	memset(states, 0, sizeof states);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = STATE;
	device.config.tag_size = QUASH_ACP_TAG_SIZE;
	device.config.check = quash_acp_check;
	device.config.new_session = quash_acp_new_session;
	device.config.calls = &quash_calls;
	script = NULL;
	rest_ms = 0;
}

void agent_open(quash_handler *turn_of_test)
{
	say(REQUEST_WITH("0", "initialize", "{'protocolVersion':1,'clientCapabilities':{'fs':{'readTextFile':true,"
			 "'writeTextFile':true},'terminal':true}}"));
	say(NEW("1"));
	steps(30);
	const char *const answers = loop_heard(&device);
	assert_non_null(strstr(answers, quoted("'sessionId':'s")));
	assert_null(strstr(answers, "session/update"));
	script = turn_of_test;
}

void agent_start(quash_handler *turn_of_test)
{
	agent_prepare();
	device_begin();
	agent_open(turn_of_test);
	device_forget();
}
