/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_confirm.h"

#include "../core/lease.h"
#include "mcp_inner.h"
#include "mcp_ticket.h"

enum { CONFIRM_LOOK = 20, CONFIRM_REACTION = 300 };
#define MOST_STOPS UINT32_MAX

enum confirm_stage {
	CONFIRM_NEW,
	CONFIRM_WAITS,   /* for a person, or for the button */
	CONFIRM_RUNS,    /* `call` is called */
	CONFIRM_STOPS    /* likewise, and it is cancelled */
};

/* --- What models and people read. Of a library in one file some compilers keep each literal, but no array that is not
 * used */

static const char words_mute[] = "Nothing was done: a person must confirm this, and this client cannot ask one";
static const char words_taken[] = "Nothing was done: the button on the device waits for another call";
static const char words_waiting[] = "waits for the button on the device";
static const char words_declined[] = "Nothing was done: the person has declined it";
static const char words_closed[] = "Nothing was done: the person has closed the question without an answer";
static const char words_failed[] = "Nothing was done: the client could not ask for the confirmation";
static const char words_overdue[] = "Nothing was done: nobody has confirmed it in time";
static const char words_not_pressed[] = "Nothing was done: nobody has pressed the button on the device in time";
static const char words_stopped[] = "Nothing was done: something was stopped while this waited for its confirmation";
static const char words_used[] = "Nothing was done: this confirmation was used before, or is older than one that was";

/* --- Names, likewise */

static const char name_by[] = "by", name_arming[] = "arming", name_armed[] = "armed", name_wait[] = "wait",
	name_when[] = "when", name_tool[] = "tool";
static const char name_param[] = "param", name_parts[] = "parts", name_rules[] = "rules",
	name_confirm[] = "mcp_confirm";
static const char text_confirm[] = "Confirm ", text_is[] = " is ", text_stop[] = ". ", text_decline[] = "decline";

/* --- Rules */

static const quash_mcp_confirm *confirm_of(const quash_mcp_server *server)
{
	return (const quash_mcp_confirm *)(const void *)quash_mcp_part_of(server, &quash_mcp_confirm_kind);
}

static const quash_mcp_rule *find_rule(const quash_mcp_server *server, const char *tool)
{
	const quash_mcp_confirm *const confirm = confirm_of(server);
	for (uint8_t i = 0; confirm != NULL && i < confirm->count; i++) {
		if (quash_same_text(confirm->rules[i].tool, tool))
			return &confirm->rules[i];
	}
	return NULL;
}

static const quash_param *find_int(const quash_params *table, const char *name)
{
	for (uint8_t i = 0; table != NULL && i < table->count; i++) {
		if (quash_same_text(table->list[i].name, name) && table->list[i].type == &quash_param_int)
			return &table->list[i];
	}
	return NULL;
}

static const quash_mcp_rule *rule_of(const quash_request *request)
{
	const quash_mcp_tool *const tool = quash_mcp_tool_of(request);
	if (tool == NULL || tool->motion.end != quash_mcp_confirm_end)
		return NULL;
	return find_rule(quash_mcp_server_of(request), tool->name);
}

/* The arguments, which have been copied into the struct. */
static const uint8_t *fields_of(const quash_request *request)
{
	return quash_mcp_const_tool_state_(request, quash_mcp_tool_of(request)->args->size);
}

static bool matters(const quash_request *request, const quash_mcp_rule *rule)
{
	const quash_params *const args = quash_mcp_tool_of(request)->args;
	const quash_param *const param = rule->param != NULL ? find_int(args, rule->param) : NULL;
	if (param == NULL)
		return rule->when == NULL || rule->when(request);
	const int32_t value = *(const int32_t *)(const void *)(fields_of(request) + param->offset);
	return value > rule->above || value < rule->below;
}

/* --- Arming */

void quash_mcp_press(quash_mcp_arming *arming)
{
	arming->presses = (uint8_t)(arming->presses + 1);
}

