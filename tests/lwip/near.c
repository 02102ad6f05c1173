/* SPDX-License-Identifier: MIT */
#include "near.h"

#include <lwip/priv/tcp_priv.h>
#include <lwip/timeouts.h>

#include "toolbox.h"
#include "unit.h"

enum { TURNS = 20000 /* without a sleep: then it will never come */, TIDY_MS = 3000, CLOSING_MS = 600000 };

struct near near;

u32_t sys_now(void)
{
	return near.ms;
}

static quash_config config;
static bool held[UINT8_MAX + 1]; /* slots */

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)detail;
	(void)why;
	bool *const slot = &held[request != NULL ? request->index : UINT8_MAX];
	if (event == QUASH_PARKED || event == QUASH_STARTED) {
		assert_int_equal(*slot, event == QUASH_STARTED);
		*slot = true;
	} else if (event == QUASH_FREED)
		*slot = false;
	near.started += event == QUASH_STARTED;
	near.flagged += event == QUASH_FLAGGED;
}

static void init_peer(const quash_config *plain)
{
	quash_fault fault;
	config = *plain;
	config.trace = trace;
	config.counters = &near.counters;
	memset(held, 0, sizeof held);
	if (!quash_init(&near.peer, &config, &fault))
		fail_msg("%s: %s", fault.table, fault.member);
}

/* Of a test that has failed. */
static void clear_away(void)
{
	lwip_tcp_close(&near.link);
	while (tcp_active_pcbs != NULL)
		tcp_abort(tcp_active_pcbs);
	near_stand_still(CLOSING_MS);
}

void near_start(u16_t mtu)
{
	toolbox_reset();
	near_start_with(mtu, &toolbox_config);
}

void near_start_with(u16_t mtu, const quash_config *plain)
{
	const ip_addr_t any = IPADDR4_INIT(IPADDR_ANY);
	net_start(mtu);
	clear_away();
	const u32_t ms = near.ms;
	near = (struct near){ .ms = ms, .blocks = net_blocks() };
	init_peer(plain);
	assert_int_equal(lwip_tcp_listen(&near.link, &any, NET_NUMBER, NEAR_SILENCE), ERR_OK);
	near.port = lwip_tcp_port(&near.link);
}

static void turn(void)
{
	net_deliver();
	sys_check_timeouts();
	lwip_tcp_turn(&near.link, &near.peer);
	quash_pump(&near.peer, &near.port);
	if (near.strict && lwip_tcp_has_ended(&near.link))
		lwip_tcp_hang_up(&near.link);
	quash_step(&near.peer);
}

static void sleep_until(u32_t end)
{
	const u32_t ms = lwip_tcp_idle_ms(&near.link, &near.peer);
	const u32_t rest = end - near.ms;
	if (net_waits() || ms == 0)
		return;
	near.ms += ms < rest ? ms : rest;
	near.sleeps++;
}

void near_run(u32_t ms)
{
	const u32_t end = near.ms + ms;
	unsigned turns = 0;
	while (near.ms != end || net_waits()) {
		const u32_t before = near.ms;
		turn();
		sleep_until(end);
		turns = near.ms == before ? turns + 1 : 0;
		assert_true(turns < TURNS);
	}
	turn();
}

void near_say(struct far *f, const char *text, u32_t ms)
{
	far_say(f, text);
	near_run(ms);
}

void near_served(struct far *f, const char *message, const char *expected, const char *file, int line)
{
	near_say(f, message, 5);
	far_answered(f, expected, file, line);
}

void near_stand_still(u32_t ms)
{
	for (const u32_t end = near.ms + ms; near.ms != end; near.ms++) {
		while (net_deliver())
			;
		sys_check_timeouts();
	}
}

void near_stop(void)
{
	near_run(TIDY_MS);
	assert_int_equal(quash_live_count(&near.peer), 0);
	lwip_tcp_close(&near.link);
	lwip_tcp_close(&near.link);
	near_run(TIDY_MS);
	assert_true(quash_is_gone(&near.peer));
	near_stand_still(CLOSING_MS); /* connections wait for late packets */
	for (size_t i = 0; i < config.slot_count; i++)
		assert_false(held[i]);
	assert_int_equal(net_blocks(), near.blocks);
}
