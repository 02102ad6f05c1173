/* SPDX-License-Identifier: MIT
 * A run: what happens, in which order, until the bytes are read; then everything must come to rest. */
#include "adapter.h"
#include "oracle.h"
#include "other.h"
#include "wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct sim sim;
const char *failure_rule;
char failure_text[400];

static jmp_buf failed;
static struct {
	bool stalled, gone, ended, left; /* left: it did not take what was offered last */
} links[LINKS];
static unsigned turns; /* nested, of busy handlers */

void fail(const char *rule, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(failure_text, sizeof failure_text, format, list);
	va_end(list);
	failure_rule = rule;
	longjmp(failed, 1);
}

static uint8_t link_count(void)
{
	return sim.setup.topology == ONE_PEER ? 1 : LINKS;
}

static void check(void)
{
	for (uint8_t i = 0; i < link_count(); i++) {
		const char *const wrong = adapter_check(i);
		if (wrong != NULL)
			fail("peer", "%s", wrong);
	}
}

/* --- The pump */

static void transmit(uint8_t link, unsigned most)
{
	size_t n;
	const uint8_t *bytes = adapter_out(link, &n);
	while (n > 0 && most > 0 && !links[link].stalled) {
		const size_t taken = n < most ? n : most;
		if (links[link].gone)
			fail("link", "something is put out though the link is gone");
		oracle_sent(link, bytes, taken);
		adapter_sent(link, taken);
		const bool sleeps = taken == n && !adapter_is_inside() && adapter_idle(link) == UINT32_MAX;
		most -= (unsigned)taken;
		bytes = adapter_out(link, &n);
		if (sleeps && n > 0)
			fail("time", "it would sleep for ever, and has something to write");
	}
	if (n == 0)
		oracle_drained(link);
}

/* Where the message ends that the first byte is of, or the next one begins. */
static size_t message_length(uint8_t link, const uint8_t *bytes, size_t n)
{
	static const char head[] = "Content-Length";
	size_t i = 1;
	if (sim.setup.dialect[link] != LSP) {
		const uint8_t *const end = memchr(bytes, '\n', n);
		return end != NULL ? (size_t)(end - bytes) + 1 : n;
	}
	while (i < n && (n - i < sizeof head - 1 || memcmp(bytes + i, head, sizeof head - 1) != 0))
		i++;
	return i;
}

/* How many of them are offered in one go. What members of a batch and notifications of a profile become is known only
 * when their message is looked at alone. */
static size_t cut(uint8_t link, const uint8_t *bytes, size_t n)
{
	const bool alone = sim.setup.dialect[link] == JSONRPC || (sim.setup.profile != NO_PROFILE && link == 0);
	if (sim.setup.byte_by_byte)
		return 1;
	const size_t most = 1 + cut_below((unsigned)(n < 200 ? n : 200));
	const size_t length = alone ? message_length(link, bytes, n) : n;
	return most < length ? most : length;
}

/* Up to `most` bytes, until it takes no more. */
static void receive(uint8_t link, size_t most)
{
	while (most > 0 && !links[link].gone && !links[link].ended) {
		size_t n;
		if (wire_loss(link))
			adapter_lost(link);
		const uint8_t *const bytes = wire_bytes(link, &n);
		n = n < most ? n : most;
		const size_t taken = adapter_feed(link, bytes, n > 0 ? cut(link, bytes, n) : 0);
		links[link].left = n > 0 && taken == 0;
		if (taken == 0)
			return;
		wire_taken(link, taken);
		most -= taken;
	}
}

/* Who would sleep for ever once all has left that can has nothing to do in a step, nor with what it did not take. */
static void check_sleep(uint8_t link)
{
	size_t n;
	if (links[link].left)
		transmit(link, 100000);
	if (links[link].gone || adapter_idle(link) != UINT32_MAX)
		return;
	const uint8_t *const bytes = wire_bytes(link, &n);
	if (links[link].left && !links[link].ended && n > 0 && adapter_feed(link, bytes, 1) > 0)
		fail("time", "it would sleep for ever, and takes what it has left");
	if (adapter_step(link))
		fail("time", "it would sleep for ever, and a step does something");
}

static void pump(uint8_t link)
{
	adapter_tick(link);
	transmit(link, choose(4) == 1 ? 1 + choose(80) : 100000);
	receive(link, choose(4) == 1 ? 1 + choose(100) : 100000);
	adapter_tick(link);
	if (!adapter_is_inside())
		oracle_idle(link, adapter_idle(link));
	if (!adapter_is_inside())
		check_sleep(link);
	check();
}

