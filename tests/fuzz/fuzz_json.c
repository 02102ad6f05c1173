/* SPDX-License-Identifier: MIT
 * json: the data are a text. Jansson, which is strict RFC 8259, has a second opinion on whether it is JSON and on what
 * it means: the lexer must agree, read whole and byte by byte; so must the values that a handler is given, and what it
 * writes of them.
 *
 * By design they differ in this, and there the text is passed over, or as far as that goes:
 *     depth            32 here, and what is deeper is not looked into; 2048 there
 *     lone surrogates  U+FFFD here; refused there
 *     huge numbers     any here, as text; refused there where a double has no place for them
 *     \u0000 in a name allowed here; refused there
 *     NUL              an error here; the end of the text there
 *     doubled names    all kept here, of which the last counts; only the last one kept there */
#include "drive.h"
#include "quash/lex.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096, ROOM = 1 << 16, ULPS = 8 };

/* --- The lexer */

struct reading {
	bool good, deep, lone;
	unsigned depth, deepest;
	uint32_t digest; /* of the events and all text */
};

static void note(struct reading *r, uint8_t byte)
{
	r->digest = (r->digest ^ byte) * 16777619u;
}

/* What the lexer has written. */
static void note_text(struct reading *r, quash_lex *lex)
{
	if (lex->length > lex->size)
		broken("room", "%zu bytes in a room for %zu", (size_t)lex->length, (size_t)lex->size);
	for (size_t i = 0; i < lex->length; i++)
		note(r, lex->text[i]);
	lex->length = 0;
}

static void note_event(struct reading *r, quash_lex *lex, quash_lex_event event)
{
	if (event == QUASH_LEX_TEXT || event == QUASH_LEX_END)
		note_text(r, lex);
	r->deep = r->deep || event == QUASH_LEX_DEEP;
	r->lone = r->lone || (event == QUASH_LEX_END && lex->lone);
	if (event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY)
		r->depth++;
	if (event == QUASH_LEX_OBJECT_END || event == QUASH_LEX_ARRAY_END)
		r->depth--;
	r->deepest = r->depth > r->deepest ? r->depth : r->deepest;
	if (event != QUASH_LEX_MORE && event != QUASH_LEX_TEXT && event != QUASH_LEX_ERROR) {
		note(r, 0xFF);
		note(r, (uint8_t)event);
	}
}

static void end_reading(struct reading *r, quash_lex *lex, quash_lex_event event)
{
	note_text(r, lex);
	r->good = event != QUASH_LEX_ERROR && quash_lex_complete(lex);
}

static struct reading read_whole(const uint8_t *text, size_t n)
{
	struct reading r = { .digest = 2166136261u };
	static uint8_t room[LONGEST + QUASH_LEX_ROOM];
	quash_lex lex;
	quash_lex_event event = QUASH_LEX_MORE;
	size_t at = 0;
	quash_lex_init(&lex, room, sizeof room);
	while ((at < n || event != QUASH_LEX_MORE) && event != QUASH_LEX_ERROR) {
		event = quash_lex_run(&lex, text, n, &at);
		note_event(&r, &lex, event);
	}
	end_reading(&r, &lex, event);
	return r;
}

/* Byte by byte, and in a small room. */
static struct reading read_bytes(const uint8_t *text, size_t n)
{
	struct reading r = { .digest = 2166136261u };
	const quash_size size = (quash_size)(QUASH_LEX_ROOM + n % 13);
	uint8_t *const room = malloc(size);
	quash_lex lex;
	quash_lex_event event = QUASH_LEX_MORE;
	quash_lex_init(&lex, room, size);
	for (size_t i = 0; i < n && event != QUASH_LEX_ERROR;) {
		bool again = false;
		event = quash_lex_byte(&lex, text[i], &again);
		note_event(&r, &lex, event);
		i += !again;
	}
	end_reading(&r, &lex, event);
	free(room);
	return r;
}

/* --- Values */

static void compare(quash_value value, const json_t *json);

