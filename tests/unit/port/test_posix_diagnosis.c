/* SPDX-License-Identifier: MIT
 * boards/host/common/diagnosis.h: what passes on a line, and what that shows. */
#include "unit.h"

#include "diagnosis.h"
#include "quash/dialect.h"

#include <stdio.h>
#include <string.h>

static struct symptoms line;

static int set_up(void **state)
{
	(void)state;
	line = (struct symptoms){ .framing = QUASH_LINES };
	return 0;
}

static void sent(const char *message)
{
	symptoms_sent(&line, message, strlen(message));
}

static void bytes(const char *data, size_t n)
{
	symptoms_bytes(&line, (const uint8_t *)data, n);
}

/* A line as a program makes it of what it reads: a message, or noise. */
static void comes(const char *text)
{
	const size_t n = strlen(text);
	bytes(text, n);
	bytes("\n", 1);
	if (look_at(text, n, NULL, NULL).rpc)
		symptoms_message(&line, text, n);
	else
		symptoms_noise(&line, text, n);
}

/* What has no end yet comes in pieces of `cut` bytes. */
static void rest_comes(const char *text, size_t n, size_t cut)
{
	for (size_t i = 0; i < n; i += cut)
		bytes(text + i, cut < n - i ? cut : n - i);
}

static void tells_with(enum diagnosis diagnosis, const char *rest, const char *words)
{
	char text[SYMPTOMS_WORDS];
	assert_string_equal(diagnosis_name(symptoms_tell(&line, rest, strlen(rest))) == NULL ? "none" :
		diagnosis_name(symptoms_tell(&line, rest, strlen(rest))), diagnosis_name(diagnosis) == NULL ? "none" : diagnosis_name(diagnosis));
	symptoms_words(&line, diagnosis, rest, strlen(rest), text);
	assert_string_equal(text, words);
}

static void tells(enum diagnosis diagnosis, const char *words)
{
	tells_with(diagnosis, "", words);
}

static const char greeting[] = "{\"jsonrpc\":\"2.0\",\"id\":4711,\"method\":\"initialize\",\"params\":{\"a\":{}}}";
static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}";
static const char note[] = "{\"jsonrpc\":\"2.0\",\"method\":\"x/note\"}";

static void test_nothing(void **state)
{
	(void)state;
	sent(greeting);
	tells(DIAGNOSIS_SILENT, "nothing came");
	bytes("\r\n\r\n", 4);
	tells(DIAGNOSIS_SILENT, "nothing came");
	bytes("\xff\0", 2);
	tells_with(DIAGNOSIS_SILENT, "\xff", "nothing came but 2 bytes that are no text");
}

static void test_messages(void **state)
{
	(void)state;
	sent(greeting);
	comes("ets Jun  8 2016");
	comes(answer);
	tells(DIAGNOSIS_NONE, "");
	tells_with(DIAGNOSIS_NONE, "{\"jsonrpc\":", "");
}

/* As a receiver of 115200 Bd reads 9600 Bd. */
static const char garbage[] = "\0\xe0\x1c\xe0\0\xfc\x1c\xe0\xfc\0\x1c\xfc\xe0\0\xe0\x1c";

static void test_another_rate(void **state)
{
	(void)state;
	rest_comes(garbage, sizeof garbage - 1, 3);
	tells_with(DIAGNOSIS_GARBAGE, garbage + 1, "16 of 16 bytes are no text");
}

static void test_another_rate_after_messages(void **state)
{
	(void)state;
	comes(answer);
	rest_comes(garbage, sizeof garbage - 1, 16);
	tells(DIAGNOSIS_NONE, "");
	for (int i = 0; i < 3; i++)
		rest_comes(garbage, sizeof garbage - 1, 16);
	tells(DIAGNOSIS_GARBAGE, "64 of 64 bytes are no text");
	comes(answer);
	tells(DIAGNOSIS_NONE, "");
}

static void test_other_letters_are_text(void **state)
{
	static const char text[] = "Gr\xc3\xb6\xc3\x9f" "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9d\x84\x9e \x1b[0m\t7";
	(void)state;
	for (size_t cut = 1; cut < 6; cut++) {
		set_up(NULL);
		rest_comes(text, sizeof text - 1, cut);
		assert_int_equal(line.odd, 0);
	}
	bytes("\xe6\x97 \xff\xc3(\x80", 7);
	assert_int_equal(line.odd, 5);
}

