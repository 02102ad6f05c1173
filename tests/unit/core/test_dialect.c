/* SPDX-License-Identifier: MIT
 * How the supplied dialects spell things, and one of our own. */
#include "device.h"

#include <stdio.h>

static void check(
	const quash_dialect *dialect, const char *cancel, const char *own_cause, const char *other_side)
{
	device_start(dialect);
	say(REQUEST("1", "wait"));
	ANSWERS_TO(cancel, 0, other_side);
	COUNTED(cancelled[QUASH_BY_OTHER_SIDE], 1);
	COUNTED(ignored, 0);
	say(NOTE("unknown"));
	COUNTED(ignored, 1);
	say(REQUEST("1", "wait"));
	quash_cancel(live("1"));
	ANSWERS(own_cause);
}

/* --- What an error says, if its handler says nothing */

static const struct {
	int32_t code;
	const char *words, *lsp_words; /* NULL: the same */
} codes[] = {
	{ QUASH_PARSE_ERROR, "Parse error", NULL },
	{ QUASH_INVALID_REQUEST, "Invalid Request", NULL },
	{ QUASH_METHOD_NOT_FOUND, "Method not found", NULL },
	{ QUASH_INVALID_PARAMS, "Invalid params", NULL },
	{ QUASH_INTERNAL_ERROR, "Internal error", NULL },
	{ QUASH_BUSY, "Busy", NULL },
	{ QUASH_TOO_LARGE, "Message too large", NULL },
	{ QUASH_LINK_LOST, "Link lost", NULL },
	{ QUASH_CONTENT_MODIFIED, "Server error", "Content modified" },
	{ QUASH_SERVER_CANCELLED, "Server error", "Server cancelled" },
	{ QUASH_REQUEST_FAILED, "Server error", "Request failed" },
	{ QUASH_NOT_INITIALIZED, "Server error", "Server not initialized" },
	{ -32000, "Server error", NULL },
	{ -1, "Server error", NULL },
	{ -32604, "Server error", NULL },
	{ -65535, "Server error", NULL },
	{ -32768, "Server error", NULL },
};

static void test_words(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	char asked[100], answered[120];
	(void)state;
	for (size_t d = 0; d < COUNT_OF(dialects); d++) {
		device_start(dialects[d]);
		for (size_t i = 0; i < COUNT_OF(codes); i++) {
			const char *const words = dialects[d] == &quash_lsp && codes[i].lsp_words != NULL ? codes[i].lsp_words : codes[i].words;
			snprintf(asked, sizeof asked, REQUEST_WITH("1", "returns", "{'code':%ld}"), (long)codes[i].code);
			snprintf(answered, sizeof answered, ERROR("1", "%ld", "%s"), (long)codes[i].code, words);
			ANSWERS_TO(asked, 1, answered);
			COUNTED(errors, i + 1);
		}
	}
}

/* --- A fifth one */

static const quash_cancel_method cancels[] = {
	{ "forget", NULL }, { "forgetIt", NULL }, { "stop", "wait" }, { "halt", "stubborn" }
};

static const quash_dialect fifth = {
	.cancels = cancels,
	.cancel_count = 4,
	.cancel_id = "it",
	.cancel_id_alias = "that",
	.cancel_reason = "because",
	.never_cancelled = "session/prompt",
	.tag_member = "job",
	.other_code = -5,
	.own_code = -6,
	.framing = QUASH_CONTENT_LENGTH,
	.null_id = false,
};

static void test_names_of_a_fifth(void **state)
{
	(void)state;
	check(&fifth, NOTE_WITH("forget", "{'it':1}"), ERROR("1", "-6", "Server error"),
		ERROR("1", "-5", "Server error"));
	check(&fifth, NOTE_WITH("forget", "{'that':1}"), ERROR("1", "-6", "Server error"),
		ERROR("1", "-5", "Server error"));
	check(&fifth, NOTE_WITH("forgetIt", "{'it':1}"), ERROR("1", "-6", "Server error"),
		ERROR("1", "-5", "Server error"));
	ANSWERS_TO("x", 0, ERROR_WITHOUT_ID("-32700", "Parse error"));
}

static void test_reason_of_a_fifth(void **state)
{
	(void)state;
	device_start(&fifth);
	say_and_step(REQUEST("1", "stubborn"));
	say(NOTE_WITH("forget", "{'because':'so','it':1,'reason':'not'}"));
	assert_string_equal(quash_reason(live("1")), "so");
}

static void test_never_cancelled_of_a_fifth(void **state)
{
	(void)state;
	device_start(&fifth);
	say(REQUEST("1", "session/prompt"));
	ANSWERS_TO(NOTE_WITH("forget", "{'it':1}"), 0, "");
	COUNTED(late_cancels, 1);
	say(REQUEST("2", "initialize"));
	ANSWERS_TO(NOTE_WITH("forget", "{'it':2}"), 0, ERROR("2", "-5", "Server error"));
}

static void test_tags_of_a_fifth(void **state)
{
	(void)state;
	device_start(&fifth);
	say(REQUEST_WITH("1", "wait", "{'job':'a'}"));
	say(REQUEST_WITH("2", "stubborn", "{'job':'a'}"));
	say(REQUEST_WITH("3", "wait", "{'job':'b'}"));
	ANSWERS_TO(NOTE_WITH("halt", "{'job':'a'}"), 0, ERROR("2", "-5", "Server error"));
	ANSWERS_TO(NOTE_WITH("stop", "{'job':'a'}"), 0, ERROR("1", "-5", "Server error"));
	say(NOTE_WITH("stopp", "{'job':'b'}"));
	ANSWERS_TO(NOTE_WITH("sto", "{'job':'b'}"), 0, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_names_of_a_fifth),
		cmocka_unit_test(test_reason_of_a_fifth),
		cmocka_unit_test(test_never_cancelled_of_a_fifth),
		cmocka_unit_test(test_tags_of_a_fifth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
