/* SPDX-License-Identifier: MIT */
#include "bridge_calls.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "format.h"
#include "text.h"
#include "reading.h"

#include <string.h>
#include <strings.h>

/* --- Whose */

enum { TITLE = 64, TOOL = 64 + 1 };

void calls_whose(const struct client *client, quash_value params, char to[CALLS_WHOSE])
{
	const quash_value meta = quash_get(params, "_meta");
	const quash_value modern = quash_get(quash_member(meta, "io.modelcontextprotocol/clientInfo"), "name");
	char title[TITLE] = "";
	text_fit(title, sizeof title, quash_kind_of(modern) == QUASH_STRING ? quash_text(modern) : client->title);
	format_text(to, CALLS_WHOSE, "%s%s%s%s", client->wire.name, title[0] != '\0' ? " (" : "", title, title[0] != '\0' ? ")" : "");
}

static void note_title(struct client *client, const quash_request *request)
{
	const quash_value name = quash_get(quash_params_of(request), "clientInfo.name");
	if (strcmp(quash_method_of(request)->name, "initialize") == 0 && quash_kind_of(name) == QUASH_STRING)
		text_fit(client->title, sizeof client->title, quash_text(name));
}

/* --- How it ended */

static const char *cancelled_by(const struct client *client, const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (client->leaving)
		return b->stopped ? "cancelled: the bridge ends" : "cancelled: its client has left";
	switch (quash_cancelled(request)) {
	case QUASH_BY_SESSION: return "cancelled: its client has begun a new session";
	case QUASH_BY_OTHER_SIDE: return "cancelled by its client";
	case QUASH_BY_DEADLINE: return "cancelled: it has taken too long";
	case QUASH_BY_LINK: return "cancelled: its client is gone";
	default: return "cancelled";
	}
}

static const char *failed_result(const struct own *own)
{
	const bool says_so = own->text != NULL && strstr(own->text, "\"isError\":true") != NULL;
	return own->failed || says_so ? "result with isError" : "result";
}

static enum log_level level_of(struct bridge *b, const char *method)
{
	const char *const call = b->options.protocol->call;
	return call == NULL || strcmp(method, call) == 0 ? LOG_INFO : LOG_DEBUG;
}

/* `name`: of the tool, where the protocol has tools; or "". */
static void show_line(struct bridge *b, const char *who, const char *method, const char *name, const char *end, int32_t code, uint32_t ms)
{
	char what[TOOL] = "", error[TITLE] = "";
	text_fit(what, sizeof what, b->options.protocol->call != NULL ? name : "");
	if (code != 0)
		format_text(error, sizeof error, " %ld", (long)code);
	log_line(b, level_of(b, method), "%s: %s%s%s: %s%s after %lu ms", who, method, what[0] != '\0' ? " " : "", what, end, error, (unsigned long)ms);
}

static void show_end(const struct client *client, const quash_request *request, const char *end, int32_t code)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct own *const own = wire_const_own(request);
	const char *const method = quash_method_of(request)->name;
	char who[CALLS_WHOSE];
	if (!log_shows(b, level_of(b, method)))
		return;
	const quash_value name = quash_get(quash_params_of(request), "name");
	calls_whose(client, quash_params_of(request), who);
	show_line(b, who, method, quash_kind_of(name) == QUASH_STRING ? quash_text(name) : "", end, code, client->wire.now - own->started);
}

/* --- Refused before it began: its text alone is left */

struct refused {
	enum { NO_PART, ITS_METHOD, ITS_PARAMS, ITS_NAME } part;
	char method[LOOK_NAME], name[TOOL];
};

static void end_part(struct refused *to, const struct reading *r, bool key)
{
	const char *const text = r->length <= READING_TEXT ? r->text : "";
	const bool inside = to->part == ITS_PARAMS || to->part == ITS_NAME;
	if (key && r->lex.depth == 1)
		to->part = reading_is(r, "method") ? ITS_METHOD : reading_is(r, "params") ? ITS_PARAMS : NO_PART;
	else if (key && r->lex.depth == 2 && inside)
		to->part = reading_is(r, "name") ? ITS_NAME : ITS_PARAMS;
	else if (r->lex.depth == 1 && to->part == ITS_METHOD)
		text_fit(to->method, sizeof to->method, text);
	else if (!key && r->lex.depth == 2 && to->part == ITS_NAME)
		text_fit(to->name, sizeof to->name, text);
}

static void read_refused(struct refused *to, const char *text, size_t n)
{
	struct reading r;
	quash_lex_event event;
	bool key = false;
	*to = (struct refused){ .part = NO_PART };
	reading_begin(&r, text, n);
	while ((event = reading_next(&r)) != QUASH_LEX_MORE && event != QUASH_LEX_ERROR) {
		if (event == QUASH_LEX_END)
			end_part(to, &r, key);
		key = event == QUASH_LEX_KEY || (key && event != QUASH_LEX_END);
	}
}