bool quash_mcp_waits(const quash_mcp_arming *arming)
{
	return arming->waits != NULL;
}

static void forget(quash_mcp_arming *arming)
{
	arming->session = NULL;
}

/* Where nothing was asked since the last stop there is nothing that this one makes void: a loop that disarms in each
 * turn counts once. No number comes twice: the last one stays. */
void quash_mcp_disarm(quash_mcp_arming *arming)
{
	forget(arming);
	if (arming->asked && arming->stops < MOST_STOPS)
		arming->stops++;
	arming->asked = false;
}

/* After a stop it is not known how things stand, also while a handler still slows down. A cancel may have been received
 * after this motion was looked at last, so all that move are looked at before anything is confirmed or found armed. */
static void note_stops(quash_mcp_arming *arming)
{
	quash_mcp_confirming *c;
	for (quash_request *request = arming->runs; request != NULL; request = c->next) {
		c = QUASH_TOOL(quash_mcp_confirming, request);
		if (c->stage != CONFIRM_RUNS || quash_cancelled(request) == QUASH_NOT_CANCELLED)
			continue;
		c->stage = CONFIRM_STOPS;
		quash_mcp_disarm(arming);
	}
}

static bool has_stopped(quash_mcp_arming *arming, const quash_mcp_confirming *c)
{
	note_stops(arming);
	return c->stops != arming->stops || arming->stops == MOST_STOPS;
}

/* It is found to be over once and for all: the clock comes round. */
bool quash_mcp_is_armed(const quash_peer *peer, quash_mcp_arming *arming)
{
	note_stops(arming);
	const quash_mcp_session *const session = arming->session;
	if (session == NULL || (session->client & MCP_ARMED) == 0 || quash_now(peer) - arming->since >= arming->until)
		forget(arming);
	return arming->session != NULL;
}

/* The session's mark is for all rules: what an earlier session has armed must not come back with it. */
static void mark_session(const quash_mcp_server *server)
{
	const quash_mcp_confirm *const confirm = confirm_of(server);
	for (uint8_t i = 0; (server->session->client & MCP_ARMED) == 0 && i < confirm->count; i++) {
		if (confirm->rules[i].arming->session == server->session)
			forget(confirm->rules[i].arming);
	}
	server->session->client |= MCP_ARMED;
}

static void arm(const quash_request *request, const quash_mcp_rule *rule)
{
	const quash_mcp_server *const server = quash_mcp_server_of(request);
	if (rule->armed == 0)
		return;
	mark_session(server);
	rule->arming->session = server->session;
	rule->arming->since = quash_now(quash_peer_of(request));
	rule->arming->until = rule->armed;
}

static void forget_armed(quash_mcp_session *session, quash_value params)
{
	(void)params;
	session->client = (uint8_t)(session->client & ~(unsigned)MCP_ARMED);
}

/* In the modern era the state is good for as long as it lives: it confirms or declines once. */
static bool is_used(const quash_request *request, quash_mcp_arming *arming)
{
	const uint32_t now = quash_now(quash_peer_of(request));
	uint32_t made = 0;
	if (!quash_mcp_is_modern(request) || !quash_mcp_ticket_time(request, &made))
		return false;
	if (arming->used && now - made >= now - arming->last)
		return true;
	arming->used = true;
	arming->last = made;
	return false;
}

/* --- The question */

static void put_argument(quash_writer *w, const quash_request *request, const quash_param *param)
{
	if ((param->type->marks & QUASH_PARAM_IN_PARAMS) == 0)
		param->type->put(w, param, fields_of(request));
	else
		quash_put_value(w, quash_mcp_argument(request, param->name));
}

