/* SPDX-License-Identifier: MIT
 * Each percentage that a report may have. */
#include "device.h"

#include <stdio.h>

#include "quash/lsp.h"

enum { STATE = (QUASH_LSP_STATE(7, 8) + 7) / 8 * 8 };

static quash_lsp_session session;
static quash_lsp_server server = { .name = "s", .version = "1", .session = &session, .token_size = 7 };
static int32_t percentage;

static int32_t work(quash_request *request)
{
	quash_lsp_begin(request, "Work", NULL, percentage);
	quash_lsp_report(request, NULL, percentage);
	quash_lsp_finish(request, NULL);
	return quash_reply_null(request);
}

static const quash_lsp_method works = QUASH_LSP_HANDLER(&server, work, NULL, 8);
static const quash_method methods[] = { QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("work", &works) };
static uint64_t states[LOOP_SLOTS * STATE / 8];

static int set_up(void **state)
{
	static const quash_lsp_session fresh;
	(void)state;
	session = fresh;
	device_prepare(&quash_lsp);
	device.config.methods = methods;
	device.config.method_count = COUNT_OF(methods);
	device.config.states = states;
	device.config.state_size = STATE;
	device_begin();
	say(REQUEST_WITH("0", "initialize", "{'capabilities':{}}"));
	steps(2);
	(void)loop_heard(&device);
	return 0;
}

#define WORK(members) "{'jsonrpc':'2.0','method':'$/progress','params':{'token':1,'value':{'kind':" members "}}}\n"

static void check(int32_t given, const char *shown)
{
	char expected[500];
	percentage = given;
	say(REQUEST_WITH("1", "work", "{'workDoneToken':1}"));
	steps(2);
	snprintf(expected, sizeof expected, WORK("'begin','title':'Work','cancellable':true%s") WORK("'report'%s") WORK("'end'") RESULT("1", "null"), shown, shown);
	ANSWERS(expected);
}

static void test_percentages(void **state)
{
	static const int32_t more[] = { INT32_MIN, 1000, INT32_MAX };
	char shown[40];
	(void)state;
	for (int32_t i = -3; i <= 110; i++) {
		snprintf(shown, sizeof shown, ",'percentage':%d", (int)(i < 100 ? i : 100));
		check(i, i >= 0 ? shown : "");
	}
	for (size_t i = 0; i < COUNT_OF(more); i++)
		check(more[i], more[i] >= 0 ? ",'percentage':100" : "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_percentages, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
