/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "line.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* One side moves `to`, the other `from`; both only count up. */
struct fifo {
	uint8_t bytes[LINE_FIFO];
	atomic_uint from, to;
};

static struct fifo received, sent;
static atomic_bool overrun, attached;
static pthread_t processor;
static void (*serve)(void);
static void (*_Atomic extra)(void);
static char kept[LINE_KEPT];
static size_t kept_length;
static bool is_deaf;

static unsigned count(struct fifo *f)
{
	return atomic_load(&f->to) - atomic_load(&f->from);
}

static void push(struct fifo *f, uint8_t byte)
{
	const unsigned to = atomic_load(&f->to);
	f->bytes[to % LINE_FIFO] = byte;
	atomic_store(&f->to, to + 1);
}

static uint8_t pull(struct fifo *f)
{
	const unsigned from = atomic_load(&f->from);
	const uint8_t byte = f->bytes[from % LINE_FIFO];
	atomic_store(&f->from, from + 1);
	return byte;
}

/* --- The UART */

static void on_signal(int number)
{
	const int before = errno;
	(void)number;
	void (*const hook)(void) = atomic_load(&extra);
	if (hook != NULL) {
		hook();
		atomic_store(&extra, NULL);
	}
	serve();
	errno = before;
}

void uart_attach(void (*interrupt)(void))
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	serve = interrupt;
	processor = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&attached, true);
}

void uart_raise(void)
{
	if (atomic_load(&attached))
		pthread_kill(processor, SIGUSR1);
}

bool uart_has_byte(void)
{
	return count(&received) > 0;
}

uint8_t uart_byte(void)
{
	return pull(&received);
}

bool uart_was_overrun(void)
{
	return atomic_exchange(&overrun, false);
}

bool uart_can_send(void)
{
	return count(&sent) < LINE_FIFO;
}

void uart_send(uint8_t byte)
{
	push(&sent, byte);
}

/* --- The other end */

void line_pause(unsigned ms)
{
	const struct timespec t = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };
	nanosleep(&t, NULL);
}

void line_open(void)
{
	while (!atomic_load(&attached))
		line_pause(1);
}

static bool collect_now(void)
{
	bool any = false;
	for (; !is_deaf && count(&sent) > 0 && kept_length < LINE_KEPT - 1; any = true)
		kept[kept_length++] = (char)pull(&sent);
	kept[kept_length] = '\0';
	if (any)
		uart_raise();
	return any;
}

/* Nobody waits for long: an interrupt may come at any time. */
static void idle(void)
{
	const struct timespec moment = { 0, 100000 };
	if (!collect_now())
		nanosleep(&moment, NULL);
}

void line_send(const char *text)
{
	for (; *text != '\0'; text++) {
		while (count(&received) == LINE_FIFO)
			idle();
		push(&received, (uint8_t)*text);
		uart_raise();
	}
}

/* Runs first of all in an interrupt: those before it have returned. */
static void nothing(void)
{
}

void line_arrives(void)
{
	while (count(&received) > 0)
		idle();
	line_interrupts(nothing);
	line_interrupts(nothing);
}

void line_lose(void)
{
	while (count(&received) > 0)
		idle();
	atomic_store(&overrun, true);
}

void line_fills(void)
{
	while (count(&sent) < LINE_FIFO)
		line_pause(1);
}

/* Takes a line off. False when there is none yet. */
static bool take_line(char *line, size_t size)
{
	char *const end = memchr(kept, '\n', kept_length);
	if (end == NULL)
		return false;
	const size_t length = (size_t)(end - kept) + 1;
	const size_t copied = length < size ? length - 1 : size - 1;
	memcpy(line, kept, copied);
	line[copied] = '\0';
	memmove(kept, end + 1, kept_length - length + 1);
	kept_length -= length;
	return true;
}

void line_is_deaf(bool on)
{
	is_deaf = on;
}

size_t line_take(char *bytes, size_t size)
{
	(void)collect_now();
	const size_t n = kept_length < size ? kept_length : size;
	memcpy(bytes, kept, n);
	memmove(kept, kept + n, kept_length - n + 1);
	kept_length -= n;
	return n;
}

const char *line_awaits(const char *words)
{
	static char line[1024];
	for (;; idle()) {
		while (take_line(line, sizeof line))
			if (strstr(line, words) != NULL)
				return line;
	}
}

unsigned line_rest(unsigned ms)
{
	char line[1024];
	unsigned lines = 0;
	for (unsigned spent = 0; spent < ms * 10; spent++)
		idle();
	while (take_line(line, sizeof line)) {
		printf("nobody asked: %s\n", line);
		lines++;
	}
	return lines;
}

void line_interrupts(void (*what)(void))
{
	atomic_store(&extra, what);
	uart_raise();
	while (atomic_load(&extra) != NULL)
		idle();
}
