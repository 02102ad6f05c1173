/* SPDX-License-Identifier: MIT
 * What quash_init finds in a config: each wrong member by its name, and nothing that is right. */
#include "device.h"

static quash_fault fault;
static quash_method methods[DEVICE_METHODS];
static quash_dialect dialect;

/* A config that is right, to be made wrong. */
static int set_up(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	memcpy(methods, device_methods, sizeof methods);
	dialect = quash_jsonrpc;
	device.config.methods = methods;
	device.config.dialect = &dialect;
	return 0;
}

static void is_right(void)
{
	if (!quash_init(&device.peer, &device.config, &fault))
		fail_msg("%s %s is wrong", fault.table, fault.member);
	set_up(NULL);
}

static void is_wrong(const char *table, const char *name, const char *member, unsigned index, uint32_t is, uint32_t needs,
	quash_fault_reason reason)
{
	assert_false(quash_init(&device.peer, &device.config, NULL));
	memset(&fault, 0xA5, sizeof fault);
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_string_equal(fault.table, table);
	assert_string_equal(fault.name != NULL ? fault.name : "no name", name != NULL ? name : "no name");
	assert_string_equal(fault.member, member);
	assert_int_equal(fault.index, index);
	assert_int_equal(fault.is, is);
	assert_int_equal(fault.needs, needs);
	assert_int_equal(fault.reason, reason);
	assert_says_fault(&device, &fault);
	set_up(NULL);
}

static void wrong_in_config(const char *member, uint32_t is, uint32_t needs, quash_fault_reason reason)
{
	is_wrong("config", NULL, member, 0, is, needs, reason);
}

/* --- Sizes */

