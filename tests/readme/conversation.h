/* SPDX-License-Identifier: MIT
 * Runs the code of a page: receives the lines of stdin one by one, and shows what is received, what is transmitted and
 * what the code does. The next line comes when the peer is at rest, or when it has waited for long. Each program includes
 * this once. */
#define _DEFAULT_SOURCE 1
#include "quash.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 500, LINE_SIZE = 1024 };

static char line[LINE_SIZE];
static size_t shown, length; /* bytes of it that were taken, and that there are */
static unsigned waited;      /* ms since it was received */
static bool at_rest, begins = true;
static volatile int tasks;

static void read_line(void)
{
	shown = 0;
	length = 0;
	waited = 0;
	if (fgets(line, sizeof line, stdin) == NULL)
		return;
	length = strlen(line);
	printf("-> %s", line);
}

static int peek(void *device, const uint8_t **bytes)
{
	(void)device;
	waited++;
	if (shown == length && (at_rest || waited > LONG))
		read_line();
	at_rest = false;
	*bytes = (const uint8_t *)line + shown;
	return shown < length ? (int)(length - shown) : feof(stdin) ? QUASH_END : 0;
}

static void take(void *device, size_t n)
{
	(void)device;
	shown += n;
}

static int write_out(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	for (size_t i = 0; i < n; i++) {
		printf("%s%c", begins ? "<- " : "", bytes[i]);
		begins = bytes[i] == '\n';
	}
	return (int)n;
}

static uint32_t now(void *device)
{
	static uint32_t ms;
	(void)device;
	if (tasks > 0)
		usleep(1000);
	return ms++ / 2; /* a pump asks twice */
}

static const quash_port port = { peek, take, write_out, now, NULL };

/* 0 when all lines were received; 2 when the config is wrong. */
static int converse(const quash_config *config)
{
	static quash_peer peer;
	quash_fault fault;
	if (!quash_init(&peer, config, &fault)) {
		(void)quash_fault_line(&fault, line, sizeof line);
		fprintf(stderr, "%s\n", line);
		return 2;
	}
	while (!feof(stdin) || !quash_is_at_rest(&peer)) {
		at_rest = quash_is_at_rest(&peer);
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
	return 0;
}
