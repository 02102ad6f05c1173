/* SPDX-License-Identifier: MIT
 * Puts at random: whatever is put, either the writer says why not or the text is JSON. What is put as it should be is
 * never refused. The lexer judges. */
#include "unit.h"

#include "json/writer.h"
#include "quash/why.h"
#include "chance.h"
#include "values.h"

static quash_writer *w;

/* --- The judge */

struct judged {
	bool json;
	uint32_t members; /* of the outermost object */
};

static struct judged judge(const uint8_t *text, size_t n)
{
	struct judged result = { true, 0 };
	uint8_t decoded[64];
	quash_lex lex;
	uint32_t depth = 0;
	size_t at = 0;
	quash_lex_init(&lex, decoded, sizeof decoded);
	while (at < n) {
		lex.length = 0;
		const quash_lex_event event = quash_lex_run(&lex, text, n, &at);
		if (event == QUASH_LEX_ERROR || event == QUASH_LEX_DEEP)
			return (struct judged){ false, 0 };
		if (event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY)
			depth++;
		if (event == QUASH_LEX_OBJECT_END || event == QUASH_LEX_ARRAY_END)
			depth--;
		if (event == QUASH_LEX_KEY && depth == 1)
			result.members++;
	}
	result.json = quash_lex_complete(&lex);
	return result;
}

static void assert_json(const char *text)
{
	const size_t n = strlen(text);
	assert_true(judge((const uint8_t *)text, n).json);
	for (size_t i = 0; i < n; i++)
		assert_true((uint8_t)text[i] >= ' ');
}

/* The text so far. */
static const char *text(void)
{
	assert_room(!w->full);
	assert_int_equal(w->at, w->count);
	w->buffer[w->at] = '\0';
	return (const char *)w->buffer;
}

/* --- Puts */

static const char *bytes(size_t *length)
{
	static const uint8_t kinds[] = { 'a', '"', '\\', '\n', 0, 0x1F, 0x7F, 0x80, 0xBF, 0xC3, 0xBC, 0xE2, 0x82, 0xAC, 0xF0, 0x9F,
		0x98, 0xED, 0xA0, 0xFF };
	static char some[6];
	*length = (size_t)random_below(sizeof some + 1);
	for (size_t i = 0; i < *length; i++)
		some[i] = (char)kinds[random_below(sizeof kinds)];
	return some;
}

static const char *name(void)
{
	static const char *const names[] = { "", "a", "k\"", "\xC3", "\xC3\xBC", "a.b", "\x01" };
	return names[random_below(COUNT_OF(names))];
}

static quash_value some_value(void)
{
	static const char *const values[] = { "1", "'a'", "null", "{}", "[]", "{'a':{'b':[1,'x',{}]},'c':false}", "[[],{'k':'v'}]",
		"-1.50e3", "'\\ud800\\n'" };
	return value_of(values[random_below(COUNT_OF(values))]);
}

static void put_string(void)
{
	size_t length;
	const char *const part = bytes(&length);
	quash_put_string(w, part, length);
}

static void put_part(void)
{
	size_t length;
	const char *const part = bytes(&length);
	quash_put_string_part(w, part, length);
}

static void put_scalar(void)
{
	switch (random_below(10)) {
	case 0: quash_put_null(w); break;
	case 1: quash_put_bool(w, random_below(2) != 0); break;
	case 2: quash_put_int(w, (int32_t)(seed << random_below(32))); break;
	case 3: quash_put_uint(w, seed >> random_below(32)); break;
	case 4: quash_put_int64(w, (int64_t)((uint64_t)seed << random_below(33))); break;
	case 5: quash_put_double(w, ((double)seed - 1e9) / (double)(1 + random_below(1000)), (uint8_t)random_below(11)); break;
	case 6: quash_put_text(w, name()); break;
	case 7: quash_put_value(w, some_value()); break;
	case 8: quash_put_raw(w, "{\"r\": [1,\n 2]}"); break;
	default: put_string(); break;
	}
}

static void put_name(void)
{
	if (random_below(4) == 0)
		quash_put_key_value(w, value_of("'k\\n'"));
	else
		quash_put_key(w, name());
}

static void put_anything(void)
{
	switch (random_below(14)) {
	case 0:
	case 1: quash_put_object(w); break;
	case 2: quash_put_array(w); break;
	case 3:
	case 4: quash_put_end(w); break;
	case 5: quash_put_string_open(w); break;
	case 6: put_part(); break;
	case 7: quash_put_string_int(w, (int32_t)seed); break;
	case 8: quash_put_string_close(w); break;
	case 9: quash_put_quote_open(w); break;
	case 10: quash_put_quote_close(w); break;
	case 11:
	case 12: put_name(); break;
	default: put_scalar(); break;
	}
}

/* Mostly what may come next; the judge knows nothing of that. */
static void put_likely(void)
{
	const uint8_t expects = w->place.expects;
	const unsigned likely = random_below(20);
	if (likely == 0)
		put_anything();
	else if ((expects & EXPECT_PART) != 0)
		likely < 12 ? put_part() : likely < 15 ? quash_put_string_int(w, -7) : quash_put_string_close(w);
	else if ((expects & EXPECT_END) != 0 && likely < 6)
		quash_put_end(w);
	else if ((expects & EXPECT_NAME) != 0)
		put_name();
	else if ((expects & EXPECT_VALUE) != 0)
		likely < 8            ? quash_put_object(w)
			: likely < 10 ? quash_put_array(w)
			: likely < 12 ? quash_put_string_open(w)
			: likely < 13 ? quash_put_quote_open(w)
				      : put_scalar();
	else if (w->place.quote != 0)
		quash_put_quote_close(w);
}

static void begin(uint32_t number)
{
	seed = number * 2654435769u + 1;
	w = fresh_writer();
}

