/* SPDX-License-Identifier: MIT
 * Commands that end, that do not, that are not there; descriptors, signals, zombies. */
#define _GNU_SOURCE 1 /* kill, usleep */
#include "unit.h"

#include "posix/posix_child.h"

#include "descriptors.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct posix_child child;

/* The next SIGTERM ends it before anybody looks whether it has. */
static bool obeys;

int kill(pid_t pid, int number)
{
	siginfo_t end;
	const int result = (int)syscall(SYS_kill, pid, number);
	if (obeys && number == SIGTERM)
		(void)waitid(P_PID, (id_t)child.pid, &end, WEXITED | WNOWAIT);
	return result;
}

static uint32_t now(void)
{
	const quash_port port = posix_stdio_port(&child.stdio);
	return port.now(port.device);
}

static void start_shell(const char *script)
{
	char *const argv[] = { "sh", "-c", (char *)(uintptr_t)script, NULL };
	assert_int_equal(posix_child_start(&child, argv), 0);
	assert_int_not_equal(child.pid, 0);
}

/* Reads until `text` has come, or the end when it is NULL. */
static void receive(const char *text)
{
	const quash_port port = posix_stdio_port(&child.stdio);
	char received[256] = "";
	size_t length = 0;
	int n = 0;
	while (n != QUASH_END && (text == NULL || strcmp(received, text) != 0)) {
		n = port_read(&port, received + length, sizeof received - 1 - length);
		length += n > 0 ? (size_t)n : 0;
		received[length] = '\0';
		if (n == 0)
			usleep(1000);
	}
	if (text != NULL)
		assert_string_equal(received, text);
	else
		assert_int_equal(n, QUASH_END);
}

static void send_text(const char *text)
{
	const quash_port port = posix_stdio_port(&child.stdio);
	assert_int_equal(port.write(port.device, (const uint8_t *)text, strlen(text)), strlen(text));
}

static void assert_fate(const char *fate)
{
	char text[64];
	posix_child_fate(&child, text, sizeof text);
	assert_string_equal(text, fate);
}

/* Everything of ours is closed, and nobody is left to wait for. */
static void assert_all_gone(pid_t pid)
{
	assert_int_equal(child.pid, 0);
	assert_int_equal(child.stdio.in, -1);
	assert_int_equal(child.stdio.out, -1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void test_it_hears_and_speaks(void **unused)
{
	(void)unused;
	start_shell("cat");
	const pid_t pid = child.pid;
	send_text("hello\n");
	receive("hello\n");
	assert_false(posix_child_ended(&child));
	assert_fate("is running");
	posix_child_end(&child, UINT32_MAX);
	assert_fate("exited with 0");
	assert_all_gone(pid);
}

static void test_its_end_is_told(void **unused)
{
	(void)unused;
	start_shell("echo last; exit 3");
	receive("last\n");
	receive(NULL);
	posix_child_end(&child, UINT32_MAX);
	assert_true(posix_child_ended(&child));
	assert_fate("exited with 3");
}

static void test_hung_up_it_may_still_speak(void **unused)
{
	(void)unused;
	start_shell("cat >/dev/null; echo received you");
	posix_child_hang_up(&child);
	receive("received you\n");
	posix_child_end(&child, UINT32_MAX);
	assert_fate("exited with 0");
}

static void test_one_that_does_not_hear_the_end_is_terminated(void **unused)
{
	(void)unused;
	start_shell("echo up; sleep 100 <&- & wait");
	const pid_t pid = child.pid;
	receive("up\n");
	obeys = true;
	posix_child_end(&child, 50);
	obeys = false;
	assert_fate("was ended by signal 15");
	assert_all_gone(pid);
}

static void test_one_that_does_not_want_to_end_is_killed(void **unused)
{
	(void)unused;
	start_shell("trap '' TERM; echo up; while :; do sleep 1; done");
	const pid_t pid = child.pid;
	receive("up\n");
	const uint32_t start = now();
	posix_child_end(&child, 50);
	assert_true(now() - start >= 99);
	assert_fate("was ended by signal 9");
	assert_all_gone(pid);
}

static void test_one_that_speaks_without_end_can_end(void **unused)
{
	(void)unused;
	start_shell("(while :; do echo 0123456789abcdef; done) & cat; kill $!; exit 4");
	posix_child_end(&child, UINT32_MAX);
	assert_fate("exited with 4");
}

static void test_a_command_that_is_not_there_is_told(void **unused)
{
	char *const argv[] = { "no-such-command-anywhere", NULL };
	(void)unused;
	const int before = count_descriptors();
	assert_int_equal(posix_child_start(&child, argv), ENOENT);
	assert_int_equal(count_descriptors(), before);
	posix_child_end(&child, UINT32_MAX);
	assert_int_equal(child.pid, 0);
}

static void test_no_descriptor_is_left(void **unused)
{
	(void)unused;
	const int before = count_descriptors();
	for (int i = 0; i < 3; i++) {
		start_shell("exit 0");
		posix_child_end(&child, UINT32_MAX);
	}
	assert_int_equal(count_descriptors(), before);
}

/* The end of the first is received although the second lives: it does not hold the first one's pipes. */
static void test_two_do_not_share_descriptors(void **unused)
{
	static struct posix_child other;
	char *const argv[] = { "cat", NULL };
	(void)unused;
	start_shell("cat; echo end");
	assert_int_equal(posix_child_start(&other, argv), 0);
	posix_child_hang_up(&child);
	receive("end\n");
	receive(NULL);
	posix_child_end(&child, UINT32_MAX);
	posix_child_end(&other, UINT32_MAX);
	assert_int_equal(other.pid, 0);
}

static void test_what_we_ignore_it_does_not(void **unused)
{
	(void)unused;
	signal(SIGPIPE, SIG_IGN);
	start_shell("kill -PIPE $$; echo not reached");
	receive(NULL);
	posix_child_end(&child, UINT32_MAX);
	assert_fate("was ended by signal 13");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_hears_and_speaks),
		cmocka_unit_test(test_its_end_is_told),
		cmocka_unit_test(test_hung_up_it_may_still_speak),
		cmocka_unit_test(test_one_that_does_not_hear_the_end_is_terminated),
		cmocka_unit_test(test_one_that_does_not_want_to_end_is_killed),
		cmocka_unit_test(test_one_that_speaks_without_end_can_end),
		cmocka_unit_test(test_a_command_that_is_not_there_is_told),
		cmocka_unit_test(test_no_descriptor_is_left),
		cmocka_unit_test(test_two_do_not_share_descriptors),
		cmocka_unit_test(test_what_we_ignore_it_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
