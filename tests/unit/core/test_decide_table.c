/* SPDX-License-Identifier: MIT
 * The table of docs/cancellation.md: what a cancel does, for each state of a request and each source of a cancel. First the
 * table itself, then each of its fields as it is reached from outside. */
#include "device.h"

#include <stdio.h>

#include "core/decide.h"

/* F: the cause is set. S: it is never answered. E: its handler is not called any more. */
static const char *const expected[CANCEL_ROWS][CANCEL_SOURCES] = {
	[ROW_PARKED] = { "FE", "FSE", "FE", "FSE", "FSE" },
	[ROW_PARKED_PARTIAL] = { "F", "FSE", "F", "FSE", "FSE" },
	[ROW_PARKED_CANCELLED] = { "", "SE", "", "SE", "SE" },
	[ROW_RUNNING] = { "F", "FS", "F", "FS", "FS" },
	[ROW_RUNNING_DROPS] = { "FE", "FSE", "FE", "FSE", "FSE" },
	[ROW_RUNNING_CANCELLED] = { "", "S", "", "S", "S" },
	[ROW_RECORDED] = { "", "FS", "", "S", "S" },
	[ROW_BEGUN] = { "", "", "", "", "S" },
	[ROW_OVER] = { "", "", "", "", "" },
};

static uint8_t action_of(const char *letters)
{
	return (uint8_t)((strchr(letters, 'F') ? CANCEL_FLAG : 0) | (strchr(letters, 'S') ? CANCEL_SILENCE : 0) |
			 (strchr(letters, 'E') ? CANCEL_END : 0));
}

static void test_table(void **state)
{
	(void)state;
	for (enum cancel_row row = ROW_PARKED; row < CANCEL_ROWS; row++) {
		for (enum cancel_source source = SOURCE_ANSWERED; source < CANCEL_SOURCES; source++)
			assert_int_equal(quash_decide(row, source), action_of(expected[row][source]));
	}
	assert_int_equal(quash_decide(CANCEL_ROWS, SOURCE_LINK), 0);
	assert_int_equal(quash_decide(ROW_PARKED, CANCEL_SOURCES), 0);
}

/* --- From outside */

static void reach_running(const char *method)
{
	char message[100];
	snprintf(message, sizeof message, REQUEST_WITH("1", "%s", "{'steps':3}"), method);
	say_and_step(message);
}

/* Brings request 1 there. */
static void reach(enum cancel_row row)
{
	switch (row) {
	case ROW_PARKED: say(REQUEST("1", "wait")); break;
	case ROW_PARKED_PARTIAL: say(REQUEST("1", "partial")); break;
	case ROW_PARKED_CANCELLED:
		say(REQUEST("1", "partial"));
		quash_cancel(live("1"));
		break;
	case ROW_RUNNING: reach_running("wait"); break;
	case ROW_RUNNING_DROPS: reach_running("drops"); break;
	case ROW_RUNNING_CANCELLED:
		reach_running("stubborn");
		quash_cancel(live("1"));
		break;
	case ROW_RECORDED:
		fill_tx();
		reach_running("ramp");
		break;
	case ROW_BEGUN:
		device.stalled = true;
		say_and_step(REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']"));
		break;
	default:
		device_at_rest = false; /* its answer has left, its motor still moves */
		reach_running("ramp");
		break;
	}
}

static void apply(enum cancel_source source)
{
	switch (source) {
	case SOURCE_ANSWERED: say(CANCEL("1")); break;
	case SOURCE_SILENT: say(MCP_CANCEL("1")); break;
	case SOURCE_OWN: quash_cancel(&device.slots[0]); break;
	case SOURCE_SESSION: quash_new_session(&device.peer); break;
	default: quash_gone(&device.peer); break;
	}
}

static unsigned flagged(void)
{
	unsigned sum = 0;
	for (unsigned cause = 0; cause < QUASH_CAUSES; cause++)
		sum += device.counters.cancelled[cause];
	return sum;
}

static unsigned silenced(void)
{
	return (unsigned)(device.counters.silenced + device.counters.discarded);
}

static bool has_ended(void)
{
	quash_live one = { 0 };
	return !quash_next_live(&device.peer, &one) || one.ended;
}

/* What has happened to the request since, in letters; its slot is the first one. */
static void look(enum cancel_row row, enum cancel_source source)
{
	device_prepare(source == SOURCE_SILENT ? &quash_mcp : &quash_acp);
	device.config.tx_size = row == ROW_BEGUN ? QUASH_TX_MIN : LOOP_TX;
	device_begin();
	reach(row);
	const unsigned flags = flagged(), silences = silenced();
	const bool ended = has_ended();
	char seen[4] = "";
	apply(source);
	device_check();
	strcat(seen, flagged() > flags ? "F" : "");
	strcat(seen, silenced() > silences ? "S" : "");
	strcat(seen, !ended && has_ended() ? "E" : "");
	if (strcmp(seen, expected[row][source]) != 0)
		fail_msg("row %d, source %d: %s, not %s", row, source, seen, expected[row][source]);
	COUNTED(late_cancels, source <= SOURCE_SILENT && seen[0] == '\0');
}

static void test_from_outside(void **state)
{
	(void)state;
	for (enum cancel_row row = ROW_PARKED; row < CANCEL_ROWS; row++) {
		for (enum cancel_source source = SOURCE_ANSWERED; source < CANCEL_SOURCES; source++)
			look(row, source);
	}
}

/* Whatever has happened: its hooks have run if its handler was called, and the slot is free in the end. */
static void test_in_the_end(void **state)
{
	(void)state;
	for (enum cancel_row row = ROW_PARKED; row < CANCEL_ROWS; row++) {
		for (enum cancel_source source = SOURCE_ANSWERED; source < CANCEL_SOURCES; source++) {
			look(row, source);
			device.stalled = false;
			device_at_rest = true;
			steps(3);
			quash_cancel_all(&device.peer);
			steps(5);
			loop_heard(&device);
			steps(1);
			assert_int_equal(quash_live_count(&device.peer), 0);
			assert_true(quash_is_at_rest(&device.peer));
			device_forget();
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_from_outside),
		cmocka_unit_test(test_in_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
