/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_MS = 120000, PROTOCOLS = 4, MCP_PLACE = 2 };

static void fail(struct play *p, const struct step *step, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void fail(struct play *p, const struct step *step, const char *format, ...)
{
	char words[4096];
	va_list arguments;
	if (p->failed_line != 0)
		return;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	p->failed_line = step != NULL ? step->number : p->scene->number;
	text_append(&p->failure, words);
}

static bool is_lame(struct play *p)
{
	return p->lame = p->lame || p->host.failed;
}

static struct hearing *hearing_of(struct play *p, const struct host_end *end)
{
	return &p->hearings[end - p->host.ends];
}

/* --- What an end has got */

static void say_words(struct play *p, struct host_end *end, const char *words)
{
	struct text message = { 0 };
	(void)words_sent(&message, words, p->dialect);
	host_say(end, message.data, message.length);
	text_free(&message);
}

/* With an error, if it is a request. */
static void answer(struct play *p, struct host_end *end, const struct text *message)
{
	struct text words = { 0 };
	struct holes holes = { 0 };
	if (holes_match(&holes, "{\"jsonrpc\":\"2.0\",\"id\":<id>,\"method\":*", message->data, message->length)) {
		text_append(&words, "refuses ");
		text_append(&words, holes.values[0].data);
		text_append(&words, " -32603");
		say_words(p, end, words.data);
	}
	text_free(&words);
	holes_free(&holes);
}

/* A request that its device answers by itself. */
static bool is_answered(struct play *p, struct host_end *end, const struct text *message)
{
	for (size_t i = 0; i < p->automatic_count; i++) {
		const struct automatic *const a = &p->automatics[i];
		struct text expected = { 0 }, answer = { 0 };
		struct holes holes = { 0 };
		text_append(&expected, "{\"jsonrpc\":\"2.0\",\"id\":<id>,\"method\":\"");
		text_append(&expected, a->method.data);
		text_append(&expected, "\"*");
		const bool same = a->end == end && holes_match(&holes, expected.data, message->data, message->length);
		if (same) {
			text_append(&answer, "answers ");
			text_append(&answer, holes.values[0].data);
			text_append(&answer, " ");
			text_append(&answer, a->result.data);
			say_words(p, end, answer.data);
		}
		text_free(&expected);
		text_free(&answer);
		holes_free(&holes);
		if (same)
			return true;
	}
	if (end->answers)
		answer(p, end, message);
	return false;
}

static void add_item(struct play *p, struct host_end *end, const char *data, size_t length)
{
	struct hearing *const h = hearing_of(p, end);
	struct item item = { .head = h->reading.head, .head_length = h->reading.head_length };
	text_add(&item.text, data, length);
	if (p->show)
		printf("%lu %s <- %s\n", (unsigned long)(p->host.now - p->host.mode.start), end->name.data, item.text.data);
	if (!end->is_device && !h->http && !account_heard(&h->account, data, length))
		fail(p, NULL, "%s gets an answer that it does not wait for: %s", end->name.data, item.text.data);
	if (is_answered(p, end, &item.text)) {
		text_free(&item.text);
		return;
	}
	h->items = grow(h->items, (h->count + 1) * sizeof *h->items);
	h->items[h->count++] = item;
}

/* Of a line that is closed half a message may be left. */
static void add_event(struct play *p, struct host_end *end, struct hearing *h)
{
	const struct host_event *const event = &end->events[h->next_event++];
	h->split = event->at;
	text_free(&h->reading.event);
	text_free(&h->reading.id);
	h->reading = (struct http_reading){ .head = h->reading.head, .head_length = h->reading.head_length };
	if (event->closed)
		account_begin(&h->account);
	add_item(p, end, event->closed ? "closed" : "hung up", event->closed ? 6 : 7);
}

static const quash_dialect *dialect_of(const struct play *p)
{
	static const quash_dialect *const all[PROTOCOLS] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	return all[p->dialect];
}

/* False: the rest is not whole. */
static bool split_message(struct play *p, struct host_end *end, struct hearing *h, size_t to)
{
	const char *const data = end->out.data + h->split;
	size_t body = 0, length = 0;
	const bool sign = to > h->split && *data == '\n', carriage = to > h->split + 1 && data[0] == '\r' && data[1] == '\n';
	if (sign || carriage) {
		h->split += sign ? 1 : 2;
		add_item(p, end, "sign", 4);
		return true;
	}
	const long whole = frame_split(dialect_of(p), data, to - h->split, &body, &length);
	if (whole < 0)
		fail(p, NULL, "%s gets what is no message's beginning: %.60s", end->name.data, data);
	if (whole <= 0)
		return false;
	const bool token = end->is_device && p->token.length == length && memcmp(data + body, p->token.data, length) == 0;
	if (!token && !json_valid(data + body, length))
		fail(p, NULL, "%s gets what is no message: %.*s", end->name.data, (int)length, data + body);
	h->split += (size_t)whole;
	add_item(p, end, token ? "token" : data + body, token ? strlen("token") : length);
	return true;
}

static bool split_http(struct play *p, struct host_end *end, struct hearing *h, size_t to)
{
	struct text item = { 0 };
	const bool head = !h->reading.streams;
	const size_t used = http_item(&h->reading, end->out.data + h->split, to - h->split, &item);
	if (head && used > 0)
		h->reading.head = h->split;
	h->split += used;
	const bool any = item.length > 0;
	if (any)
		add_item(p, end, item.data, item.length);
	text_free(&item);
	return any;
}

static void split(struct play *p, struct host_end *end)
{
	struct hearing *const h = hearing_of(p, end);
	bool goes_on = true;
	while (goes_on && p->failed_line == 0) {
		const bool event = h->next_event < end->event_count;
		const size_t to = event ? end->events[h->next_event].at : end->out.length;
		goes_on = h->http ? split_http(p, end, h, to) : split_message(p, end, h, to);
		if (!goes_on && event) {
			add_event(p, end, h);
			goes_on = true;
		}
	}
}

static void heard(void *context, struct host_end *end)
{
	split(context, end);
}

static void turn(struct play *p)
{
	if (!p->begun)
		return;
	host_turn(&p->host);
	for (size_t i = 0; i < p->host.end_count; i++)
		split(p, &p->host.ends[i]);
	if (p->host.restless)
		fail(p, NULL, "the bridge never rests");
}

/* --- What it is to be */

/* Consumes what is expected; when something was refused, any that is like it. */
static bool take_item(struct play *p, struct hearing *h, const char *expected)
{
	while (h->next < h->count) {
		const struct item *const item = &h->items[h->next];
		const bool same = holes_match(&p->holes, expected, item->text.data, item->text.length);
		if (!same && !is_lame(p))
			return false;
		h->next++;
		if (same)
			return true;
	}
	return false;
}

static void judge_item(struct play *p, const struct step *step, struct hearing *h, const char *expected)
{
	const size_t next = h->next;
	if (take_item(p, h, expected) || is_lame(p))
		return;
	fail(p, step, "%s <- %s\n       got: %s", step->who.data, expected, next < h->count ? h->items[next].text.data : "nothing");
}

/* False: the words make no sense. */
static bool put_expected(struct play *p, const struct hearing *h, const char *words, struct text *to)
{
	const bool status = h->http && isdigit((unsigned char)words[0]);
	const char *const message = status ? words + 4 : words;
	static const char *const plain[] = { "closed", "hung up", "token", "over", "comment", "event", "stream" };
	if (status) {
		text_add(to, words, 3);
		if (words[3] == '\0')
			return true;
		text_append(to, " ");
	}
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
		if (strcmp(message, plain[i]) == 0) {
			text_append(to, message);
			return true;
		}
	}
	struct text expected = { 0 };
	const bool known = words_expected(&expected, message, p->dialect);
	text_add(to, expected.data, expected.length);
	text_free(&expected);
	return known;
}

