/* SPDX-License-Identifier: MIT
 * Tools and a prompt that ask: the same functions for both eras. */
#include "conformance.h"

typedef struct conformance_state state;

/* --- Asking */

/* Asks, under that name. QUASH_DONE: it is answered; QUASH_PENDING: it is not yet; else what the handler returns. */
static int32_t ask(quash_request *request, uint8_t n, const char *name, quash_call_put *put, uint8_t what)
{
	state *const s = QUASH_TOOL(state, request);
	quash_call *const call = &s->asks[n < CONFORMANCE_ASKS ? n : 0];
	call->put = put;
	call->context = (void *)(uintptr_t)name;
	call->marks = QUASH_MCP_NAMED;
	const int32_t outcome = quash_mcp_ask(request, call, what);
	if (outcome != QUASH_DONE)
		return outcome;
	return quash_call_has_ended(call) ? QUASH_DONE : QUASH_PENDING;
}

/* What a handler returns that was not answered. */
static int32_t unanswered(quash_request *request, int32_t outcome)
{
	return outcome == QUASH_PENDING ? QUASH_PENDING : quash_mcp_failure(request, "The client cannot be asked for that");
}

static const quash_call *answer_of(const quash_request *request, uint8_t n)
{
	return &QUASH_CONST_TOOL(state, request)->asks[n < CONFORMANCE_ASKS ? n : 0];
}

static void put_part(quash_writer *w, const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	quash_put_string_part(w, text, n);
}

/* A text block whose text is what was put between. */
static void begin_text(quash_writer *w)
{
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "text");
	quash_put_key(w, "text");
}

static void put_words(quash_writer *w, const char *before, const char *after)
{
	begin_text(w);
	quash_put_string_open(w);
	put_part(w, before);
	put_part(w, after);
	quash_put_string_close(w);
	quash_put_end(w);
}

/* The action in words, and what was filled in as JSON. */
static void put_answered(quash_writer *w, const char *before, const quash_request *request)
{
	const quash_value answer = quash_call_answer(answer_of(request, 0));
	put_words(w, before, quash_text(quash_get(answer, "action")));
	begin_text(w);
	quash_put_quote_open(w);
	quash_put_value(w, quash_get(answer, "content"));
	quash_put_quote_close(w);
	quash_put_end(w);
}

/* --- A model */

static void put_prompt(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, NULL, quash_text(quash_mcp_argument(call->parent, "prompt")), 100);
}

static void put_response(quash_writer *w, const quash_request *request)
{
	put_words(w, "LLM response: ", quash_mcp_sampled(answer_of(request, 0)));
}

int32_t conformance_ask_sampling(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "sampling", put_prompt, QUASH_MCP_SAMPLING);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_response) : unanswered(request, outcome);
}

static void put_capital(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, NULL, "What is the capital of France?", 100);
}

int32_t conformance_ask_capital(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "capital_question", put_capital, QUASH_MCP_SAMPLING);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_response) : unanswered(request, outcome);
}

/* --- A person: forms of each kind */

static const quash_param user_list[] = { QUASH_ARG_STRING("username", "User's response"), QUASH_ARG_STRING("email", "User's email address") };
static const quash_params user_params = QUASH_PARAMS_ONLY(user_list);

static void put_user(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, quash_text(quash_mcp_argument(call->parent, "message")), &user_params);
}

static void put_user_answer(quash_writer *w, const quash_request *request)
{
	put_answered(w, "User response: action=", request);
}

int32_t conformance_ask_elicitation(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "user", put_user, QUASH_MCP_ELICITATION);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_user_answer) : unanswered(request, outcome);
}

static const char *const statuses[] = { "active", "inactive", "pending", NULL };
static const quash_range score_range = { 0, 100, 95.5 };
static const quash_param default_list[] = {
	QUASH_ARG_TEXT_OR(state, name, "John Doe", "who"),
	QUASH_ARG_INT_OR(state, age, 0, 150, 30, "how old"),
	QUASH_ARG_NUMBER_OR(state, score, &score_range, "how good"),
	{ "status", "in which state", &quash_param_enum, statuses, 0, 0, 0, offsetof(state, choice), 0, 0, true },
	{ "verified", "whether it was looked at", &quash_param_bool, NULL, 0, 1, 1, offsetof(state, flag), 0, 0, true },
};
static const quash_params default_params = QUASH_PARAMS(state, default_list);

