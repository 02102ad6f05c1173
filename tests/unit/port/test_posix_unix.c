/* SPDX-License-Identifier: MIT
 * Unix sockets: clients that talk, dawdle, never read, half close, vanish; a thousand at once; and the path. */
#define _GNU_SOURCE 1
#include "link_crowd.h"

#include "posix/posix_unix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct posix_unix there;
static char folder[] = "build/unix-XXXXXX", path[64];

static int connect_there(struct posix_socket *socket)
{
	return posix_unix_connect(socket, path);
}

static int set_up(void **state)
{
	(void)state;
	family = (struct family){ .listener = &there.listener, .accept = posix_socket_accept, .connect = connect_there };
	return posix_unix_listen(&there, path);
}

static int tear_down(void **state)
{
	(void)state;
	posix_unix_stop(&there);
	posix_unix_stop(&there);
	return access(path, F_OK) == 0 ? -1 : 0;
}

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/socket", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

/* --- Links that are lost */

static void test_closed_every_request_is_cancelled(void **state)
{
	(void)state;
	link_up();
	talk_of_three(&server.end, client.stdio.in);
	posix_socket_close(&client);
	end_until(&server.end, end_is_gone);
	assert_int_equal(server.end.counters.cancelled[QUASH_BY_LINK], 3);
	assert_int_equal(server.end.ended, 3);
	link_down();
}

static void test_closed_with_answers_unread(void **state)
{
	(void)state;
	link_up();
	raw_send(&server.end, client.stdio.in, REQUEST_WITH("9", "echo", "[9]") "\n");
	end_turn(&server.end);
	talk_of_three(&server.end, client.stdio.in);
	posix_socket_close(&client);
	end_until(&server.end, end_is_gone);
	assert_int_equal(server.end.counters.cancelled[QUASH_BY_LINK], 3);
	link_down();
}

/* --- The path */

static void test_only_the_same_user_may_connect(void **state)
{
	struct stat file;
	(void)state;
	assert_int_equal(lstat(path, &file), 0);
	assert_true(S_ISSOCK(file.st_mode));
	assert_int_equal(file.st_mode & 0777, 0600);
}

static void test_two_cannot_listen_on_one_path(void **state)
{
	static struct posix_unix other;
	(void)state;
	assert_int_equal(posix_unix_listen(&other, path), EADDRINUSE);
	posix_unix_stop(&other);
	posix_socket_close(&server.socket);
	while (posix_socket_accept(&there.listener, &server.socket) == 0) /* who had a look */
		posix_socket_close(&server.socket);
	link_up();
	talk(&server.end, client.stdio.in);
	link_down();
}

static void test_what_was_left_behind_is_replaced(void **state)
{
	(void)state;
	posix_listener_close(&there.listener); /* as one that died: the path stays */
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(posix_unix_connect(&client, path), ECONNREFUSED);
	assert_int_equal(posix_unix_listen(&there, path), 0);
	link_up();
	talk(&server.end, client.stdio.in);
	link_down();
}

static void test_what_is_no_socket_is_left_alone(void **state)
{
	static struct posix_unix other;
	char file[80];
	(void)state;
	snprintf(file, sizeof file, "%s/file", folder);
	const int fd = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "mine", 4), 4);
	close(fd);
	assert_int_equal(posix_unix_listen(&other, file), EADDRINUSE);
	posix_unix_stop(&other);
	assert_int_equal(unlink(file), 0);
}

static void test_what_another_made_is_not_removed(void **state)
{
	static struct posix_unix other;
	(void)state;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(posix_unix_listen(&other, path), 0);
	posix_unix_stop(&there);
	assert_int_equal(access(path, F_OK), 0);
	posix_unix_stop(&other);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void test_paths_that_cannot_be(void **state)
{
	static struct posix_unix other;
	char long_one[200];
	(void)state;
	const int before = count_descriptors();
	memset(long_one, 'x', sizeof long_one - 1);
	long_one[sizeof long_one - 1] = '\0';
	assert_int_equal(posix_unix_listen(&other, long_one), ENAMETOOLONG);
	assert_int_equal(posix_unix_connect(&client, long_one), ENAMETOOLONG);
	assert_int_equal(posix_unix_listen(&other, ""), ENOENT);
	assert_int_equal(posix_unix_connect(&client, "/no/such/path"), ENOENT);
	assert_int_equal(posix_unix_listen(&other, "/no/such/path"), ENOENT);
	assert_int_equal(count_descriptors(), before);
	posix_socket_close(&client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_it_talks),
		TEST(test_it_talks_slowly),
		TEST(test_one_that_never_reads_is_waited_for),
		TEST(test_half_closed_it_is_still_answered),
		TEST(test_hung_up_it_still_receives),
		TEST(test_last_bytes_are_received),
		TEST(test_nobody_waits),
		TEST(test_descriptors_of_a_connection),
		TEST(test_writing_to_nobody_raises_no_signal),
		TEST(test_without_descriptors_it_goes_on_waiting),
		TEST(test_closed_every_request_is_cancelled),
		TEST(test_closed_with_answers_unread),
		TEST(test_only_the_same_user_may_connect),
		TEST(test_two_cannot_listen_on_one_path),
		TEST(test_what_was_left_behind_is_replaced),
		TEST(test_what_is_no_socket_is_left_alone),
		TEST(test_what_another_made_is_not_removed),
		TEST(test_paths_that_cannot_be),
		TEST(test_a_crowd),
		TEST(test_a_crowd_that_cancels_again_and_again),
		TEST(test_a_bad_crowd),
		TEST(test_a_crowd_beyond_the_descriptors),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