static void judge_signs(struct play *p, const struct step *step, struct hearing *h, unsigned long wanted)
{
	unsigned long count = 0;
	for (; h->next < h->count && text_equals(&h->items[h->next].text, "sign"); h->next++)
		count++;
	if (count != wanted && !is_lame(p))
		fail(p, step, "expected %lu life signs, got %lu", wanted, count);
}

/* `64 times MESSAGE`; else once. */
static unsigned long times_of(const char **words)
{
	char *end;
	const unsigned long times = strtoul(*words, &end, 10);
	if (end == *words || strncmp(end, " times ", 7) != 0)
		return 1;
	*words = end + 7;
	return times;
}

static void hear(struct play *p, const struct step *step, struct host_end *end)
{
	struct hearing *const h = hearing_of(p, end);
	const char *words = step->words.data;
	struct text expected = { 0 };
	const unsigned long times = times_of(&words);
	if (line_starts(&words, "signs")) {
		judge_signs(p, step, h, strtoul(words, NULL, 10));
	} else if (strcmp(words, "nothing") == 0) {
		if (h->next < h->count && !is_lame(p))
			fail(p, step, "%s gets: %s", step->who.data, h->items[h->next].text.data);
	} else if (!put_expected(p, h, words, &expected)) {
		fail(p, step, "not understood: %s", words);
	}
	for (unsigned long i = 0; expected.length > 0 && i < times; i++)
		judge_item(p, step, h, expected.data);
	text_free(&expected);
}

