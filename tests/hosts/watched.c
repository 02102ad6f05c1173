/* SPDX-License-Identifier: MIT
 * The toolbox of the host with a witness at its motor, beside the line. The file that MOTOR_LOG names gets lines:
 *
 *     12345.678901 on
 *     12345.680102 moves                             with each call of the motor's handler
 *     12345.690000 input ended                       also `signal 15`, and `client gone`: nobody reads what we write
 *     12345.691000 flagged tools/call by its lease
 *     12345.691003 off                               its `end` hook has run
 *
 * Times are those of CLOCK_MONOTONIC, in seconds. The linker puts our host_run in the place of the toolbox's. */
#define _GNU_SOURCE 1

#include "arguments.h"
#include "events.h"
#include "main.h"
#include "posix/posix_serve.h"
#include "quash.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { TOOLS = 8, METHODS = 8, LINE = EVENT_LINE + 32 };

static struct {
	struct host *host;
	int log;
	quash_handler *call, *end;
	bool moves, ended;
} motor;

/* Whole lines: whoever reads meanwhile, and whoever is killed, leaves no half one. */
static void note(const char *what)
{
	struct timespec t;
	char line[LINE];
	clock_gettime(CLOCK_MONOTONIC, &t);
	const int length = snprintf(line, sizeof line, "%lld.%06ld %s\n", (long long)t.tv_sec, t.tv_nsec / 1000, what);
	if (write(motor.log, line, (size_t)length) != length)
		abort();
}

/* The first that is seen of its end. */
static void note_end_of_host(void)
{
	char words[LINE] = "";
	if (motor.ended)
		return;
	if (posix_signals_caught() != 0)
		snprintf(words, sizeof words, "signal %d", posix_signals_caught());
	else if (motor.host->stdio.ended || motor.host->stdio.gone)
		snprintf(words, sizeof words, "%s", motor.host->stdio.gone ? "client gone" : "input ended");
	motor.ended = words[0] != '\0';
	if (motor.ended)
		note(words);
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	char line[EVENT_LINE];
	(void)peer;
	if (event != QUASH_FLAGGED)
		return;
	note_end_of_host();
	event_line(line, event, request, detail, why);
	note(line);
}

static int32_t turn(quash_request *request)
{
	if (!motor.moves)
		note("on");
	motor.moves = true;
	note_end_of_host();
	const int32_t code = motor.call(request);
	note("moves");
	return code;
}

static int32_t rest(quash_request *request)
{
	const int32_t code = motor.end(request);
	if (code == QUASH_DONE)
		note("off");
	motor.moves = motor.moves && code != QUASH_DONE;
	return code;
}

/* The tables of the toolbox again, with our functions at what moves. */
static void watch(quash_config *config)
{
	static quash_method methods[METHODS];
	static quash_mcp_server server;
	static quash_mcp_tool tools[TOOLS];
	server = *(const quash_mcp_server *)config->methods[0].data;
	for (uint8_t i = 0; i < server.tool_count && i < TOOLS; i++) {
		tools[i] = server.tools[i];
		if (tools[i].motion.lease == 0)
			continue;
		motor.call = tools[i].call;
		motor.end = tools[i].motion.end;
		tools[i].call = turn;
		tools[i].motion.end = rest;
	}
	for (uint8_t i = 0; i < config->method_count && i < METHODS; i++) {
		methods[i] = config->methods[i];
		methods[i].data = &server;
	}
	server.tools = tools;
	config->methods = methods;
	config->trace = trace;
}

int __real_host_run(struct host *host, const quash_config *config);
int __wrap_host_run(struct host *host, const quash_config *config);

int __wrap_host_run(struct host *host, const quash_config *config)
{
	static quash_config watched;
	const char *const path = getenv("MOTOR_LOG");
	motor.log = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (motor.log < 0)
		return arguments_refuse(host->name, NULL, "MOTOR_LOG names no file");
	prctl(PR_SET_TIMERSLACK, 1); /* it sleeps as long as it wants to */
	motor.host = host;
	watched = *config;
	watch(&watched);
	return __real_host_run(host, &watched);
}