static void put_defaults(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Please fill in what differs", &default_params);
}

static void put_form_answer(quash_writer *w, const quash_request *request)
{
	put_answered(w, "Elicitation completed: action=", request);
}

int32_t conformance_ask_defaults(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "defaults", put_defaults, QUASH_MCP_ELICITATION);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_form_answer) : unanswered(request, outcome);
}

static const char *const options[] = { "option1", "option2", "option3", NULL };
static const quash_choice plain_options[] = { { "option1", NULL }, { "option2", NULL }, { "option3", NULL }, { NULL, NULL } };
static const quash_choice values[] = { { "value1", "First Option" }, { "value2", "Second Option" }, { "value3", "Third Option" }, { NULL, NULL } };
static const quash_choice opts[] = { { "opt1", "Option One" }, { "opt2", "Option Two" }, { "opt3", "Option Three" }, { NULL, NULL } };
static const quash_choice firsts[] = { { "value1", "First Choice" }, { "value2", "Second Choice" }, { "value3", "Third Choice" }, { NULL, NULL } };

static const quash_param enum_list[] = {
	{ "untitledSingle", "one of three", &quash_param_enum, options, 0, 0, 0, offsetof(state, choice), 0, 0, true },
	{ "titledSingle", "one of three", &quash_param_titled, values, 0, 0, 0, offsetof(state, titled), 0, 0, true },
	{ "legacyEnum", "one of three", &quash_param_enum_names, opts, 0, 0, 0, offsetof(state, old), 0, 0, true },
	{ "untitledMulti", "some of three", &quash_param_choices, plain_options, 0, 3, 1, offsetof(state, several), 0, 0, true },
	{ "titledMulti", "some of three", &quash_param_choices, firsts, 0, 3, 1, offsetof(state, titled_several), 0, 0, true },
};
static const quash_params enum_params = QUASH_PARAMS(state, enum_list);

static void put_enums(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Please choose", &enum_params);
}

int32_t conformance_ask_enums(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "enums", put_enums, QUASH_MCP_ELICITATION);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_form_answer) : unanswered(request, outcome);
}

/* --- Results that require input */

static const quash_param name_list[] = { QUASH_ARG_TEXT(state, name, "the name") };
static const quash_params name_params = QUASH_PARAMS(state, name_list);

static void put_name_question(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "What is your name?", &name_params);
}

static void put_hello(quash_writer *w, const quash_request *request)
{
	quash_put_string_open(w);
	put_part(w, "Hello, ");
	put_part(w, QUASH_CONST_TOOL(state, request)->name);
	put_part(w, "!");
	quash_put_string_close(w);
}

int32_t conformance_ask_name(quash_request *request)
{
	state *const s = QUASH_TOOL(state, request);
	const int32_t outcome = ask(request, 0, "user_name", put_name_question, QUASH_MCP_ELICITATION);
	if (outcome != QUASH_DONE)
		return unanswered(request, outcome);
	if (!quash_mcp_accepted(&s->asks[0], &name_params, s))
		return quash_mcp_failure(request, "No name was given");
	return quash_mcp_reply(request, put_hello);
}

static void put_root_list(quash_writer *w, const quash_request *request)
{
	begin_text(w);
	quash_put_quote_open(w);
	quash_put_value(w, quash_get(quash_call_answer(answer_of(request, 0)), "roots"));
	quash_put_quote_close(w);
	quash_put_end(w);
}

int32_t conformance_ask_roots(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "client_roots", NULL, QUASH_MCP_ROOTS);
	return outcome == QUASH_DONE ? quash_mcp_content(request, false, put_root_list) : unanswered(request, outcome);
}

static const quash_param ok_list[] = { { "ok", NULL, &quash_param_bool, NULL, 0, 1, 0, offsetof(state, flag), 0, 0, false } };
static const quash_params ok_params = QUASH_PARAMS(state, ok_list);

static void put_confirm(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Please confirm", &ok_params);
}