/* --- Log and record: the next line from `*at` on; NULL: there is none */

static const char *next_line(const struct text *of, size_t *at, size_t *length)
{
	const char *const line = *at < of->length ? of->data + *at : "", *const end = strchr(line, '\n');
	if (end == NULL)
		return NULL;
	*length = (size_t)(end - line);
	*at += *length + 1;
	return line;
}

static bool is_grave(const char *line)
{
	return strncmp(line, "warning ", 8) == 0 || strncmp(line, "error ", 6) == 0;
}

static void judge_log(struct play *p, const struct step *step, const char *expected)
{
	size_t length;
	for (const char *line; (line = next_line(&p->host.log, &p->logged, &length)) != NULL;) {
		if (holes_match(&p->holes, expected, line, length))
			return;
		if (is_grave(line) && !is_lame(p))
			fail(p, step, "log %s\n       got: %.*s", expected, (int)length, line);
	}
	if (!is_lame(p))
		fail(p, step, "log %s\n  but nothing of it is logged", expected);
}

static void judge_no_log(struct play *p, const struct step *step, const char *words)
{
	size_t at = 0, length;
	for (const char *line; (line = next_line(&p->host.log, &at, &length)) != NULL;) {
		if (strncmp(line, words, strlen(words)) == 0 && !is_lame(p))
			fail(p, step, "logged: %.*s", (int)length, line);
	}
}

static void judge_record(struct play *p, const struct step *step, const char *expected)
{
	size_t length = 0;
	const char *const line = next_line(&p->host.record, &p->recorded, &length);
	if (!is_lame(p) && (line == NULL || !holes_match(&p->holes, expected, line, length)))
		fail(p, step, "record %s\n          got: %.*s", expected, (int)length, line != NULL ? line : "");
}

/* A bridge that is over has closed all. */
static void judge_rest(struct play *p)
{
	size_t length;
	for (size_t i = 0; i < p->host.end_count && !is_lame(p); i++) {
		struct hearing *const h = &p->hearings[i];
		while (p->host.over && h->next < h->count && text_equals(&h->items[h->next].text, "closed"))
			h->next++;
		if (h->next < h->count)
			fail(p, NULL, "not expected: %s <- %s", p->host.ends[i].name.data, h->items[h->next].text.data);
	}
	for (const char *line; !is_lame(p) && (line = next_line(&p->host.log, &p->logged, &length)) != NULL;) {
		if (is_grave(line))
			fail(p, NULL, "not expected: log %.*s", (int)length, line);
	}
}

/* --- Steps */

static unsigned dialect_named(const char *command)
{
	for (unsigned i = 0; i < PROTOCOLS; i++) {
		const char *const at = strstr(command, "--protocol ");
		if (at != NULL && strncmp(at + 11, dialect_words[i], strlen(dialect_words[i])) == 0)
			return i;
	}
	return MCP_PLACE;
}

static void begin(struct play *p, const struct step *step)
{
	text_append(&p->command, step->words.data);
	p->dialect = dialect_named(step->words.data);
	p->begun = host_start(&p->host, &p->command, p->token.data);
	if (!p->begun && !is_lame(p))
		fail(p, step, "the bridge does not start");
}

static enum bridge_way way_of(const char *words)
{
	return strcmp(words, "by TCP") == 0 ? BRIDGE_TCP : strcmp(words, "by HTTP") == 0 ? BRIDGE_HTTP : BRIDGE_LOCAL;
}

