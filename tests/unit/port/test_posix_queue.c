/* SPDX-License-Identifier: MIT
 * What a client of quash-bridge has not taken: its order, and what counts. */
#include "unit.h"

#include "bridge_queue.h"

#include <stdlib.h>
#include <string.h>

static struct send_queue queue = { .heap = &heap_standard };

static int tear_down(void **state)
{
	(void)state;
	queue_free(&queue);
	queue = (struct send_queue){ .heap = &heap_standard };
	return 0;
}

static bool add(const char *text, bool ends)
{
	return queue_add(&queue, (const uint8_t *)text, strlen(text), ends);
}

/* A message of so many bytes. */
static bool add_long(size_t n)
{
	uint8_t *const bytes = calloc(1, n);
	assert_non_null(bytes);
	const bool added = queue_add(&queue, bytes, n, true);
	free(bytes);
	return added;
}

static void take_all_of(size_t n)
{
	size_t there;
	while (n > 0 && queue_next(&queue, &there) != NULL) {
		const size_t some = there < n ? there : n;
		queue_taken(&queue, some);
		n -= some;
	}
	assert_int_equal(n, 0);
}

static void next_is(const char *text)
{
	size_t n;
	const uint8_t *const bytes = queue_next(&queue, &n);
	assert_int_equal(n, strlen(text));
	assert_memory_equal(bytes, text, n);
}

static void test_messages_come_out_as_they_went_in(void **state)
{
	(void)state;
	assert_true(add("one", true) && add("tw", false) && add("o", true) && add("three", true));
	next_is("one");
	queue_taken(&queue, 1);
	next_is("ne");
	queue_taken(&queue, 2);
	next_is("two");
	queue_taken(&queue, 3);
	next_is("three");
	queue_taken(&queue, 5);
	assert_true(queue_is_empty(&queue));
}

/* The first part may have left when the rest comes. */
static void test_a_message_goes_on_while_it_is_taken(void **state)
{
	(void)state;
	assert_true(add("ab", false));
	queue_taken(&queue, 1);
	assert_true(add("cd", false));
	next_is("bcd");
	queue_taken(&queue, 3);
	assert_true(queue_is_empty(&queue));
	assert_true(add("e", true) && add("f", true));
	next_is("e");
}

static void test_the_message_that_is_taken_does_not_count(void **state)
{
	(void)state;
	assert_true(add_long(2 * QUEUE_MOST));
	assert_true(add_long(QUEUE_MOST));
	assert_true(add_long(1));
	assert_false(add_long(1));
	assert_true(queue.full);
}

static void test_what_is_taken_makes_room(void **state)
{
	(void)state;
	assert_true(add_long(10) && add_long(QUEUE_MOST) && add_long(10));
	assert_int_equal(queue.waiting, QUEUE_MOST + 10);
	take_all_of(10);
	assert_int_equal(queue.waiting, 10);
	assert_true(add_long(QUEUE_MOST));
	take_all_of(QUEUE_MOST + 10);
	assert_int_equal(queue.waiting, 0);
	take_all_of(QUEUE_MOST);
	assert_int_equal(queue.waiting, 0);
	assert_true(queue_is_empty(&queue));
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_messages_come_out_as_they_went_in),
		TEST(test_a_message_goes_on_while_it_is_taken),
		TEST(test_the_message_that_is_taken_does_not_count),
		TEST(test_what_is_taken_makes_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
