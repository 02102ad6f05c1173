/* SPDX-License-Identifier: MIT
 * Are the answers the right ones? */
#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	QUIET_PUMPS = 40,  /* without movement, before a step is taken for an answer that is awaited */
	STEPS_AT_MOST = 64 /* without movement, until it is called lost */
};

/* The place of a counter. */
#define COUNT_AT(member) (uint8_t)(offsetof(quash_counters, member) / sizeof(quash_count))

static const char *message_text(const struct play *p, const struct message *m)
{
	return p->output.data + m->at;
}

static bool has_id(const struct play *p, const struct message *m, const char *id, size_t id_length)
{
	const char *other;
	size_t other_length;
	json_id(message_text(p, m), m->length, &other, &other_length);
	return !m->broken && other_length == id_length && memcmp(other, id, id_length) == 0;
}

static bool contains(const struct play *p, const struct message *m, const char *words)
{
	const size_t length = strlen(words);
	for (size_t i = 0; i + length <= m->length; i++) {
		if (memcmp(message_text(p, m) + i, words, length) == 0)
			return true;
	}
	return false;
}

/* Said for want of memory. */
static bool is_refusal(const struct play *p, const struct message *m)
{
	return contains(p, m, "\"error\":{\"code\":-32010,\"message\":\"Busy\"}}") ||
		contains(p, m, "\"error\":{\"code\":-32011,\"message\":\"Message too large\"}}") ||
		contains(p, m, "\"error\":{\"code\":-32603,\"message\":\"Busy\"") ||
		contains(p, m, "\"error\":{\"code\":-32603,\"message\":\"Message too large\"") ||
		contains(p, m, "\"result\":{\"outcome\":\"too large\",\"code\":-32011}}");
}

static bool matches(const struct play *p, const struct message *m, const struct text *expected)
{
	const size_t length = expected->length;
	if (length > 0 && expected->data[length - 1] == '*')
		return m->length >= length - 1 && memcmp(message_text(p, m), expected->data, length - 1) == 0;
	return m->length == length && memcmp(message_text(p, m), expected->data, length) == 0;
}

/* --- Everything that is sent */

static bool is_in_scene(const struct play *p, const struct message *m, enum verb verb)
{
	for (size_t i = 0; i < p->scene->count; i++) {
		const struct line *line = &p->scene->lines[i];
		if (line->verb == verb && line->broken == m->broken && matches(p, m, &line->text))
			return true;
	}
	return false;
}

/* What is no JSON is the beginning of something that the scene has given up. */
static bool is_message(const struct play *p, struct message *m)
{
	const char *text = message_text(p, m);
	if (json_valid(text, m->length))
		return text[0] == '[' || strncmp(text, "{\"jsonrpc\":\"2.0\",", 17) == 0;
	m->broken = true;
	return is_in_scene(p, m, EXPECT) || is_in_scene(p, m, ALLOW);
}

static void look_at(struct play *p, struct message m, int line)
{
	const char *text = message_text(p, &m);
	if (p->show)
		printf("<-  %.*s\n", (int)m.length, text);
	if (!is_message(p, &m))
		play_fail(p, line, "this is no message: %.*s", (int)m.length, text);
	if (!m.broken)
		calls_look_at(p, &m, line);
	p->messages = grow(p->messages, (p->message_count + 1) * sizeof *p->messages);
	p->messages[p->message_count++] = m;
}

void judge_output(struct play *play, int line)
{
	size_t body, length;
	long whole;
	play->side->sync(play);
	do {
		const char *rest = play->output.data + play->split;
		const size_t left = play->output.length - play->split;
		whole = frame_split(end_dialects[play->dialect], rest, left, &body, &length);
		if (whole < 0)
			play_fail(play, line, "this is no message's beginning: %.40s", rest);
		if (whole > 0) {
			const struct message m = { .at = play->split + body, .length = length };
			play->split += (size_t)whole;
			look_at(play, m, line);
		}
	} while (whole > 0);
}

/* --- What is expected */

static void expect_next(struct play *p, const struct line *line)
{
	judge_output(p, line->number);
	if (p->message_next == p->message_count) {
		play_fail(p, line->number, "expected: %s\n  but nothing is sent", line->text.data);
		return;
	}
	struct message *m = &p->messages[p->message_next++];
	m->used = true;
	if (m->broken != line->broken || !matches(p, m, &line->text))
		play_fail(p, line->number, "expected: %s\n       got: %.*s", line->text.data, (int)m->length,
			message_text(p, m));
}

static struct message *find_expected(struct play *p, const struct text *expected)
{
	for (size_t i = 0; i < p->message_count; i++) {
		struct message *m = &p->messages[i];
		if (!m->used && matches(p, m, expected))
			return m;
	}
	return NULL;
}

/* The scene allows this message where memory or TX is scarce. */
static bool is_allowed(const struct play *p, const struct message *m)
{
	return is_in_scene(p, m, ALLOW);
}

static uint32_t counter_of(struct play *p, uint8_t place)
{
	return p->side->value(p, COUNTER_IS, place);
}

/* A program remembers: where something was refused, or comes later than in the scene, each request still has one answer, and
 * which one is not said. */
