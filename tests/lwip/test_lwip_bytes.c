/* SPDX-License-Identifier: MIT
 * Bytes over the port: where they lie, how they are cut, windows of one segment, memory that is short, floods. In all texts '
 * stands for ". */
#include "far.h"
#include "near.h"
#include "unit.h"

#include <lwip/timeouts.h>

#include <stdio.h>
#include <stdlib.h>

enum { NARROW = 140 /* packets with segments of 100 bytes */, SEGMENT = 100 };

static struct far far;
static char right[8192]; /* the answers to what is right */

/* A client, with its window and the device's; 0: lwIP's own. */
static void come_to(u16_t mtu, u16_t window, u16_t devices)
{
	near_start(mtu);
	net.window = devices;
	far_connect(&far, window);
	near_run(5);
	near_say(&far, INITIALIZE, 20000);
	ANSWERED(&far, INITIALIZED);
}

static int come(void **state)
{
	(void)state;
	come_to(1500, 0, 0);
	return 0;
}

static int go(void **state)
{
	(void)state;
	far_close(&far);
	near_stop();
	return 0;
}

/* --- Where bytes lie */

static int shown(const uint8_t **bytes)
{
	return near.port.peek(near.port.device, bytes);
}

static void test_peek_shows_the_payload_itself(void **state)
{
	const uint8_t *bytes, *again;
	(void)state;
	far_say(&far, PING("1"));
	near_stand_still(1);
	const int n = shown(&bytes);
	assert_int_equal(n, sizeof PING("1") - 1);
	assert_ptr_equal(bytes + n, net.end);
	assert_true(bytes >= net.begin);
	near.port.take(near.port.device, 3);
	assert_int_equal(shown(&again), n - 3);
	assert_ptr_equal(again, bytes + 3);
	near.port.take(near.port.device, (size_t)n - 3);
	assert_int_equal(shown(&again), 0);
	assert_null(near.link.received);
}

/* The first pbuf holds the headers, and nothing more. */
static void test_peek_shows_each_pbuf_of_a_chain(void **state)
{
	const uint8_t *bytes;
	(void)state;
	net.piece = 7;
	far_say(&far, "0123456789");
	near_stand_still(1);
	assert_int_equal(near.link.received->len, 0);
	assert_int_equal(shown(&bytes), 7);
	assert_ptr_equal(bytes, near.link.received->next->payload);
	near.port.take(near.port.device, 7);
	assert_int_equal(shown(&bytes), 3);
	assert_ptr_equal(bytes, near.link.received->payload);
	assert_memory_equal(bytes, "789", 3);
	near.port.take(near.port.device, 3);
	assert_null(near.link.received);
	SERVED(&far, "\n" PING("1"), PONG("1"));
}

/* --- How bytes are cut */

#define MANY(x) x x x x x x x x

/* What nobody refuses. */
static void say_what_is_right(void)
{
	far_say(&far, CALL("1", "echo", "'text':'a \\u00e9 \xf0\x9f\x92\xa1 \\n b'") LIST("'two'") PING("3") "\n\n" CANCEL("99") PING("'six'")
		CALL("8", "led", "'on':false") "\r\n" PING("-6") LIST("9") CALL("10", "echo", "'text':'" MANY(MANY("0123456789")) "'")
		CALL("11", "slow", "'ms':0"));
}

/* And what is refused: when, depends on what else has arrived. */
static void say_everything(void)
{
	say_what_is_right();
	far_say(&far, "{'jsonrpc'\n" "[]\n" CALL("4", "led", "'on':7") CALL("5", "nothing", "") "{'jsonrpc':'2.0','id':7,'method':'strange'}\n"
		"\xff\xfe\n" PING("12"));
}

/* What is answered when pieces, packets and the client's window are of these sizes. */
static const char *answers(void (*say)(void), unsigned piece, u16_t mtu, u16_t window)
{
	static char text[8192];
	come_to(mtu, window, 0);
	net.piece = piece;
	say();
	near_run(200000);
	assert_int_equal(far.sent, far.size);
	assert_in_range(far.length, 4000, sizeof text - 1);
	memcpy(text, far.received, far.length + 1);
	(void)go(NULL);
	return text;
}

static int compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Its lines in order. */
static void sort(const char *text, char *sorted)
{
	static char lines[8192];
	char *line[64];
	size_t count = 0;
	strcpy(lines, text);
	for (char *next = strtok(lines, "\n"); next != NULL; next = strtok(NULL, "\n"))
		line[count++] = next;
	qsort(line, count, sizeof *line, compare);
	*sorted = '\0';
	for (size_t i = 0; i < count; i++)
		strcat(strcat(sorted, line[i]), "\n");
}

