/* SPDX-License-Identifier: MIT
 * A board at the other end of a serial line, played over a pty: the board holds the master. */
#include "posix/posix_system.h"

#include "link_end.h"

#include "descriptors.h"
#include "posix/posix_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct posix_tty tty;
static link_end end;
static int board = -1;
static char path[64];

static int plug_in(void **state)
{
	(void)state;
	board = open_board(path, sizeof path);
	return board < 0 ? -1 : 0;
}

static int unplug(void **state)
{
	(void)state;
	if (board >= 0)
		close(board);
	board = -1;
	posix_tty_close(&tty);
	return 0;
}

static void open_at(uint32_t baud)
{
	assert_int_equal(posix_tty_open(&tty, path, baud), 0);
	end_start(&end, posix_tty_port(&tty), &tty.stdio);
}

/* The line's settings, which the master sees too. */
static struct termios settings(void)
{
	struct termios is;
	assert_int_equal(tcgetattr(board, &is), 0);
	return is;
}

/* But for the padding. */
static void assert_same_settings(struct termios a, struct termios b)
{
	assert_int_equal(a.c_iflag, b.c_iflag);
	assert_int_equal(a.c_oflag, b.c_oflag);
	assert_int_equal(a.c_cflag, b.c_cflag);
	assert_int_equal(a.c_lflag, b.c_lflag);
	assert_memory_equal(a.c_cc, b.c_cc, sizeof a.c_cc);
	assert_int_equal(cfgetispeed(&a), cfgetispeed(&b));
	assert_int_equal(cfgetospeed(&a), cfgetospeed(&b));
}

/* As a shell would leave it, with an unusual rate. */
static struct termios make_cooked(void)
{
	struct termios cooked = settings();
	cooked.c_iflag |= ICRNL | IXON;
	cooked.c_oflag |= OPOST | ONLCR;
	cooked.c_lflag |= ICANON | ECHO | ISIG;
	cooked.c_cflag |= HUPCL;
	cfsetispeed(&cooked, B4800);
	cfsetospeed(&cooked, B4800);
	assert_int_equal(tcsetattr(board, TCSANOW, &cooked), 0);
	return settings();
}

/* --- Talking */

static void test_it_talks(void **state)
{
	(void)state;
	open_at(115200);
	talk(&end, board);
}

static void test_it_talks_slowly(void **state)
{
	(void)state;
	open_at(115200);
	talk_slowly(&end, board);
}

static void test_a_board_that_does_not_read_is_waited_for(void **state)
{
	(void)state;
	open_at(115200);
	talk_without_reading(&end, board);
}

static void test_every_byte_passes_unchanged_both_ways(void **state)
{
	uint8_t all[256], received[256];
	size_t n = 0;
	(void)state;
	make_cooked();
	open_at(0);
	for (size_t i = 0; i < sizeof all; i++)
		all[i] = (uint8_t)i;
	assert_int_equal(write(board, all, sizeof all), sizeof all);
	while (n < sizeof all) {
		const int more = port_read(&end.port, received + n, sizeof received - n);
		assert_in_range(more, 0, sizeof received - n);
		n += (size_t)more;
	}
	assert_memory_equal(received, all, sizeof all);
	assert_int_equal(end.port.write(end.port.device, all, sizeof all), sizeof all);
	assert_int_equal(read(board, received, sizeof received), sizeof all);
	assert_memory_equal(received, all, sizeof all);
	assert_int_equal(read(board, received, sizeof received), -1); /* no echo */
}

/* Those of CAN adapters, of boot loaders, of MIDI, and of nobody. */
static const uint32_t by_number[] = { 250000, 74880, 31250, 12345, 115201, 3686400 };

static void test_a_rate_by_its_number(void **state)
{
	(void)state;
	const struct termios before = make_cooked();
	for (size_t i = 0; i < sizeof by_number / sizeof by_number[0]; i++) {
		uint32_t rate = 0;
		assert_int_equal(posix_tty_knows(by_number[i]), POSIX_SYSTEM_ANY_RATE);
		assert_int_equal(posix_tty_open(&tty, path, by_number[i]), POSIX_SYSTEM_ANY_RATE ? 0 : EINVAL);
		assert_int_equal(posix_system_rate(board, &rate), POSIX_SYSTEM_ANY_RATE);
		assert_int_equal(rate, POSIX_SYSTEM_ANY_RATE ? by_number[i] : 0);
		if (!POSIX_SYSTEM_ANY_RATE)
			assert_same_settings(settings(), before);
		posix_tty_close(&tty);
		assert_int_equal(settings().c_cflag & ~(tcflag_t)HUPCL, before.c_cflag & ~(tcflag_t)HUPCL);
	}
	open_at(9600); /* it is not in use */
}

/* It stays for whoever names none, and is there again afterwards. */
static void test_a_rate_by_its_number_is_found(void **state)
{
	uint32_t rate = 0;
	(void)state;
	if (!posix_system_set_rate(board, 250000)) {
		assert_false(POSIX_SYSTEM_ANY_RATE);
		return;
	}
	for (uint32_t baud = 0; baud <= 115200; baud += 57600) {
		open_at(baud);
		assert_true(posix_system_rate(board, &rate));
		assert_int_equal(rate, baud != 0 ? baud : 250000);
		posix_tty_close(&tty);
		assert_true(posix_system_rate(board, &rate));
		assert_int_equal(rate, 250000);
	}
}