/* --- What happens */

static void pass_time(void)
{
	switch (choose(8)) {
	case 0:
	case 1:
	case 2:
	case 3: sim.now += 1; break;
	case 7: sim.now += choose(2000); break;
	default: sim.now += choose(12); break;
	}
}

static void befall(uint8_t link)
{
	if (links[link].gone) {
		adapter_reopen(link);
		links[link].gone = links[link].ended = false;
		return;
	}
	show("link %u is gone\n", link);
	links[link].gone = true;
	wire_clear(link);
	adapter_gone(link);
	if (choose(2)) {
		adapter_reopen(link);
		links[link].gone = links[link].ended = false;
	}
}

/* The other side transmits no more, and still reads. All that it has transmitted was received. */
static void end_link(uint8_t link)
{
	size_t n = 0;
	(void)wire_bytes(link, &n);
	if (links[link].gone || links[link].ended || n > 0 || !adapter_takes_all(link) || oracle_link_is_asking(link))
		return;
	show("the input of link %u ends\n", link);
	adapter_end(link);
	links[link].ended = true;
}

static void befall_now_and_then(uint8_t link)
{
	const unsigned what = choose(8);
	if (what == 1)
		befall(link);
	else if (what == 2)
		end_link(link);
}

static void act(void)
{
	const uint8_t link = (uint8_t)choose(link_count());
	switch (choose(24)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 5: other_sends(link); break;
	case 6:
	case 7:
	case 8:
	case 9:
	case 10: pump(link); break;
	case 11: pass_time(); break;
	case 12: links[link].stalled = !links[link].stalled && choose(2); break;
	case 13:
	case 14: adapter_interrupt(); break;
	case 15: befall_now_and_then(link); break;
	case 16:
		if (choose(10) == 1)
			adapter_cancel_all(link);
		else if (choose(8) == 1 && sim.setup.profile == NO_PROFILE)
			adapter_new_session(link);
		break;
	case 17: adapter_notify(link); break;
	case 18:
		if (choose(4) == 1 && sim.setup.profile == NO_PROFILE)
			adapter_call(link);
		break;
	default:
		show("step %u\n", link);
		(void)adapter_step(link);
		break;
	}
	check();
}

void run_turn(uint8_t link)
{
	if (++turns > 3) {
		turns--;
		return;
	}
	for (unsigned n = 1 + choose(3); n > 0; n--)
		act();
	pump(link);
	turns--;
}

/* --- Rest */

static void settle_round(bool answers)
{
	for (uint8_t i = 0; i < link_count(); i++) {
		if (answers)
			other_settles(i);
		pump(i);
		(void)adapter_step(i);
		pump(i);
	}
	sim.now += 1;
}

/* As a program would sleep, but not for ever. */
static uint32_t shortest_sleep(void)
{
	uint32_t least = UINT32_MAX;
	for (uint8_t i = 0; i < link_count(); i++) {
		const uint32_t ms = adapter_idle(i);
		least = ms < least ? ms : least;
	}
	return least < 10000 ? least : 0;
}

static const char *resting(void)
{
	const char *wrong = NULL;
	for (uint8_t i = 0; i < link_count() && wrong == NULL; i++) {
		size_t n;
		(void)wire_bytes(i, &n);
		wrong = links[i].gone || links[i].ended ? NULL : n > 0 ? "input is not taken" : NULL;
		if (wrong == NULL)
			wrong = adapter_rest(i);
	}
	return wrong;
}

static bool input_waits(void)
{
	size_t n = 0;
	for (uint8_t i = 0; i < link_count() && n == 0; i++)
		(void)wire_bytes(i, &n);
	return n > 0;
}

static void come_to_rest(void)
{
	const char *wrong = "";
	sim.calm = true;
	show("now all calm down\n");
	for (uint8_t i = 0; i < link_count(); i++) {
		links[i].stalled = false;
		if (links[i].gone || links[i].ended)
			befall(i);
	}
	for (unsigned i = 0, quiet = 0; i < 300 && quiet < 120; i++) { /* a backlog is taken one by one */
		settle_round(false);
		quiet = input_waits() ? 0 : quiet + 1;
		sim.now += i % 4 == 3 ? 500 : shortest_sleep(); /* some are called in every step, and keep it awake */
	}
	for (uint8_t i = 0; i < link_count(); i++)
		oracle_ended_by_itself(i);
	for (uint8_t i = 0; i < link_count(); i++) {
		adapter_cancel_all(i);
		adapter_drop_calls(i);
	}
	for (unsigned i = 0; i < 60; i++)
		settle_round(false);
	for (uint8_t i = 0; i < link_count(); i++)
		oracle_calls_at_rest(i);
	for (unsigned i = 0; i < 400 && wrong != NULL; i++) {
		settle_round(true);
		for (uint8_t k = 0; k < link_count() && i % 50 == 49; k++)
			adapter_cancel_all(k);
		wrong = i < 3 ? "" : resting();
	}
	if (wrong != NULL)
		fail("rest", "%s", wrong);
	for (uint8_t i = 0; i < link_count(); i++)
		oracle_rest(i);
}