#define SIZE_IS_WRONG(member, value, needs) \
	do { \
		device.config.member = (value); \
		wrong_in_config(#member, (value), (needs), (value) < (needs) ? QUASH_FAULT_SMALL : QUASH_FAULT_LARGE); \
	} while (0)
#define SIZE_IS_RIGHT(member, value) \
	do { \
		device.config.member = (value); \
		is_right(); \
	} while (0)

static void test_sizes(void **state)
{
	(void)state;
	is_right();
	SIZE_IS_WRONG(slot_count, 0, 1);
	SIZE_IS_RIGHT(slot_count, 1);
	SIZE_IS_WRONG(slot_count, 251, 250);
	SIZE_IS_WRONG(slot_count, 255, 250);
	SIZE_IS_WRONG(id_size, 0, 17);
	SIZE_IS_WRONG(id_size, QUASH_ID_MIN - 1, 17);
	SIZE_IS_RIGHT(id_size, QUASH_ID_MIN);
	SIZE_IS_WRONG(word_size, 0, 32);
	SIZE_IS_WRONG(word_size, QUASH_WORD_MIN - 1, 32);
	SIZE_IS_RIGHT(word_size, QUASH_WORD_MIN);
	SIZE_IS_WRONG(arena_size, QUASH_ARENA_MIN - 1, QUASH_ARENA_MIN);
	SIZE_IS_RIGHT(arena_size, QUASH_ARENA_MIN);
	SIZE_IS_WRONG(tx_size, QUASH_TX_MIN - 1, QUASH_TX_MIN);
	SIZE_IS_RIGHT(tx_size, QUASH_TX_MIN);
	SIZE_IS_WRONG(tag_size, 255, 254);
	SIZE_IS_WRONG(method_count, 251, 250);
}

/* Lengths on a tape have 24 bits. */
static void test_largest_arena(void **state)
{
	const uint32_t most = ((uint32_t)1 << 24) - 1;
	(void)state;
	if ((quash_size)-1 > most) {
		device.config.arena_size = (quash_size)(most + 1);
		wrong_in_config("arena_size", most + 1, most, QUASH_FAULT_LARGE);
	}
	device.config.arena_size = (quash_size)((quash_size)-1 > most ? most : (quash_size)-1);
	is_right();
}

/* --- Arrays */

#define NULL_IS_WRONG(member) \
	do { \
		device.config.member = NULL; \
		wrong_in_config(#member, 0, 0, QUASH_FAULT_MISSING); \
	} while (0)
#define NULL_IS_RIGHT_WITHOUT(member, size) \
	do { \
		device.config.member = NULL; \
		device.config.size = 0; \
		is_right(); \
	} while (0)

static void test_arrays(void **state)
{
	(void)state;
	NULL_IS_WRONG(slots);
	NULL_IS_WRONG(word);
	NULL_IS_WRONG(ids);
	NULL_IS_WRONG(arena);
	NULL_IS_WRONG(tx);
	NULL_IS_WRONG(states);
	NULL_IS_WRONG(tags);
	NULL_IS_WRONG(reason);
	NULL_IS_WRONG(methods);
	NULL_IS_RIGHT_WITHOUT(tags, tag_size);
	NULL_IS_RIGHT_WITHOUT(reason, reason_size);
	NULL_IS_RIGHT_WITHOUT(texts, text_size);
	NULL_IS_RIGHT_WITHOUT(methods, method_count);
}

/* However few, what there is stands in an array. */
#define IS_NEEDED_FOR(array, size, least) \
	for (unsigned n = (least); n < (least) + 3u; n++) { \
		device.config.array = NULL; \
		device.config.size = (uint8_t)n; \
		if (n > 0) \
			wrong_in_config(#array, 0, 0, QUASH_FAULT_MISSING); \
		else \
			is_right(); \
	}

static void test_arrays_of_each_size(void **state)
{
	(void)state;
	IS_NEEDED_FOR(slots, slot_count, 1)
	IS_NEEDED_FOR(ids, id_size, QUASH_ID_MIN)
	IS_NEEDED_FOR(word, word_size, QUASH_WORD_MIN)
	IS_NEEDED_FOR(tx, tx_size, QUASH_TX_MIN)
	IS_NEEDED_FOR(tags, tag_size, 0)
	IS_NEEDED_FOR(reason, reason_size, 0)
	IS_NEEDED_FOR(texts, text_size, 0)
	IS_NEEDED_FOR(methods, method_count, 0)
}

static void test_alignment_of_states(void **state)
{
	const uint32_t alignment = __alignof__(void *);
	(void)state;
	device.config.state_size = sizeof(void *) * 20 + 1;
	if (alignment > 1)
		wrong_in_config("state_size", sizeof(void *) * 20 + 1, sizeof(void *) * 20 + alignment, QUASH_FAULT_ASKEW);
	else
		is_right();
	device.config.state_size = LOOP_STATE;
	device.config.states = (uint8_t *)device.states + 1;
	if (alignment > 1)
		wrong_in_config("states", 0, 0, QUASH_FAULT_ASKEW);
	else
		is_right();
	device.config.states = NULL;
	device.config.state_size = 0;
	device.config.method_count = 1; /* needs none */
	is_right();
}

/* --- The dialect */

static void test_dialect(void **state)
{
	static const quash_cancel_method nameless[] = { { "stop", NULL }, { NULL, NULL } };
	(void)state;
	NULL_IS_WRONG(dialect);
	dialect.cancels = NULL;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CANCELS);
	dialect.cancel_count = 0;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CANCELS);
	dialect.cancel_count = 251;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CANCELS);
	dialect.cancels = nameless;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CANCELS);
	dialect.cancel_id = NULL;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CANCEL_ID);
	dialect.own_code = 0;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CODES);
	dialect.own_code = 1;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CODES);
	dialect.other_code = 1;
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_CODES);
	dialect.framing = QUASH_CONTENT_LENGTH; /* with batches */
	wrong_in_config("dialect", 0, 0, QUASH_FAULT_BATCH);
	dialect.framing = QUASH_CONTENT_LENGTH;
	dialect.batch = NULL;
	is_right();
	dialect.other_code = 0;
	dialect.cancel_count = 1;
	dialect.cancel_id_alias = dialect.cancel_reason = NULL;
	is_right();
}

/* --- Methods */

static void wrong_in_method(unsigned index, const char *name, const char *member, quash_fault_reason reason)
{
	is_wrong("methods", name, member, index, 0, 0, reason);
}