static void put_some(unsigned most)
{
	const bool wild = random_below(8) == 0;
	for (unsigned puts = random_below(most); puts > 0; puts--)
		wild ? put_anything() : put_likely();
}

/* --- What is put anyhow */

static void test_either_json_or_void(void **state)
{
	enum { ALL = ROUNDS_OF(200000) };
	uint32_t json = 0;
	(void)state;
	for (uint32_t i = 0; i < ALL; i++) {
		begin(i);
		put_some(40);
		quash_put_ends(w);
		if (w->why != QUASH_WHY_NONE)
			continue;
		json++;
		assert_json(text());
	}
	assert_in_range(json, ALL / 10, ALL - ALL / 10); /* both were tried */
}

/* As the library has it put: inside of an error, and as the result. Nothing reaches what stands around it. */
static void test_inside_of_a_message(void **state)
{
	enum { ALL = ROUNDS_OF(100000) };
	uint32_t json = 0;
	(void)state;
	for (uint32_t i = 0; i < ALL; i++) {
		uint8_t floor;
		begin(i);
		quash_put_head(w, "{\"error\":");
		quash_put_object(w);
		quash_put_key(w, "data");
		floor = quash_place_enter(w);
		put_some(12);
		quash_place_leave(w, floor);
		quash_put_key(w, "quoted");
		quash_put_quote_open(w);
		floor = quash_place_enter(w);
		put_some(12);
		quash_place_leave(w, floor);
		quash_put_quote_close(w);
		quash_put_ends(w);
		quash_put_byte(w, ',');
		quash_put_head(w, "\"result\":");
		put_some(12);
		quash_put_ends(w);
		quash_put_byte(w, '}');
		if (w->why != QUASH_WHY_NONE)
			continue;
		json++;
		assert_json(text());
		assert_int_equal(judge(w->buffer, w->at).members, 2);
	}
	assert_in_range(json, ALL / 50, ALL - ALL / 50);
}

/* --- What is put as it should be */

static void put_pieces(void)
{
	quash_put_string_open(w);
	for (unsigned parts = random_below(4); parts > 0; parts--)
		random_below(3) == 0 ? quash_put_string_int(w, (int32_t)seed) : put_part();
	quash_put_string_close(w);
}

/* A container may be left open at the end, and a name without a value. */
static void put_one(void)
{
	uint32_t open = 0;
	for (unsigned left = 1 + random_below(40); left > 0; left--) {
		const bool object = open > 0 && quash_writer_in_object(w);
		const unsigned dice = random_below(8);
		if (open > 0 && dice == 0) {
			quash_put_end(w);
			if (--open == 0)
				return;
			continue;
		}
		if (object)
			put_name();
		if (object && dice == 1) {
			quash_put_end(w);
			open--;
		} else if (dice < 4 && open < 20) {
			random_below(2) == 0 ? quash_put_object(w) : quash_put_array(w);
			open++;
		} else {
			random_below(4) == 0 ? put_pieces() : put_scalar();
		}
		if (open == 0)
			return;
	}
}

static void test_well_put_is_json(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < ROUNDS_OF(100000); i++) {
		begin(i);
		put_one();
		quash_put_ends(w);
		assert_int_equal(w->why, QUASH_WHY_NONE);
		assert_json(text());
	}
}

/* The text of the string that is a whole JSON text, decoded. */
static size_t decoded(const uint8_t *json, size_t n, uint8_t *into)
{
	quash_lex lex;
	size_t at = 0;
	quash_lex_init(&lex, into, (quash_size)(n + QUASH_LEX_ROOM));
	while (at < n)
		assert_int_not_equal(quash_lex_run(&lex, json, n, &at), QUASH_LEX_ERROR);
	assert_true(quash_lex_complete(&lex));
	return lex.length;
}

/* What stands in a quote is the text that stands there without one. */
static void test_quoted_is_the_same(void **state)
{
	static uint8_t plain[ROOM_FOR(8192)], quoted[ROOM_FOR(8192)];
	(void)state;
	for (uint32_t i = 0; i < ROUNDS_OF(20000); i++) {
		size_t n;
		begin(i);
		put_one();
		quash_put_ends(w);
		n = w->at;
		assert_room(!w->full && n < sizeof plain);
		memcpy(plain, w->buffer, n);
		begin(i);
		quash_put_quote_open(w);
		put_one();
		quash_put_quote_close(w);
		quash_put_ends(w);
		assert_room(!w->full);
		assert_int_equal(w->why, QUASH_WHY_NONE);
		assert_int_equal(decoded(w->buffer, w->at, quoted), n);
		assert_memory_equal(quoted, plain, n);
	}
}

/* Put again for each window, the windows make the same text. */
static void test_windows_make_the_same(void **state)
{
	static uint8_t whole[ROOM_FOR(8192)];
	(void)state;
	for (uint32_t i = 0; i < ROUNDS_OF(5000); i++) {
		uint32_t total, skip = 0;
		begin(i);
		put_one();
		quash_put_ends(w);
		total = w->count;
		assert_room(!w->full && total <= sizeof whole);
		memcpy(whole, w->buffer, (size_t)total);
		while (skip < total) {
			begin(i);
			w->skip = skip;
			w->size = 16;
			put_one();
			quash_put_ends(w);
			assert_int_equal(w->count, total);
			assert_memory_equal(w->buffer, whole + skip, w->at);
			assert_true(w->at > 0);
			skip += w->at;
		}
		assert_int_equal(skip, total);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_either_json_or_void),
		cmocka_unit_test(test_inside_of_a_message),
		cmocka_unit_test(test_well_put_is_json),
		cmocka_unit_test(test_quoted_is_the_same),
		cmocka_unit_test(test_windows_make_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
