/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const dialect_words[DIALECTS] = { "acp", "lsp", "mcp", "jsonrpc" };

/* Spelled here once more, so that the library's tables are tested too. */
static const struct {
	const char *cancel, *id, *none;
	bool headers, silent;
	int own_code;
} spelling[DIALECTS] = {
	{ "$/cancel_request", "requestId", "\"id\":null,", false, false, -32800 },
	{ "$/cancelRequest", "id", "\"id\":null,", true, false, -32803 },
	{ "notifications/cancelled", "requestId", "", false, true, -32800 },
	{ "$/cancel_request", "requestId", "\"id\":null,", false, false, -32800 },
};

static const struct {
	int code;
	const char *text;
} errors[] = {
	{ -32700, "Parse error" },
	{ -32600, "Invalid Request" },
	{ -32601, "Method not found" },
	{ -32602, "Invalid params" },
	{ -32603, "Internal error" },
	{ -32800, "Request cancelled" },
	{ -32803, "Request failed" },
	{ -32010, "Busy" },
	{ -32012, "Link lost" },
	{ -32011, "Message too large" },
};

/* --- Pieces */

static void repeat(struct text *out, const char *inner, size_t length, unsigned dialect);

/* Copies, with everything that stands for something else put in its place. */
static void expand(struct text *out, const char *from, size_t length, unsigned dialect)
{
	const char *end = from + length;
	while (from < end) {
		const char *close = strncmp(from, "<<", 2) == 0 ? strstr(from, ">>") : NULL;
		if (close != NULL) {
			repeat(out, from + 2, (size_t)(close - from) - 2, dialect);
			from = close + 2;
		} else if (strncmp(from, "$CANCEL", 7) == 0) {
			text_append(out, spelling[dialect].cancel);
			from += 7;
		} else if (strncmp(from, "$ID", 3) == 0) {
			text_append(out, spelling[dialect].id);
			from += 3;
		} else {
			text_add(out, from++, 1);
		}
	}
}

/* `$N` in it is which time it is. */
static void expand_once(struct text *out, const char *from, size_t length, unsigned long which, unsigned dialect)
{
	struct text once = { 0 };
	for (const char *const end = from + length; from < end;) {
		const bool counts = strncmp(from, "$N", 2) == 0;
		if (counts)
			text_printf(&once, "%lu", which);
		else
			text_add(&once, from, 1);
		from += counts ? 2 : 1;
	}
	expand(out, once.data != NULL ? once.data : "", once.length, dialect);
	text_free(&once);
}

static void repeat(struct text *out, const char *inner, size_t length, unsigned dialect)
{
	char *star;
	const unsigned long times = strtoul(inner, &star, 10);
	const size_t one = length - (size_t)(star + 1 - inner);
	const bool counts = memchr(star + 1, '$', one) != NULL;
	for (unsigned long n = 1; n <= times; n++) {
		if (counts)
			expand_once(out, star + 1, one, n, dialect);
		else
			expand(out, star + 1, one, dialect);
	}
}

static int hex(const char *at)
{
	const char digits[3] = { at[0], at[0] != '\0' ? at[1] : '\0', '\0' };
	char *end;
	const long value = strtol(digits, &end, 16);
	return end == digits + 2 ? (int)value : -1;
}

/* Puts a byte for each escape. False when there is an unknown one. */
static bool unescape(struct text *t)
{
	size_t to = 0;
	for (size_t i = 0; i < t->length; i++, to++) {
		static const char names[] = "rnt\\", bytes[] = "\r\n\t\\";
		const char *name = t->data[i] == '\\' && t->data[i + 1] != '\0' ? strchr(names, t->data[i + 1])
										: NULL;
		if (t->data[i] != '\\') {
			t->data[to] = t->data[i];
		} else if (name != NULL) {
			t->data[to] = bytes[name - names];
			i++;
		} else if (t->data[i + 1] == 'x' && hex(t->data + i + 2) >= 0) {
			t->data[to] = (char)hex(t->data + i + 2);
			i += 3;
		} else {
			return false;
		}
	}
	t->length = to;
	t->data[to] = '\0';
	return true;
}