/* A text with values in it: what is put as it is stands between them. */
static void put_question_words(quash_writer *w, const quash_request *request)
{
	const quash_mcp_rule *const rule = rule_of(request);
	const quash_params *const table = quash_mcp_tool_of(request)->args;
	quash_put_quote_open(w);
	quash_put_comma(w);
	quash_put_plain(w, text_confirm);
	quash_put_plain(w, rule->tool);
	for (uint8_t i = 0; i < table->count; i++) {
		quash_put_plain(w, i == 0 ? ": " : ", ");
		quash_put_plain(w, table->list[i].name);
		quash_put_head(w, text_is);
		put_argument(w, request, &table->list[i]);
	}
	quash_put_plain(w, rule->words != NULL ? text_stop : "");
	quash_put_plain(w, rule->words != NULL ? rule->words : "");
	quash_put_quote_close(w);
}

static void put_confirmation(quash_writer *w, const quash_call *call)
{
	static const quash_params nothing = { NULL, 0, 0, NULL };
	quash_put_object(w);
	quash_mcp_put_related(w, call);
	quash_put_key(w, "message");
	put_question_words(w, call->parent);
	quash_put_key(w, "requestedSchema");
	quash_put_schema(w, &nothing);
	quash_put_end(w);
}

static bool ask_person(quash_request *request, const quash_mcp_rule *rule, quash_call *call)
{
	call->put = put_confirmation;
	call->marks = MCP_CONFIRMATION;
	return (rule->by & QUASH_MCP_BY_PERSON) != 0 && quash_mcp_ask(request, call, QUASH_MCP_ELICITATION) == QUASH_DONE;
}

/* --- Waiting */

static void leave_button(const quash_request *request, quash_mcp_arming *arming)
{
	if (arming->waits == request)
		arming->waits = NULL;
}

/* Whoever presses sooner than he can have read has meant something else. The looks may be far apart: a press counts
 * from the first one after that time on. What there is to read may have to wait for TX. */
static bool is_pressed(quash_request *request, const quash_mcp_arming *arming, quash_mcp_confirming *c)
{
	const uint8_t presses = arming->presses;
	if (c->counts)
		return c->presses != presses;
	c->counts = quash_now(quash_peer_of(request)) - c->since >= CONFIRM_REACTION;
	c->presses = presses;
	(void)quash_mcp_progress(request, 0, 0, words_waiting);
	return false;
}

/* A bridge announces what some of its clients can be asked; this one may be another. */
static bool has_failed(const quash_call *call)
{
	return quash_call_in_use(call) && quash_call_has_ended(call) && quash_call_outcome(call) != QUASH_CALL_RESULT;
}

/* QUASH_PENDING: it waits on; QUASH_DONE: it is confirmed, or the answer is recorded. `*confirmed` is which. */
static int32_t look_at_answer(quash_request *request, const quash_mcp_rule *rule, const quash_mcp_confirming *c,
	bool *confirmed)
{
	const quash_value action = quash_member(quash_call_answer(&c->call), "action");
	if (!quash_call_has_ended(&c->call))
		return QUASH_PENDING;
	if (has_failed(&c->call))
		return quash_mcp_failure_(request, words_failed);
	*confirmed = quash_value_is(&action, "accept");
	if (*confirmed)
		return QUASH_DONE;
	(void)is_used(request, rule->arming);
	if (quash_value_is(&action, text_decline))
		return quash_mcp_failure_(request, words_declined);
	return quash_mcp_failure_(request, words_closed);
}

static int32_t wait_for_confirmation(quash_request *request, const quash_mcp_rule *rule, quash_mcp_confirming *c,
	bool *confirmed)
{
	const uint32_t waited = quash_now(quash_peer_of(request)) - c->since;
	const bool at_button = rule->arming->waits == request;
	if (at_button && has_failed(&c->call))
		(void)quash_call_release(&c->call);
	const bool asked = quash_call_in_use(&c->call);
	*confirmed = false;
	if (has_stopped(rule->arming, c))
		return quash_mcp_failure_(request, words_stopped);
	if (waited >= rule->wait) /* also if an answer has come: too late */
		return quash_mcp_failure_(request, at_button && !asked ? words_not_pressed : words_overdue);
	*confirmed = at_button && is_pressed(request, rule->arming, c);
	int32_t outcome = *confirmed ? QUASH_DONE : QUASH_PENDING;
	if (!*confirmed && asked)
		outcome = look_at_answer(request, rule, c, confirmed);
	return outcome != QUASH_PENDING ? outcome : quash_wait(request, at_button ? CONFIRM_LOOK : rule->wait - waited);
}