/* At the end of the input a program ends. */
static void end_input(void)
{
	const char *wrong = "";
	for (uint8_t i = 0; i < link_count(); i++) {
		adapter_end(i);
		links[i].ended = true;
	}
	for (unsigned i = 0; i < 20 && wrong != NULL; i++) {
		settle_round(false);
		wrong = resting();
	}
	if (wrong != NULL)
		fail("end", "%s", wrong);
}

/* --- The run */

/* Programs of the boards, with memory of any size that they may have. */
static void make_profile(struct setup *s)
{
	static const enum dialect dialects[PROFILES] = { 0, MCP, ACP, LSP };
	s->profile = (enum profile)(1 + choose(PROFILES - 1));
	s->dialect[0] = dialects[s->profile];
	if (s->slots[0] > 8)
		s->slots[0] = 8;
	if (s->profile == AGENT && s->tx[0] < 320)
		s->tx[0] = 320;
}

static void make_setup(void)
{
	static const enum dialect dialects[] = { ACP, LSP, MCP, JSONRPC, JSONRPC, JSONRPC };
	struct setup *const s = &sim.setup;
	s->topology = (enum topology)(choose(2) ? choose(TOPOLOGIES) : ONE_PEER);
	s->profile = NO_PROFILE;
	for (unsigned i = 0; i < LINKS; i++) {
		s->dialect[i] = dialects[choose(6)];
		s->slots[i] = choose(3) ? 1 + choose(4) : 1 + choose(9);
		s->always[i] = choose(8) == 1;
		s->id_size[i] = choose(2) ? 17 + choose(8) : 64;
		s->arena[i] = choose(3) ? 16 + choose(200) : 2048;
		s->tx[i] = choose(3) ? 64 + choose(200) : 1024;
	}
	if (s->topology == ONE_PEER && choose(4) == 1)
		make_profile(s);
	if (s->topology == BRIDGE && choose(2))
		s->dialect[0] = s->dialect[1] = MCP;
	s->now = choose(2) ? 0xFFFFFF00u : choose(100);
}

static void show_setup(void)
{
	static const char *const topologies[] = { "one peer", "two peers", "a bridge" };
	static const char *const dialects[] = { "ACP", "LSP", "MCP", "JSON-RPC" };
	static const char *const profiles[] = { "", ": a toolbox", ": an agent", ": a language server" };
	show("%s%s\n", topologies[sim.setup.topology], profiles[sim.setup.profile]);
	for (uint8_t i = 0; i < link_count(); i++)
		show("%u: %s, %u slots, ids of %u, arena %u, TX %u\n", i, dialects[sim.setup.dialect[i]],
			sim.setup.slots[i], sim.setup.id_size[i], sim.setup.arena[i], sim.setup.tx[i]);
}

static void begin(bool byte_by_byte)
{
	sim.record_count = sim.ask_count = 0;
	sim.events = 0;
	sim.digest = 2166136261u;
	sim.calm = false;
	memset(links, 0, sizeof links);
	memset(sim.ticked, 0, sizeof sim.ticked);
	memset(sim.steps, 0, sizeof sim.steps);
	memset(sim.stepping, 0, sizeof sim.stepping);
	memset(sim.feeding, 0, sizeof sim.feeding);
	turns = 0;
	make_setup();
	sim.setup.byte_by_byte = byte_by_byte;
	sim.now = sim.setup.now;
	show_setup();
	oracle_begin();
	other_begin();
	const char *const wrong = adapter_open();
	if (wrong != NULL)
		fail("init", "%s is refused", wrong);
}

bool sim_run(const uint8_t *bytes, size_t length, bool byte_by_byte)
{
	failure_rule = NULL;
	choice_begin(bytes, length);
	if (setjmp(failed) != 0)
		return false;
	begin(byte_by_byte);
	for (unsigned i = 0; i < 3000 && !choice_ended(); i++)
		act();
	come_to_rest();
	end_input();
	return true;
}
