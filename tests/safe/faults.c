/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "faults.h"

#include "process.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { UNPLUGGED_MS = 120, BLOCKED_MS = 160, GUEST_MS = 60, AGAIN_MS = 300, GREETING = 200 /* bytes */ };

static const int64_t ms_ns = 1000000;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned below(struct rig *rig, size_t n)
{
	return (unsigned)(cable_random(&rig->seed) % n);
}

static void run_ms(struct rig *rig, unsigned ms)
{
	rig_run(rig, log_now() + ms * ms_ns, NULL);
}

static bool is_drained(const struct rig *rig)
{
	return cable_is_drained(&rig->cable);
}

/* What nobody takes while the device is blocked stays. */
static int64_t end_of_wait(const struct rig *rig)
{
	return rig->cable.blocked ? log_now() + BLOCKED_MS * ms_ns : INT64_MAX;
}

static void drain(struct rig *rig)
{
	rig_run(rig, end_of_wait(rig), is_drained);
}

/* Whoever transmitted by the cable transmits nothing more: the moment when all of it has passed. A bridge lives on. */
static int64_t passed(struct rig *rig)
{
	if (rig->way == WAY_DIRECT || rig->bridge == 0)
		drain(rig);
	return log_now();
}

/* --- The client */

static int64_t kill_client(struct rig *rig)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS };
	process_end(&rig->clients[0], signals[below(rig, COUNT(signals))]);
	return passed(rig);
}

static bool client_is_stopped(const struct rig *rig)
{
	return waitpid(rig->clients[0], NULL, WNOHANG | WUNTRACED) > 0;
}

/* The cable works while we wait: the client may not see the signal before its bytes have left. */
static int64_t client_leaves(struct rig *rig)
{
	kill(rig->clients[0], CLIENT_LEAVE);
	rig_run(rig, INT64_MAX, client_is_stopped);
	return log_now();
}

static int64_t client_cancels(struct rig *rig)
{
	kill(rig->clients[0], CLIENT_CANCEL);
	return log_now();
}

/* What stands before the garbled bytes is a message that is valid so far. */
static bool is_garbled(const struct rig *rig)
{
	return rig->cable.garbled && cable_is_empty(&rig->cable);
}

static int64_t lose_cancel(struct rig *rig)
{
	rig->cable.garbles = true;
	kill(rig->clients[0], CLIENT_CANCEL);
	rig_run(rig, INT64_MAX, is_garbled);
	return log_now();
}

static void stop(pid_t process)
{
	kill(process, SIGSTOP);
	waitpid(process, NULL, WUNTRACED);
}

static int64_t client_hangs(struct rig *rig)
{
	stop(rig->clients[0]);
	return passed(rig);
}

/* The bridge's clock for the call had begun before the first step. */
static int64_t client_hangs_limited(struct rig *rig)
{
	stop(rig->clients[0]);
	const int64_t now = log_now(), over = log_motion(rig->log).first + LIMIT_MS * ms_ns;
	return over > now ? over : now;
}

/* Its longest time had begun before the first step. */
static int64_t client_forgets(struct rig *rig)
{
	rig->timed = true;
	return log_motion(rig->log).first + rig->bench->promise.longest * ms_ns;
}

static int64_t guest_floods(struct rig *rig)
{
	rig_join(rig, CLIENT_GUEST | CLIENT_FLOODS);
	run_ms(rig, below(rig, GUEST_MS));
	return kill_client(rig);
}

/* --- The bridge */

static int64_t kill_bridge(struct rig *rig)
{
	static const int signals[] = { SIGKILL, SIGSEGV, SIGABRT, SIGQUIT, SIGBUS };
	process_end(&rig->bridge, signals[below(rig, COUNT(signals))]);
	rig->mute = true;
	return passed(rig);
}

static int64_t stop_bridge(struct rig *rig)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	kill(rig->bridge, signals[below(rig, COUNT(signals))]);
	return log_now();
}

static int64_t bridge_hangs(struct rig *rig)
{
	stop(rig->bridge);
	rig->mute = true;
	drain(rig);
	return log_now();
}

/* --- The cable */

static bool wire_is_quiet(const struct rig *rig)
{
	return cable_wire_is_free(&rig->cable);
}

static int64_t cut_down(struct rig *rig)
{
	rig->cable.cut_down = true;
	rig->cable.down.from = rig->cable.down.to;
	rig_run(rig, end_of_wait(rig), wire_is_quiet);
	return log_now();
}

static int64_t cut(struct rig *rig)
{
	rig->cable.cut_up = true;
	return cut_down(rig);
}

static bool is_cut(const struct rig *rig)
{
	return rig->cable.cut_down && wire_is_quiet(rig);
}

/* After initialize, initialized, the call, or the first signs of life. */
static int64_t cut_behind_line(struct rig *rig)
{
	rig->cable.lines = 2 + below(rig, 4);
	rig_run(rig, INT64_MAX, is_cut);
	return log_now();
}

