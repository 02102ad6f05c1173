/* SPDX-License-Identifier: MIT */
#include "posix_system.h"

#include "posix_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, RESET_MS = 100 };

/* --- Settings */

static const struct rate {
	uint32_t baud;
	speed_t speed;
} rates[] = {
	{ 50, B50 },
	{ 75, B75 },
	{ 110, B110 },
	{ 134, B134 },
	{ 150, B150 },
	{ 200, B200 },
	{ 300, B300 },
	{ 600, B600 },
	{ 1200, B1200 },
	{ 1800, B1800 },
	{ 2400, B2400 },
	{ 4800, B4800 },
	{ 9600, B9600 },
	{ 19200, B19200 },
	{ 38400, B38400 },
#if defined B57600
	{ 57600, B57600 },
	{ 115200, B115200 },
	{ 230400, B230400 },
#endif
#if defined B460800
	{ 460800, B460800 },
	{ 921600, B921600 },
#endif
#if defined B500000
	{ 500000, B500000 },
	{ 576000, B576000 },
	{ 1000000, B1000000 },
	{ 1152000, B1152000 },
	{ 1500000, B1500000 },
	{ 2000000, B2000000 },
	{ 2500000, B2500000 },
	{ 3000000, B3000000 },
	{ 3500000, B3500000 },
	{ 4000000, B4000000 },
#endif
};

static const struct rate *rate_of(uint32_t baud)
{
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		if (rates[i].baud == baud)
			return &rates[i];
	}
	return NULL;
}

bool posix_tty_knows(uint32_t baud)
{
	return rate_of(baud) != NULL || (POSIX_SYSTEM_ANY_RATE && baud != 0);
}

/* One without a name is set behind all else. */
static bool set_rate(struct termios *settings, uint32_t baud)
{
	const struct rate *const rate = rate_of(baud);
	if (rate == NULL)
		return baud == 0 || POSIX_SYSTEM_ANY_RATE;
	return cfsetispeed(settings, rate->speed) == 0 && cfsetospeed(settings, rate->speed) == 0;
}

static void set_raw(struct termios *settings)
{
	settings->c_iflag = IGNBRK; /* a board in reset holds the line low */
	settings->c_oflag = 0;
	settings->c_lflag = 0;
	settings->c_cflag &= ~(tcflag_t)(CSIZE | PARENB | CSTOPB | HUPCL);
	settings->c_cflag |= CS8 | CREAD | CLOCAL;
#if defined CRTSCTS
	settings->c_cflag &= ~(tcflag_t)CRTSCTS;
#endif
	settings->c_cc[VMIN] = 1; /* with 0 silence would look like the end */
	settings->c_cc[VTIME] = 0;
}

/* tcsetattr is content when a part of the wishes has come true. */
static bool has_taken(int fd, const struct termios *wish)
{
	const tcflag_t form = CSIZE | PARENB | CSTOPB | HUPCL;
	struct termios is;
	return tcgetattr(fd, &is) == 0 && (is.c_cflag & form) == (wish->c_cflag & form) &&
		is.c_lflag == wish->c_lflag && cfgetispeed(&is) == cfgetispeed(wish) &&
		cfgetospeed(&is) == cfgetospeed(wish);
}

/* A divisor of the device's clock makes a rate near to the wish, which bytes bear. */
static bool is_near(uint32_t rate, uint32_t wish)
{
	const uint64_t off = rate > wish ? rate - wish : wish - rate;
	return off * 50 <= wish;
}

static bool take_number(int fd, uint32_t baud)
{
	uint32_t rate;
	return posix_system_set_rate(fd, baud) && posix_system_rate(fd, &rate) && is_near(rate, baud);
}

static int restore(const struct posix_tty *tty, int fd, int when)
{
	const int set = tcsetattr(fd, when, &tty->found);
	if (set == 0 && tty->found_rate != 0)
		(void)posix_system_set_rate(fd, tty->found_rate);
	return set;
}

/* 0 or an errno; then the settings are as found. */
static int set_up(struct posix_tty *tty, int fd, uint32_t baud)
{
	struct termios wish = tty->found;
	set_raw(&wish);
	if (!set_rate(&wish, baud))
		return EINVAL;
	if (tcsetattr(fd, TCSANOW, &wish) != 0)
		return errno;
	if (!has_taken(fd, &wish) || (baud != 0 && rate_of(baud) == NULL && !take_number(fd, baud))) {
		(void)restore(tty, fd, TCSANOW);
		return EINVAL;
	}
	tcflush(fd, TCIFLUSH);
	return 0;
}