static void test_names(void **state)
{
	(void)state;
	methods[3].name = NULL;
	wrong_in_method(3, NULL, "name", QUASH_FAULT_MISSING);
	methods[3].name = "echo"; /* the same as number 1 */
	wrong_in_method(3, "echo", "name", QUASH_FAULT_TWICE);
	methods[3].name = "note"; /* a request and a notification */
	is_right();
	methods[3].name = "note"; /* what is stored may not depend on which of both it is for */
	methods[3].marks |= QUASH_LISTED;
	wrong_in_method(DEVICE_METHODS - 1, "note", "name", QUASH_FAULT_TWICE);
	methods[3].name = "note";
	methods[3].marks |= QUASH_NOTIFICATION;
	wrong_in_method(DEVICE_METHODS - 1, "note", "name", QUASH_FAULT_TWICE);
	methods[3].name = "note"; /* one that is for both stands alone */
	methods[3].marks |= QUASH_BOTH;
	wrong_in_method(DEVICE_METHODS - 1, "note", "name", QUASH_FAULT_TWICE);
	methods[3].name = "echo";
	methods[3].marks |= QUASH_BOTH;
	wrong_in_method(3, "echo", "name", QUASH_FAULT_TWICE);
	methods[3].name = "$/cancel_request";
	methods[3].marks |= QUASH_BOTH;
	wrong_in_method(3, "$/cancel_request", "name", QUASH_FAULT_TAKEN);
	methods[3].name = "$/cancel_request";
	wrong_in_method(3, "$/cancel_request", "name", QUASH_FAULT_TAKEN);
	methods[3].name = "$/cancelRequest";
	wrong_in_method(3, "$/cancelRequest", "name", QUASH_FAULT_TAKEN);
	methods[DEVICE_METHODS - 1].name = "$/cancel_request";
	is_right();
}

/* The word has 4 bytes more than a name; it has 255 at most. */
static void test_long_names(void **state)
{
	static char name[260];
	static union {
		quash_word any;
		uint8_t text[255];
	} large;
	(void)state;
	memset(name, 'n', 251);
	methods[3].name = name;
	is_wrong("methods", name, "word_size", 3, QUASH_WORD, 255, QUASH_FAULT_SMALL);
	methods[3].name = name;
	device.config.word = &large.any;
	device.config.word_size = 254;
	is_wrong("methods", name, "word_size", 3, 254, 255, QUASH_FAULT_SMALL);
	methods[3].name = name;
	device.config.word = &large.any;
	device.config.word_size = 255;
	is_right();
	name[251] = 'n';
	methods[3].name = name;
	device.config.word = &large.any;
	device.config.word_size = 255;
	wrong_in_method(3, name, "name", QUASH_FAULT_LONG);
	methods[3].name = "a name with a length of 28 b";
	device.config.word_size = QUASH_WORD_MIN;
	is_right();
	methods[3].name = "a name with a length of 29 by";
	device.config.word_size = QUASH_WORD_MIN;
	is_wrong("methods", "a name with a length of 29 by", "word_size", 3, QUASH_WORD_MIN, 33, QUASH_FAULT_SMALL);
}

/* So do the names by which a dialect cancels. */
static void test_long_names_of_a_dialect(void **state)
{
	static const char name[] = "a name with a length of 33 bytes.";
	static const quash_cancel_method cancels[] = { { "stop", NULL }, { name, NULL } };
	(void)state;
	dialect.cancels = cancels;
	device.config.word_size = 36;
	wrong_in_config("word_size", 36, 37, QUASH_FAULT_SMALL);
	dialect.cancels = cancels;
	device.config.word_size = 37;
	is_right();
	dialect.cancel_id = name;
	device.config.word_size = 36;
	wrong_in_config("word_size", 36, 37, QUASH_FAULT_SMALL);
	dialect.cancel_id_alias = name;
	device.config.word_size = 36;
	wrong_in_config("word_size", 36, 37, QUASH_FAULT_SMALL);
	dialect.cancel_reason = name;
	device.config.word_size = 36;
	wrong_in_config("word_size", 36, 37, QUASH_FAULT_SMALL);
	dialect.tag_member = name;
	device.config.word_size = 36;
	wrong_in_config("word_size", 36, 37, QUASH_FAULT_SMALL);
	dialect.never_cancelled = name; /* is only sent */
	device.config.word_size = 36;
	is_right();
}