static int64_t half_message(struct rig *rig)
{
	static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"mo";
	cut(rig);
	cable_inject(&rig->cable, message, 1 + below(rig, sizeof message - 1));
	return cut_down(rig);
}

static int64_t noise(struct rig *rig)
{
	cut(rig);
	rig->cable.noisy = true;
	return log_now();
}

/* When the line is there again within the lease, the bytes of the bridge's first message renew it. Nobody may make the
 * call again, then or later. */
static int64_t reset(struct rig *rig)
{
	rig_unplug(rig);
	const int64_t moment = log_now();
	if (rig->cable.slow)
		rig->allowed = GREETING * CABLE_BYTE_NS;
	rig->settle = AGAIN_MS;
	run_ms(rig, below(rig, UNPLUGGED_MS));
	if (rig->way != WAY_SOCKET)
		rig_plug(rig);
	return moment;
}

/* Until the device can transmit nothing more. */
static void block(struct rig *rig)
{
	rig->cable.blocked = true;
	run_ms(rig, BLOCKED_MS / 2 + below(rig, BLOCKED_MS / 2));
}

static int64_t block_and_cut(struct rig *rig)
{
	block(rig);
	return cut_down(rig);
}

static int64_t block_and_kill(struct rig *rig)
{
	block(rig);
	return kill_client(rig);
}

/* As from a client that is started anew while the last one's call is under way. */
static int64_t initialize_anew(struct rig *rig)
{
	static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
		"\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"anew\",\"version\":\"1\"}}}\n";
	cable_inject(&rig->cable, message, sizeof message - 1);
	return log_now();
}

/* A client that gives its signs itself and is killed leaves a line that stays open, as a serial line does. */
const struct fault faults[FAULT_KINDS] = {
	{ "client-killed", WAY_DIRECT | WAYS_BRIDGE, 0, NULL, FAULT_SOON, kill_client },
	{ "client-leaves", WAY_DIRECT | WAYS_BRIDGE, 0, NULL, FAULT_MOVING, client_leaves },
	{ "client-cancels", WAY_DIRECT | WAYS_BRIDGE, 0, NULL, FAULT_MOVING, client_cancels },
	{ "cancel-garbled", WAYS_CABLE, 0, NULL, FAULT_MOVING, lose_cancel },
	{ "client-hangs", WAY_DIRECT, 0, NULL, FAULT_MOVING, client_hangs },
	{ "client-hangs-timeout", WAYS_BRIDGE, 0, "--timeout", FAULT_MOVING, client_hangs_limited },
	{ "client-hangs-idle", WAYS_BRIDGE, 0, "--idle-timeout", FAULT_MOVING, client_hangs_limited },
	{ "client-forgets", WAY_DIRECT | WAYS_BRIDGE, CLIENT_FORGETS, NULL, FAULT_MOVING, client_forgets },
	{ "client-forgets-mute", WAY_DIRECT, CLIENT_FORGETS | CLIENT_MUTE, NULL, FAULT_MOVING, client_forgets },
	{ "client-floods-killed", WAY_DIRECT | WAYS_BRIDGE, CLIENT_FLOODS, NULL, FAULT_SOON, kill_client },
	{ "guest-floods", WAY_LISTEN, 0, NULL, FAULT_MOVING, guest_floods },
	{ "bridge-killed", WAYS_BRIDGE, 0, NULL, FAULT_SOON, kill_bridge },
	{ "bridge-stopped", WAYS_BRIDGE, 0, NULL, FAULT_SOON, stop_bridge },
	{ "bridge-hangs", WAYS_BRIDGE, 0, NULL, FAULT_SOON, bridge_hangs },
	{ "cable-silent", WAY_DIRECT | WAYS_CABLE, 0, NULL, FAULT_SOON, cut },
	{ "cable-flood-silent", WAY_DIRECT | WAYS_CABLE, CLIENT_FLOODS, NULL, FAULT_SOON, cut },
	{ "cable-half", WAY_DIRECT | WAYS_CABLE, 0, NULL, FAULT_SOON, half_message },
	{ "cable-cut", WAY_DIRECT | WAYS_CABLE, 0, NULL, FAULT_FIRST, cut_behind_line },
	{ "cable-noise", WAY_DIRECT | WAYS_CABLE, 0, NULL, FAULT_MOVING, noise },
	{ "cable-reset", WAYS_CABLE, 0, NULL, FAULT_MOVING, reset },
	{ "blocked-silent", WAY_DIRECT | WAYS_CABLE, CLIENT_REPORTED, NULL, FAULT_MOVING, block_and_cut },
	{ "blocked-killed", WAY_DIRECT | WAYS_CABLE, CLIENT_REPORTED, NULL, FAULT_MOVING, block_and_kill },
	{ "session-anew", WAY_DIRECT, 0, NULL, FAULT_MOVING, initialize_anew },
};
