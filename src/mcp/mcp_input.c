/* SPDX-License-Identifier: MIT
 * Questions of modern requests: `input_required` (2026-07-28 basic/patterns/mrtr) */
#include "../../include/quash/mcp_input.h"

#include "../call/call_inner.h"
#include "../core/answer.h"
#include "mcp_inner.h"
#include "mcp_ticket.h"

/* --- Names and words. Of a library in one file some compilers keep each literal, but no array that is not used */

static const char input_requests[] = "inputRequests", input_required[] = "input_required",
	input_needed[] = "requiredCapabilities";
static const char input_part[] = "mcp_input", input_key[] = "key", input_lifetime[] = "lifetime",
	input_parts[] = "parts";
static const char words_confirm[] = "confirm", hex_digits[] = "0123456789abcdef";
static const char words_wrong[] = "requestState is wrong, or of another request, or has expired";
static const char words_unable[] = "The client cannot be asked for what this needs";

static const quash_mcp_input *input_of(const quash_request *request)
{
	return (const quash_mcp_input *)(const void *)quash_mcp_part_of(quash_mcp_server_of(request),
		&quash_mcp_input_kind);
}

/* --- The calls of questions. No response answers them, so they stand in no list but that of their parent's children.
 * There `next`, which is that list's, leads back to the call */

static bool is_question(const quash_call *call)
{
	return call->next == call;
}

static bool is_open_question(const quash_call *call)
{
	return is_question(call) && call->state == CALL_OPEN;
}

/* The question with that number. */
static const quash_call *find_question(const quash_request *request, uint8_t n)
{
	const quash_call *call = request->peer->children;
	while (call != NULL && !(call->parent == request && is_question(call) && call->id == n))
		call = call->sibling;
	return call;
}

enum { MOST_QUESTIONS = 99, FEWEST_DIGITS = 2, STOPS_DIGITS = 8, QUESTION_NAME = sizeof words_confirm + STOPS_DIGITS };

/* A confirmation is known by how many stops there were before it. */
static const char *confirmation_name(uint32_t stops, char name[QUESTION_NAME])
{
	uint_fast8_t at = 0, digits = FEWEST_DIGITS;
	for (; words_confirm[at] != '\0'; at++)
		name[at] = words_confirm[at];
	while (digits < STOPS_DIGITS && stops >> 4 * digits != 0)
		digits++;
	for (; digits > 0; digits--)
		name[at++] = hex_digits[stops >> 4 * (digits - 1u) & 15];
	name[at] = '\0';
	return name;
}

/* `q` and its number, if it has no name of its own. */
static const char *question_name(const quash_call *call, char name[QUESTION_NAME])
{
	const unsigned n = (unsigned)call->id;
	uint_fast8_t at = 0;
	if ((call->marks & QUASH_MCP_NAMED) != 0)
		return call->context;
	if ((call->marks & MCP_CONFIRMATION) != 0)
		return confirmation_name(*(const uint32_t *)call->context, name);
	name[at++] = 'q';
	if (n >= 10)
		name[at++] = (char)('0' + n / 10 % 10);
	name[at++] = (char)('0' + n % 10);
	name[at] = '\0';
	return name;
}

static quash_value answer_to(const quash_call *call)
{
	char name[QUESTION_NAME];
	return quash_mcp_ticket_answer(call->parent, question_name(call, name));
}

/* What it shows stands in the request's params, which may have moved. */
static void show_answer(quash_call *call)
{
	const quash_value answer = answer_to(call);
	call->tape = answer.at;
	call->tape_size = (quash_size)(answer.end - answer.at);
}

static void begin_question(quash_request *request, quash_call *call)
{
	quash_peer *const peer = request->peer;
	call->peer = peer;
	call->parent = request;
	call->next = call;
	call->sibling = peer->children;
	call->flags = 0;
	call->tape_size = 0;
	call->outcome = QUASH_CALL_OPEN;
	call->state = CALL_OPEN;
	peer->children = call;
}

/* As calls do that are too late. It has no number: behind an answer the slot's content is that answer's. */
static int32_t end_at_once(quash_request *request, quash_call *call)
{
	begin_question(request, call);
	call->id = 0;
	quash_call_end(call, QUASH_CALL_CANCELLED);
	return QUASH_DONE;
}

