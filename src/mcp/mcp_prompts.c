/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_prompts.h"

#include "mcp_inner.h"

static const quash_mcp_prompts *prompts_of(const quash_request *request)
{
	const void *const part = quash_mcp_part_of(quash_mcp_server_of(request), &quash_mcp_prompts_kind);
	return part;
}

static const quash_mcp_prompt *find_prompt(const quash_mcp_prompts *p, quash_value name)
{
	for (uint8_t i = 0; i < p->count; i++) {
		if (quash_is(name, p->list[i].name))
			return &p->list[i];
	}
	return NULL;
}

/* --- The part */

static void offer_prompts(quash_writer *w, const quash_mcp_server *server)
{
	quash_mcp_put_capability(w, server, "prompts", QUASH_MCP_PROMPTS_CHANGE);
	quash_put_end(w);
}

static bool knows_prompt(const quash_mcp_part *part, quash_value ref)
{
	const quash_mcp_prompts *const p = (const void *)part;
	return quash_is(quash_member(ref, "type"), "ref/prompt") && find_prompt(p, quash_member(ref, "name")) != NULL;
}

const struct quash_mcp_kind quash_mcp_prompts_kind = {
	.machine = &quash_mcp_machine, .handler = quash_mcp_list_prompts, .offer = offer_prompts, .knows = knows_prompt
};

/* --- prompts/list */

static void put_arguments(quash_writer *w, const quash_params *args)
{
	quash_put_key(w, "arguments");
	quash_put_array(w);
	for (uint8_t i = 0; i < args->count; i++) {
		const quash_param *const param = &args->list[i];
		quash_put_object(w);
		quash_mcp_put_member(w, "name", param->name);
		quash_mcp_put_optional(w, "description", param->description);
		quash_put_key(w, "required");
		quash_put_bool(w, !param->optional);
		quash_put_end(w);
	}
	quash_put_end(w);
}

static void put_prompt(quash_writer *w, const quash_mcp_prompt *prompt)
{
	quash_put_object(w);
	quash_mcp_put_member(w, "name", prompt->name);
	quash_mcp_put_optional(w, "title", prompt->title);
	quash_mcp_put_optional(w, "description", prompt->description);
	if (prompt->args != NULL && prompt->args->count > 0)
		put_arguments(w, prompt->args);
	quash_put_end(w);
}

int32_t quash_mcp_list_prompts(quash_request *request, quash_value params)
{
	const quash_mcp_prompts *const p = prompts_of(request);
	struct quash_mcp_page page;
	int32_t code;
	if (p == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (!quash_mcp_open_page(request, params, p->count, &page, &code))
		return code;
	quash_writer *const w = quash_mcp_begin_page(request, "prompts");
	for (uint8_t i = page.first; i < page.end; i++)
		put_prompt(w, &p->list[i]);
	return quash_mcp_send_page(request, w, &page);
}

/* --- prompts/get */

static void *prompt_state(quash_mcp_slot *slot)
{
	return slot + 1;
}

/* Fills the prompt's struct. QUASH_PENDING: it goes on. */
static int32_t bind_prompt(quash_request *request, const quash_mcp_prompt *prompt, quash_value params)
{
	const quash_value arguments = quash_member(params, "arguments");
	quash_param_error error;
	if (quash_kind_of(arguments) != QUASH_NONE && quash_kind_of(arguments) != QUASH_OBJECT)
		return quash_fail(request, QUASH_INVALID_PARAMS, "arguments must be an object");
	if (!quash_mcp_has_room(request, prompt->args != NULL ? prompt->args->size : 0))
		return QUASH_INTERNAL_ERROR;
	if (prompt->args == NULL ||
		quash_read_params(prompt->args, arguments, prompt_state(quash_mcp_slot_of(request)), &error))
		return QUASH_PENDING;
	quash_put_param_error(quash_error_reply(request, QUASH_INVALID_PARAMS, "Invalid arguments"), &error);
	return quash_send(request);
}

/* The first call, and each further one that still has params. QUASH_PENDING: it goes on. */
static int32_t prepare_prompt(quash_request *request, quash_value params, quash_mcp_slot *slot)
{
	const quash_mcp_prompts *const p = prompts_of(request);
	const quash_value name = quash_member(params, "name");
	int32_t code;
	if (p == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (!quash_mcp_open(request, params, &code))
		return code;
	const quash_mcp_prompt *const prompt = find_prompt(p, name);
	if (prompt == NULL)
		return quash_fail(request, QUASH_INVALID_PARAMS,
			quash_kind_of(name) == QUASH_STRING ? "Unknown prompt" : "name must be a string");
	code = bind_prompt(request, prompt, params);
	if (code != QUASH_PENDING || slot->call.target != NULL)
		return code;
	slot->call.target = prompt;
	quash_mcp_keep_token(request, params);
	if (prompt->deadline != 0)
		quash_deadline(request, prompt->deadline);
	return QUASH_PENDING;
}

static int32_t run_prompt(quash_request *request, quash_mcp_slot *slot)
{
	const quash_mcp_prompt *const prompt = slot->call.target;
	const int32_t code = prompt->get(request, prompt_state(slot));
	slot->call.again = code == QUASH_RETRY;
	if (code == QUASH_PENDING && prompt->args != NULL)
		quash_forget_params(prompt->args, prompt_state(slot));
	return code;
}

int32_t quash_mcp_get_prompt(quash_request *request, quash_value params)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL)
		return QUASH_INTERNAL_ERROR;
	const quash_mcp_prompt *const prompt = slot->call.target;
	if (prompt != NULL && (prompt->marks & QUASH_DROPS) != 0 &&
		quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (prompt == NULL || quash_kind_of(params) != QUASH_NONE) {
		const int32_t code = prepare_prompt(request, params, slot);
		if (code != QUASH_PENDING)
			return code;
	}
	return run_prompt(request, slot);
}

const quash_mcp_prompt *quash_mcp_prompt_of(quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const quash_method *const method = quash_method_of(request);
	return slot != NULL && method != NULL && method->handler == quash_mcp_get_prompt ? slot->call.target
											 : NULL;
}

void quash_mcp_prompt_end(quash_request *request)
{
	const quash_mcp_prompt *const prompt = quash_mcp_prompt_of(request);
	if (prompt != NULL && prompt->end != NULL)
		prompt->end(request, prompt_state(quash_mcp_slot_of(request)));
}

/* --- Results */

quash_writer *quash_mcp_messages(quash_request *request)
{
	const quash_mcp_prompt *const prompt = quash_mcp_prompt_of(request);
	quash_writer *const w = quash_mcp_begin(request);
	quash_mcp_put_optional(w, "description", prompt != NULL ? prompt->description : NULL);
	quash_put_key(w, "messages");
	quash_put_array(w);
	return w;
}

int32_t quash_mcp_prompt_text(quash_request *request, const char *text)
{
	quash_mcp_put_message(quash_mcp_messages(request), "user", text);
	return quash_send(request);
}