static void test_silence_is_no_end(void **state)
{
	uint8_t byte;
	(void)state;
	open_at(9600);
	assert_int_equal(port_read(&end.port, &byte, 1), 0);
	assert_false(tty.stdio.ended);
}

static void test_what_came_before_is_dropped(void **state)
{
	(void)state;
	struct termios raw = settings();
	raw.c_lflag = 0;
	tcsetattr(board, TCSANOW, &raw);
	assert_int_equal(write(board, "half a mess", 11), 11);
	open_at(115200);
	talk(&end, board);
	assert_int_equal(end.counters.parse_errors, 0);
}

/* --- A link that is lost */

static void test_unplugged_every_request_is_cancelled(void **state)
{
	(void)state;
	open_at(115200);
	talk_of_three(&end, board);
	close(board);
	board = -1;
	end_until(&end, end_is_gone);
	assert_int_equal(end.counters.cancelled[QUASH_BY_LINK], 3);
	assert_int_equal(end.ended, 3);
}

static void test_unplugged_it_is_gone_without_a_wait(void **state)
{
	uint8_t byte;
	(void)state;
	open_at(115200);
	close(board);
	board = -1;
	assert_int_equal(port_read(&end.port, &byte, 1), QUASH_GONE);
	assert_true(tty.stdio.gone);
	assert_int_equal(end.port.write(end.port.device, &byte, 1), QUASH_GONE);
}

/* --- Settings */

static void test_the_rate_is_set(void **state)
{
	(void)state;
	make_cooked();
	open_at(115200);
	const struct termios is = settings();
	assert_int_equal(cfgetospeed(&is), B115200);
	assert_int_equal(cfgetispeed(&is), B115200);
}

static void test_the_rate_may_stay(void **state)
{
	(void)state;
	make_cooked();
	open_at(0);
	const struct termios is = settings();
	assert_int_equal(cfgetospeed(&is), B4800);
}

static void test_settings_are_restored(void **state)
{
	(void)state;
	struct termios before = make_cooked();
	open_at(921600);
	assert_int_equal(settings().c_lflag & (ICANON | ECHO | ISIG), 0);
	posix_tty_close(&tty);
	before.c_cflag &= ~(tcflag_t)HUPCL;
	assert_same_settings(settings(), before);
}

static void test_no_close_will_reset_the_board(void **state)
{
	(void)state;
	make_cooked();
	open_at(115200);
	assert_int_equal(settings().c_cflag & HUPCL, 0);
	posix_tty_close(&tty);
	assert_int_equal(settings().c_cflag & HUPCL, 0);
	open_at(115200);
	talk(&end, board);
}

static void test_a_line_without_dtr_cannot_reset(void **state)
{
	(void)state;
	open_at(115200);
	assert_int_not_equal(posix_tty_reset(&tty), 0);
	talk(&end, board);
}

/* --- Devices and descriptors */

static void test_one_program_at_a_time(void **state)
{
	static struct posix_tty other;
	(void)state;
	open_at(115200);
	assert_int_equal(posix_tty_open(&other, path, 9600), EBUSY);
	posix_tty_close(&other);
	const struct termios is = settings();
	assert_int_equal(cfgetospeed(&is), B115200);
	talk(&end, board);
	posix_tty_close(&tty);
	assert_int_equal(posix_tty_open(&other, path, 9600), 0);
	posix_tty_close(&other);
}

static void test_what_is_no_device_is_refused(void **state)
{
	(void)state;
	const int before = count_descriptors();
	assert_int_equal(posix_tty_open(&tty, "/dev/null", 9600), ENOTTY);
	assert_int_equal(posix_tty_open(&tty, "/no/such/device", 9600), ENOENT);
	assert_int_equal(count_descriptors(), before);
}

static void test_descriptors(void **state)
{
	(void)state;
	const int before = count_descriptors();
	open_at(115200);
	assert_int_equal(fcntl(tty.stdio.in, F_GETFD), FD_CLOEXEC);
	assert_int_not_equal(fcntl(tty.stdio.in, F_GETFL) & O_NONBLOCK, 0);
	posix_tty_close(&tty);
	posix_tty_close(&tty);
	assert_int_equal(count_descriptors(), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plug_in, unplug)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_it_talks),
		TEST(test_it_talks_slowly),
		TEST(test_a_board_that_does_not_read_is_waited_for),
		TEST(test_every_byte_passes_unchanged_both_ways),
		TEST(test_a_rate_by_its_number),
		TEST(test_a_rate_by_its_number_is_found),
		TEST(test_silence_is_no_end),
		TEST(test_what_came_before_is_dropped),
		TEST(test_unplugged_every_request_is_cancelled),
		TEST(test_unplugged_it_is_gone_without_a_wait),
		TEST(test_the_rate_is_set),
		TEST(test_the_rate_may_stay),
		TEST(test_settings_are_restored),
		TEST(test_no_close_will_reset_the_board),
		TEST(test_a_line_without_dtr_cannot_reset),
		TEST(test_one_program_at_a_time),
		TEST(test_what_is_no_device_is_refused),
		TEST(test_descriptors),
	};
	tty.stdio.in = tty.stdio.out = -1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
