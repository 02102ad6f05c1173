/* SPDX-License-Identifier: MIT
 * Which processes above are watched, and that their end is seen, at times that the test says. Each program is a process under others that
 * the test ends. */
#include "posix/posix_system.h"

#include "unit.h"

#include "descriptors.h"
#include "posix/posix_parent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { MOST_LEVELS = 12, LONG_MS = 100000 };

static const uint32_t began = 4294967000u; /* the clock wraps soon */

static int input[2], asks[2], tells[2], pids[2];
static pid_t all[MOST_LEVELS + 1]; /* the first is this one's child, the last is the program */
static unsigned count;
static bool others_write;     /* into its input, beside us */
static unsigned ignores_from; /* SIGHUP is ignored from this level on */

/* --- The program */

/* Says how many are watched. Then whenever it is asked, so many milliseconds later, whether one has ended, and when it is to ask again. */
static void watch_and_tell(int in)
{
	struct posix_parent parent;
	uint32_t passed;
	posix_parent_watch(&parent, in, began);
	dprintf(tells[1], "%u watched.", parent.count);
	while (read(asks[0], &passed, sizeof passed) == sizeof passed) {
		const bool ended = posix_parent_ended(&parent, began + passed);
		const uint32_t rest = posix_parent_rest(&parent, began + passed);
		dprintf(tells[1], "%s, %ld.", ended ? "ended" : "there", rest == UINT32_MAX ? -1L : (long)rest);
	}
	_exit(0);
}

/* `levels` processes one below the other, which wait, and the program. Those from `same` on have its input as their own. */
static void descend(unsigned levels, unsigned same, int in, void (*prepares)(void))
{
	if (!others_write)
		close(input[1]);
	for (unsigned i = 0;; i++) {
		const pid_t self = getpid();
		signal(SIGCHLD, SIG_IGN); /* what has ended below is gone at once */
		if (i == ignores_from)
			signal(SIGHUP, SIG_IGN);
		if (write(pids[1], &self, sizeof self) != sizeof self)
			_exit(99);
		if (i == levels)
			break;
		dup2(i >= same ? in : pids[0], STDIN_FILENO);
		while (fork() > 0)
			for (;;)
				pause();
	}
	close(asks[1]);
	if (prepares != NULL)
		prepares();
	watch_and_tell(in);
}

/* --- The test */

static void assert_tells(const char *words)
{
	char said[64] = "";
	while (strchr(said, '.') == NULL)
		assert_int_equal(read(tells[0], said + strlen(said), 1), 1);
	assert_string_equal(said, words);
}

static void assert_tells_later(uint32_t passed, const char *words)
{
	assert_int_equal(write(asks[1], &passed, sizeof passed), sizeof passed);
	assert_tells(words);
}

static void start(unsigned levels, unsigned same, int in, void (*prepares)(void))
{
	assert_int_equal(pipe(asks), 0);
	assert_int_equal(pipe(tells), 0);
	assert_int_equal(pipe(pids), 0);
	const pid_t first = fork();
	assert_true(first >= 0);
	if (first == 0)
		descend(levels, same, in, prepares);
	for (count = 0; count <= levels; count++)
		assert_int_equal(read(pids[0], &all[count], sizeof all[count]), sizeof all[count]);
}

/* What is below it has another parent then. */
static void end_level(unsigned i)
{
	assert_int_equal(kill(all[i], SIGKILL), 0);
	if (i == 0)
		assert_int_equal(waitpid(all[0], NULL, 0), all[0]);
	while (kill(all[i], 0) == 0)
		poll(NULL, 0, LOOK_MS);
	assert_int_equal(errno, ESRCH);
	all[i] = 0;
}

static int set_up(void **state)
{
	(void)state;
	count = 0;
	others_write = false;
	ignores_from = UINT_MAX;
	signal(SIGINT, SIG_DFL); /* a shell without job control ignores it in the background */
	return pipe(input);
}

