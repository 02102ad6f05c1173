/* SPDX-License-Identifier: MIT
 * What is around the bridge: its device and its clients, behind sockets, which act when the bridge would sleep. Then time passes. */
#define _POSIX_C_SOURCE 200809L
#include "turns.h"

#include "bridge/bridge_arguments.h"
#include "posix/posix_tcp.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TURNS = 1000 };

static char folder[] = "build/turns/XXXXXX", device_path[40];
static struct bridge_options options;
struct shell shell = { .options = &options };

static void clean_up(void)
{
	unlink(device_path);
	rmdir(folder);
}

void fail(const char *what)
{
	perror(what);
	exit(2);
}

/* --- Time */

int64_t now_ms = 1000;

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	*t = (struct timespec){ .tv_sec = now_ms / 1000, .tv_nsec = now_ms % 1000 * 1000000 };
	return 0;
}

/* --- What the system says of a connection: so often that something is not acknowledged, on one that was not heard of for long */

unsigned unacknowledged;

bool __wrap_posix_tcp_unacknowledged(const struct posix_socket *s, uint32_t *unheard);
bool __wrap_posix_tcp_unacknowledged(const struct posix_socket *s, uint32_t *unheard)
{
	(void)s;
	*unheard = FOREVER;
	if (unacknowledged == 0)
		return false;
	unacknowledged--;
	return true;
}

/* --- The other ends of its sockets */

struct end device = { .fd = -1 }, clients[CLIENTS];

static unsigned count;
static int door;

static struct sockaddr_un address_of(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
	return address;
}

void say_text(const struct end *end, const char *text, size_t n)
{
	if (write(end->fd, text, n) != (ssize_t)n)
		fail("write");
}

static void say(const struct end *end, const char *format, long id)
{
	char text[400];
	say_text(end, text, (size_t)snprintf(text, sizeof text, format, id));
}

/* The next line that has come, without its end; NULL: there is none. */
static const char *hear(struct end *end)
{
	static char line[LINE];
	const ssize_t n = read(end->fd, &end->text[end->n], sizeof end->text - end->n);
	end->n += n > 0 ? (size_t)n : 0;
	const char *const stop = memchr(end->text, '\n', end->n);
	if (stop == NULL)
		return NULL;
	const size_t length = (size_t)(stop - end->text);
	memcpy(line, end->text, length);
	line[length] = '\0';
	end->n -= length + 1;
	memmove(end->text, stop + 1, end->n);
	return line;
}

static void answer(const char *asked)
{
	const char *const id = strstr(asked, "\"id\":");
	if (id == NULL)
		return;
	say(&device, strstr(asked, "\"initialize\"") == NULL ? "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[]}}\n" :
		"{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
		"\"serverInfo\":{\"name\":\"device\",\"version\":\"1\"}}}\n", strtol(id + strlen("\"id\":"), NULL, 10));
}

void (*device_hears)(const char *asked);

/* True if it has done anything. */
static bool device_acts(void)
{
	if (device.fd < 0) {
		device.fd = accept(door, NULL, NULL);
		return device.fd >= 0 && fcntl(device.fd, F_SETFL, O_NONBLOCK) == 0;
	}
	const char *const asked = hear(&device);
	if (asked != NULL && device_hears != NULL)
		device_hears(asked);
	if (asked != NULL)
		answer(asked);
	return asked != NULL;
}

/* --- The bridge's turns */

static bool rests;  /* it would sleep, and nothing comes */
static bool wanted; /* something has been asked of it, and was not answered */

void __wrap_posix_stdio_poll(struct pollfd *fds, size_t n, uint32_t ms);
void __wrap_posix_stdio_poll(struct pollfd *fds, size_t n, uint32_t ms)
{
	const bool acted = device_acts(), waits = wanted && !acted && ms >= FOREVER; /* for what the system still brings */
	const bool seen = poll(fds, n, waits ? -1 : 0) > 0;
	rests = !acted && !seen && ms >= FOREVER;
	if (!acted && !seen && !rests)
		now_ms += ms;
}

const char *last_heard(struct end *client, bool asked)
{
	const char *last = NULL;
	rests = false;
	wanted = asked;
	for (unsigned turns = 0; !rests; turns++) {
		shell_turn(&shell);
		const char *const line = hear(client);
		last = line != NULL ? line : last;
		wanted = wanted && line == NULL;
		if (turns == MOST_TURNS)
			fail("the bridge never rests");
	}
	return last;
}

static void connect_client(void)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(posix_tcp_number(&shell.tcp_door)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct end *const c = &clients[count++];
	const int at_once = 1;
	c->fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
	if (connect(c->fd, (const void *)&address, sizeof address) != 0 || fcntl(c->fd, F_SETFL, O_NONBLOCK) != 0)
		fail("connect");
	say(c, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"client\",\"version\":\"1\"}}}\n", 1);
	if (last_heard(c, true) == NULL)
		fail("initialize");
	say(c, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n", 0);
	(void)last_heard(c, false);
}

void connect_clients(unsigned most)
{
	while (count < most)
		connect_client();
}

const char *called(struct end *client, long id)
{
	say(client, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}\n", id);
	return last_heard(client, true);
}

/* --- Its start */

void start_bridge(void)
{
	char *words[] = { "quash-bridge", "--log", "error", "--clients", "32", "--listen-tcp", "0", "--unix", device_path };
	if (mkdtemp(folder) == NULL)
		fail(folder);
	atexit(clean_up);
	(void)snprintf(device_path, sizeof device_path, "%s/device", folder);
	const struct sockaddr_un address = address_of(device_path);
	door = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(door, (const void *)&address, sizeof address) != 0 || listen(door, 1) != 0 || fcntl(door, F_SETFL, O_NONBLOCK) != 0)
		fail(device_path);
	if (options_read(&options, sizeof words / sizeof *words, words) >= 0 || shell_open(&shell) != 0)
		fail("the bridge does not begin");
}