/* The entry for all other names stands once for requests and once for notifications. */
static void test_names_for_all_others(void **state)
{
	(void)state;
	methods[0].name = "";
	methods[DEVICE_METHODS - 1].name = "";
	is_right();
	methods[0].name = "";
	methods[DEVICE_METHODS - 1].name = "";
	methods[0].marks |= QUASH_LISTED;
	wrong_in_method(DEVICE_METHODS - 1, "", "name", QUASH_FAULT_TWICE); /* what is stored may not depend on which of both it is for */
	methods[0].name = "";
	methods[1].name = "";
	wrong_in_method(1, "", "name", QUASH_FAULT_TWICE);
}

static void marks_are(unsigned index, uint8_t marks, bool right)
{
	methods[index].marks = marks;
	if (right)
		is_right();
	else
		wrong_in_method(index, methods[index].name, "marks", QUASH_FAULT_MARKS);
}

static void test_marks(void **state)
{
	(void)state;
	marks_are(1, QUASH_FINISHES, false);
	marks_are(1, QUASH_PARTIAL, true);
	marks_are(1, QUASH_SESSION, true);
	marks_are(1, QUASH_SESSION | QUASH_FINISHES, false);
	marks_are(1, QUASH_NOTIFICATION, true);
	marks_are(1, QUASH_FINISHES | QUASH_PARTIAL, false);
	marks_are(1, QUASH_NOTIFICATION | QUASH_PARTIAL, false);
	marks_are(1, QUASH_NOTIFICATION | QUASH_SESSION, false);
	marks_are(1, QUASH_LISTED, true);
	marks_are(1, QUASH_LISTED | QUASH_SESSION, true);
	marks_are(1, QUASH_LISTED | QUASH_NOTIFICATION, true);
	marks_are(1, QUASH_NEVER_BUSY, true);
	marks_are(1, QUASH_BOTH, true);
	marks_are(1, QUASH_BOTH | QUASH_LISTED | QUASH_NEVER_BUSY, true);
	marks_are(1, QUASH_BOTH | QUASH_NOTIFICATION, false);
	marks_are(1, QUASH_BOTH | QUASH_PARTIAL, false);
	marks_are(1, QUASH_BOTH | QUASH_SESSION, false);
	marks_are(1, 1 << 7, false);
}

static int32_t rest(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static void move_in(quash_method *method, uint32_t longest, uint32_t lease)
{
	method->motion = (quash_motion){ .end = rest, .longest = longest, .lease = lease };
}

/* Once cancelled, one of the two: its handler, or its `end` alone. */
static void test_marks_of_motion(void **state)
{
	static const uint8_t others[] = { 0, QUASH_SESSION, QUASH_NOTIFICATION, QUASH_LISTED | QUASH_SESSION };
	(void)state;
	for (unsigned i = 0; i < sizeof others; i++) {
		move_in(&methods[1], QUASH_NO_LIMIT, 0);
		marks_are(1, others[i], true);
		move_in(&methods[1], QUASH_NO_LIMIT, 0);
		marks_are(1, (uint8_t)(others[i] | QUASH_FINISHES), true);
	}
	move_in(&methods[1], QUASH_NO_LIMIT, 0);
	marks_are(1, QUASH_PARTIAL, false);
	move_in(&methods[1], QUASH_NO_LIMIT, 0);
	marks_are(1, QUASH_PARTIAL | QUASH_FINISHES, true);
}

static void test_other_members(void **state)
{
	(void)state;
	methods[2].handler = NULL;
	wrong_in_method(2, "wait", "handler", QUASH_FAULT_MISSING);
	move_in(&methods[2], INT32_MAX, 0);
	is_right();
	move_in(&methods[2], QUASH_NO_LIMIT, 0);
	is_right();
	move_in(&methods[2], (uint32_t)INT32_MAX + 1, 0);
	is_wrong("methods", "wait", "motion.longest", 2, (uint32_t)INT32_MAX + 1, INT32_MAX, QUASH_FAULT_LARGE);
	move_in(&methods[2], QUASH_NO_LIMIT - 1, 0);
	is_wrong("methods", "wait", "motion.longest", 2, QUASH_NO_LIMIT - 1, INT32_MAX, QUASH_FAULT_LARGE);
	move_in(&methods[2], 1, UINT32_MAX);
	is_wrong("methods", "wait", "motion.lease", 2, UINT32_MAX, INT32_MAX, QUASH_FAULT_LARGE);
	move_in(&methods[2], QUASH_NO_LIMIT, (uint32_t)INT32_MAX + 1);
	is_wrong("methods", "wait", "motion.lease", 2, (uint32_t)INT32_MAX + 1, INT32_MAX, QUASH_FAULT_LARGE);
}

/* A motion is whole or absent: what is moved comes to rest, and within a time that somebody has chosen. */
static void test_motion_ends(void **state)
{
	static quash_group group;
	const quash_motion halves[] = { { .longest = 1 }, { .longest = QUASH_NO_LIMIT }, { .lease = 1 }, { .group = &group },
		{ .longest = 1, .lease = 1, .group = &group } };
	(void)state;
	move_in(&methods[2], 1, 1);
	is_right();
	move_in(&methods[2], QUASH_NO_LIMIT, INT32_MAX);
	is_right();
	move_in(&methods[2], 0, 1);
	is_wrong("methods", "wait", "motion.longest", 2, 0, 0, QUASH_FAULT_NO_LIMIT);
	move_in(&methods[2], 0, 0);
	is_wrong("methods", "wait", "motion.longest", 2, 0, 0, QUASH_FAULT_NO_LIMIT);
	for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++) {
		methods[2].motion = halves[i];
		is_wrong("methods", "wait", "motion.end", 2, 0, 0, QUASH_FAULT_NO_END);
	}
}

