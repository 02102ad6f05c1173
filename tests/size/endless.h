/* SPDX-License-Identifier: MIT
 * The rest of a program whose config is named `device`: a port, and a main. With IN_ONE_UNIT, and where QUASH_THE_CONFIG names
 * the config, the library is in the same unit. With UNCHECKED the config is taken as one that was checked on the PC. */

/* The compiler must not know what the link does. */
static const uint8_t *volatile bytes_shown;
static volatile int count_shown, count_written;
static volatile size_t count_taken;
static volatile uint32_t time_now;

static int show(void *link, const uint8_t **bytes)
{
	(void)link;
	*bytes = bytes_shown;
	return count_shown;
}

static void take(void *link, size_t n)
{
	(void)link;
	count_taken = n;
}

static int write_some(void *link, const uint8_t *bytes, size_t n)
{
	(void)link;
	bytes_shown = bytes;
	count_taken = n;
	return count_written;
}

static uint32_t now(void *link)
{
	(void)link;
	return time_now;
}

static const quash_port port = { show, take, write_some, now, NULL };

#ifdef UNCHECKED
enum { quash_checked_device };
#endif

int main(void)
{
	static quash_peer peer;
#ifndef UNCHECKED
	if (!quash_init(&peer, &device, NULL))
		return 1;
#elif defined QUASH_THE_CONFIG
	quash_start(&peer);
#else
	quash_start(&peer, device);
#endif
	for (;;) {
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
}

#if defined QUASH_THE_CONFIG || defined IN_ONE_UNIT
#include "quash.c"
#endif
