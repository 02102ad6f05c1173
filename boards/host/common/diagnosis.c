/* SPDX-License-Identifier: MIT */
#include "diagnosis.h"

#include "content_length.h"
#include "format.h"
#include "host_escape.h"
#include "quash/method.h"
#include "reading.h"

#include <string.h>

/* --- Words */

static const struct {
	const char *name, *serial, *other;
} words[] = {
	[DIAGNOSIS_SILENT] = { "silent",
		"give the board power, load the program, let its loop run; TX to RX, RX to TX, ground to ground; its rate as --baud; "
		"or it is another device",
		"let it read its input, and answer; or it is another program, port or protocol" },
	[DIAGNOSIS_GARBAGE] = { "garbage", "give the rate of the board as --baud; ground to ground",
		"let it write JSON, one message on each line; or it is another program, another port" },
	[DIAGNOSIS_ECHO] = { "echo",
		"connect TX with the RX of the other side, not with its own; switch off the local echo of an adapter or terminal",
		"it sends back what it gets: start the program that serves" },
	[DIAGNOSIS_OTHER_PROGRAM] = { "another program",
		"its text says who writes: load the program that serves, move what it prints to another line, or name another device",
		"its text says who writes: start the program that serves, and let it print to stderr alone; or name another port" },
	[DIAGNOSIS_NO_LINE_END] = { "no end of line", "end each message with a line feed", "end each message with a line feed" },
	[DIAGNOSIS_LOST] = { "lost", "look at the cable, the supply, and resets of the board",
		"look why it ends, or closes the connection: what it writes to stderr, its exit code" },
	[DIAGNOSIS_NO_ANSWER] = { "no answer", "it is there, and does not answer this: let each handler return, and its loop go on",
		"it is there, and does not answer this: let each handler return, and its loop go on" },
	[DIAGNOSIS_UNREADABLE] = { "unreadable",
		"what it gets is damaged or cut: no byte may be lost between its interrupt and its loop; its rate as --baud; ground to ground",
		"let it read whole lines, one message on each" },
	[DIAGNOSIS_WRONG_ID] = { "wrong id", "answer with the id that came: a number stays that number, a string that string",
		"answer with the id that came: a number stays that number, a string that string" },
	[DIAGNOSIS_PRINTS] = { "noise",
		"it prints on the line of its protocol: let it print elsewhere, or write log messages. quash-bridge passes over it, other hosts may not",
		"it prints on the line of its protocol: let it print to stderr, or write log messages. quash-bridge passes over it, other hosts may not" },
	[DIAGNOSIS_OTHER_PROTOCOL] = { "another protocol", "name what it speaks: --protocol, --modern", "name what it speaks: --protocol, --modern" },
	[DIAGNOSIS_REFUSED] = { "refused", "mend what its words name: its config, the arguments, or the machine",
		"mend what its words name: its config, the arguments, or the machine" },
	[DIAGNOSIS_TOO_SMALL] = { "too small", "make the buffer larger that is named; quash-inspect --advise looks at all of them",
		"make the buffer larger that is named; quash-inspect --advise looks at all of them" },
	[DIAGNOSIS_NO_PROGRESS] = { "no progress", "make the buffer larger that is named; if none is, let the tool report progress",
		"make the buffer larger that is named; if none is, let the tool report progress" },
	[DIAGNOSIS_WELL] = { "well", "", "" },
};

const char *diagnosis_name(enum diagnosis diagnosis)
{
	return words[diagnosis].name;
}

const char *diagnosis_remedy(enum diagnosis diagnosis, bool serial)
{
	return serial ? words[diagnosis].serial : words[diagnosis].other;
}

enum diagnosis diagnosis_of_code(int32_t code)
{
	switch (code) {
	case QUASH_TOO_LARGE:
	case QUASH_BUSY: return DIAGNOSIS_TOO_SMALL;
	case QUASH_METHOD_NOT_FOUND:
	case QUASH_INVALID_PARAMS: return DIAGNOSIS_OTHER_PROTOCOL;
	default: return DIAGNOSIS_REFUSED;
	}
}

/* --- What leaves */

/* On a line that echoes nothing until it answers, nothing is an echo later: a request of the device may look like one of ours. */
bool symptoms_look_at_own(const struct symptoms *s)
{
	return s->echoes || !s->answered;
}