static void come(struct play *p, const struct step *step, struct host_end *end, bool waits)
{
	const enum bridge_way way = way_of(step->words.data);
	hearing_of(p, end)->http = way == BRIDGE_HTTP;
	const bool came = waits ? host_takes(&p->host, way) : host_come(&p->host, end, way);
	if (came == waits && !is_lame(p))
		fail(p, step, waits ? "there is a place for it" : "there is no place for it");
}

/* A client's whole messages. */
static void account(struct play *p, struct host_end *end, const struct text *said)
{
	size_t body, length;
	long whole;
	if (end->is_device || end->line == NULL)
		return;
	for (size_t at = 0; at < said->length; at += (size_t)whole) {
		whole = frame_split(dialect_of(p), said->data + at, said->length - at, &body, &length);
		if (whole <= 0)
			return;
		account_said(&hearing_of(p, end)->account, said->data + at + body, length);
	}
}

static void say(struct play *p, const struct step *step, struct host_end *end, const char *words)
{
	struct text message = { 0 };
	const bool known = step->kind == STEP_SAYS ? words_sent(&message, words, p->dialect) : words_raw(&message, words);
	if (!known)
		fail(p, step, "not understood: %s", words);
	if (end->line == NULL && !is_lame(p))
		fail(p, step, "%s is not connected", step->who.data);
	account(p, end, &message);
	if (p->show)
		printf("%s -> %s\n", step->who.data, words);
	if (end->line != NULL)
		host_say(end, message.data, message.length);
	text_free(&message);
}

static void request(struct play *p, const struct step *step, struct host_end *end, const char *words)
{
	struct text message = { 0 }, whole = { 0 };
	const struct hearing *const h = hearing_of(p, end);
	const bool posts = step->kind == STEP_POSTS;
	if (posts && !words_sent(&message, words, p->dialect))
		fail(p, step, "not understood: %s", words);
	if (posts)
		message.data[--message.length] = '\0';
	http_request(&whole, posts ? "POST" : step->kind == STEP_GETS ? "GET" : "DELETE", h->fields.data != NULL ? h->fields.data : "", posts ? message.data : NULL);
	if (end->line == NULL && !is_lame(p))
		fail(p, step, "%s is not connected", step->who.data);
	if (end->line != NULL)
		host_say(end, whole.data, whole.length);
	text_free(&message);
	text_free(&whole);
}

static void show_field(struct play *p, struct host_end *end, const char *words)
{
	struct text *const fields = &hearing_of(p, end)->fields;
	if (strcmp(words, "nothing") == 0) {
		text_clear(fields);
		return;
	}
	text_append(fields, words);
	text_append(fields, "\r\n");
}

static void judge_id(struct play *p, const struct step *step, const struct text *id)
{
	const char *const wanted = step->words.data + strlen("event ");
	if (!holes_match(&p->holes, wanted, id->data != NULL ? id->data : "", id->length) && !is_lame(p))
		fail(p, step, "%s got the event %s", step->who.data, id->data);
}

static void judge_field(struct play *p, const struct step *step, struct host_end *end)
{
	struct hearing *const h = hearing_of(p, end);
	if (strncmp(step->words.data, "event ", 6) == 0) {
		judge_id(p, step, &h->reading.id);
		return;
	}
	const char *const colon = strstr(step->words.data, ": ");
	struct text name = { 0 }, value = { 0 };
	const struct item *const item = h->next > 0 ? &h->items[h->next - 1] : NULL;
	text_add(&name, step->words.data, colon != NULL ? (size_t)(colon - step->words.data) : 0);
	const bool any = item != NULL && http_field(end->out.data + item->head, item->head_length, name.data, &value);
	if (!is_lame(p) && (!any || colon == NULL || !holes_match(&p->holes, colon + 2, value.data, value.length)))
		fail(p, step, "%s got %s: %s", step->who.data, name.data, any ? value.data : "no such field");
	else if (any && colon != NULL)
		(void)holes_match(&p->holes, colon + 2, value.data, value.length);
	text_free(&name);
	text_free(&value);
}

