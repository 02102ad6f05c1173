/* SPDX-License-Identifier: MIT
 * A link shared with a console: messages in noise, and lines of our own between messages. */
#include "unit.h"

#include "console.h"

#include "loop.h"

static struct {
	const char *in; /* what the link has received; ! stands for a gap */
	size_t at_once; /* of it in one piece */
	size_t noise;   /* that many x in front of it */
	char out[600];
	size_t out_length, out_room;
	bool ended, gone;
} under;

loop l; /* the linker names its config: tests/unit/known */
static console c;
static quash_port port;
static char noises[300], line[12];
static uint8_t log_room[40];

static int peek_under(void *device, const uint8_t **bytes)
{
	static const char noise[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	const size_t n = under.noise > 0 ? strlen(noise) : strcspn(under.in, "!");
	const size_t most = under.noise > 0 ? under.noise : under.at_once;
	assert_ptr_equal(device, &under);
	*bytes = (const uint8_t *)(under.noise > 0 ? noise : under.in);
	if (n > 0)
		return (int)(n < most ? n : most);
	if (*under.in == '!') {
		under.in++;
		return QUASH_LOST;
	}
	if (under.gone)
		return QUASH_GONE;
	return under.ended ? QUASH_END : 0;
}

static void take_under(void *device, size_t n)
{
	assert_ptr_equal(device, &under);
	assert_int_not_equal(n, 0);
	if (under.noise > 0)
		under.noise -= n;
	else
		under.in += n;
}

static int write_under(void *device, const uint8_t *data, size_t n)
{
	size_t i = 0;
	assert_ptr_equal(device, &under);
	assert_true(n > 0);
	if (under.gone)
		return QUASH_GONE;
	for (; i < n && under.out_room > 0 && under.out_length < sizeof under.out - 1; under.out_room--)
		under.out[under.out_length++] = (char)data[i++];
	return (int)i;
}

static uint32_t now_under(void *device)
{
	assert_ptr_equal(device, &under);
	return 7;
}

static quash_port link_under(void)
{
	const quash_port link = { peek_under, take_under, write_under, now_under, &under };
	return link;
}

static void note(void *context, const char *text, size_t n)
{
	assert_ptr_equal(context, noises);
	assert_int_equal(n, strlen(text));
	assert_true(strlen(noises) + n + 3 < sizeof noises);
	strcat(strcat(strcat(noises, "["), text), "]");
}

static int32_t answer_null(quash_request *request)
{
	return quash_reply_null(request);
}

static const quash_method methods[] = { { .name = "m", .handler = answer_null } };

static int set_up(void **state)
{
	const console_config config = { .port = link_under(),
		.noise = note,
		.context = noises,
		.line = line,
		.line_size = sizeof line,
		.log = log_room,
		.log_size = sizeof log_room };
	(void)state;
	memset(&under, 0, sizeof under);
	under.in = "";
	under.at_once = 100;
	under.out_room = SIZE_MAX;
	noises[0] = '\0';
	loop_init(&l, &quash_jsonrpc, methods, 1);
	loop_start(&l);
	console_init(&c, &config);
	port = console_port(&c);
	return 0;
}

static void receive(const char *text)
{
	under.in = text;
	for (unsigned i = 0; i < 100 && *under.in != '\0'; i++)
		quash_pump(&l.peer, &port);
	assert_string_equal(under.in, "");
	quash_pump(&l.peer, &port);
}

static void steps(void)
{
	quash_step(&l.peer);
	quash_pump(&l.peer, &port);
}

/* All that has left since. */
static void transmitted(const char *expected)
{
	under.out[under.out_length] = '\0';
	assert_string_equal(under.out, expected);
	under.out_length = 0;
}

static void answers(const char *expected)
{
	steps();
	transmitted(expected);
}

#define ASK(id)    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"m\"}\n"
#define ANSWER(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":null}\n"

static void test_noise_is_handed_over_and_counted(void **state)
{
	(void)state;
	receive("U-Boot\r\n" ASK(1) "login: \n" ASK(2));
	answers(ANSWER(1) ANSWER(2));
	assert_string_equal(noises, "[U-Boot][login: ]");
	assert_int_equal(console_noise(&c), 2);
	assert_int_equal(l.counters.parse_errors, 0);
	assert_int_equal(l.counters.life_signs, 0);
	assert_int_equal(quash_now(&l.peer), 7);
}

static void test_empty_lines_are_signs_of_life(void **state)
{
	(void)state;
	receive("\n" ASK(1) "\r\n");
	assert_string_equal(noises, "");
	assert_int_equal(console_noise(&c), 0);
	assert_int_equal(l.counters.life_signs, 2);
}

static void test_cut_in_any_way(void **state)
{
	for (size_t at_once = 1; at_once < 80; at_once++) {
		set_up(state);
		under.at_once = at_once;
		receive("ets Jun\n" ASK(1) " {\"not\":1}\n[1]\nx" ASK(2) ASK(3));
		answers(ANSWER(1) ANSWER(3));
		assert_string_equal(
			noises, "[ets Jun][ {\"not\":1}][[1]][x{\"jsonrpc\"][:\"2.0\",\"id\"][:2,\"method\"][:\"m\"}]");
		assert_int_equal(console_noise(&c), 4);
	}
}

static void test_long_lines_come_in_pieces(void **state)
{
	(void)state;
	receive("0123456789A\n0123456789AB\n");
	assert_string_equal(noises, "[0123456789A][0123456789A][B]");
	assert_int_equal(console_noise(&c), 2);
}

static void test_noise_that_has_not_ended_waits(void **state)
{
	(void)state;
	receive("login");
	assert_string_equal(noises, "");
	receive(":\n");
	assert_string_equal(noises, "[login:]");
	receive("bye");
	under.ended = true;
	quash_pump(&l.peer, &port);
	quash_pump(&l.peer, &port);
	assert_string_equal(noises, "[login:][bye]");
}

static void test_without_a_hook_it_is_counted(void **state)
{
	const console_config config = { .port = link_under() };
	(void)state;
	console_init(&c, &config);
	receive("noise\n" ASK(1));
	answers(ANSWER(1));
	assert_int_equal(console_noise(&c), 1);
	assert_false(console_log(&c, ""));
	assert_int_equal(console_lost_logs(&c), 1);
}

/* However long it is, one pump comes to its end, and the next one goes on. */
static void test_endless_noise_holds_nobody_up(void **state)
{
	const console_config config = { .port = link_under() };
	(void)state;
	console_init(&c, &config);
	under.noise = 5000;
	quash_pump(&l.peer, &port);
	assert_true(under.noise > 0);
	while (under.noise > 0)
		quash_pump(&l.peer, &port);
	receive("\n" ASK(1));
	assert_int_equal(console_noise(&c), 1);
	answers(ANSWER(1));
}

static void test_a_loss_in_noise_costs_no_message_behind_it(void **state)
{
	(void)state;
	receive("noi!se\n" ASK(1));
	answers(ANSWER(1));
	assert_int_equal(l.counters.lost, 1);
	receive("noise\n!{\"half\":\n" ASK(2) "{\"other\":!half}\n" ASK(3));
	answers(ANSWER(2) ANSWER(3));
	assert_int_equal(l.counters.lost, 3);
	assert_int_equal(l.counters.parse_errors, 0);
}

static void test_logs_leave_at_once_between_messages(void **state)
{
	(void)state;
	assert_true(console_log(&c, "boot"));
	transmitted("boot\n");
	receive(ASK(1));
	assert_true(console_log(&c, "{two\nlines"));
	transmitted(" {two lines\n");
	answers(ANSWER(1));
}

static void test_logs_leave_between_two_messages_never_inside(void **state)
{
	static const char answers[] = ANSWER(1) ANSWER(2);
	for (size_t room = 0; room < sizeof answers - 1; room++) {
		set_up(state);
		receive(ASK(1) ASK(2));
		under.out_room = room;
		steps();
		assert_true(console_log(&c, "log"));
		assert_int_equal(console_has_log(&c), room == 0 || room == sizeof ANSWER(1) - 1);
		under.out_room = SIZE_MAX;
		quash_pump(&l.peer, &port);
		assert_false(console_has_log(&c));
		if (room == 0)
			transmitted("log\n" ANSWER(1) ANSWER(2));
		else if (room < sizeof ANSWER(1))
			transmitted(ANSWER(1) "log\n" ANSWER(2));
		else
			transmitted(ANSWER(1) ANSWER(2) "log\n");
	}
}

static void test_messages_wait_for_a_log_that_has_left_in_part(void **state)
{
	(void)state;
	under.out_room = 2;
	assert_true(console_log(&c, "first"));
	assert_true(console_log(&c, "second"));
	receive(ASK(1));
	answers("fi");
	assert_true(console_has_log(&c));
	under.out_room = SIZE_MAX;
	answers("rst\nsecond\n" ANSWER(1));
}

static void test_logs_without_room_are_dropped_whole(void **state)
{
	(void)state;
	under.out_room = 0;
	assert_true(console_log(&c, "0123456789012345678901234567890123456"));
	assert_false(console_log(&c, "{"));
	assert_false(console_log(&c, "ab"));
	assert_true(console_log(&c, "a"));
	assert_false(console_log(&c, ""));
	assert_int_equal(console_lost_logs(&c), 3);
	under.out_room = SIZE_MAX;
	quash_pump(&l.peer, &port);
	transmitted("0123456789012345678901234567890123456\na\n");
	assert_true(console_log(&c, "room again"));
	transmitted("room again\n");
}

static void echo(void *context, const char *text, size_t n)
{
	assert_int_equal(n, strlen(text));
	assert_true(console_log(context, text));
}

static void test_a_hook_may_log(void **state)
{
	const console_config config = { .port = link_under(),
		.noise = echo,
		.context = &c,
		.line = line,
		.line_size = sizeof line,
		.log = log_room,
		.log_size = sizeof log_room };
	(void)state;
	console_init(&c, &config);
	receive("echo\n" ASK(1));
	transmitted("echo\n");
}

static void test_new_link(void **state)
{
	(void)state;
	receive(ASK(1) "noise");
	under.out_room = 10;
	steps();
	under.out_length = 0;
	assert_true(console_log(&c, "one"));
	under.gone = true;
	quash_pump(&l.peer, &port);
	under.gone = false;
	under.out_room = 2;
	quash_reopen(&l.peer);
	console_reopen(&c, link_under());
	quash_pump(&l.peer, &port);
	transmitted("on");
	console_reopen(&c, link_under());
	under.out_room = SIZE_MAX;
	receive(ASK(2));
	answers("one\n" ANSWER(2));
	assert_string_equal(noises, "");
}

static void test_a_link_that_is_gone_is_reported(void **state)
{
	(void)state;
	receive(ASK(1));
	under.out_room = 0;
	assert_true(console_log(&c, "waits"));
	steps();
	assert_false(quash_is_gone(&l.peer));
	under.gone = true;
	steps();
	assert_true(quash_is_gone(&l.peer));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_noise_is_handed_over_and_counted, set_up),
		cmocka_unit_test_setup(test_empty_lines_are_signs_of_life, set_up),
		cmocka_unit_test_setup(test_cut_in_any_way, set_up),
		cmocka_unit_test_setup(test_long_lines_come_in_pieces, set_up),
		cmocka_unit_test_setup(test_noise_that_has_not_ended_waits, set_up),
		cmocka_unit_test_setup(test_without_a_hook_it_is_counted, set_up),
		cmocka_unit_test_setup(test_endless_noise_holds_nobody_up, set_up),
		cmocka_unit_test_setup(test_a_loss_in_noise_costs_no_message_behind_it, set_up),
		cmocka_unit_test_setup(test_logs_leave_at_once_between_messages, set_up),
		cmocka_unit_test_setup(test_logs_leave_between_two_messages_never_inside, set_up),
		cmocka_unit_test_setup(test_messages_wait_for_a_log_that_has_left_in_part, set_up),
		cmocka_unit_test_setup(test_logs_without_room_are_dropped_whole, set_up),
		cmocka_unit_test_setup(test_a_hook_may_log, set_up),
		cmocka_unit_test_setup(test_new_link, set_up),
		cmocka_unit_test_setup(test_a_link_that_is_gone_is_reported, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
