/* SPDX-License-Identifier: MIT
 * What the options of a device ask for, and what is refused. */
#include "unit.h"

#include "host_device.h"

#include <stdio.h>
#include <stdlib.h>

static struct device_options options;
static char texts[2][128]; /* the options borrow them */

static int begin(void **state)
{
	(void)state;
	memset(&options, 0, sizeof options);
	return 0;
}

/* NULL: taken; else why not, as in argument_option. */
static const char *option(const char *name, const char *value)
{
	char *const text = texts[options.kind != DEVICE_NONE];
	snprintf(text, sizeof texts[0], "%s", value);
	for (size_t i = 0; i < DEVICE_ARGUMENTS; i++) {
		if (strcmp(device_arguments[i].name, name) == 0)
			return device_arguments[i].read(&options, text);
	}
	fail_msg("no option %s", name);
	return NULL;
}

static bool parse(const char *value)
{
	snprintf(texts[0], sizeof texts[0], "%s", value);
	memset(&options, 0, sizeof options);
	return device_parse(&options, texts[0]);
}

static void assert_name(const char *name)
{
	char text[64];
	device_name(&options, text, sizeof text);
	assert_string_equal(text, name);
}

static void test_a_serial_device_may_have_a_rate(void **state)
{
	(void)state;
	assert_null(option("--tty", "/dev/ttyACM0"));
	assert_null(device_conflict(&options));
	assert_null(option("--baud", "115200"));
	assert_int_equal(options.kind, DEVICE_TTY);
	assert_int_equal(options.baud, 115200);
	assert_name("/dev/ttyACM0");
	options.reset = true;
	assert_null(device_conflict(&options));
}

static void test_a_rate_may_come_first_but_not_alone(void **state)
{
	(void)state;
	assert_null(option("--baud", "9600"));
	assert_non_null(strstr(device_conflict(&options), "no device"));
	assert_null(option("--tcp", "localhost:7000"));
	assert_string_equal(device_conflict(&options), "--baud is for --tty");
}

static void test_rates_that_nobody_knows(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", "0", "-9600", "9600x", "99999999999" };
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_string_equal(option("--baud", wrong[i]), "");
	assert_null(option("--tcp", "127.0.0.1:7000"));
	assert_null(device_conflict(&options));
	options.reset = true;
	assert_string_equal(device_conflict(&options), "--reset is for --tty");
}

static void test_hosts_are_numbers_or_localhost(void **state)
{
	(void)state;
	static const char *const right[][2] = { { "localhost:1", "127.0.0.1:1" },
		{ "10.1.2.3:65535", "10.1.2.3:65535" }, { "[::1]:7000", "[::1]:7000" } };
	static const char *const wrong[] = { "", "7000", ":7000", "motor:7000", "127.0.0.1",
		"127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:7000x", "127.0.0.1:+7", "::1:7000",
		"[::1:7000", "[localhost]:7000", "[]:7000" };
	for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
		memset(&options, 0, sizeof options);
		assert_null(option("--tcp", right[i][0]));
		assert_name(right[i][1]);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		memset(&options, 0, sizeof options);
		assert_string_equal(option("--tcp", wrong[i]), "");
	}
}

static void test_one_device_only(void **state)
{
	(void)state;
	assert_null(option("--unix", "/run/motor"));
	assert_name("/run/motor");
	assert_string_equal(option("--unix", "/run/motor"), "is one device too many");
	assert_string_equal(option("--tty", "/dev/ttyACM0"), "is one device too many");
}

static void test_a_device_in_one_text(void **state)
{
	(void)state;
	assert_true(parse("tty:/dev/serial/by-id/a,b,115200"));
	assert_name("/dev/serial/by-id/a,b");
	assert_int_equal(options.baud, 115200);
	assert_true(parse("tty:/dev/a,b"));
	assert_name("/dev/a,b");
	assert_true(parse("tcp:[::1]:7000"));
	assert_name("[::1]:7000");
	assert_true(parse("unix:/run/motor"));
	assert_name("/run/motor");
}

static void test_a_command_in_one_text(void **state)
{
	(void)state;
	assert_true(parse("exec:  a bc  d "));
	assert_string_equal(options.command[0], "a");
	assert_string_equal(options.command[1], "bc");
	assert_string_equal(options.command[2], "d");
	assert_null(options.command[3]);
	assert_name("a");
	free(options.command);
}

static void test_texts_that_are_no_device(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", "/dev/ttyACM0", "tty:", "tty:/dev/a,0", "tty:/dev/a,1x", "unix:", "tcp:7000",
		"usb:1" };
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_false(parse(wrong[i]));
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_serial_device_may_have_a_rate),
		TEST(test_a_rate_may_come_first_but_not_alone),
		TEST(test_rates_that_nobody_knows),
		TEST(test_hosts_are_numbers_or_localhost),
		TEST(test_one_device_only),
		TEST(test_a_device_in_one_text),
		TEST(test_a_command_in_one_text),
		TEST(test_texts_that_are_no_device),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
