/* SPDX-License-Identifier: MIT
 * What differs between systems. Nothing else in port/posix and boards/host names what is Linux's own. Each of these functions
 * has a stand-in, which POSIX of 2008 has. Other systems take it, and so does Linux with -DPOSIX_STAND_INS, as the tests do.
 * What BSDs and macOS have as well, such as flock, stays where it is used.
 *
 * For sources alone, as the first that they include: it decides what the headers of the system show. */
#ifndef POSIX_SYSTEM_H
#define POSIX_SYSTEM_H

#if defined __linux__ && !defined POSIX_STAND_INS
#define POSIX_LINUX 1
#if !defined _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#else
#define POSIX_LINUX 0
#if !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* what BSDs have as well */
#endif
#endif

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#if POSIX_LINUX
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#endif

/* --- Descriptors, which commands that are started do not inherit */

/** For the stand-ins. Gives the descriptor, which may be -1. A command that another thread starts in between inherits it. */
static inline int posix_system_keep(int fd, bool nonblocking)
{
	if (fd >= 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (fd >= 0 && nonblocking)
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

/** As pipe: 0, or -1 with errno; then nothing is open. */
static inline int posix_system_pipe(int ends[2], bool nonblocking)
{
#if POSIX_LINUX
	return pipe2(ends, nonblocking ? O_CLOEXEC | O_NONBLOCK : O_CLOEXEC);
#else
	if (pipe(ends) != 0)
		return -1;
	(void)posix_system_keep(ends[0], nonblocking);
	(void)posix_system_keep(ends[1], nonblocking);
	return 0;
#endif
}

/** A stream socket that does not block. -1 with errno. */
static inline int posix_system_socket(int family)
{
#if POSIX_LINUX
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
	return posix_system_keep(socket(family, SOCK_STREAM, 0), true);
#endif
}

/** The next connection, which does not block. -1 with errno. */
static inline int posix_system_accept(int listener)
{
#if POSIX_LINUX
	return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
	return posix_system_keep(accept(listener, NULL, NULL), true);
#endif
}

/* --- Waiting */

/** What poll reports when the other side has ended its transmission, before all of it is read. Stand-in: nothing, so that
 * such an end is noticed when what came before it is read, or when the other side has closed altogether. */
#if POSIX_LINUX
#define POSIX_SYSTEM_ENDED POLLRDHUP
#else
#define POSIX_SYSTEM_ENDED 0
#endif

/** As poll, but with nanoseconds; NULL: without a limit. Stand-in: whole milliseconds, never too short. */
static inline int posix_system_poll(struct pollfd *fds, size_t count, const struct timespec *limit)
{
#if POSIX_LINUX
	return ppoll(fds, (nfds_t)count, limit, NULL);
#else
	const long long ms = limit == NULL ? -1 : limit->tv_sec * 1000LL + (limit->tv_nsec + 999999) / 1000000;
	return poll(fds, (nfds_t)count, ms < INT_MAX ? (int)ms : INT_MAX);
#endif
}

/** A condition variable for posix_system_wait. 0 or an errno. */
static inline int posix_system_condition(pthread_cond_t *condition)
{
#if POSIX_LINUX
	pthread_condattr_t monotonic;
	int error = pthread_condattr_init(&monotonic);
	if (error != 0)
		return error;
	error = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	if (error == 0)
		error = pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return error;
#else
	return pthread_cond_init(condition, NULL);
#endif
}

/** As pthread_cond_timedwait, until a time of CLOCK_MONOTONIC. Stand-in, for macOS cannot choose the clock: when somebody sets
 * the clock meanwhile, it waits for too long or too short. */
static inline int posix_system_wait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *limit)
{
#if POSIX_LINUX
	return pthread_cond_timedwait(condition, lock, limit);
#else
	struct timespec monotonic, t;
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += limit->tv_sec - monotonic.tv_sec;
	t.tv_nsec += limit->tv_nsec - monotonic.tv_nsec;
	if (t.tv_nsec < 0) {
		t.tv_nsec += 1000000000;
		t.tv_sec--;
	} else if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return pthread_cond_timedwait(condition, lock, &t);
#endif
}

/** Has this thread sleep to the nanosecond, as far as the machine can. Stand-in: as it is. */
static inline void posix_system_sleep_exactly(void)
{
#if POSIX_LINUX
	(void)prctl(PR_SET_TIMERSLACK, 1);
#endif
}

/* --- What the system has not transmitted yet */

/** The bytes that wait in a socket or a serial device. False: that is not known, which is the stand-in where there is no
 * TIOCOUTQ. BSDs and macOS have it for serial devices. */
static inline bool posix_system_unsent(int fd, int *bytes)
{
#if defined TIOCOUTQ && !defined POSIX_STAND_INS
	return ioctl(fd, TIOCOUTQ, bytes) == 0;
#else
	(void)fd;
	*bytes = 0;
	return false;
#endif
}

/** Whether the chip of a serial device still transmits, though the system has nothing more for it. Stand-in: false. */
static inline bool posix_system_is_transmitting(int fd)
{
#if POSIX_LINUX && defined TIOCSERGETLSR && defined TIOCSER_TEMT
	unsigned state;
	return ioctl(fd, TIOCSERGETLSR, &state) == 0 && (state & TIOCSER_TEMT) == 0;
#else
	(void)fd;
	return false;
#endif
}

/* --- Rates of serial devices, by their number */

/* Linux has a second struct termios with them, whose header excludes that of POSIX. On these processors its parts and the requests are
 * the same. */
#if POSIX_LINUX && (defined __x86_64__ || defined __i386__ || defined __arm__ || defined __aarch64__ || defined __riscv || defined __s390x__ || defined __loongarch__)
#define POSIX_SYSTEM_ANY_RATE 1
struct posix_system_line {
	uint32_t input, output, control, local; /* flags */
	uint8_t discipline, characters[19];
	uint32_t reads, writes; /* bits per second */
};
#ifdef __GLIBC__
typedef unsigned long posix_system_request; /* of ioctl; as the kernel, which takes 32 bits of it */
#else
typedef int posix_system_request; /* as POSIX has it; with musl too */
#endif
#define POSIX_SYSTEM_GET_LINE ((posix_system_request)_IOR('T', 0x2A, struct posix_system_line))
#define POSIX_SYSTEM_SET_LINE ((posix_system_request)_IOW('T', 0x2B, struct posix_system_line))
enum { POSIX_SYSTEM_RATE_FLAGS = 0x100F, POSIX_SYSTEM_BY_NUMBER = 0x1000, POSIX_SYSTEM_READ_SHIFT = 16 };
#else
#define POSIX_SYSTEM_ANY_RATE 0
#endif

/** The bits per second that are transmitted. False: that is not known, which is the stand-in. */
static inline bool posix_system_rate(int fd, uint32_t *baud)
{
#if POSIX_SYSTEM_ANY_RATE
	struct posix_system_line line;
	if (ioctl(fd, POSIX_SYSTEM_GET_LINE, &line) != 0)
		return false;
	*baud = line.writes;
	return true;
#else
	(void)fd;
	*baud = 0;
	return false;
#endif
}

/** Has a serial device transmit and receive at a rate for which POSIX has no name. The device may take one near to it. False with errno: it
 * cannot. Stand-in: false with EINVAL. */
static inline bool posix_system_set_rate(int fd, uint32_t baud)
{
#if POSIX_SYSTEM_ANY_RATE
	const uint32_t flags = (uint32_t)POSIX_SYSTEM_RATE_FLAGS | (uint32_t)POSIX_SYSTEM_RATE_FLAGS << POSIX_SYSTEM_READ_SHIFT;
	struct posix_system_line line;
	if (ioctl(fd, POSIX_SYSTEM_GET_LINE, &line) != 0)
		return false;
	line.control = (line.control & ~flags) | POSIX_SYSTEM_BY_NUMBER; /* it receives as it transmits */
	line.reads = line.writes = baud;
	return ioctl(fd, POSIX_SYSTEM_SET_LINE, &line) == 0;
#else
	(void)fd;
	(void)baud;
	errno = EINVAL;
	return false;
#endif
}

/* --- TCP */

/** Has the other host asked whether it is there when it has been silent for `idle` seconds, and `probes` times again, each
 * `interval` seconds later. For a socket with SO_KEEPALIVE. Stand-in: the system's own times, hours mostly. */
static inline void posix_system_probe(int fd, int idle, int interval, int probes)
{
#if POSIX_LINUX
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
#else
	(void)fd;
	(void)idle;
	(void)interval;
	(void)probes;
#endif
}

/** The milliseconds since anything came from the other host. False: that is not known, which is the stand-in. */
static inline bool posix_system_unheard(int fd, uint32_t *ms)
{
#if POSIX_LINUX
	struct tcp_info info;
	socklen_t size = sizeof info;
	memset(&info, 0, sizeof info);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
		return false;
	*ms = info.tcpi_last_ack_recv;
	return true;
#else
	(void)fd;
	(void)ms;
	return false;
#endif
}

/** How many bytes were received on a socket and not read. Stand-in: 0. */
static inline size_t posix_system_unread(int fd)
{
#if POSIX_LINUX
	int n = 0;
	return ioctl(fd, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
#else
	(void)fd;
	return 0;
#endif
}

/* --- Chance and streams */

/** Fills `bytes` with chance. False: there is none now. */
static inline bool posix_system_random(void *bytes, size_t size)
{
#if POSIX_LINUX
	return getrandom(bytes, size, GRND_NONBLOCK) == (ssize_t)size;
#else
	const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool filled = read(fd, bytes, size) == (ssize_t)size;
	close(fd);
	return filled;
#endif
}

/** A stream that `write_all` writes for; it is given `descriptor` and gives `length`, or 0 when it cannot write. NULL with errno.
 * Stand-in: a stream over the descriptor, which loses what does not fit when that does not block. */
static inline FILE *posix_system_stream(int *descriptor, ssize_t (*write_all)(void *descriptor, const char *text, size_t length))
{
#if POSIX_LINUX
	const cookie_io_functions_t functions = { NULL, write_all, NULL, NULL };
	return fopencookie(descriptor, "w", functions);
#else
	const int fd = fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
	FILE *const stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	(void)write_all;
	if (stream == NULL && fd >= 0)
		close(fd);
	return stream;
#endif
}

/* --- Processes */

/** Has this process get a signal when its parent ends. Stand-in: it gets none. */
static inline void posix_system_end_with_parent(int signal)
{
#if POSIX_LINUX
	(void)prctl(PR_SET_PDEATHSIG, signal);
#else
	(void)signal;
#endif
}

/** Where processes, their files and their locks are seen as files. Stand-in: nothing is found there. */
#if POSIX_LINUX
#define POSIX_SYSTEM_PROCESSES "/proc"
#else
#define POSIX_SYSTEM_PROCESSES "/dev/null"
#endif

/** Where serial ports are seen as files. Stand-in: nothing is found there. */
#if POSIX_LINUX
#define POSIX_SYSTEM_PORTS "/sys/class/tty"
#else
#define POSIX_SYSTEM_PORTS "/dev/null"
#endif

/** Whether these are the two halves of a device's number. Stand-in: false, for it is asked about what stands there alone. */
static inline bool posix_system_is_device(dev_t device, unsigned over, unsigned under)
{
#if POSIX_LINUX
	return major(device) == over && minor(device) == under;
#else
	(void)device;
	(void)over;
	(void)under;
	return false;
#endif
}

#endif