/* True: it is the one that waits. A modern client that asks sends the request again: nothing waits meanwhile. */
static bool take_button(quash_request *request, const quash_mcp_rule *rule, bool asked)
{
	if ((rule->by & QUASH_MCP_BY_BUTTON) == 0 || rule->arming->waits != NULL || (asked && quash_mcp_is_modern(request)))
		return false;
	rule->arming->waits = request;
	return true;
}

/* False: there is no way to confirm it, and the refusal is recorded. */
static bool begin_to_wait(quash_request *request, const quash_mcp_rule *rule, quash_mcp_confirming *c)
{
	note_stops(rule->arming);
	rule->arming->asked = true;
	c->stops = rule->arming->stops;
	c->call.context = &c->stops;
	const bool asked = ask_person(request, rule, &c->call);
	c->stage = CONFIRM_WAITS;
	c->since = quash_now(quash_peer_of(request));
	if (take_button(request, rule, asked) || asked)
		return true;
	if ((rule->by & QUASH_MCP_BY_BUTTON) != 0)
		(void)quash_mcp_failure_(request, words_taken);
	else
		(void)quash_mcp_failure_(request, words_mute);
	return false;
}

static int32_t begin_to_run(quash_request *request, const quash_mcp_rule *rule, quash_mcp_confirming *c)
{
	const uint32_t whole = quash_mcp_tool_of(request)->motion.longest;
	if (is_used(request, rule->arming))
		return quash_mcp_failure_(request, words_used);
	if (c->stage == CONFIRM_WAITS)
		arm(request, rule);
	if (quash_is_limit(whole) && whole > rule->wait)
		quash_deadline(request, whole - rule->wait);
	if (quash_call_in_use(&c->call))
		quash_call_cancel(&c->call);
	leave_button(request, rule->arming);
	c->next = rule->arming->runs;
	rule->arming->runs = request;
	c->stage = CONFIRM_RUNS;
	return rule->call(request);
}

/* One that arms nothing is confirmed each time, whatever another rule has armed. */
static bool must_be_confirmed(const quash_request *request, const quash_mcp_rule *rule)
{
	return matters(request, rule) && !(rule->armed != 0 && quash_mcp_is_armed(quash_peer_of(request), rule->arming));
}