static void test_the_same_in_pbufs_of_any_size(void **state)
{
	static const unsigned pieces[] = { 1, 2, 3, 7, 64, 333 };
	static char whole[8192], cut[8192];
	(void)state;
	sort(answers(say_everything, 0, 1500, 0), whole);
	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		sort(answers(say_everything, pieces[i], 1500, 0), cut);
		assert_string_equal(cut, whole);
		assert_string_equal(answers(say_what_is_right, pieces[i], 1500, 0), right);
	}
}

static void test_the_same_in_packets_of_any_size(void **state)
{
	static const struct {
		unsigned piece;
		u16_t mtu, window;
	} cuts[] = { { 0, NARROW, 0 }, { 1, NARROW, 0 }, { 0, 60, 0 }, { 0, NARROW, SEGMENT }, { 1, NARROW, SEGMENT }, { 13, 540, 0 }, { 5, NARROW, 150 } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cuts); i++)
		assert_string_equal(answers(say_what_is_right, cuts[i].piece, cuts[i].mtu, cuts[i].window), right);
}

/* --- Windows */

static void test_windows_of_one_segment(void **state)
{
	(void)state;
	come_to(NARROW, SEGMENT, SEGMENT);
	assert_int_equal(tcp_mss(near.link.client), SEGMENT);
	say_what_is_right();
	for (unsigned i = 0; i < 20000; i++) {
		near_run(10);
		assert_true(near.link.received == NULL || near.link.received->tot_len <= SEGMENT);
	}
	assert_int_equal(far.sent, far.size);
	assert_string_equal(far.received, right);
}

/* 5,000 pings; the answers to them. */
static const char *say_pings(void)
{
	static char pings[FAR_ROOM], pongs[FAR_ROOM];
	size_t asked = 0, answered = 0;
	for (unsigned i = 0; i < 5000; i++) {
		asked += (size_t)snprintf(pings + asked, sizeof pings - asked, PING("%u"), i);
		answered += (size_t)snprintf(pongs + answered, sizeof pongs - answered, PONG("%u"), i);
	}
	far_say(&far, pings);
	return pongs;
}

/* It takes nothing, so the client's bytes stay where they are, and none is lost. */
static void test_a_device_that_stands_still_closes_the_window(void **state)
{
	(void)state;
	const char *const pongs = say_pings();
	near_stand_still(5000);
	assert_in_range(near.link.received->tot_len, TCP_WND - TCP_MSS, TCP_WND);
	assert_int_equal(near.link.client->rcv_wnd, TCP_WND - near.link.received->tot_len);
	assert_true(far.sent < far.size);
	near_stand_still(3 * NEAR_SILENCE); /* the client asks whether there is room: that is a sign of life */
	near_run(30000);
	assert_int_equal(far.sent, far.size);
	ANSWERED(&far, pongs);
}

/* Answers find no room; so its requests stay with the client. */
static void test_a_client_that_reads_nothing_is_held_up(void **state)
{
	(void)state;
	far.reads = false;
	for (unsigned i = 0; i < 5; i++)
		say_pings();
	near_run(60000);
	assert_non_null(near.link.received);
	assert_in_range(near.link.client->rcv_wnd, 0, TCP_MSS);
	assert_true(far.sent < far.size);
	assert_in_range(far.withheld, 1, TCP_WND);
	far_read(&far);
	near_run(60000);
	assert_int_equal(far.sent, far.size);
	assert_int_equal(near.counters.results, 25001);
}

/* --- Writing */

/* As it is answered when there is room, and nothing of it is left. */
static const char *the_list(void)
{
	static char list[8192];
	near_say(&far, LIST("1"), 5);
	memcpy(list, far.received, far.length + 1);
	assert_in_range(far.length, TCP_MSS, sizeof list - 1);
	assert_string_equal(list + far.length - 4, "]}}\n");
	far_forget(&far);
	return list;
}

static void test_a_long_answer_leaves_in_full_segments(void **state)
{
	(void)state;
	(void)the_list();
	const unsigned before = net.packets;
	near_say(&far, LIST("1"), 5);
	assert_in_range(net.packets - before, 1, far.length / TCP_MSS + 1);
}

static void test_little_room_for_what_is_sent(void **state)
{
	(void)state;
	const char *const list = the_list();
	near.link.client->snd_buf = 10;
	near_say(&far, LIST("1"), 100000);
	assert_string_equal(far.received, list);
}

/* There is no memory for a whole segment, but for a part. */
static void test_little_memory(void **state)
{
	(void)state;
	const char *const list = the_list();
	net.longest = 50;
	near_say(&far, LIST("1"), 5000);
	assert_string_equal(far.received, list);
}

static void test_no_memory_for_a_while(void **state)
{
	(void)state;
	near_say(&far, CALL("1", "slow", "'ms':100"), 50);
	net.deny = 64; /* no pbuf with headers is to be had */
	near.sleeps = 0;
	near_run(2000);
	assert_in_range(near.sleeps, 1, 100); /* it does not try again and again */
	ANSWERED(&far, "");
	net.deny = 0;
	near_run(5000);
	ANSWERED(&far, TEXT("1", "slept 100"));
}