static int64_t steps_of(double number)
{
	int64_t bits;
	memcpy(&bits, &number, sizeof bits);
	return bits < 0 ? INT64_MIN - bits : bits;
}

/* Up to 15 digits and a power of ten within 22: then the double is the nearest one. */
static bool is_exact(const char *text)
{
	long power = 0, digits = 0;
	bool behind = false;
	for (; *text != '\0' && *text != 'e' && *text != 'E'; text++) {
		behind = behind || *text == '.';
		digits += isdigit((unsigned char)*text) && (digits > 0 || *text != '0');
		power -= behind && *text != '.';
	}
	if (*text != '\0')
		power += strlen(text) < 8 ? strtol(text + 1, NULL, 10) : 1000;
	return digits <= 15 && power >= -22 && power <= 22;
}

/* A power of ten beyond 22 takes up to 14 steps, each of which may be half a unit apart. */
static void compare_number(quash_value value, double wanted)
{
	double number = 0;
	int64_t integer = 0;
	const char *const text = quash_text(value);
	const quash_number read = quash_double(value, &number);
	const int64_t apart = steps_of(number) - steps_of(wanted);
	if (read != QUASH_NUMBER_OK || apart > ULPS || apart < -ULPS || (apart != 0 && is_exact(text)))
		broken("number", "%s is read as %.17g (%d), not %.17g", text, number, (int)read, wanted);
	const quash_number whole = quash_int64(value, &integer);
	if (whole == QUASH_NUMBER_OK && (double)integer != wanted)
		broken("number", "%s is read as the integer %lld", text, (long long)integer);
	if (whole == QUASH_NUMBER_TYPE && wanted > -1e15 && wanted < 1e15 &&
		(double)(int64_t)wanted == wanted && is_exact(text))
		broken("number", "%s is not read as an integer", text);
}

static bool comes_again(quash_value object, quash_value cursor, quash_value key)
{
	quash_value other, value;
	while (quash_next(object, &cursor, &other, &value)) {
		if (quash_length(other) == quash_length(key) &&
			memcmp(quash_text(other), quash_text(key), quash_length(key)) == 0)
			return true;
	}
	return false;
}

static void compare_object(quash_value object, const json_t *json)
{
	quash_value cursor = { 0 }, key, value;
	size_t members = 0;
	while (quash_next(object, &cursor, &key, &value)) {
		if (comes_again(object, cursor, key))
			continue;
		const json_t *const other = json_object_get(json, quash_text(key));
		if (other == NULL)
			broken("value", "a member that is none: %s", quash_text(key));
		compare(value, other);
		members++;
	}
	if (members != json_object_size(json))
		broken("value", "%zu members instead of %zu", members, json_object_size(json));
}

static void compare_array(quash_value array, const json_t *json)
{
	quash_value cursor = { 0 }, key, value;
	size_t n = 0;
	while (quash_next(array, &cursor, &key, &value)) {
		if (n == json_array_size(json))
			broken("value", "an element too many");
		compare(value, json_array_get(json, n++));
	}
	if (n != json_array_size(json))
		broken("value", "%zu elements instead of %zu", n, json_array_size(json));
}

static void compare(quash_value value, const json_t *json)
{
	static const quash_kind kinds[] = { [JSON_OBJECT] = QUASH_OBJECT,
		[JSON_ARRAY] = QUASH_ARRAY,
		[JSON_STRING] = QUASH_STRING,
		[JSON_INTEGER] = QUASH_NONE,
		[JSON_REAL] = QUASH_NUMBER,
		[JSON_TRUE] = QUASH_TRUE,
		[JSON_FALSE] = QUASH_FALSE,
		[JSON_NULL] = QUASH_NULL };
	if (quash_kind_of(value) != kinds[json_typeof(json)])
		broken("value", "kind %d instead of %d", (int)quash_kind_of(value),
			(int)kinds[json_typeof(json)]);
	switch (json_typeof(json)) {
	case JSON_OBJECT: compare_object(value, json); break;
	case JSON_ARRAY: compare_array(value, json); break;
	case JSON_REAL: compare_number(value, json_real_value(json)); break;
	case JSON_STRING:
		if (quash_length(value) != json_string_length(json) ||
			memcmp(quash_text(value), json_string_value(json), quash_length(value)) != 0)
			broken("value", "a string is another one: %s", quash_text(value));
		break;
	default: break;
	}
}