/* The wire reads nothing on while its peer has not taken a message. */
static void show_refused(const struct client *client, int32_t code)
{
	struct bridge *const b = client->wire.bridge;
	struct refused refused;
	char who[CALLS_WHOSE];
	size_t n;
	if (!log_shows(b, LOG_INFO))
		return;
	const char *const message = wire_message(&client->wire, &n);
	read_refused(&refused, message, n);
	calls_whose(client, (quash_value){ 0 }, who);
	if (refused.method[0] != '\0')
		show_line(b, who, refused.method, refused.name, "error", code, 0);
}

void calls_see(struct wire *wire, quash_event event, const quash_request *request, int32_t detail)
{
	struct client *const client = (struct client *)(void *)wire;
	const quash_method *const method = request != NULL ? quash_method_of(request) : NULL;
	if (event == QUASH_REFUSED)
		show_refused(client, detail);
	if (method == NULL || (method->marks & QUASH_NOTIFICATION) != 0)
		return;
	if (event != QUASH_PARKED && event != QUASH_STARTED && event != QUASH_RECORDED && event != QUASH_SILENCED)
		return;
	struct own *const own = wire_own((quash_request *)(uintptr_t)request);
	if (event == QUASH_PARKED)
		own->stopped = wire->stopped && wire_may_stop(wire, method->name);
	if (event == QUASH_PARKED || event == QUASH_STARTED)
		own->started = wire->now;
	if (event == QUASH_PARKED || event == QUASH_STARTED || own->told)
		return;
	own->told = true;
	note_title(client, request);
	const bool cancelled = event == QUASH_SILENCED || (detail != 0 && quash_cancelled(request) != QUASH_NOT_CANCELLED);
	const bool stopped = own->stopped && detail == QUASH_CANCELLED && !cancelled;
	const char *const end = cancelled ? cancelled_by(client, request) : stopped ? FORWARD_STOPPED : detail != 0 ? "error" : failed_result(own);
	show_end(client, request, end, cancelled || stopped ? 0 : detail);
}

/* --- Cancels: what one says */

enum { ID = 80 };

struct cancel {
	struct reading reading;
	const quash_dialect *dialect;
	char method[LOOK_NAME];
	bool request;        /* it has an id itself */
	bool in_key;
	enum { OTHER, METHOD, PARAMS, CANCELLED, OWN_ID } part;
	bool has_id, usable; /* of what it cancels; a number or a string */
	bool text;
	char id[ID];
};

static void end_key(struct cancel *c)
{
	const struct reading *const r = &c->reading;
	const quash_dialect *const d = c->dialect;
	if (r->lex.depth == 1)
		c->part = reading_is(r, "method") ? METHOD : reading_is(r, "params") ? PARAMS : reading_is(r, "id") ? OWN_ID : OTHER;
	else
		c->part = reading_is(r, d->cancel_id) || (d->cancel_id_alias != NULL && reading_is(r, d->cancel_id_alias)) ? CANCELLED : OTHER;
}

static void end_text(struct cancel *c)
{
	const struct reading *const r = &c->reading;
	if (c->in_key) {
		end_key(c);
	} else if (c->part == METHOD) {
		text_fit(c->method, sizeof c->method, r->length <= READING_TEXT ? r->text : "");
	} else if (c->part == CANCELLED) {
		text_fit(c->id, sizeof c->id, r->length <= READING_TEXT ? r->text : "");
		c->usable = true;
	}
	c->in_key = false;
}

static bool is_inside(const struct cancel *c, bool in_params)
{
	return c->reading.lex.depth == 1 || (in_params && c->reading.lex.depth == 2);
}

static void read_cancel(struct cancel *c, const char *text, size_t n)
{
	quash_lex_event event;
	bool in_params = false;
	reading_begin(&c->reading, text, n);
	while ((event = reading_next(&c->reading)) != QUASH_LEX_MORE && event != QUASH_LEX_ERROR) {
		if (event == QUASH_LEX_OBJECT && c->reading.lex.depth == 2)
			in_params = c->part == PARAMS;
		if (event == QUASH_LEX_KEY) {
			c->in_key = is_inside(c, in_params);
			c->part = c->in_key ? c->part : OTHER;
			continue;
		}
		c->request = c->request || (c->part == OWN_ID && !c->in_key);
		c->has_id = c->has_id || (c->part == CANCELLED && !c->in_key);
		if (event == QUASH_LEX_ARRAY || event == QUASH_LEX_OBJECT)
			c->part = OTHER; /* what stands in it is no id */
		if (event == QUASH_LEX_STRING || event == QUASH_LEX_NUMBER)
			c->text = c->part == CANCELLED && !c->in_key ? event == QUASH_LEX_STRING : c->text;
		else if (event == QUASH_LEX_END)
			end_text(c);
	}
}