int32_t conformance_ask_confirm(quash_request *request)
{
	const int32_t outcome = ask(request, 0, "confirm", put_confirm, QUASH_MCP_ELICITATION);
	return outcome == QUASH_DONE ? quash_mcp_text(request, "state-ok") : unanswered(request, outcome);
}

static void put_greeting_question(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, NULL, "Generate a greeting", 50);
}

int32_t conformance_ask_several(quash_request *request)
{
	const int32_t outcomes[CONFORMANCE_ASKS] = { ask(request, 0, "user_name", put_name_question, QUASH_MCP_ELICITATION),
		ask(request, 1, "greeting", put_greeting_question, QUASH_MCP_SAMPLING), ask(request, 2, "client_roots", NULL, QUASH_MCP_ROOTS) };
	for (unsigned i = 0; i < CONFORMANCE_ASKS; i++) {
		if (outcomes[i] != QUASH_DONE)
			return unanswered(request, outcomes[i]);
	}
	return quash_mcp_text(request, "all three were answered");
}

static const quash_param color_list[] = { { "color", NULL, &quash_param_text, NULL, 0, 0, 0, offsetof(state, text), 0, CONFORMANCE_TEXT, false } };
static const quash_params color_params = QUASH_PARAMS(state, color_list);

static void put_step_1(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Step 1: What is your name?", &name_params);
}

static void put_step_2(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Step 2: What is your favorite color?", &color_params);
}

static void put_both_steps(quash_writer *w, const quash_request *request)
{
	const state *const s = QUASH_CONST_TOOL(state, request);
	put_words(w, s->name, s->text[0] != '\0' ? " likes " : "");
	put_words(w, "", s->text);
}

int32_t conformance_ask_rounds(quash_request *request)
{
	state *const s = QUASH_TOOL(state, request);
	int32_t outcome = ask(request, 0, "step1", put_step_1, QUASH_MCP_ELICITATION);
	if (outcome != QUASH_DONE)
		return unanswered(request, outcome);
	outcome = ask(request, 1, "step2", put_step_2, QUASH_MCP_ELICITATION);
	if (outcome != QUASH_DONE)
		return unanswered(request, outcome);
	(void)quash_mcp_accepted(&s->asks[0], &name_params, s);
	(void)quash_mcp_accepted(&s->asks[1], &color_params, s);
	return quash_mcp_content(request, false, put_both_steps);
}

/* Whatever of the three the client has announced. */
int32_t conformance_ask_what_can_be(quash_request *request)
{
	int32_t outcome = QUASH_DONE;
	if (quash_mcp_can_ask(request, QUASH_MCP_ELICITATION))
		outcome = ask(request, 0, "user_name", put_name_question, QUASH_MCP_ELICITATION);
	if (quash_mcp_can_ask(request, QUASH_MCP_SAMPLING) && ask(request, 1, "greeting", put_greeting_question, QUASH_MCP_SAMPLING) != QUASH_DONE)
		outcome = QUASH_PENDING;
	if (quash_mcp_can_ask(request, QUASH_MCP_ROOTS) && ask(request, 2, "client_roots", NULL, QUASH_MCP_ROOTS) != QUASH_DONE)
		outcome = QUASH_PENDING;
	return outcome == QUASH_PENDING ? QUASH_PENDING : quash_mcp_text(request, "asked for all that the client can be asked for");
}

/* --- The prompt */

static const quash_param context_list[] = { { "context", NULL, &quash_param_text, NULL, 0, 0, 0, offsetof(state, text), 0, CONFORMANCE_TEXT, false } };
static const quash_params context_params = QUASH_PARAMS(state, context_list);

static void put_context_question(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "What context should the prompt use?", &context_params);
}

static void put_context_message(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_message(w, "user", QUASH_CONST_TOOL(state, request)->text);
}

int32_t conformance_ask_context(quash_request *request)
{
	state *const s = QUASH_TOOL(state, request);
	const int32_t outcome = ask(request, 0, "user_context", put_context_question, QUASH_MCP_ELICITATION);
	if (outcome == QUASH_DONE && quash_mcp_accepted(&s->asks[0], &context_params, s))
		return quash_mcp_messages(request, put_context_message);
	return outcome == QUASH_PENDING ? QUASH_PENDING : quash_mcp_prompt_text(request, "There is no context");
}