static void test_another_program(void **state)
{
	(void)state;
	sent(greeting);
	comes("raspberrypi \"7\" login: ");
	comes("more");
	tells(DIAGNOSIS_OTHER_PROGRAM, "text that is no message: \"raspberrypi \\\"7\\\" login: \"");
	comes("{\"temperature\":7}");
	tells(DIAGNOSIS_OTHER_PROGRAM, "text that is no message: \"raspberrypi \\\"7\\\" login: \"");
	comes(greeting);
	tells(DIAGNOSIS_OTHER_PROGRAM, "text that is no message: \"raspberrypi \\\"7\\\" login: \"; and it sends back what it gets");
}

static void test_a_prompt_has_no_end(void **state)
{
	(void)state;
	bytes("login: ", 7);
	tells_with(DIAGNOSIS_OTHER_PROGRAM, "login: ", "text that is no message: \"login: \"");
}

static void test_a_message_has_no_end(void **state)
{
	(void)state;
	sent(greeting);
	rest_comes(answer, strlen(answer), 7);
	tells_with(DIAGNOSIS_NO_LINE_END, answer, "a message came, and no line feed behind it");
}

static void test_another_framing(void **state)
{
	(void)state;
	comes("Content-Length: 38");
	tells(DIAGNOSIS_OTHER_PROTOCOL, "it writes headers, as LSP does");
	line = (struct symptoms){ .framing = quash_lsp.framing };
	symptoms_noise(&line, answer, strlen(answer));
	tells(DIAGNOSIS_OTHER_PROTOCOL, "it writes no headers, unlike LSP");
	line = (struct symptoms){ .framing = &quash_content_length };
	symptoms_noise(&line, "{ \"id\":4711, \"jsonrpc\" : \"2.0\"}", 32);
	tells(DIAGNOSIS_OTHER_PROTOCOL, "it writes no headers, unlike LSP");
	comes(answer);
	tells(DIAGNOSIS_NONE, "");
}

static void test_an_echo(void **state)
{
	(void)state;
	sent(greeting);
	assert_true(symptoms_are_echo(&line, greeting, strlen(greeting)));
	comes(greeting);
	tells(DIAGNOSIS_ECHO, "what is sent to it comes back");
	sent(answer);
	comes(answer);
	tells(DIAGNOSIS_ECHO, "what is sent to it comes back");
	comes("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{\"its\":0}}");
	tells(DIAGNOSIS_ECHO, "what is sent to it comes back, and messages of its own too");
	sent("{\"jsonrpc\":\"2.0\",\"id\":4712,\"method\":\"tools/list\"}");
	assert_true(symptoms_are_echo(&line, "{\"jsonrpc\":\"2.0\",\"id\":4712,\"method\":\"tools/list\"}", 49));
}

static void test_an_echo_without_an_end(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 80; cut += 13) {
		set_up(NULL);
		sent(greeting);
		rest_comes("{\"jsonrpc\":", 11, cut);
		rest_comes(greeting, strlen(greeting), cut);
		tells_with(DIAGNOSIS_ECHO, greeting, "what is sent to it comes back");
	}
}

static void test_an_echo_of_a_board_that_boots(void **state)
{
	(void)state;
	sent(greeting);
	comes("ets Jun  8 2016");
	comes(greeting);
	comes("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}");
	tells(DIAGNOSIS_ECHO, "what is sent to it comes back, and messages of its own too");
}

static void test_what_is_no_echo(void **state)
{
	(void)state;
	sent(note);
	sent(answer);
	assert_false(symptoms_are_echo(&line, note, strlen(note)));
	assert_false(symptoms_are_echo(&line, answer, strlen(answer)));
	sent(greeting);
	assert_false(symptoms_are_echo(&line, "{\"jsonrpc\":\"2.0\",\"id\":4711,\"method\":\"ini", 40));
	comes(note);
	assert_true(symptoms_are_echo(&line, greeting, strlen(greeting)));
	comes(answer);
	assert_false(symptoms_are_echo(&line, greeting, strlen(greeting)));
	comes(greeting);
	tells(DIAGNOSIS_NONE, "");
}