int32_t quash_mcp_confirm_call(quash_request *request)
{
	const quash_mcp_rule *const rule = rule_of(request);
	quash_mcp_confirming *const c = QUASH_TOOL(quash_mcp_confirming, request);
	bool confirmed = true;
	if (rule == NULL)
		return QUASH_INTERNAL_ERROR;
	if (c->stage >= CONFIRM_RUNS)
		return rule->call(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (c->stage == CONFIRM_NEW && must_be_confirmed(request, rule) && !begin_to_wait(request, rule, c))
		return QUASH_DONE;
	const bool waits = c->stage == CONFIRM_WAITS;
	const int32_t outcome = waits ? wait_for_confirmation(request, rule, c, &confirmed) : QUASH_DONE;
	return confirmed ? begin_to_run(request, rule, c) : outcome;
}

/* What has stopped it is noted before it is out of sight. */
static void leave_runs(const quash_request *request, quash_mcp_arming *arming)
{
	quash_request **at = &arming->runs;
	note_stops(arming);
	while (*at != NULL && *at != request)
		at = &QUASH_TOOL(quash_mcp_confirming, *at)->next;
	if (*at != NULL)
		*at = QUASH_TOOL(quash_mcp_confirming, *at)->next;
}

int32_t quash_mcp_confirm_end(quash_request *request)
{
	const quash_mcp_rule *const rule = rule_of(request);
	quash_mcp_confirming *const c = QUASH_TOOL(quash_mcp_confirming, request);
	if (rule == NULL)
		return QUASH_DONE;
	leave_button(request, rule->arming);
	if (c->stage < CONFIRM_RUNS)
		return QUASH_DONE;
	const int32_t outcome = rule->end != NULL ? rule->end(request) : QUASH_DONE;
	if (outcome != QUASH_PENDING)
		leave_runs(request, rule->arming);
	return outcome;
}

/* --- Checks */

static const quash_mcp_tool *find_by_name(const quash_mcp_server *server, const char *name)
{
	for (uint8_t i = 0; name != NULL && i < server->tool_count; i++) {
		if (quash_same_text(server->tools[i].name, name))
			return &server->tools[i];
	}
	return NULL;
}

/* A field that is no part of it would be written over it. */
static bool begins_with_confirming(const quash_params *table)
{
	for (uint8_t i = 0; i < table->count; i++) {
		if ((table->list[i].type->marks & QUASH_PARAM_IN_PARAMS) == 0 &&
			table->list[i].offset < sizeof(quash_mcp_confirming))
			return false;
	}
	return table->size >= sizeof(quash_mcp_confirming);
}

static bool can_ask_person(const quash_mcp_server *server)
{
	const quash_mcp_part *const *part = server->parts;
	while (*part != NULL && (*part)->kind->begin != quash_mcp_read_client)
		part++;
	return *part != NULL;
}

static const char *wrong_time(const quash_mcp_rule *rule, uint32_t deadline)
{
	if (rule->wait == 0 || rule->wait > INT32_MAX || (quash_is_limit(deadline) && deadline <= rule->wait))
		return name_wait;
	return rule->armed > INT32_MAX ? name_armed : NULL;
}

static const char *wrong_member(const quash_mcp_server *server, const quash_mcp_rule *rule)
{
	const quash_mcp_tool *const tool = find_by_name(server, rule->tool);
	const uint8_t known = QUASH_MCP_BY_PERSON | QUASH_MCP_BY_BUTTON;
	if (tool == NULL || tool->call != quash_mcp_confirm_call || tool->motion.end != quash_mcp_confirm_end ||
		find_rule(server, rule->tool) != rule)
		return name_tool;
	if (tool->args == NULL || !begins_with_confirming(tool->args))
		return "args";
	if (rule->param != NULL && find_int(tool->args, rule->param) == NULL)
		return name_param;
	if (rule->param != NULL && rule->when != NULL)
		return name_when;
	if (rule->call == NULL)
		return "call";
	if (rule->arming == NULL)
		return name_arming;
	if (rule->by == 0 || (rule->by & ~known) != 0)
		return name_by;
	return wrong_time(rule, tool->motion.longest);
}

static bool check_confirm(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	const quash_mcp_confirm *const confirm = (const quash_mcp_confirm *)(const void *)part;
	(void)config;
	for (uint8_t i = 0; i < confirm->count; i++) {
		const quash_mcp_rule *const rule = &confirm->rules[i];
		if (!quash_check_member(fault, name_confirm, rule->tool, wrong_member(server, rule)) ||
			!quash_check_member(fault, "server", server->name,
				rule->by != QUASH_MCP_BY_BUTTON && !can_ask_person(server) ? name_parts : NULL))
			return false;
	}
	for (uint8_t i = 0; i < server->tool_count; i++) {
		const quash_mcp_tool *const tool = &server->tools[i];
		const bool ruled = tool->call != quash_mcp_confirm_call || find_rule(server, tool->name) != NULL;
		if (!quash_check_member(fault, name_confirm, tool->name, ruled ? NULL : name_rules))
			return false;
	}
	return true;
}

const struct quash_mcp_kind quash_mcp_confirm_kind = { .machine = &quash_mcp_machine, .begin = forget_armed,
	.check = check_confirm };