/* The next blank-delimited word of `*words`, in which blanks within a JSON string do not count. */
static struct text next_word(const char **words)
{
	struct text word = { 0 };
	const char *at = *words;
	bool quoted = false;
	for (; *at != '\0' && (quoted || *at != ' '); at++) {
		if (*at == '\\' && at[1] != '\0')
			text_add(&word, at++, 1);
		else if (*at == '"')
			quoted = !quoted;
		text_add(&word, at, 1);
	}
	text_add(&word, "", 0);
	while (*at == ' ')
		at++;
	*words = at;
	return word;
}

/* --- Messages */

static void put_id(struct text *out, const char *id, unsigned dialect)
{
	if (strcmp(id, "none") == 0)
		text_append(out, spelling[dialect].none);
	else
		text_printf(out, "\"id\":%s,", id);
}

static void put_call(struct text *out, const char *id, const char *words)
{
	struct text method = next_word(&words);
	text_append(out, "{\"jsonrpc\":\"2.0\",");
	if (id != NULL) {
		text_append(out, "\"id\":");
		text_append(out, id);
		text_append(out, ",");
	}
	text_append(out, "\"method\":\"");
	text_add(out, method.data, method.length);
	text_append(out, "\"");
	if (*words != '\0') {
		text_append(out, ",\"params\":");
		text_append(out, words);
	}
	text_append(out, "}");
	text_free(&method);
}

static const char *usual_text(int code)
{
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		if (errors[i].code == code)
			return errors[i].text;
	}
	return NULL;
}

/* TEXT, or TEXT with DATA. */
static bool put_error(struct text *out, const char *id, int code, const char *words, unsigned dialect)
{
	const char *const data = words != NULL ? strstr(words, " with ") : NULL;
	if (words == NULL)
		return false;
	text_append(out, "{\"jsonrpc\":\"2.0\",");
	put_id(out, id, dialect);
	text_printf(out, "\"error\":{\"code\":%d,\"message\":\"", code);
	text_add(out, words, data != NULL ? (size_t)(data - words) : strlen(words));
	text_append(out, data != NULL ? "\",\"data\":" : "\"");
	text_append(out, data != NULL ? data + strlen(" with ") : "");
	text_append(out, "}}");
	return true;
}

/* CODE TEXT, or CODE with its usual text. */
static bool put_error_words(struct text *out, const char *id, const char *words, unsigned dialect)
{
	const int code = atoi(words);
	const char *const blank = strchr(words, ' ');
	return put_error(out, id, code, blank != NULL ? blank + 1 : usual_text(code), dialect);
}

static void put_cancel(struct text *out, const char *id, unsigned dialect)
{
	text_printf(out, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",", spelling[dialect].cancel);
	text_printf(out, "\"params\":{\"%s\":", spelling[dialect].id);
	text_append(out, id);
	text_append(out, "}}");
}