/* Its params are read again: by the questions' answers, and by the state. */
static int32_t ask_modern(quash_request *request, quash_call *call)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (!quash_may_report(request))
		return end_at_once(request, call);
	if (slot->call.content.asked >= MOST_QUESTIONS)
		return QUASH_TOO_LARGE;
	slot->call.marks = (uint8_t)(slot->call.marks & ~(unsigned)MCP_COPIED);
	begin_question(request, call);
	call->id = ++slot->call.content.asked;
	const quash_value answer = answer_to(call);
	if (quash_value_kind(&answer) != QUASH_OBJECT)
		return QUASH_DONE;
	call->state = CALL_ENDED;
	call->outcome = QUASH_CALL_RESULT;
	quash_call_mark(call, CALL_KEPT);
	show_answer(call);
	return QUASH_DONE;
}

static uint8_t can_modern(const quash_request *request)
{
	return quash_mcp_read_capabilities(quash_mcp_meta(request, MCP_META_CLIENT));
}

/* --- The result that holds the questions */

static void put_question(quash_writer *w, const quash_call *call)
{
	char name[QUESTION_NAME];
	quash_put_key(w, question_name(call, name));
	quash_put_object(w);
	quash_put_member(w, "method", call->method);
	if (call->put != NULL) {
		quash_put_key(w, "params");
		call->put(w, call);
	}
	quash_put_end(w);
}

/* Those that are answered have a tape. */
static void put_questions(quash_writer *w, const quash_request *request, uint8_t count)
{
	quash_put_key(w, input_requests);
	quash_put_object(w);
	for (uint8_t n = 1; n <= count; n++) {
		const quash_call *const call = find_question(request, n);
		if (call != NULL && call->outcome != QUASH_CALL_RESULT)
			put_question(w, call);
	}
	quash_put_end(w);
}

static void put_input_required(quash_writer *w, const quash_request *request)
{
	const uint8_t count = quash_mcp_const_slot_of(request)->call.content.asked;
	quash_put_object(w);
	quash_put_member(w, "resultType", input_required);
	quash_put_key(w, "_meta");
	quash_put_object(w);
	quash_put_key(w, MCP_META "serverInfo");
	quash_mcp_put_info(w, quash_mcp_server_of(request));
	quash_put_end(w);
	put_questions(w, request, count);
	quash_put_key(w, quash_mcp_ticket_member);
	quash_mcp_ticket_put(w, request, input_of(request));
	quash_put_end(w);
}

/* --- The end of a round: handlers have run, and one has asked what is not answered yet */

static void end_questions(const quash_request *request)
{
	for (quash_call *call = request->peer->children; call != NULL; call = call->sibling) {
		if (call->parent == request && is_open_question(call)) {
			call->state = CALL_ENDED;
			quash_call_mark(call, CALL_KEPT);
		}
	}
}

static void end_round(quash_request *request)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	end_questions(request);
	if (quash_mcp_ticket_size(request) > (uint32_t)input_of(request)->most + 1) { /* one byte ends them */
		quash_slot_end(request);
		quash_record_error(request, QUASH_TOO_LARGE, QUASH_WHY_HANDLER);
		return;
	}
	slot->call.marks = (uint8_t)(slot->call.marks & ~(unsigned)MCP_RELATED); /* the questions stand in its own result */
	request->put.value = put_input_required;
	(void)quash_record_reply(request, FORM_PUT, 0);
	quash_slot_end(request);
}

/* One that is cancelled ends as a cancelled request does. */
static bool ends_round(const quash_call *call)
{
	const quash_request *const parent = call->parent;
	return is_open_question(call) && parent != NULL && parent->life == LIFE_RUNNING && parent->form == FORM_NONE &&
		quash_cancelled(parent) == QUASH_NOT_CANCELLED;
}

static bool end_rounds(quash_peer *peer)
{
	bool any = quash_calls_end_step(peer);
	for (quash_call *call = peer->children; call != NULL; call = call->sibling) {
		if (!ends_round(call))
			continue;
		end_round(call->parent);
		any = true;
	}
	return any;
}

static quash_size pack_answers(quash_peer *peer, quash_size to, quash_size limit)
{
	const quash_size end = quash_calls_pack(peer, to, limit);
	for (quash_call *call = peer->children; call != NULL; call = call->sibling) {
		if (is_question(call) && call->outcome == QUASH_CALL_RESULT)
			show_answer(call);
	}
	return end;
}

const struct quash_call_hooks quash_mcp_calls = {
	.response = quash_calls_response,
	.next = quash_calls_next,
	.message = &quash_call_message,
	.tick = quash_calls_tick,
	.end_step = end_rounds,
	.gone = quash_calls_gone,
	.cancel_children = quash_calls_cancel_children,
	.hold = quash_calls_hold,
	.free_children = quash_calls_free_children,
	.frees = quash_calls_free,
	.pack = pack_answers,
	.idle = quash_calls_idle,
};