static void set_state(struct play *p, struct host_end *end, enum host_state state, const char *words)
{
	const bool opens = end->state == HOST_SLOW && state == HOST_THERE && end->line != NULL;
	const bool fails = end->state == HOST_SLOW && state == HOST_AWAY && end->line != NULL;
	text_clear(&end->words);
	text_append(&end->words, words);
	end->state = state;
	if (opens)
		host_opens(&p->host, end);
	if (fails)
		host_fails(end);
}

static void automate(struct play *p, struct host_end *end, const char *words)
{
	const char *const blank = strchr(words, ' ');
	struct automatic a = { .end = end };
	text_add(&a.method, words, blank != NULL ? (size_t)(blank - words) : strlen(words));
	text_append(&a.result, blank != NULL ? blank + 1 : "{}");
	p->automatics = grow(p->automatics, (p->automatic_count + 1) * sizeof *p->automatics);
	memmove(p->automatics + 1, p->automatics, p->automatic_count++ * sizeof *p->automatics);
	p->automatics[0] = a;
}

static void stop_automatic(struct play *p, const struct host_end *end, const char *method)
{
	for (size_t i = 0; i < p->automatic_count; i++) {
		if (p->automatics[i].end == end && text_equals(&p->automatics[i].method, method))
			p->automatics[i].end = NULL;
	}
}

static void judge_number(struct play *p, const struct step *step, unsigned long wanted, unsigned long is)
{
	if (wanted != is && !is_lame(p))
		fail(p, step, "expected %lu, got %lu", wanted, is);
}

static void end_step(struct play *p, const struct step *step, struct host_end *end, const char *words)
{
	struct hearing *const h = hearing_of(p, end);
	switch (step->kind) {
	case STEP_AWAY: set_state(p, end, HOST_AWAY, words); break;
	case STEP_USED: set_state(p, end, HOST_IN_USE, words); break;
	case STEP_SLOW: set_state(p, end, HOST_SLOW, ""); break;
	case STEP_THERE: set_state(p, end, HOST_THERE, ""); break;
	case STEP_TRIED:
		judge_number(p, step, strtoul(words, NULL, 10), end->tried - h->tried);
		h->tried = end->tried;
		break;
	case STEP_ANSWERS: automate(p, end, words); break;
	case STEP_KEEPS: stop_automatic(p, end, words); break;
	case STEP_COMES: come(p, step, end, false); break;
	case STEP_WAITS: come(p, step, end, true); break;
	case STEP_FINISHES: host_ends_input(end, strcmp(words, "unread") == 0); break;
	case STEP_GONE: host_loses(end, words[0] != '\0' ? words : "closed the connection"); break;
	case STEP_STALLS: end->stalled = true; break;
	case STEP_DRAINS:
		end->stalled = false;
		end->due = true;
		break;
	case STEP_READS: judge_number(p, step, 1, host_reads(end)); break;
	case STEP_UNREAD: judge_number(p, step, 0, host_reads(end)); break;
	case STEP_SHOWS: show_field(p, end, words); break;
	case STEP_GOT: judge_field(p, step, end); break;
	default: hear(p, step, end); break;
	}
}

static void bridge_step(struct play *p, const struct step *step, const char *words)
{
	switch (step->kind) {
	case STEP_BRIDGE: begin(p, step); break;
	case STEP_TOKEN: text_append(&p->token, words); break;
	case STEP_TICK: host_pass(&p->host, (uint32_t)strtoul(words, NULL, 10)); break;
	case STEP_IDLE: judge_number(p, step, words[0] != '\0' ? strtoul(words, NULL, 10) : UINT32_MAX, host_idle(&p->host)); break;
	case STEP_LOG: judge_log(p, step, words); break;
	case STEP_NO_LOG: judge_no_log(p, step, words); break;
	case STEP_RECORD: judge_record(p, step, words); break;
	case STEP_END: host_ends(&p->host); break;
	default:
		if (!p->host.over && !is_lame(p))
			fail(p, step, "the bridge has not ended");
		judge_number(p, step, strtoul(words, NULL, 10), (unsigned long)p->host.code);
		break;
	}
}

static bool is_said(enum step_kind kind)
{
	return kind == STEP_SAYS || kind == STEP_SAYS_BYTES || kind == STEP_POSTS || kind == STEP_GETS || kind == STEP_DELETES;
}

