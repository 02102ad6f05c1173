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

/* The wrong member, or NULL. */
static const char *wrong_prompt_member(const quash_mcp_prompts *p, uint8_t index)
{
	const quash_mcp_prompt *const prompt = &p->list[index];
	if (prompt->name == NULL || quash_same_text(prompt->name, "") ||
		quash_is_listed(prompt->name, p->list, sizeof *prompt, index))
		return "name";
	return prompt->get == NULL ? "get" : quash_mcp_wrong_marks(prompt->marks, prompt->deadline, prompt->end != NULL);
}

static bool check_prompt(const quash_mcp_server *server, const quash_mcp_prompt *prompt, const quash_config *config,
	quash_fault *fault)
{
	fault->table = prompt->name;
	if (prompt->args != NULL && !quash_params_check(prompt->args, fault))
		return false;
	fault->table = "prompts";
	fault->name = prompt->name;
	return quash_mcp_check_room(server, config, prompt->args != NULL ? prompt->args->size : 0, fault);
}

static bool check_prompts(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_prompts *const p = (const void *)part;
	if (!quash_check_member(fault, "prompts", NULL, p->list == NULL && p->count > 0 ? "list" : NULL))
		return false;
	for (uint8_t i = 0; i < p->count; i++) {
		if (quash_check_member(fault, "prompts", p->list[i].name, wrong_prompt_member(p, i)) &&
			check_prompt(server, &p->list[i], config, fault))
			continue;
		fault->index = i;
		return false;
	}
	return true;
}

const struct quash_mcp_kind quash_mcp_prompts_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_prompts_list_,
	.caller = quash_mcp_prompts_get_,
	.end = quash_mcp_prompts_end_,
	.entries = "QUASH_MCP_PROMPTS",
	.offer = offer_prompts,
	.knows = knows_prompt,
	.check = check_prompts };

/* --- prompts/list */

static void put_arguments(quash_writer *w, const quash_params *args)
{
	quash_put_key(w, "arguments");
	quash_put_array(w);
	for (uint8_t i = 0; i < args->count; i++) {
		const quash_param *const param = &args->list[i];
		quash_put_object(w);
		quash_put_member(w, "name", param->name);
		quash_put_optional(w, "description", param->description);
		quash_put_key(w, "required");
		quash_put_bool(w, !param->optional);
		quash_put_end(w);
	}
	quash_put_end(w);
}

static void put_prompt(quash_writer *w, const quash_request *request, uint8_t index)
{
	const quash_mcp_prompt *const prompt = &prompts_of(request)->list[index];
	quash_put_object(w);
	quash_put_member(w, "name", prompt->name);
	quash_put_optional(w, "title", prompt->title);
	quash_put_optional(w, "description", prompt->description);
	if (prompt->args != NULL && prompt->args->count > 0)
		put_arguments(w, prompt->args);
	quash_put_end(w);
}

static bool put_prompt_list(quash_writer *w, const quash_request *request, uint16_t index)
{
	return quash_mcp_put_page(w, request, index, "prompts", put_prompt);
}

int32_t quash_mcp_prompts_list_(quash_request *request)
{
	const quash_mcp_prompts *const p = prompts_of(request);
	return p != NULL ? quash_mcp_reply_page(request, p->count, put_prompt_list) : QUASH_METHOD_NOT_FOUND;
}

/* --- prompts/get */

static void put_unfit_words(quash_writer *w, const quash_request *request)
{
	quash_mcp_put_unfit(w, request, quash_mcp_prompt_of_(request)->args);
}

static int32_t fail_unfit(quash_request *request)
{
	return quash_fail_data(request, QUASH_INVALID_PARAMS, "Invalid arguments", put_unfit_words);
}

/* The first call. False: the request is refused, and its answer recorded. */
static bool begin_get(quash_request *request, const quash_mcp_prompts *p)
{
	const quash_value name = quash_argument(request, "name");
	if (!quash_mcp_open(request))
		return false;
	const quash_mcp_prompt *const prompt = find_prompt(p, name);
	if (prompt == NULL)
		return quash_mcp_unknown(request, &name, "Unknown prompt");
	quash_mcp_begin_target(request, prompt, prompt->deadline);
	return quash_mcp_bind(request, prompt->args, fail_unfit);
}

int32_t quash_mcp_prompts_get_(quash_request *request)
{
	const quash_mcp_prompts *const p = prompts_of(request);
	if (p == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (quash_mcp_prompt_of_(request) == NULL && !begin_get(request, p))
		return QUASH_DONE;
	const quash_mcp_prompt *const prompt = quash_mcp_prompt_of_(request);
	return quash_mcp_run(request, prompt->get, prompt->end != NULL, prompt->marks);
}

const quash_mcp_prompt *quash_mcp_prompt_of_(const quash_request *request)
{
	return quash_mcp_target_of(request, quash_mcp_prompts_get_);
}

int32_t quash_mcp_prompts_end_(quash_request *request)
{
	const quash_mcp_prompt *const prompt = quash_mcp_called_of(request, quash_mcp_prompts_get_);
	return prompt != NULL && prompt->end != NULL ? prompt->end(request) : QUASH_DONE;
}

void quash_mcp_prompts_released_(quash_request *request)
{
	const quash_mcp_prompt *const prompt = quash_mcp_called_of(request, quash_mcp_prompts_get_);
	if (prompt != NULL && prompt->released != NULL)
		prompt->released(request);
}

/* --- Results */

static void put_messages_key(quash_writer *w, const quash_request *request)
{
	const quash_mcp_prompt *const prompt = quash_mcp_prompt_of_(request);
	quash_mcp_begin(w, request);
	quash_put_optional(w, "description", prompt != NULL ? prompt->description : NULL);
	quash_put_key(w, "messages");
	quash_put_array(w);
}

static void put_messages(quash_writer *w, const quash_request *request)
{
	put_messages_key(w, request);
	quash_mcp_put_content(w, request);
}

static void put_literal_message(quash_writer *w, const quash_request *request)
{
	put_messages_key(w, request);
	quash_mcp_put_message(w, "user", quash_mcp_const_slot_of(request)->call.content.text);
}

int32_t quash_mcp_messages(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_messages);
}

int32_t quash_mcp_prompt_text_(quash_request *request, const char *text)
{
	return quash_mcp_reply_literal(request, text, put_literal_message);
}