static void note_request(void *context, const char *method, bool notification)
{
	(void)method;
	*(bool *)context = !notification;
}

void symptoms_sent(struct symptoms *s, const char *message, size_t n)
{
	bool request = false;
	if (!symptoms_look_at_own(s))
		return;
	(void)look_at(message, n, note_request, &request);
	if (!request && !s->echoes)
		return;
	s->sent[s->next].length = n < SYMPTOMS_BEGIN ? n : SYMPTOMS_BEGIN;
	s->sent[s->next].at = 0;
	memcpy(s->sent[s->next].begin, message, s->sent[s->next].length);
	s->next = (s->next + 1) % SYMPTOMS_SENT;
}

/* --- What comes: bytes */

static bool is_control_byte(uint8_t byte)
{
	return byte == 0x7F || (byte < 0x20 && strchr("\t\n\r\f\b\a\033", byte) == NULL) || byte == 0;
}

/* How many bytes must follow the first of a character; 0: it begins none. */
static unsigned follow_of(uint8_t byte)
{
	if (byte < 0xC2 || byte > 0xF4)
		return 0;
	return byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
}

/* A character of several bytes may be cut anywhere. */
static void count_byte(struct symptoms *s, uint8_t byte)
{
	const bool follows = (byte & 0xC0) == 0x80;
	s->bytes++;
	if (s->follow > 0 && follows) {
		s->lead++;
		s->follow--;
		return;
	}
	s->odd += s->follow > 0 ? s->lead : 0;
	s->follow = follow_of(byte);
	s->lead = 1;
	s->odd += byte < 0x80 ? is_control_byte(byte) : s->follow == 0;
}

/* A message begins as no part of it does, so that one byte is enough to begin anew. */
static void follow_echo(struct symptoms *s, char c)
{
	for (unsigned i = 0; i < SYMPTOMS_SENT; i++) {
		const char *const begin = s->sent[i].begin;
		const size_t at = s->sent[i].at;
		if (s->sent[i].length == 0)
			continue;
		s->sent[i].at = begin[at] == c ? at + 1 : begin[0] == c;
		if (s->sent[i].at < s->sent[i].length)
			continue;
		s->sent[i].at = 0;
		s->echoes = true;
	}
}

void symptoms_bytes(struct symptoms *s, const uint8_t *data, size_t n)
{
	const bool looking = symptoms_look_at_own(s);
	for (size_t i = 0; i < n; i++) {
		count_byte(s, data[i]);
		if (looking)
			follow_echo(s, (char)data[i]);
	}
}

/* --- What comes: messages */

bool symptoms_are_echo(const struct symptoms *s, const char *message, size_t n)
{
	for (unsigned i = 0; i < SYMPTOMS_SENT && symptoms_look_at_own(s); i++) {
		const size_t length = s->sent[i].length;
		if (length > 0 && n >= length && memcmp(message, s->sent[i].begin, length) == 0)
			return true;
	}
	return false;
}

static void note_method(void *context, const char *method, bool notification)
{
	(void)method;
	(void)notification;
	*(bool *)context = true;
}

/* The length of a value that stands there; an array or object up to its end, or to the first that is in it. */
static size_t value_length(const char *value)
{
	size_t n = 1;
	if (*value == '[' || *value == '{')
		return strcspn(value, "]}") + 1;
	if (*value != '"')
		return strcspn(value, " \t\r\n,}");
	while (value[n] != '"')
		n += value[n] == '\\' ? 2 : 1;
	return n + 1;
}

/* Keeps the id of an answer, as it stands there. Returns whether it is an error. */
static bool note_id(struct symptoms *s, const char *message, size_t n)
{
	struct reading r;
	quash_lex_event event;
	bool key = false, error = false;
	s->id_length = 0;
	reading_begin(&r, message, n);
	while ((event = reading_next(&r)) != QUASH_LEX_MORE && event != QUASH_LEX_ERROR) {
		const bool ends = event == QUASH_LEX_END && key && r.lex.depth == 1;
		key = event == QUASH_LEX_KEY || (key && event != QUASH_LEX_END);
		error = error || (ends && reading_is(&r, "error"));
		if (!ends || !reading_is(&r, "id"))
			continue;
		const char *const value = message + r.at + strspn(message + r.at, " \t\r\n:");
		s->id_length = escape_cut(value, value_length(value), SYMPTOMS_ID);
		memcpy(s->id, value, s->id_length);
	}
	return error;
}