/* --- Through a peer: the value that a handler is given, and what it writes of it */

static struct drive device;
static const json_t *wanted;
static bool called;

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	if (called)
		broken("acts", "the handler is called again");
	compare(quash_get(quash_params_of(request), "0"), wanted);
	called = true;
	return quash_reply(request, put_params);
}

static const quash_method methods[] = { { .name = "echo", .handler = echo } };
static const quash_config config = { .dialect = &quash_lsp,
	.methods = methods,
	.method_count = 1,
	.slot_count = 2,
	.id_size = QUASH_ID_MIN,
	.word_size = QUASH_WORD_MIN,
	.arena_size = ROOM,
	.tx_size = ROOM };

static json_t *load(const char *text, size_t n, json_error_t *error)
{
	return json_loadb(text, n, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, error);
}

static void check_answer(const struct reading *r)
{
	size_t n;
	json_error_t error;
	const char *const text = (const char *)quash_out(&device.peer, &n);
	const char *const body = memchr(text, '{', n);
	if (body == NULL)
		broken("echo", "no answer");
	json_t *const answer = load(body, n - (size_t)(body - text), &error);
	if (answer == NULL)
		broken("echo", "it is no JSON: %.*s", (int)n, text);
	const json_t *const result = json_object_get(answer, "result");
	if (r->deepest + 2 > QUASH_DEPTH) {
		if (json_real_value(json_object_get(json_object_get(answer, "error"), "code")) !=
			QUASH_TOO_LARGE)
			broken("echo", "too deep, and yet: %.*s", (int)n, text);
	} else if (!called || !json_equal(json_array_get(result, 0), wanted)) {
		broken("echo", "another value: %.*s", (int)n, text);
	}
	quash_sent(&device.peer, n);
	json_decref(answer);
}

static void echo_text(const uint8_t *text, size_t n, const struct reading *r)
{
	static char message[LONGEST + 200];
	const int length = snprintf(message, sizeof message,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[%.*s]}", (int)n,
		(const char *)text);
	if (!drive_open(&device, &config, 0, n % 2 == 1 ? DRIVE_BYTES : DRIVE_WHOLE))
		broken("init", "it is refused");
	device.watch.unsure = true;
	called = false;
	drive_message(&device, message, (size_t)length);
	device.stalled = true;
	drive_pump(&device, 0);
	drive_step(&device);
	check_answer(r);
	drive_close(&device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_error_t error;
	if (size > LONGEST)
		return 0;
	const struct reading whole = read_whole(data, size), bytes = read_bytes(data, size);
	if (whole.good != bytes.good || (whole.good && whole.digest != bytes.digest))
		broken("cuts", "byte by byte it is something else");
	if (whole.deep)
		return 0;
	if (size > 0 && memchr(data, '\0', size) != NULL) {
		if (whole.good)
			broken("verdict", "JSON in spite of a NUL");
		return 0;
	}
	json_t *const json = load((const char *)data, size, &error);
	const enum json_error_code code = json != NULL ? json_error_unknown : json_error_code(&error);
	const bool differs = whole.lone || code == json_error_numeric_overflow ||
		code == json_error_null_byte_in_key;
	if (!differs && whole.good != (json != NULL))
		broken("verdict", "%s here, %s there: %s", whole.good ? "JSON" : "none",
			json != NULL ? "JSON" : "none", json != NULL ? "" : error.text);
	if (!differs && json != NULL) {
		wanted = json;
		echo_text(data, size, &whole);
	}
	json_decref(json);
	return 0;
}