/* --- Cancels: what one ends */

enum { KIN = 32 };

/* Letters alone, small, with one l. */
static void letters_of(const char *name, char to[KIN])
{
	size_t n = 0;
	for (; *name != '\0' && n < KIN - 1; name++) {
		const char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
		if (c >= 'a' && c <= 'z' && !(c == 'l' && n > 0 && to[n - 1] == 'l'))
			to[n++] = c;
	}
	to[n] = '\0';
}

/* How other protocols, and people, spell it. */
static bool is_meant_as_cancel(const char *method)
{
	static const char *const kin[] = { "notificationscanceled", "notificationcanceled", "notificationscancel", "notificationcancel", "cancelrequest",
		"requestcancel", "canceled", "cancel" };
	char letters[KIN];
	letters_of(method, letters);
	for (size_t i = 0; i < sizeof kin / sizeof kin[0]; i++) {
		if (strcmp(letters, kin[i]) == 0)
			return true;
	}
	return false;
}

/* As somebody may have meant it: the same number, or the same letters. */
static bool is_akin(const char *id, const char *other)
{
	const char *const letters = id + strspn(id, " ");
	const size_t length = strlen(other);
	if (text_is_same_number(letters, other))
		return true;
	return strncasecmp(letters, other, length) == 0 && letters[length + strspn(letters + length, " ")] == '\0';
}

/* What the log says of a cancel with this id; NULL: nothing. */
static const char *judge_id(const struct client *client, const struct cancel *c, char its[ID + 2])
{
	quash_live live = { .request = NULL };
	const char *why = NULL;
	while (quash_next_live(&client->wire.peer, &live)) {
		char id[ID];
		if (live.id == NULL || live.ended)
			continue;
		format_text(id, sizeof id, "%.*s", (int)live.id_length, live.id);
		if (c->usable && strcmp(id, c->id) == 0 && live.id_is_number != c->text)
			return NULL;
		if (!c->usable || !is_akin(c->id, id))
			continue;
		format_text(its, ID + 2, live.id_is_number ? "%s" : "\"%s\"", id);
		why = live.id_is_number == c->text ? "of another type than" : "spelled otherwise than";
	}
	return why;
}

static void judge_cancel(const struct client *client, const struct cancel *c)
{
	struct bridge *const b = client->wire.bridge;
	const char *const name = client->wire.name, *const quote = c->text ? "\"" : "";
	char its[ID + 2] = "";
	const char *const why = judge_id(client, c, its);
	if (!c->has_id)
		log_line(b, LOG_WARNING, "%s: a cancel ends nothing: it has no %s", name, c->dialect->cancel_id);
	else if (!c->usable)
		log_line(b, LOG_WARNING, "%s: a cancel ends nothing: its %s is neither a number nor a string", name, c->dialect->cancel_id);
	else if (why != NULL)
		log_line(b, LOG_WARNING, "%s: a cancel ends nothing: its %s %s%s%s is %s the id %s of the request", name, c->dialect->cancel_id, quote, c->id, quote, why, its);
}

/* Each message is looked at, so that most are passed over fast. */
static bool has_cancel(const char *text, size_t n)
{
	const char *at = text;
	while ((at = memchr(at, 'a', n - (size_t)(at - text))) != NULL) {
		if (n - (size_t)(at - text) >= 5 && memcmp(at, "ancel", 5) == 0)
			return true;
		at++;
	}
	return false;
}

/* What names a session, as `session/cancel` does, needs no id. */
static bool cancels_by_id(const quash_dialect *dialect, const char *method)
{
	uint8_t i = 0;
	while (i < dialect->cancel_count && strcmp(dialect->cancels[i].method, method) != 0)
		i++;
	return i < dialect->cancel_count && dialect->cancels[i].target == NULL;
}

void calls_look_at(const struct client *client, const char *text, size_t n)
{
	struct bridge *const b = client->wire.bridge;
	struct cancel c = { .dialect = b->options.protocol->dialect };
	if (!has_cancel(text, n))
		return;
	read_cancel(&c, text, n);
	if (c.request)
		return;
	if (cancels_by_id(c.dialect, c.method))
		judge_cancel(client, &c);
	else if (is_meant_as_cancel(c.method))
		log_line(b, LOG_WARNING, "%s: %s ends nothing: a cancel of %s is %s", client->wire.name, c.method, b->options.protocol->name,
			c.dialect->cancels[0].method);
}