/* An error without an id answers what could not be read. */
static void judge_id_of_answer(struct symptoms *s, const char *message, size_t n, const struct look *look)
{
	const bool error = note_id(s, message, n);
	const bool none = s->id_length == 0 || (s->id_length == 4 && memcmp(s->id, "null", 4) == 0);
	s->sure = s->sure || look->answers >= 0;
	s->odd_id = look->answers < 0 && !(error && none);
}

bool symptoms_odd_answer(struct symptoms *s, const char *message, size_t n)
{
	static const struct look odd = { .answers = -1 };
	judge_id_of_answer(s, message, n, &odd);
	return s->odd_id;
}

void symptoms_message(struct symptoms *s, const char *message, size_t n)
{
	bool method = false;
	if (symptoms_are_echo(s, message, n))
		return;
	if (!s->answered || !s->sure || s->thorough) {
		const struct look look = look_at(message, n, note_method, &method);
		if (!method && look.rpc && !look.array)
			judge_id_of_answer(s, message, n, &look);
	}
	s->heard = true;
	s->answered = s->answered || !method;
	s->bytes = s->odd = s->damaged = 0;
}

/* What other programs write does not begin so, or is JSON. */
static bool is_damaged(const char *text, size_t n)
{
	static const char name[] = "\"jsonrpc\"";
	size_t at = 0;
	while (at + sizeof name - 1 < n && memcmp(text + at, name, sizeof name - 1) != 0)
		at++;
	return n > 0 && text[0] == '{' && at + sizeof name - 1 < n && !look_at(text, n, NULL, NULL).json;
}

void symptoms_noise(struct symptoms *s, const char *text, size_t n)
{
	if (s->framing == QUASH_LINES && s->damaged == 0 && is_damaged(text, n)) {
		s->damaged = escape_cut(text, n, SYMPTOMS_TEXT);
		memcpy(s->damage, text, s->damaged);
	}
	const size_t prints = s->heard ? s->prints++ : SYMPTOMS_TEXTS;
	if (prints < SYMPTOMS_TEXTS) {
		s->printed[prints].length = escape_cut(text, n, SYMPTOMS_TEXT);
		memcpy(s->printed[prints].text, text, s->printed[prints].length);
	}
	if (s->noise > 0)
		return;
	s->noise = escape_cut(text, n, SYMPTOMS_TEXT);
	memcpy(s->text, text, s->noise);
}

/* --- What they show */

/* One of so many bytes is odd: that is no text. Fewer than FEW may come when a line is opened. After a message fewer than MANY may be
 * what is left of one that was lost. */
enum { ODD_OF = 8, FEW = 8, MANY = 64 };

static bool is_garbage(const struct symptoms *s)
{
	return s->odd * ODD_OF > s->bytes && s->bytes >= (s->heard ? MANY : FEW);
}

/* Messages in lines where headers are wanted, or headers where lines are. */
static bool is_framed_otherwise(const struct symptoms *s)
{
	static const char line[] = "\"jsonrpc\"";
	const size_t n = sizeof line - 1;
	size_t at = 0;
	if (s->framing == QUASH_LINES)
		return content_length_begins(s->text, s->text + s->noise);
	while (at + n < s->noise && memcmp(s->text + at, line, n) != 0)
		at++;
	return s->noise >= at + n && memcmp(s->text + at, line, n) == 0 && s->text[0] == '{';
}

enum diagnosis symptoms_tell(const struct symptoms *s, const char *rest, size_t n)
{
	const bool others = s->noise > 0 && !s->heard;
	if (s->echoes && !others)
		return DIAGNOSIS_ECHO;
	if (is_garbage(s) || s->damaged > 0)
		return DIAGNOSIS_GARBAGE;
	if (s->odd_id && !s->sure)
		return DIAGNOSIS_WRONG_ID;
	if (s->heard)
		return DIAGNOSIS_NONE;
	if (is_framed_otherwise(s))
		return DIAGNOSIS_OTHER_PROTOCOL;
	if (look_for(rest, n) < n)
		return DIAGNOSIS_NO_LINE_END;
	return (others || n > 0) && (s->odd == 0 || s->bytes >= FEW) ? DIAGNOSIS_OTHER_PROGRAM : DIAGNOSIS_SILENT;
}