/* Found at the start, not at the first call. */
static void test_states_are_large_enough(void **state)
{
	(void)state;
	methods[2].state_size = LOOP_STATE;
	is_right();
	methods[2].state_size = LOOP_STATE + 1;
	is_wrong("methods", "wait", "state_size", 2, LOOP_STATE, LOOP_STATE + 1, QUASH_FAULT_SMALL);
	device.config.states = NULL;
	device.config.state_size = 0;
	is_wrong("methods", "wait", "state_size", 2, 0, device_methods[2].state_size, QUASH_FAULT_SMALL);
}

/* --- What profiles check */

static unsigned asked;

static bool finds_nothing(const quash_config *config, quash_fault *found)
{
	(void)found;
	assert_ptr_equal(config, &device.config);
	asked++;
	return true;
}

static bool finds_a_tool(const quash_config *config, quash_fault *found)
{
	const quash_fault tool = { "tools", "move", "handler", 7, 1, 2, QUASH_FAULT_VALUE };
	(void)config;
	*found = tool;
	return false;
}

static void test_check_of_a_profile(void **state)
{
	(void)state;
	asked = 0;
	device.config.check = finds_nothing;
	is_right();
	assert_int_equal(asked, 1);
	device.config.check = finds_nothing;
	device.config.slots = NULL; /* it is asked about what is right so far */
	wrong_in_config("slots", 0, 0, QUASH_FAULT_MISSING);
	assert_int_equal(asked, 1);
	device.config.check = finds_a_tool;
	is_wrong("tools", "move", "handler", 7, 1, 2, QUASH_FAULT_VALUE);
}

/* quash_start takes the same without a look. */
static void test_start(void **state)
{
	(void)state;
	device.config.check = finds_a_tool;
	quash_start_with_(&device.peer, &device.config);
	ANSWERS_TO(REQUEST("1", "now"), 1, RESULT("1", "1"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_sizes, set_up),
		cmocka_unit_test_setup(test_largest_arena, set_up),
		cmocka_unit_test_setup(test_arrays, set_up),
		cmocka_unit_test_setup(test_arrays_of_each_size, set_up),
		cmocka_unit_test_setup(test_alignment_of_states, set_up),
		cmocka_unit_test_setup(test_dialect, set_up),
		cmocka_unit_test_setup(test_names, set_up),
		cmocka_unit_test_setup(test_long_names, set_up),
		cmocka_unit_test_setup(test_long_names_of_a_dialect, set_up),
		cmocka_unit_test_setup(test_names_for_all_others, set_up),
		cmocka_unit_test_setup(test_marks, set_up),
		cmocka_unit_test_setup(test_marks_of_motion, set_up),
		cmocka_unit_test_setup(test_other_members, set_up),
		cmocka_unit_test_setup(test_motion_ends, set_up),
		cmocka_unit_test_setup(test_states_are_large_enough, set_up),
		cmocka_unit_test_setup(test_check_of_a_profile, set_up),
		cmocka_unit_test_setup(test_start, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
