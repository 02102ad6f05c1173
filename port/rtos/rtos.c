/* SPDX-License-Identifier: MIT */
#include "rtos.h"

enum { MS_A_SECOND = 1000, LONGEST_MS = 60000 };

enum rtos_watch_state {
	AWAKE, /* the owner looks at the port before it sleeps */
	ASLEEP,
	DOZING /* it knows that a burst has begun */
};

uint32_t rtos_clock_add(rtos_clock *c, uint32_t ticks, uint32_t hertz)
{
	const uint32_t thousandths = c->rest + ticks % hertz * MS_A_SECOND;
	c->ms += ticks / hertz * MS_A_SECOND + thousandths / hertz;
	c->rest = thousandths % hertz;
	return c->ms;
}

uint32_t rtos_ticks(uint32_t ms, uint32_t hertz)
{
	const uint32_t limited = ms < LONGEST_MS ? ms : LONGEST_MS;
	const uint32_t part = limited % MS_A_SECOND * hertz + MS_A_SECOND - 1;
	return limited / MS_A_SECOND * hertz + part / MS_A_SECOND;
}

bool rtos_has_output(quash_peer *peer)
{
	size_t n;
	(void)quash_out(peer, &n);
	return n > 0;
}

uint32_t rtos_nap(const quash_peer *peer, bool news, uint32_t rest)
{
	if (news)
		return 0;
	const uint32_t ms = quash_idle_ms(peer);
	return ms > rest ? ms : rest;
}

/* --- Bursts */

void rtos_watch_sleep(rtos_watch *w)
{
	w->state = ASLEEP;
}

bool rtos_watch_dozes(const rtos_watch *w)
{
	return w->state == DOZING;
}

void rtos_watch_wake(rtos_watch *w)
{
	w->state = AWAKE;
}

bool rtos_watch_calls(rtos_watch *w, bool news, bool enough)
{
	const uint8_t state = w->state;
	if (!news || state == AWAKE || (state == DOZING && !enough))
		return false;
	w->state = enough ? AWAKE : DOZING;
	return true;
}