static bool is_loose(struct play *p)
{
	static const uint8_t places[] = { COUNT_AT(dropped), COUNT_AT(kept), COUNT_AT(busy), COUNT_AT(too_large) };
	const enum mode_kind kind = p->setup.mode.kind;
	bool other = kind == DRIP || kind == STALLING || kind == SLOTS;
	for (size_t i = 0; i < sizeof places; i++)
		other = other || counter_of(p, places[i]) > 0;
	return p->scene->program != NULL && !play_is_exact(p) && other;
}

/* Something that may stand in the place of what is expected. */
static struct message *find_substitute(struct play *p, const struct text *expected)
{
	const char *id;
	size_t id_length;
	json_id(expected->data, expected->length, &id, &id_length);
	for (size_t i = 0; i < p->message_count; i++) {
		struct message *m = &p->messages[i];
		const bool batch = expected->data[0] == '[' &&
			(has_id(p, m, "null", 4) || *message_text(p, m) == '[');
		const bool same = id_length > 0 && has_id(p, m, id, id_length);
		if (!m->used && (same || batch) && (is_refusal(p, m) || is_allowed(p, m) || is_loose(p)))
			return m;
	}
	return NULL;
}

/* More was refused than was ever seen: a cancel has silenced it, or it was lost with a link. */
static bool was_refused_unseen(struct play *p)
{
	uint32_t seen = 0;
	for (size_t i = 0; i < p->message_count; i++)
		seen += is_refusal(p, &p->messages[i]);
	return counter_of(p, COUNT_AT(busy)) + counter_of(p, COUNT_AT(too_large)) > seen;
}

/* Something was refused for want of memory. What comes after may depend on it. */
static bool is_tainted(struct play *p)
{
	for (size_t i = 0; i < p->message_count; i++) {
		const struct message *m = &p->messages[i];
		if (!m->used && is_refusal(p, m))
			return true;
	}
	return p->tainted || was_refused_unseen(p);
}

/* What has to wait for a step comes when its id may be free again. */
static bool was_kept(struct play *p)
{
	return counter_of(p, COUNT_AT(kept)) > 0;
}

/* An answer to a request that was not refused is never lost. */
static bool may_be_lost(struct play *p, const struct text *expected)
{
	enum { HEADER = sizeof "Content-Length: 99\r\n\r\n" - 1 };
	const char *id;
	size_t id_length;
	json_id(expected->data, expected->length, &id, &id_length);
	const bool nameless = id_length == 0 || strncmp(id, "null", 4) == 0;
	const bool notification = id_length == 0 && strstr(expected->data, "\"method\":") != NULL &&
		!calls_ours(p, expected->data, expected->length);
	if (was_refused_unseen(p) || p->missed || (nameless && !notification && was_kept(p)))
		return true;
	if (is_loose(p) && (id_length == 0 || counter_of(p, COUNT_AT(silenced)) > 0 || p->scene->calls || p->side->value(p, LIVE_IS, 0) > 0))
		return true;
	if (notification && p->scene->program != NULL && counter_of(p, COUNT_AT(dropped)) > 0)
		return true;
	if (is_tainted(p))
		return p->scene->calls || nameless || strstr(expected->data, "\"Busy\"") != NULL;
	return notification && expected->length + HEADER > p->setup.tx;
}

static void give_up(struct play *p, const struct line *line)
{
	if (!may_be_lost(p, &line->text))
		play_fail(p, line->number, "lost: %s", line->text.data);
}

static void look_at_order(struct play *p, const struct line *line, const struct message *m)
{
	const size_t found = (size_t)(m - p->messages);
	if (p->scene->ordered && !is_refusal(p, m) && found < p->last_found)
		play_fail(p, line->number, "came too early: %s", line->text.data);
	p->last_found = found > p->last_found ? found : p->last_found;
}

/* Waits for it, as long as anything moves. */
static void expect_some_time(struct play *p, const struct line *line)
{
	unsigned steps = 0;
	bool quiet = false;
	while (p->failed_line == 0) {
		const size_t before = p->given + p->output.length;
		judge_output(p, line->number);
		struct message *m = find_expected(p, &line->text);
		if (m == NULL && (m = find_substitute(p, &line->text)) != NULL)
			p->tainted = true;
		if (m != NULL) {
			m->used = true;
			look_at_order(p, line, m);
			return;
		}
		if (steps == STEPS_AT_MOST) {
			give_up(p, line);
			return;
		}
		if (quiet) {
			if (p->scene->program != NULL)
				play_pass(p);
			play_step(p);
			steps++;
		} else {
			p->side->settle(p, QUIET_PUMPS, false);
		}
		quiet = !quiet;
		p->side->sync(p);
		if (p->given + p->output.length != before)
			steps = 0;
	}
}

void judge_expected(struct play *play, const struct line *line)
{
	if (line->text.length == 0 || (line->broken && !play_is_exact(play)))
		return;
	if (play_is_exact(play))
		expect_next(play, line);
	else
		expect_some_time(play, line);
}