/* --- The part */

static bool open_input(quash_request *request)
{
	const quash_value state = quash_argument(request, quash_mcp_ticket_member);
	if (quash_value_kind(&state) == QUASH_NONE || quash_mcp_ticket_read(request, input_of(request)))
		return true;
	(void)quash_fail_literal(request, QUASH_INVALID_PARAMS, words_wrong);
	return false;
}

/* One that was not drawn yet: anybody could make states. */
static bool is_drawn(const uint8_t *key)
{
	uint8_t any = 0;
	for (uint_fast8_t i = 0; key != NULL && i < QUASH_MCP_KEY; i++)
		any |= key[i];
	return any != 0;
}

/* Two parts that know what clients can be asked: only the first would be looked at. */
static bool is_alone(const quash_mcp_server *server, const quash_mcp_part *part)
{
	const quash_mcp_part *const *other = server->parts;
	while (*other != NULL && (*other == part || (*other)->kind->begin != part->kind->begin))
		other++;
	return *other == NULL;
}

static bool check_input(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_input *const input = (const quash_mcp_input *)(const void *)part;
	const bool timed = input->lifetime >= 1 && input->lifetime <= INT32_MAX;
	return quash_check_member(fault, "config", NULL, config->calls != &quash_mcp_calls ? "calls" : NULL) &&
		quash_check_member(fault, "server", server->name, !is_alone(server, part) ? input_parts : NULL) &&
		quash_check_member(fault, input_part, NULL, !is_drawn(input->key) ? input_key : !timed ? input_lifetime : NULL);
}

static const char meta_form[] = MCP_KEPT_CLIENT ">elicitation>form";
static const char meta_url[] = MCP_KEPT_CLIENT ">elicitation>url";
static const char meta_tools[] = MCP_KEPT_CLIENT ">sampling>tools";
static const char meta_roots[] = MCP_KEPT_CLIENT ">roots";

/* Of capabilities only that they are there. */
static const quash_keep input_keeps[] = {
	{ quash_mcp_answers_member, 0, false },
	{ quash_mcp_ticket_member, 0, false },
	{ meta_form, 0, true },
	{ meta_url, 0, true },
	{ meta_tools, 0, true },
	{ meta_roots, 0, true },
	{ "capabilities>elicitation>form", 0, true },
	{ "capabilities>elicitation>url", 0, true },
	{ "capabilities>sampling>tools", 0, true },
	{ "capabilities>roots", 0, true },
	{ MCP_KEPT_RELATED, 0, true },
};

static const struct quash_mcp_modern_asks modern_asks = { can_modern, ask_modern };

const struct quash_mcp_kind quash_mcp_input_kind = { .machine = &quash_mcp_machine,
	.open = open_input,
	.begin = quash_mcp_read_client,
	.check = check_input,
	.asks = &modern_asks,
	.keeps = input_keeps,
	.keep_count = sizeof input_keeps / sizeof input_keeps[0] };

/* --- What a client must be able to be asked */

static void put_needed_one(quash_writer *w, const char *name, bool needed)
{
	if (!needed)
		return;
	quash_put_key(w, name);
	quash_put_object(w);
	quash_put_end(w);
}

static void put_needed(quash_writer *w, const quash_request *request)
{
	const uint8_t what = quash_mcp_const_slot_of(request)->call.content.asked;
	quash_put_object(w);
	quash_put_key(w, input_needed);
	quash_put_object(w);
	if ((what & (QUASH_MCP_ELICITATION | QUASH_MCP_ELICITATION_URL)) != 0) {
		quash_put_key(w, "elicitation");
		quash_put_object(w);
		put_needed_one(w, "form", (what & QUASH_MCP_ELICITATION) != 0);
		put_needed_one(w, "url", (what & QUASH_MCP_ELICITATION_URL) != 0);
		quash_put_end(w);
	}
	if ((what & (QUASH_MCP_SAMPLING | QUASH_MCP_SAMPLING_TOOLS)) != 0) {
		quash_put_key(w, "sampling");
		quash_put_object(w);
		put_needed_one(w, "tools", (what & QUASH_MCP_SAMPLING_TOOLS) != 0);
		quash_put_end(w);
	}
	put_needed_one(w, "roots", (what & QUASH_MCP_ROOTS) != 0);
	quash_put_end(w);
	quash_put_end(w);
}

int32_t quash_mcp_require(quash_request *request, uint8_t what)
{
	if (quash_may_report(request))
		quash_mcp_slot_of(request)->call.content.asked = what;
	return quash_fail_data_(request, QUASH_MCP_NOT_CAPABLE, words_unable, put_needed);
}