/* --- Opening and closing */

static bool is_named(const struct termios *settings)
{
	const speed_t speed = cfgetospeed(settings);
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		if (rates[i].speed == speed)
			return true;
	}
	return speed == B0;
}

static int take(struct posix_tty *tty, int fd, uint32_t baud)
{
	if (tcgetattr(fd, &tty->found) != 0)
		return errno;
	tty->found_rate = is_named(&tty->found) || !posix_system_rate(fd, &tty->found_rate) ? 0 : tty->found_rate;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK ? EBUSY : errno;
	(void)ioctl(fd, TIOCEXCL); /* what cannot be opened a second time all the same needs no more */
	const int error = set_up(tty, fd, baud);
	if (error != 0)
		(void)ioctl(fd, TIOCNXCL);
	return error;
}

int posix_tty_open(struct posix_tty *tty, const char *path, uint32_t baud)
{
	tty->stdio.in = tty->stdio.out = -1;
	const int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	const int error = take(tty, fd, baud);
	if (error != 0) {
		close(fd);
		return error;
	}
	posix_stdio_open(&tty->stdio, fd, fd);
	return 0;
}

/* `when` as for tcsetattr. */
static void give_back(struct posix_tty *tty, int when)
{
	const int fd = tty->stdio.in;
	if (fd < 0)
		return;
	tty->found.c_cflag &= ~(tcflag_t)HUPCL;
	while (restore(tty, fd, when) != 0 && errno == EINTR)
		;
	(void)ioctl(fd, TIOCNXCL); /* a pty lives on, and so would the mark */
	close(fd);
	tty->stdio.in = tty->stdio.out = -1;
	tty->stdio.gone = true;
}

void posix_tty_close(struct posix_tty *tty)
{
	give_back(tty, TCSADRAIN);
}

size_t posix_tty_unsent(const struct posix_tty *tty)
{
	int bytes = 0;
	return posix_system_unsent(tty->stdio.out, &bytes) && bytes > 0 ? (size_t)bytes : 0;
}

static void sleep_ms(uint32_t ms)
{
	struct timespec rest = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000L };
	while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
		;
}

static bool leaves_within(struct posix_tty *tty, uint32_t ms)
{
	const quash_port port = posix_stdio_port(&tty->stdio);
	const uint32_t start = port.now(port.device);
	while (posix_tty_unsent(tty) > 0 || posix_system_is_transmitting(tty->stdio.out)) {
		if (port.now(port.device) - start >= ms)
			return false;
		sleep_ms(LOOK_MS);
	}
	return true;
}

void posix_tty_close_within(struct posix_tty *tty, uint32_t ms)
{
	if (tty->stdio.in >= 0 && !leaves_within(tty, ms))
		tcflush(tty->stdio.out, TCOFLUSH); /* or the system would go on waiting in close() */
	give_back(tty, TCSANOW);
}

int posix_tty_reset(struct posix_tty *tty)
{
	const int lines = TIOCM_DTR | TIOCM_RTS;
	if (ioctl(tty->stdio.in, TIOCMBIC, &lines) != 0)
		return errno;
	sleep_ms(RESET_MS);
	tcflush(tty->stdio.in, TCIOFLUSH);
	tty->stdio.from = tty->stdio.to = 0;
	return ioctl(tty->stdio.in, TIOCMBIS, &lines) == 0 ? 0 : errno;
}

/* --- Bytes */

static int peek(void *device, const uint8_t **bytes)
{
	struct posix_tty *const tty = device;
	const quash_port port = posix_stdio_port(&tty->stdio);
	const int count = port.peek(port.device, bytes);
	if (count != QUASH_END)
		return count;
	tty->stdio.gone = true; /* this is how a device that hung up reads */
	return QUASH_GONE;
}

static void take_bytes(void *device, size_t n)
{
	struct posix_tty *const tty = device;
	const quash_port port = posix_stdio_port(&tty->stdio);
	port.take(port.device, n);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	struct posix_tty *const tty = device;
	const quash_port port = posix_stdio_port(&tty->stdio);
	return port.write(port.device, data, n);
}

static uint32_t now(void *device)
{
	struct posix_tty *const tty = device;
	const quash_port port = posix_stdio_port(&tty->stdio);
	return port.now(port.device);
}

quash_port posix_tty_port(struct posix_tty *tty)
{
	const quash_port port = { .peek = peek, .take = take_bytes, .write = write_bytes, .now = now, .device = tty };
	return port;
}
