/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_completion.h"

#include "../json/rom.h"
#include "mcp_inner.h"

enum { MOST_VALUES = 100 };

static void offer_completions(quash_writer *w, const quash_mcp_server *server)
{
	quash_mcp_put_capability(w, server, "completions", 0);
	quash_put_end(w);
}

/* The wrong member, or NULL. */
static const char *wrong_completer_member(const quash_mcp_completer *c)
{
	if (c->argument == NULL)
		return "argument";
	if ((c->prompt == NULL) == (c->resource == NULL))
		return c->prompt == NULL ? "prompt" : "resource";
	return (c->values == NULL) == (c->suggest == NULL) ? (c->values == NULL ? "values" : "suggest") : NULL;
}

static bool check_completion(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_completion *const c = (const void *)part;
	(void)server;
	(void)config;
	if (!quash_check_member(fault, "completers", NULL, c->list == NULL && c->count > 0 ? "list" : NULL))
		return false;
	for (uint8_t i = 0; i < c->count; i++) {
		if (!quash_check_member(fault, "completers", c->list[i].argument, wrong_completer_member(&c->list[i]))) {
			fault->index = i;
			return false;
		}
	}
	return true;
}

static const quash_keep completion_keeps[] = { { "ref", 0, false }, { "argument", 0, false },
	{ "context>arguments", 0, false } };

const struct quash_mcp_kind quash_mcp_completion_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_completion_complete_,
	.entries = "QUASH_MCP_COMPLETION",
	.offer = offer_completions,
	.check = check_completion,
	.keeps = completion_keeps,
	.keep_count = sizeof completion_keeps / sizeof completion_keeps[0] };

/* --- The completer */

static bool is_known(const quash_mcp_server *server, quash_value ref)
{
	for (const quash_mcp_part *const *part = server->parts; part != NULL && *part != NULL; part++) {
		if ((*part)->kind->knows != NULL && (*part)->kind->knows(*part, ref))
			return true;
	}
	return false;
}

static bool is_for(const quash_mcp_completer *c, quash_value ref, quash_value argument)
{
	if (!quash_is(argument, c->argument))
		return false;
	if (c->prompt != NULL)
		return quash_is(quash_member(ref, "type"), "ref/prompt") &&
			quash_is(quash_member(ref, "name"), c->prompt);
	return c->resource != NULL && quash_is(quash_member(ref, "type"), "ref/resource") &&
		quash_is(quash_member(ref, "uri"), c->resource);
}

static const quash_mcp_completer *find_completer(const quash_mcp_server *server, quash_value ref, quash_value argument)
{
	const void *const part = quash_mcp_part_of(server, &quash_mcp_completion_kind);
	const quash_mcp_completion *const completion = part;
	for (uint8_t i = 0; completion != NULL && i < completion->count; i++) {
		if (is_for(&completion->list[i], ref, argument))
			return &completion->list[i];
	}
	return NULL;
}

/* --- Values */

static bool begins_with(const char *text, quash_value typed)
{
	const char *const start = quash_text(typed);
	const size_t length = quash_length(typed);
	size_t i = 0;
	while (i < length && quash_rom(&text[i]) != '\0' && quash_rom(&text[i]) == start[i])
		i++;
	return i == length;
}

/* The next value from `*index` on, which then is the index after it. NULL: there is none. */
static const char *next_value(
	const quash_request *request, const quash_mcp_completer *c, quash_value params, uint16_t *index)
{
	const quash_value typed = quash_member(quash_member(params, "argument"), "value");
	const quash_value others = quash_member(quash_member(params, "context"), "arguments");
	if (c->values == NULL)
		return c->suggest != NULL && *index < UINT16_MAX
			? c->suggest(request, typed, others, (*index)++)
			: NULL;
	for (const char *value = c->values[*index]; value != NULL; value = c->values[*index]) {
		(*index)++;
		if (begins_with(value, typed))
			return value;
	}
	return NULL;
}

/* Puts the first MOST_VALUES values. Returns the number of all. */
static uint16_t put_values(
	quash_writer *w, const quash_request *request, const quash_mcp_completer *c, quash_value params)
{
	uint16_t index = 0;
	uint16_t count = 0;
	for (;;) {
		const char *const value = c != NULL ? next_value(request, c, params, &index) : NULL;
		if (value == NULL)
			return count;
		if (count++ < MOST_VALUES)
			quash_put_text(w, value);
	}
}

static void put_completion(quash_writer *w, const quash_request *request)
{
	const quash_value params = quash_params_of(request);
	const quash_value name = quash_member(quash_member(params, "argument"), "name");
	quash_mcp_begin(w, request);
	quash_put_key(w, "completion");
	quash_put_object(w);
	quash_put_key(w, "values");
	quash_put_array(w);
	const quash_mcp_completer *const c =
		find_completer(quash_mcp_server_of(request), quash_member(params, "ref"), name);
	const uint16_t count = put_values(w, request, c, params);
	quash_put_end(w);
	quash_put_key(w, "total");
	quash_put_uint(w, count);
	quash_put_key(w, "hasMore");
	quash_put_bool(w, count > MOST_VALUES);
}

int32_t quash_mcp_completion_complete_(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	const quash_value argument = quash_member(params, "argument");
	if (!quash_mcp_open(request))
		return QUASH_DONE;
	if (!is_known(quash_mcp_server_of(request), quash_member(params, "ref")))
		return quash_fail(request, QUASH_INVALID_PARAMS, "Unknown ref");
	if (quash_kind_of(quash_member(argument, "name")) != QUASH_STRING ||
		quash_kind_of(quash_member(argument, "value")) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "argument must have name and value");
	return quash_reply(request, put_completion);
}
