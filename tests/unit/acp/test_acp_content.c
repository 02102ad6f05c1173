/* SPDX-License-Identifier: MIT
 * What a prompt may hold, for each set that an agent accepts; and how often it is looked whether the earlier prompt has ended. */
#include "acp_agent.h"

static quash_acp_agent agent;
static const quash_method methods[] = { QUASH_ACP_METHODS(&agent) };

static void start(uint8_t accepts)
{
	agent_prepare();
	agent = unit_agent;
	agent.accepts = accepts;
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device_begin();
	agent_open(stops);
	stop_reason = QUASH_ACP_END_TURN;
}

/* The bits of which the agent must accept one; or it is good or bad for all. */
enum { ANY = 8, NEVER = 16 };

static const struct {
	const char *block;
	uint8_t needs;
} blocks[] = {
	{ "{'type':'text','text':''}", ANY },
	{ "{'type':'text','text':7}", NEVER },
	{ "{'type':'text'}", NEVER },
	{ "{'type':'resource_link','uri':'u','name':'n'}", ANY },
	{ "{'type':'resource_link','uri':'u'}", NEVER },
	{ "{'type':'resource_link','name':'n'}", NEVER },
	{ "{'type':'resource_link','uri':1,'name':'n'}", NEVER },
	{ "{'type':'image','data':''}", QUASH_ACP_IMAGES },
	{ "{'type':'audio'}", QUASH_ACP_AUDIO },
	{ "{'type':'resource'}", QUASH_ACP_EMBEDDED },
	{ "{'type':'video'}", NEVER },
	{ "{'text':'a'}", NEVER },
	{ "'text'", NEVER },
	{ "[]", NEVER },
};

/* Wherever it stands among others. */
static void test_each_block(void **state)
{
	char message[400];
	(void)state;
	for (unsigned accepts = 0; accepts < 8; accepts++) {
		start((uint8_t)accepts);
		for (size_t i = 0; i < 3 * COUNT_OF(blocks); i++) {
			const uint8_t needs = blocks[i / 3].needs;
			snprintf(message, sizeof message, PROMPT_OF("2", "s1", "%s%s%s"), i % 3 > 0 ? TEXT_BLOCK("a") "," : "", blocks[i / 3].block,
				i % 3 > 1 ? "," TEXT_BLOCK("a") : "");
			say(message);
			steps(4);
			ANSWERS(needs == ANY || (needs & accepts) != 0 ? RESULT("2", "{'stopReason':'end_turn'}") : ERROR("2", "-32602", "Unsupported content"));
		}
	}
}

static void test_no_blocks(void **state)
{
	static const char *const prompts[] = { "{}", "'a'", "null", "7" };
	char message[200];
	(void)state;
	start(0);
	say(PROMPT_OF("2", "s1", ""));
	steps(4);
	ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
	for (size_t i = 0; i < COUNT_OF(prompts); i++) {
		snprintf(message, sizeof message, REQUEST_WITH("2", "session/prompt", "{'sessionId':'s1','prompt':%s}"), prompts[i]);
		say(message);
		steps(4);
		ANSWERS(ERROR("2", "-32602", "prompt must be an array of content blocks"));
	}
}

/* The end of its turn takes a while. */
static void test_looks(void **state)
{
	static const char *const messages[] = { PROMPT("3", "s1", "b"), CLOSE("3", "s1") };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(messages); i++) {
		start(0);
		rest_ms = 1000;
		say(PROMPT("2", "s1", "a"));
		steps(4);
		ANSWERS(RESULT("2", "{'stopReason':'end_turn'}"));
		assert_in_range(quash_idle_ms(&device.peer), 900, 1000);
		say(messages[i]);
		step();
		assert_int_equal(quash_idle_ms(&device.peer), 5);
		for (unsigned ms = 0; ms < 1010; ms += 5)
			loop_step(&device, 5);
		rest_ms = 0;
		steps(10);
		ANSWERS(i == 0 ? RESULT("3", "{'stopReason':'end_turn'}") : RESULT("3", "{}"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_block),
		cmocka_unit_test(test_no_blocks),
		cmocka_unit_test(test_looks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