static void put_garbage(const struct symptoms *s, char to[SYMPTOMS_WORDS])
{
	char text[ESCAPE_MOST * SYMPTOMS_TEXT + 1];
	escape_write(text, sizeof text, ESCAPE_QUOTED, s->damage, s->damaged);
	if (is_garbage(s))
		format_text(to, SYMPTOMS_WORDS, "%zu of %zu bytes are no text", s->odd, s->bytes);
	else
		format_text(to, SYMPTOMS_WORDS, "a message came damaged: \"%s\"", text);
}

static void put_other_text(const struct symptoms *s, const char *rest, size_t n, char to[SYMPTOMS_WORDS])
{
	char text[ESCAPE_MOST * SYMPTOMS_TEXT + 1];
	const bool whole = s->noise > 0;
	escape_write(text, sizeof text, ESCAPE_QUOTED, whole ? s->text : rest, whole ? s->noise : escape_cut(rest, n, SYMPTOMS_TEXT));
	format_text(to, SYMPTOMS_WORDS, "text that is no message: \"%s\"%s", text, s->echoes ? "; and it sends back what it gets" : "");
}

bool symptoms_prints(const struct symptoms *s, char to[SYMPTOMS_WORDS])
{
	size_t at = 0;
	to[0] = '\0';
	if (s->prints == 0)
		return false;
	at = format_text(to, SYMPTOMS_WORDS, "%lu text%s no message came between its messages: ", (unsigned long)s->prints,
		s->prints == 1 ? " that is" : "s that are");
	for (size_t i = 0; i < s->prints && i < SYMPTOMS_TEXTS; i++) {
		char text[ESCAPE_MOST * SYMPTOMS_TEXT + 1];
		escape_write(text, sizeof text, ESCAPE_QUOTED, s->printed[i].text, s->printed[i].length);
		at += format_text(to + at, SYMPTOMS_WORDS - at, "%s\"%s\"", i > 0 ? ", " : "", text);
	}
	format_text(to + at, SYMPTOMS_WORDS - at, "%s", s->prints > SYMPTOMS_TEXTS ? ", ..." : "");
	return true;
}

static void put_id(const struct symptoms *s, char to[SYMPTOMS_WORDS])
{
	char id[ESCAPE_MOST * SYMPTOMS_ID + 1];
	escape_write(id, sizeof id, ESCAPE_LINE, s->id, s->id_length);
	format_text(to, SYMPTOMS_WORDS, "an answer has %s%s, and what was asked has a number", id[0] != '\0' ? "the id " : "no id", id);
}

void symptoms_words(const struct symptoms *s, enum diagnosis diagnosis, const char *rest, size_t n, char to[SYMPTOMS_WORDS])
{
	switch (diagnosis) {
	case DIAGNOSIS_ECHO:
		format_text(to, SYMPTOMS_WORDS, "what is sent to it comes back%s", s->heard ? ", and messages of its own too" : "");
		break;
	case DIAGNOSIS_GARBAGE: put_garbage(s, to); break;
	case DIAGNOSIS_NO_LINE_END: format_text(to, SYMPTOMS_WORDS, "a message came, and no line feed behind it"); break;
	case DIAGNOSIS_OTHER_PROTOCOL:
		format_text(to, SYMPTOMS_WORDS, s->framing == QUASH_LINES ? "it writes headers, as LSP does" : "it writes no headers, unlike LSP");
		break;
	case DIAGNOSIS_WRONG_ID: put_id(s, to); break;
	case DIAGNOSIS_OTHER_PROGRAM: put_other_text(s, rest, n, to); break;
	case DIAGNOSIS_SILENT:
		format_text(to, SYMPTOMS_WORDS, s->odd > 0 ? "nothing came but %zu bytes that are no text" : "nothing came", s->odd);
		break;
	default: to[0] = '\0'; break;
	}
}