/* --- Much */

static void test_a_flood_of_junk(void **state)
{
	static const char letters[] = "{}[]\":,01eE-.truefalsn\n\\u \xff\r";
	static uint8_t junk[FAR_ROOM / 8];
	uint32_t random = 1;
	(void)state;
	for (size_t i = 0; i < sizeof junk; i++) {
		random = random * 1664525u + 1013904223u;
		junk[i] = (uint8_t)letters[(random >> 16) % sizeof letters];
	}
	net.piece = 50;
	far_send(&far, junk, sizeof junk);
	near_run(30000);
	assert_int_equal(far.sent, far.size);
	assert_true(near.counters.parse_errors > 1000);
	far_forget(&far);
	near_say(&far, "\n" PING("1"), 5);
	assert_non_null(strstr(far.received, "\"id\":1,\"result\":{}}\n"));
}

/* More than a pbuf can count stays with lwIP; more than an int may hold is shown in two pieces. */
static void test_more_than_a_chain_can_count(void **state)
{
	static uint8_t lines[40000];
	const uint8_t *bytes;
	(void)state;
	memset(lines, '\n', sizeof lines);
	struct pbuf *const one = pbuf_alloc(PBUF_RAW, sizeof lines, PBUF_REF), *const two = pbuf_alloc(PBUF_RAW, sizeof lines, PBUF_REF);
	one->payload = two->payload = lines;
	assert_int_equal(near.link.client->recv(&near.link, near.link.client, one, ERR_OK), ERR_OK);
	assert_int_equal(near.link.client->recv(&near.link, near.link.client, two, ERR_OK), ERR_MEM);
	assert_int_equal(shown(&bytes), INT16_MAX);
	near_run(5);
	assert_int_equal(near.link.client->recv(&near.link, near.link.client, two, ERR_OK), ERR_OK);
	near_run(5);
	assert_int_equal(near.counters.life_signs, 2 * sizeof lines);
}

/* --- A handler that stays busy */

static unsigned rounds;

/* It serves the network itself, and finds its cancel. */
static int32_t busy(quash_request *request)
{
	for (rounds = 0; rounds < 1000 && !quash_cancelled(request); rounds++) {
		if (rounds == 100)
			far_say(&far, "{'jsonrpc':'2.0','method':'$/cancel_request','params':{'requestId':1}}\n");
		net_deliver();
		sys_check_timeouts();
		quash_pump(quash_peer_of(request), &near.port);
	}
	return QUASH_CANCELLED;
}

static const quash_method busy_methods[] = { { .name = "busy", .handler = busy } };

QUASH_STORAGE(busy_store, 2, 17, 8, 256, 256);

static const quash_config busy_config = { QUASH_STORED(busy_store), .dialect = &quash_acp, .methods = busy_methods, .method_count = 1 };

static void test_a_busy_handler_receives_its_cancel(void **state)
{
	(void)state;
	near_start_with(1500, &busy_config);
	far_connect(&far, 0);
	near_say(&far, "{'jsonrpc':'2.0','id':1,'method':'busy'}\n", 5);
	assert_in_range(rounds, 101, 105);
	ANSWERED(&far, "{'jsonrpc':'2.0','id':1,'error':{'code':-32800,'message':'Request cancelled'}}\n");
}

static int set_up(void **state)
{
	(void)state;
	strcpy(right, answers(say_what_is_right, 0, 1500, 0));
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_peek_shows_the_payload_itself, come, go),
		cmocka_unit_test_setup_teardown(test_peek_shows_each_pbuf_of_a_chain, come, go),
		cmocka_unit_test(test_the_same_in_pbufs_of_any_size),
		cmocka_unit_test(test_the_same_in_packets_of_any_size),
		cmocka_unit_test_teardown(test_windows_of_one_segment, go),
		cmocka_unit_test_setup_teardown(test_a_device_that_stands_still_closes_the_window, come, go),
		cmocka_unit_test_setup_teardown(test_a_client_that_reads_nothing_is_held_up, come, go),
		cmocka_unit_test_setup_teardown(test_a_long_answer_leaves_in_full_segments, come, go),
		cmocka_unit_test_setup_teardown(test_little_room_for_what_is_sent, come, go),
		cmocka_unit_test_setup_teardown(test_little_memory, come, go),
		cmocka_unit_test_setup_teardown(test_no_memory_for_a_while, come, go),
		cmocka_unit_test_setup_teardown(test_a_flood_of_junk, come, go),
		cmocka_unit_test_setup_teardown(test_more_than_a_chain_can_count, come, go),
		cmocka_unit_test_teardown(test_a_busy_handler_receives_its_cancel, go),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