static void answers(const char *id, const char *words)
{
	char text[128];
	line = (struct symptoms){ .framing = QUASH_LINES };
	sent(greeting);
	snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",%s\"result\":{\"id\":1}}", id);
	comes(text);
	tells(words[0] != '\0' ? DIAGNOSIS_WRONG_ID : DIAGNOSIS_NONE, words);
}

static void test_ids_of_another_type(void **state)
{
	(void)state;
	answers("\"id\":1,", "");
	answers("\"id\" : \"1\" ,", "an answer has the id \"1\", and what was asked has a number");
	answers("\"id\":\"a\\\"b\",", "an answer has the id \"a\\\"b\", and what was asked has a number");
	answers("\"id\":1.0,", "an answer has the id 1.0, and what was asked has a number");
	answers("\"id\":-1,", "an answer has the id -1, and what was asked has a number");
	answers("\"id\":null,", "an answer has the id null, and what was asked has a number");
	answers("", "an answer has no id, and what was asked has a number");
	comes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	tells(DIAGNOSIS_NONE, "");
	line = (struct symptoms){ .framing = QUASH_LINES };
	comes("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}");
	tells(DIAGNOSIS_NONE, "");
}

static void test_what_it_prints(void **state)
{
	char words[SYMPTOMS_WORDS];
	(void)state;
	comes("ets Jun  8 2016");
	comes(answer);
	assert_false(symptoms_prints(&line, words));
	comes("a\tb");
	assert_true(symptoms_prints(&line, words));
	assert_string_equal(words, "1 text that is no message came between its messages: \"a\\tb\"");
	comes("2");
	comes("[3");
	assert_true(symptoms_prints(&line, words));
	assert_string_equal(words, "3 texts that are no message came between its messages: \"a\\tb\", \"2\", \"[3\"");
	comes("4");
	assert_true(symptoms_prints(&line, words));
	assert_string_equal(words, "4 texts that are no message came between its messages: \"a\\tb\", \"2\", \"[3\", ...");
}

static void test_codes(void **state)
{
	(void)state;
	assert_int_equal(diagnosis_of_code(-32010), DIAGNOSIS_TOO_SMALL);
	assert_int_equal(diagnosis_of_code(-32011), DIAGNOSIS_TOO_SMALL);
	assert_int_equal(diagnosis_of_code(-32601), DIAGNOSIS_OTHER_PROTOCOL);
	assert_int_equal(diagnosis_of_code(-32602), DIAGNOSIS_OTHER_PROTOCOL);
	assert_int_equal(diagnosis_of_code(-32603), DIAGNOSIS_REFUSED);
	for (int d = DIAGNOSIS_SILENT; d < DIAGNOSIS_WELL; d++)
		assert_true(strlen(diagnosis_remedy((enum diagnosis)d, true)) > 9 && strlen(diagnosis_remedy((enum diagnosis)d, false)) > 9);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nothing, set_up),
		cmocka_unit_test_setup(test_messages, set_up),
		cmocka_unit_test_setup(test_another_rate, set_up),
		cmocka_unit_test_setup(test_another_rate_after_messages, set_up),
		cmocka_unit_test_setup(test_other_letters_are_text, set_up),
		cmocka_unit_test_setup(test_another_program, set_up),
		cmocka_unit_test_setup(test_a_prompt_has_no_end, set_up),
		cmocka_unit_test_setup(test_a_message_has_no_end, set_up),
		cmocka_unit_test_setup(test_another_framing, set_up),
		cmocka_unit_test_setup(test_an_echo, set_up),
		cmocka_unit_test_setup(test_an_echo_without_an_end, set_up),
		cmocka_unit_test_setup(test_an_echo_of_a_board_that_boots, set_up),
		cmocka_unit_test_setup(test_what_is_no_echo, set_up),
		cmocka_unit_test_setup(test_ids_of_another_type, set_up),
		cmocka_unit_test_setup(test_what_it_prints, set_up),
		cmocka_unit_test_setup(test_codes, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
