/* SPDX-License-Identifier: MIT */
#include "console.h"

enum { START, MESSAGE, NOISE }; /* of a line that is heard */

enum { READS = 64 }; /* at most in one go, so that endless noise holds nobody up */

static void hand_over(console *c)
{
	const size_t n = c->line_length;
	c->line_length = 0;
	if (c->config.noise == NULL || n >= c->config.line_size)
		return;
	c->config.line[n] = '\0';
	c->config.noise(c->config.context, c->config.line, n);
}

static void keep(console *c, char byte)
{
	if (c->config.noise == NULL)
		return;
	if (c->line_length + 1 >= c->config.line_size)
		hand_over(c);
	if (c->line_length < c->config.line_size)
		c->config.line[c->line_length++] = byte;
}

static void end_noise(console *c)
{
	const size_t n = c->line_length;
	if (n > 0 && n <= c->config.line_size && c->config.line[n - 1] == '\r')
		c->line_length = n - 1;
	hand_over(c);
}

/* Says whether the byte is the peer's. */
static bool hear(console *c, uint8_t byte)
{
	if (c->hears == START) {
		c->hears = byte == '{' ? MESSAGE : NOISE;
		c->noise += byte == '{' ? 0 : 1;
	}
	if (byte != '\n') {
		if (c->hears == NOISE)
			keep(c, (char)byte);
		return c->hears == MESSAGE;
	}
	if (c->hears == NOISE)
		end_noise(c);
	c->hears = START;
	return true;
}

static int sift(console *c, uint8_t *data, int n)
{
	int kept = 0;
	for (int i = 0; i < n; i++)
		if (hear(c, data[i]))
			data[kept++] = data[i];
	return kept;
}

/* 1 when no line of ours waits any more, else 0 or QUASH_GONE. */
static int flush(console *c)
{
	const quash_port *const port = &c->config.port;
	while (c->log_sent < c->log_length) {
		const int taken = c->inside
			? 0
			: port->write(port->device, c->config.log + c->log_sent, c->log_length - c->log_sent);
		if (taken <= 0)
			return taken;
		c->log_sent += (size_t)taken;
	}
	c->log_sent = c->log_length = 0;
	return 1;
}

static int read_bytes(void *device, uint8_t *data, size_t n)
{
	console *const c = device;
	(void)flush(c);
	for (unsigned i = 0; i < READS; i++) {
		const int got = c->config.port.read(c->config.port.device, data, n);
		if (got == QUASH_END && c->hears == NOISE)
			(void)hear(c, '\n');
		if (got <= 0)
			return got;
		const int kept = sift(c, data, got);
		if (kept > 0)
			return kept;
	}
	return 0;
}

/* How much of a message may leave before a line of ours. */
static size_t to_its_end(const uint8_t *data, size_t n)
{
	size_t i = 0;
	while (i < n && data[i] != '\n')
		i++;
	return i < n ? i + 1 : n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	console *const c = device;
	const int flushed = flush(c);
	if (flushed <= 0 && !c->inside)
		return flushed;
	const int taken = c->config.port.write(
		c->config.port.device, data, flushed > 0 ? n : to_its_end(data, n));
	if (taken > 0)
		c->inside = data[taken - 1] != '\n';
	return taken;
}

static uint32_t now(void *device)
{
	const console *c = device;
	return c->config.port.now(c->config.port.device);
}

void console_init(console *c, const console_config *config)
{
	c->config = *config;
	c->log_length = c->log_sent = 0;
	c->noise = c->lost_logs = 0;
	console_reopen(c, config->port);
}

quash_port console_port(console *c)
{
	const quash_port port = { .read = read_bytes, .write = write_bytes, .now = now, .device = c };
	return port;
}

/* A line of ours that had left in part is said again. */
void console_reopen(console *c, quash_port port)
{
	c->config.port = port;
	c->line_length = 0;
	c->hears = START;
	c->inside = false;
	while (c->log_sent > 0 && c->config.log[c->log_sent - 1] != '\n')
		c->log_sent--;
}

static void append(console *c, char byte)
{
	if (c->log_length < c->config.log_size)
		c->config.log[c->log_length++] = (uint8_t)byte;
}

bool console_log(console *c, const char *text)
{
	size_t n = text[0] == '{' ? 2 : 1;
	for (const char *at = text; *at != '\0'; at++)
		n++;
	if (n > c->config.log_size - c->log_length) {
		c->lost_logs++;
		return false;
	}
	if (text[0] == '{')
		append(c, ' ');
	for (const char *at = text; *at != '\0'; at++)
		append(c, *at == '\n' ? ' ' : *at);
	append(c, '\n');
	(void)flush(c);
	return true;
}

bool console_has_log(const console *c)
{
	return !c->inside && c->log_sent < c->log_length;
}

uint32_t console_noise(const console *c)
{
	return c->noise;
}

uint32_t console_lost_logs(const console *c)
{
	return c->lost_logs;
}