/* How devices are is known before the bridge looks at them. */
static bool is_prepared(enum step_kind kind)
{
	return kind == STEP_BRIDGE || kind == STEP_AWAY || kind == STEP_USED || kind == STEP_SLOW || kind == STEP_THERE || kind == STEP_ANSWERS ||
		kind == STEP_KEEPS;
}

/* Of what is said nothing is known before it, so what was said in consecutive lines comes together. */
static void run_step(struct play *p, const struct step *step)
{
	struct text filled = { 0 };
	const bool whole = holes_fill(&p->holes, step->words.data, &filled), says = is_said(step->kind);
	struct host_end *const end = step->who.length > 0 ? host_end(&p->host, step->who.data) : NULL;
	const bool turns = !says && !is_prepared(step->kind);
	if (turns)
		turn(p);
	if (says && !whole && !is_lame(p))
		fail(p, step, "this has no value yet: %s", filled.data);
	if (p->begun || end != NULL || step->kind < STEP_TICK) {
		if (!says && end == NULL)
			bridge_step(p, step, step->kind == STEP_LOG || step->kind == STEP_RECORD ? step->words.data : filled.data);
		else if (end == NULL)
			fail(p, step, "there are too many");
		else if (!says)
			end_step(p, step, end, filled.data);
		else if (whole && step->kind >= STEP_POSTS)
			request(p, step, end, filled.data);
		else if (whole)
			say(p, step, end, filled.data);
	}
	if (turns)
		turn(p);
	text_free(&filled);
}

/* --- A play */

/* Devices answer all that they are asked from now on, and what they were asked. */
static void answer_all(struct play *p)
{
	for (size_t i = 0; i < p->host.end_count; i++) {
		struct host_end *const end = &p->host.ends[i];
		end->stalled = false;
		end->due = true;
		end->answers = end->is_device;
		for (size_t k = 0; end->is_device && k < p->hearings[i].count; k++)
			answer(p, end, &p->hearings[i].items[k].text);
	}
}

/* Memory that was refused once loses no request. */
static void judge_account(struct play *p)
{
	if (!p->host.failed || !p->begun || p->host.over)
		return;
	answer_all(p);
	turn(p);
	host_pass(&p->host, END_MS);
	for (size_t i = 0; i < p->host.end_count && !p->host.over; i++) {
		const char *const id = p->host.ends[i].line != NULL ? account_open(&p->hearings[i].account) : NULL;
		if (id != NULL)
			fail(p, NULL, "the request %s of %s is never answered", id, p->host.ends[i].name.data);
	}
}

/* Whatever there was, it ends, and gives all back. */
static void finish(struct play *p)
{
	if (p->begun && !p->host.over && p->failed_line == 0) {
		for (size_t i = 0; i < p->host.end_count; i++) {
			p->host.ends[i].stalled = false;
			p->host.ends[i].due = true;
		}
		host_ends(&p->host);
		turn(p);
		host_pass(&p->host, END_MS);
		if (!p->host.over)
			fail(p, NULL, "the bridge does not end");
	}
	host_stop(&p->host);
	if (p->host.blocks > 0)
		fail(p, NULL, "%lu pieces of memory are not given back", p->host.blocks);
}

bool play_scene(struct play *play)
{
	play->host.heard = heard;
	play->host.context = play;
	play->dialect = MCP_PLACE;
	for (size_t i = 0; i < play->scene->count && play->failed_line == 0 && (play->begun || !play->host.failed); i++)
		run_step(play, &play->scene->steps[i]);
	turn(play);
	judge_rest(play);
	judge_account(play);
	finish(play);
	return play->failed_line == 0;
}

void play_free(struct play *play)
{
	for (size_t i = 0; i < HOST_ENDS; i++) {
		struct hearing *const h = &play->hearings[i];
		for (size_t k = 0; k < h->count; k++)
			text_free(&h->items[k].text);
		free(h->items);
		text_free(&h->fields);
		text_free(&h->reading.event);
		text_free(&h->reading.id);
		account_free(&h->account);
	}
	for (size_t i = 0; i < play->automatic_count; i++) {
		text_free(&play->automatics[i].method);
		text_free(&play->automatics[i].result);
	}
	free(play->automatics);
	holes_free(&play->holes);
	text_free(&play->command);
	text_free(&play->token);
	text_free(&play->failure);
	host_free(&play->host);
}