static void put_result(struct text *out, const char *id, const char *json)
{
	text_append(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_append(out, id);
	text_append(out, ",\"result\":");
	text_append(out, json);
	text_append(out, *json != '\0' && json[strlen(json) - 1] == '*' ? "" : "}");
}

/* ID TOOL ARGUMENTS MORE, where MORE are members of the params. */
static void put_tool_call(struct text *out, const char *words)
{
	struct text id = next_word(&words), tool = next_word(&words), arguments = next_word(&words);
	text_append(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_append(out, id.data);
	text_append(out, ",\"method\":\"tools/call\",\"params\":{\"name\":\"");
	text_append(out, tool.data);
	text_append(out, "\",\"arguments\":");
	text_append(out, arguments.length > 0 ? arguments.data : "{}");
	text_append(out, *words != '\0' ? "," : "");
	text_append(out, words);
	text_append(out, "}}");
	text_free(&id);
	text_free(&tool);
	text_free(&arguments);
}

/* ID SESSION TEXT */
static void put_prompt(struct text *out, const char *words)
{
	struct text id = next_word(&words), session = next_word(&words);
	text_append(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_append(out, id.data);
	text_append(out, ",\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"");
	text_append(out, session.data);
	text_append(out, "\",\"prompt\":[{\"type\":\"text\",\"text\":\"");
	text_append(out, words);
	text_append(out, "\"}]}}");
	text_free(&id);
	text_free(&session);
}

/* ID TEXT: what a tool answers. */
static void put_tool_text(struct text *out, const char *words, bool failed)
{
	struct text id = next_word(&words);
	text_append(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_append(out, id.data);
	text_append(out, failed ? ",\"result\":{\"isError\":true," : ",\"result\":{");
	text_append(out, "\"content\":[{\"type\":\"text\",\"text\":\"");
	text_append(out, words);
	text_append(out, "\"}]}}");
	text_free(&id);
}

static bool put_sent(struct text *out, const char *words, unsigned dialect)
{
	if (line_starts(&words, "ask")) {
		struct text id = next_word(&words);
		put_call(out, id.data, words);
		text_free(&id);
	} else if (line_starts(&words, "calls")) {
		put_tool_call(out, words);
	} else if (line_starts(&words, "prompts")) {
		put_prompt(out, words);
	} else if (line_starts(&words, "notify")) {
		put_call(out, NULL, words);
	} else if (line_starts(&words, "cancel")) {
		put_cancel(out, words, dialect);
	} else if (line_starts(&words, "answers")) {
		struct text id = next_word(&words);
		put_result(out, id.data, words);
		text_free(&id);
	} else if (line_starts(&words, "refuses")) {
		struct text id = next_word(&words);
		const bool known = put_error_words(out, id.data, words, dialect);
		text_free(&id);
		return known;
	} else if (line_starts(&words, "bytes")) {
		text_append(out, words);
		return unescape(out);
	} else {
		text_append(out, words);
	}
	return true;
}

/* What the peer sends that is no answer. */
static bool put_ours(struct text *out, const char *words, unsigned dialect)
{
	if (line_starts(&words, "notifies")) {
		put_call(out, NULL, words);
	} else if (line_starts(&words, "asks")) {
		struct text id = next_word(&words);
		put_call(out, id.data, words);
		text_free(&id);
	} else if (line_starts(&words, "cancels")) {
		put_cancel(out, words, dialect);
	} else if (line_starts(&words, "says")) {
		put_tool_text(out, words, false);
	} else if (line_starts(&words, "fails")) {
		put_tool_text(out, words, true);
	} else {
		text_append(out, words);
	}
	return true;
}

static bool put_expected(struct text *out, const char *words, unsigned dialect)
{
	const bool result = line_starts(&words, "result");
	const bool error = !result && line_starts(&words, "error");
	const bool cancelled = !result && !error && line_starts(&words, "cancelled");
	const bool stopped = !result && !error && !cancelled && line_starts(&words, "stopped");
	if (!result && !error && !cancelled && !stopped)
		return put_ours(out, words, dialect);
	struct text id = next_word(&words);
	bool known = id.length > 0;
	if (result) {
		put_result(out, id.data, words);
	} else if (!cancelled || !spelling[dialect].silent) {
		const int code = stopped ? spelling[dialect].own_code : -32800;
		known = known && (error ? put_error_words(out, id.data, words, dialect) :
			put_error(out, id.data, code, usual_text(code), dialect));
	}
	text_free(&id);
	return known;
}

bool words_sent(struct text *out, const char *words, unsigned dialect)
{
	struct text plain = { 0 }, body = { 0 };
	expand(&plain, words, strlen(words), dialect);
	text_add(&plain, "", 0);
	const bool known = put_sent(&body, plain.data, dialect);
	if (spelling[dialect].headers)
		text_printf(out, "Content-Length: %lu\r\n\r\n", (unsigned long)body.length);
	text_add(out, body.data, body.length);
	text_append(out, spelling[dialect].headers ? "" : "\n");
	text_free(&plain);
	text_free(&body);
	return known;
}

uint32_t words_answered(const char *words)
{
	return line_starts(&words, "answers") || line_starts(&words, "refuses") ? (uint32_t)strtoul(words, NULL, 10) : 0;
}

bool words_plain(struct text *out, const char *words)
{
	expand(out, words, strlen(words), 0);
	text_add(out, "", 0);
	return true;
}

bool words_raw(struct text *out, const char *words)
{
	expand(out, words, strlen(words), 0);
	return unescape(out);
}

bool words_expected(struct text *out, const char *words, unsigned dialect)
{
	struct text plain = { 0 };
	expand(&plain, words, strlen(words), dialect);
	text_add(out, "", 0);
	const bool known = plain.length > 0 && put_expected(out, plain.data, dialect);
	text_free(&plain);
	return known;
}