static int tear_down(void **state)
{
	int *const ends[] = { input, asks, tells, pids };
	(void)state;
	for (unsigned i = count; i-- > 0;) {
		if (all[i] != 0)
			kill(all[i], SIGKILL);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		continue;
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	return 0;
}

/* --- The end of the parent */

static void test_the_end_is_seen_when_it_is_looked_for(void **state)
{
	(void)state;
	start(1, 1, input[0], NULL);
	assert_tells("1 watched.");
	assert_tells_later(0, "there, 500.");
	assert_tells_later(499, "there, 1.");
	end_level(0);
	assert_tells_later(499, "there, 1.");
	assert_tells_later(500, "ended, -1.");
	assert_tells_later(LONG_MS, "ended, -1.");
}

static void test_it_lives_on(void **state)
{
	(void)state;
	start(1, 1, input[0], NULL);
	assert_tells("1 watched.");
	for (uint32_t passed = 500; passed < 5000; passed += 500)
		assert_tells_later(passed, "there, 500.");
	assert_tells_later(LONG_MS, "there, 500.");
}

/* Not the first process, but this one takes what has no parent any more. */
static void test_another_takes_its_place(void **state)
{
	(void)state;
#if POSIX_LINUX
	prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
	start(1, 1, input[0], NULL);
	assert_tells("1 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, "ended, -1.");
#if POSIX_LINUX
	prctl(PR_SET_CHILD_SUBREAPER, 0);
#endif
}

/* --- Those above, where the system shows them */

static void test_each_that_hands_its_input_on_and_the_one_above_are_watched(void **state)
{
	(void)state;
	for (unsigned gone = 0; gone < 4; gone++) {
		start(4, 2, input[0], NULL); /* two have another input; of these the lower one has started the others */
		assert_tells(POSIX_LINUX ? "3 watched." : "1 watched.");
		end_level(gone);
		assert_tells_later(LONG_MS, gone == 3 || (POSIX_LINUX && gone > 0) ? "ended, -1." : "there, 500.");
		(void)tear_down(NULL);
		(void)set_up(NULL);
	}
}

static void test_no_more_are_watched_than_there_is_room_for(void **state)
{
	(void)state;
	start(MOST_LEVELS, 0, input[0], NULL);
	assert_tells(POSIX_LINUX ? "8 watched." : "1 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, "there, 500.");
}

/* --- What is not watched */

static void assert_unwatched(int in, void (*prepares)(void))
{
	start(1, 1, in, prepares);
	assert_tells("0 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, "there, -1.");
}

static void ignore_hang_up(void) { signal(SIGHUP, SIG_IGN); }
static void ignore_interrupt(void) { signal(SIGINT, SIG_IGN); }
static void lead_session(void) { setsid(); }
static void lead_group(void) { setpgid(0, 0); }

static void test_a_program_in_the_background_watches_nothing(void **state)
{
	void (*const ways[])(void) = { ignore_hang_up, ignore_interrupt, lead_session, lead_group };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		assert_unwatched(input[0], ways[i]);
		(void)tear_down(NULL);
		(void)set_up(NULL);
	}
}

static void test_what_is_above_a_background_is_not_watched(void **state)
{
	(void)state;
	ignores_from = 1;
	start(3, 0, input[0], NULL);
	assert_tells(POSIX_LINUX ? "2 watched." : "0 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, POSIX_LINUX ? "there, 500." : "there, -1.");
}

static void test_a_parent_in_the_background_is_watched(void **state)
{
	(void)state;
	ignores_from = 0;
	start(1, 1, input[0], NULL);
	assert_tells(POSIX_LINUX ? "1 watched." : "0 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, POSIX_LINUX ? "ended, -1." : "there, -1.");
}

/* As hosts do that give their servers groups of their own. */
static void test_a_parent_that_writes_the_input_is_watched_whatever_its_group(void **state)
{
	(void)state;
	others_write = true;
	start(1, 1, input[0], lead_session);
	assert_tells(POSIX_LINUX ? "1 watched." : "0 watched.");
	end_level(0);
	assert_tells_later(LONG_MS, POSIX_LINUX ? "ended, -1." : "there, -1.");
}

static void test_an_input_that_ends_or_hangs_up_by_itself_needs_nobody(void **state)
{
	char path[64];
	const int ends[] = { open("/dev/null", O_RDONLY), open(__FILE__, O_RDONLY), open_board(path, sizeof path) };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		assert_true(ends[i] >= 0);
		assert_unwatched(ends[i], NULL);
		close(ends[i]);
		(void)tear_down(NULL);
		(void)set_up(NULL);
	}
	assert_unwatched(-1, NULL);
}

static void test_a_socket_is_an_input_too(void **state)
{
	int pair[2];
	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	start(2, 1, pair[0], NULL);
	assert_tells(POSIX_LINUX ? "2 watched." : "1 watched.");
	end_level(1);
	assert_tells_later(LONG_MS, "ended, -1.");
	close(pair[0]);
	close(pair[1]);
}

/* The parent of `all[1]` has ended before it looks; its group is the same. */
static void wait_for_another_parent(void)
{
	const pid_t before = getppid();
	kill(before, SIGKILL);
	while (getppid() == before)
		poll(NULL, 0, LOOK_MS);
}

static void test_a_parent_that_has_ended_before_is_not_watched(void **state)
{
	(void)state;
	start(1, 1, input[0], wait_for_another_parent);
	assert_int_equal(waitpid(all[0], NULL, 0), all[0]);
	all[0] = 0;
	assert_tells("0 watched.");
}

static void test_nothing_is_watched_at_first(void **state)
{
	struct posix_parent none = { 0 };
	(void)state;
	assert_int_equal(posix_parent_rest(&none, LONG_MS), UINT32_MAX);
	assert_false(posix_parent_ended(&none, LONG_MS));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_the_end_is_seen_when_it_is_looked_for),
		TEST(test_it_lives_on),
		TEST(test_another_takes_its_place),
		TEST(test_each_that_hands_its_input_on_and_the_one_above_are_watched),
		TEST(test_no_more_are_watched_than_there_is_room_for),
		TEST(test_a_program_in_the_background_watches_nothing),
		TEST(test_what_is_above_a_background_is_not_watched),
		TEST(test_a_parent_in_the_background_is_watched),
		TEST(test_a_parent_that_writes_the_input_is_watched_whatever_its_group),
		TEST(test_an_input_that_ends_or_hangs_up_by_itself_needs_nobody),
		TEST(test_a_socket_is_an_input_too),
		TEST(test_a_parent_that_has_ended_before_is_not_watched),
		TEST(test_nothing_is_watched_at_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