void judge_nothing(struct play *play, int line)
{
	if (!play_is_exact(play))
		return;
	judge_output(play, line);
	if (play->message_next < play->message_count) {
		const struct message *m = &play->messages[play->message_next];
		play_fail(play, line, "expected nothing\n       got: %.*s", (int)m->length,
			message_text(play, m));
	}
}

void judge_rest(struct play *play, int line)
{
	judge_output(play, line);
	for (size_t i = 0; i < play->message_count; i++) {
		const struct message *m = &play->messages[i];
		if (m->used)
			continue;
		const bool late = m->broken || (is_tainted(play) && (play->scene->calls || is_in_scene(play, m, EXPECT)));
		if (play_is_exact(play) || !(late || is_refusal(play, m) || is_allowed(play, m) || is_loose(play)))
			play_fail(play, line, "not expected: %.*s", (int)m->length, message_text(play, m));
	}
}

/* --- At the end */

static size_t count_expected(const struct play *p, const char *id, size_t id_length)
{
	size_t count = 0;
	for (size_t i = 0; i < p->scene->count; i++) {
		const struct line *line = &p->scene->lines[i];
		const char *other;
		size_t other_length;
		if (line->verb != EXPECT)
			continue;
		json_id(line->text.data, line->text.length, &other, &other_length);
		count += other_length == id_length && memcmp(other, id, id_length) == 0;
	}
	return count;
}

void judge_counts(struct play *play, int line)
{
	if (play->scene->program != NULL && counter_of(play, COUNT_AT(changed)) > 0)
		play_fail(play, line, "an answer has changed while it left");
	for (size_t i = 0; i < play->message_count && play->failed_line == 0; i++) {
		const char *id;
		size_t id_length, answers = 0;
		json_id(message_text(play, &play->messages[i]), play->messages[i].length, &id, &id_length);
		if (id_length == 0 || strncmp(id, "null", 4) == 0)
			continue;
		for (size_t k = 0; k < play->message_count; k++)
			answers += has_id(play, &play->messages[k], id, id_length);
		const size_t asked = json_id_count(&play->input, id, id_length);
		if (answers > asked && answers > count_expected(play, id, id_length))
			play_fail(play, line, "answered too often: %.*s", (int)id_length, id);
	}
}

static const struct {
	const char *name;
	uint8_t place;
} counters[] = {
#define COUNTER(member) #member, COUNT_AT(member)
	{ COUNTER(requests) }, { COUNTER(notifications) }, { COUNTER(ignored) }, { COUNTER(results) },
	{ COUNTER(errors) }, { COUNTER(silenced) }, { COUNTER(parse_errors) }, { COUNTER(invalid) },
	{ COUNTER(duplicate_ids) }, { COUNTER(unknown_methods) }, { COUNTER(too_large) }, { COUNTER(busy) },
	{ COUNTER(stray_responses) }, { COUNTER(bad_headers) }, { COUNTER(lost) }, { COUNTER(late_cancels) },
	{ COUNTER(bad_cancels) }, { COUNTER(dropped) }, { COUNTER(changed) }, { COUNTER(misuses) },
	{ COUNTER(discarded) }, { COUNTER(calls) }, { COUNTER(call_cancels) }, { COUNTER(late_responses) },
	{ COUNTER(kept) }, { COUNTER(held) }, { COUNTER(sessions) }, { COUNTER(life_signs) },
	{ "most_live", MOST_LIVE }, { "most_arena", MOST_ARENA }, { "longest_notification", LONGEST_NOTIFICATION },
	{ "last_cancel_ms", LAST_CANCEL }, { "slowest_cancel_ms", SLOWEST_CANCEL },
	{ "hooks", HOOKS }, { "released", RELEASED }, { "notes", NOTES }, { "done", DONES },
	{ "dispensed", DISPENSED }
};

/* Its place, or one where none is. */
static uint8_t counter_place(struct play *p, const struct line *line)
{
	for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
		if (strcmp(counters[i].name, line->text.data) == 0)
			return counters[i].place;
	}
	play_fail(p, line->number, "there is no such counter");
	return UINT8_MAX;
}

static void judge_text(struct play *p, const struct line *line, const char *text)
{
	if (play_is_exact(p) && !text_equals(&line->text, text))
		play_fail(p, line->number, "expected: %s\n       got: %s", line->text.data, text);
}

static bool is_memory_scarce(const struct play *p)
{
	return p->setup.mode.kind == SLOTS || p->setup.mode.kind == ARENA;
}

/* What handlers have done does not depend on TX. */
void judge_counter(struct play *play, const struct line *line)
{
	if (line->verb == REASON_IS || line->verb == DID_IS) {
		judge_text(play, line, line->verb == DID_IS ? program_noted() : play->side->reason(play));
		return;
	}
	const uint8_t place = line->verb == COUNTER_IS ? counter_place(play, line) : 0;
	if (!play_is_exact(play) && (place != DISPENSED || is_memory_scarce(play)))
		return;
	const uint32_t value = play->side->value(play, line->verb, place);
	if (value != line->value)
		play_fail(play, line->number, "expected: %lu\n       got: %lu", (unsigned long)line->value,
			(unsigned long)value);
}
