/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "client.h"

#include "log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TURN_MS = 5, FLOOD = 20 };

static const char initialize[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
	"\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"safe\",\"version\":\"1\"}}}\n";
static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
static const char move[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
	"\"arguments\":{\"ms\":600000}%s}}\n";
static const char token[] = ",\"_meta\":{\"progressToken\":\"p\"}";
static const char cancel[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n";

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
	asked = number;
}

/* False when nobody is there any more. Waits until all is written. */
static bool transmit(const struct client *c, const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		const ssize_t n = write(c->out, text, left);
		if (n < 0 && errno != EINTR)
			return false;
		text += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Reads what there is within a turn. False at the end. */
static bool receive_a_turn(const struct client *c, char *text, size_t size)
{
	struct pollfd fd = { .fd = c->in, .events = POLLIN };
	text[0] = '\0';
	if (poll(&fd, 1, TURN_MS) <= 0)
		return true;
	const ssize_t n = read(c->in, text, size - 1);
	if (n > 0)
		text[n] = '\0';
	return n > 0 || (n < 0 && errno == EINTR);
}

/* Until the answer to `initialize` has come. A line may come byte by byte. */
static bool greet(const struct client *c)
{
	char text[4096];
	if (!transmit(c, initialize))
		return false;
	do {
		if (!receive_a_turn(c, text, sizeof text))
			return false;
	} while (strchr(text, '\n') == NULL);
	return transmit(c, initialized);
}

static bool call(const struct client *c)
{
	char text[sizeof move + sizeof token + sizeof "turn"];
	if ((c->habits & CLIENT_GUEST) != 0)
		return true;
	snprintf(text, sizeof text, move, (c->habits & CLIENT_FORGETS) != 0 ? "turn" : "move", (c->habits & CLIENT_REPORTED) != 0 ? token : "");
	return transmit(c, (c->habits & CLIENT_SIGNS) != 0 ? "\n" : "") && transmit(c, text);
}

/* An answer to the call begins with this. It may come byte by byte. */
static bool is_answered(const char *text)
{
	static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":2,";
	static size_t at;
	for (; *text != '\0'; text++) {
		at = *text == answer[at] ? at + 1 : *text == answer[0];
		if (answer[at] == '\0') {
			at = 0;
			return true;
		}
	}
	return false;
}

static bool has_moved(const struct client *c)
{
	static bool moved;
	moved = moved || log_motion(c->log).first != 0;
	return moved;
}

static bool flood(const struct client *c)
{
	static unsigned id = 100;
	char text[80];
	for (int i = 0; i < FLOOD; i++) {
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"ping\"}\n", id++);
		if (!transmit(c, text))
			return false;
	}
	return true;
}

static void leave(const struct client *c)
{
	if ((c->habits & CLIENT_HALF) == 0)
		close(c->in);
	else if (c->in == c->out)
		shutdown(c->out, SHUT_WR);
	if (c->in != c->out)
		close(c->out);
	raise(SIGSTOP);
}

static bool do_as_asked(const struct client *c)
{
	const int what = asked;
	if (what == 0)
		return true;
	asked = 0; /* one signal is all that comes */
	if (what == CLIENT_CANCEL)
		return transmit(c, cancel);
	if (what == CLIENT_LEAVE)
		leave(c);
	return true;
}

static bool turn(const struct client *c, int64_t *signed_at)
{
	char text[4096] = "";
	if ((c->habits & CLIENT_READS_NOT) != 0 && has_moved(c))
		poll(NULL, 0, TURN_MS);
	else if (!receive_a_turn(c, text, sizeof text))
		return false;
	if (is_answered(text) && c->log->struck == 0 && !has_moved(c) && !call(c))
		return false;
	if ((c->habits & CLIENT_SIGNS) != 0 && log_now() - *signed_at >= CLIENT_PAUSE_MS * 1000000) {
		*signed_at = log_now();
		if (!transmit(c, "\n"))
			return false;
	}
	return do_as_asked(c) && ((c->habits & CLIENT_FLOODS) == 0 || flood(c));
}

void client_run(const struct client *client)
{
	const struct sigaction action = { .sa_handler = on_signal };
	int64_t signed_at = 0;
	sigaction(CLIENT_CANCEL, &action, NULL);
	sigaction(CLIENT_LEAVE, &action, NULL);
	if (!greet(client) || !call(client))
		return;
	while (turn(client, &signed_at))
		continue;
}
