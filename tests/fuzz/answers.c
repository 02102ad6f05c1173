/* SPDX-License-Identifier: MIT */
#include "answers.h"

#include <stdio.h>
#include <string.h>

/* By the beginning of the method's name; the first that fits. */
static const struct {
	const char *method, *result;
} results[] = {
	{ "session/request_permission", "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"allow\"}}" },
	{ "fs/read_text_file", "{\"content\":\"some \\\"text\\\"\\n of a file \\u00e9\\u0000\"}" },
	{ "terminal/create", "{\"terminalId\":\"t1\"}" },
	{ "terminal/output",
		"{\"output\":\"hello\\r\\n\",\"truncated\":false,\"exitStatus\":{\"exitCode\":0}}" },
	{ "terminal/wait_for_exit", "{\"exitCode\":1,\"signal\":null}" },
	{ "sampling/createMessage", "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"a lamp\"},\"model\":\"m\"}" },
	{ "elicitation/create", "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"age\":36}}" },
	{ "roots/list", "{\"roots\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}" },
	{ "", "{}" },
};

/* How else a call may be answered: `%u` is its id. */
static const char *const others[] = {
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":[1,{\"a\":"
	"\"b\"}]}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":null}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"outcome\":{\"outcome\":\"cancelled\"},\"action\":"
	"\"decline\"}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"content\":1,\"terminalId\":[],\"output\":null,"
	"\"exitCode\":\"x\",\"roots\":{}}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":1,\"error\":{}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"error\":{\"code\":\"x\",\"message\":3}}",
	"{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"text\":"
	"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""
	"}}",
};
enum { OTHERS = sizeof others / sizeof *others };

static const char *result_for(const char *method)
{
	size_t i = 0;
	while (strncmp(method, results[i].method, strlen(results[i].method)) != 0)
		i++;
	return results[i].result;
}

bool answer_one(struct drive *d, unsigned which, unsigned how)
{
	char text[400];
	struct watch *const w = &d->watch;
	if (w->call_count == 0)
		return false;
	which %= (unsigned)w->call_count;
	const struct watch_call call = w->calls[which];
	const unsigned way = how % (OTHERS * 2);
	const int n = way < OTHERS
		? snprintf(text, sizeof text, others[way], (unsigned)call.id)
		: snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":%s}",
			  (unsigned)call.id, result_for(call.method));
	drive_message(d, text, (size_t)n);
	w->calls[which] = w->calls[--w->call_count];
	return true;
}

void answer_all(struct drive *d)
{
	while (answer_one(d, 0, OTHERS))
		;
}
