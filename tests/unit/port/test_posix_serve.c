/* SPDX-License-Identifier: MIT
 * A whole program in a process of its own, on pipes or on a terminal: on every way out its motor comes to rest, and it leaves
 * descriptors and signals as it found them. */
#define _GNU_SOURCE 1
#include "unit.h"

#include "descriptors.h"
#include "posix/posix_parent.h"
#include "posix/posix_serve.h"
#include "quash.h"
#include "quash/mcp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { RAMP_MS = 20, RAMP_STEPS = 3, FOR_EVER = 1000000, LONG_MS = 1500, BUSY_PART = 10 };

/* --- The device. It logs what it does. */

static int diary[2] = { -1, -1 };

static void note(const char *words)
{
	if (write(diary[1], words, strlen(words)) < 0)
		_exit(99);
}

static int32_t turn(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	note("on ");
	return quash_wait(request, FOR_EVER);
}

static int32_t ramp(quash_request *request)
{
	uint32_t *const steps = QUASH_STATE(uint32_t, request);
	if (steps != NULL && (*steps)++ < RAMP_STEPS)
		return quash_wait(request, RAMP_MS);
	note("off ");
	return QUASH_DONE;
}

static int32_t wait_for_cancel(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : quash_wait(request, FOR_EVER);
}

static int32_t wait_a_while(quash_request *request)
{
	bool *const waited = QUASH_STATE(bool, request);
	if (*waited || quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return quash_reply_null(request);
	*waited = true;
	return quash_wait(request, 300);
}

static int32_t ignore_everything(quash_request *request)
{
	bool *const noted = QUASH_STATE(bool, request);
	if (!*noted)
		note("deaf ");
	*noted = true;
	return quash_wait(request, 1);
}

static int32_t stay_inside(quash_request *request)
{
	note("inside ");
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		posix_serve_pump(quash_peer_of(request));
	return QUASH_CANCELLED;
}

static void put_long(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_string_open(w);
	for (unsigned i = 0; i < 400000; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
}

static int32_t shout(quash_request *request)
{
	return quash_reply(request, put_long);
}

static int32_t ramp_for_long(quash_request *request)
{
	uint32_t *const steps = QUASH_STATE(uint32_t, request);
	if ((*steps)++ == 0)
		return quash_wait(request, LONG_MS);
	note("off ");
	return QUASH_DONE;
}

static const quash_method methods[] = {
	{ .name = "turn", .handler = turn, .state_size = sizeof(uint32_t), .motion = { .end = ramp, .longest = QUASH_NO_LIMIT, .lease = 2000 } },
	{ .name = "long", .handler = turn, .state_size = sizeof(uint32_t),
	  .motion = { .end = ramp_for_long, .longest = QUASH_NO_LIMIT, .lease = 2000 } },
	{ .name = "wait", .handler = wait_for_cancel },
	{ .name = "nap", .handler = wait_a_while, .state_size = sizeof(bool) },
	{ .name = "deaf", .handler = ignore_everything, .state_size = sizeof(bool) },
	{ .name = "stay", .handler = stay_inside },
	{ .name = "shout", .handler = shout },
};
QUASH_STORAGE(store, 4, 24, sizeof(uint32_t), 256, 256);
static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };

/* Its tools hear no cancel. */
static int32_t tool_hears_nothing(quash_request *request)
{
	static bool noted;
	if (!noted)
		note("deaf ");
	noted = true;
	return quash_wait(request, 1);
}

/* Lets go long after `rest`. */
static int32_t tool_hears_late(quash_request *request)
{
	static unsigned calls;
	if (calls++ == 0)
		note("on ");
	if (calls > 1 && quash_cancelled(request) != QUASH_NOT_CANCELLED && calls > 3)
		return QUASH_CANCELLED;
	return quash_wait(request, 100);
}

static int32_t tool_ends(quash_request *request)
{
	(void)request;
	note("off ");
	return QUASH_DONE;
}

static const quash_mcp_tool tools[] = {
	{ .name = "deaf", .call = tool_hears_nothing },
	{ .name = "late", .call = tool_hears_late, .motion = { .end = tool_ends, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
};
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "tools", .version = "1.0", .session = &session, QUASH_MCP_TOOL_LIST(tools),
	.token_size = 40, .modern = &quash_mcp_modern };
static const quash_method mcp_methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(mcp_store, 4, 24, QUASH_MCP_STATE(40, 0), 256, 512);
static const quash_config mcp_config = { QUASH_MCP_CONFIG(mcp_store, mcp_methods) };

/* --- Its process, and ours at the other end */

static pid_t device, between; /* the second has started the first, if we have not */
static int in = -1, out = -1;      /* the device's, which we share with it as a shell does */
static int to = -1, from = -1;     /* ours */
static struct posix_serve how;
static bool nohup, no_stdin;
static char said[4096];            /* by the device */
static char logged[256];

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Never two names of one descriptor. */
static void open_pipes(void)
{
	int down[2], up[2];
	assert_int_equal(pipe2(down, O_CLOEXEC), 0);
	assert_int_equal(pipe2(up, O_CLOEXEC), 0);
	in = down[0];
	to = down[1];
	out = up[1];
	from = up[0];
}

static void open_terminal(void)
{
	struct termios plain;
	to = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(to >= 0 && grantpt(to) == 0 && unlockpt(to) == 0);
	in = open(ptsname(to), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(tcgetattr(in, &plain), 0);
	plain.c_lflag &= ~(tcflag_t)ECHO;
	assert_int_equal(tcsetattr(in, TCSANOW, &plain), 0);
	out = fcntl(in, F_DUPFD_CLOEXEC, 3); /* one description, as a shell gives it */
	from = fcntl(to, F_DUPFD_CLOEXEC, 3);
}

static bool is_as_found(int number)
{
	struct sigaction now;
	const bool ignored = nohup && number == SIGHUP;
	return sigaction(number, NULL, &now) == 0 && now.sa_handler == (ignored ? SIG_IGN : SIG_DFL);
}

static void live(const quash_config *its)
{
	close_one(&to);
	close_one(&from);
	if (no_stdin)
		close(STDIN_FILENO);
	if (nohup)
		signal(SIGHUP, SIG_IGN);
	const int code = posix_stdio_serve_as(its, &how);
	if (is_as_found(SIGTERM) && is_as_found(SIGINT) && is_as_found(SIGHUP) && is_as_found(SIGPIPE))
		note("left");
	_exit(code);
}

static void prepare(void)
{
	how.in = in;
	how.out = out;
	said[0] = logged[0] = '\0';
	assert_int_equal(pipe2(diary, O_CLOEXEC), 0);
}

static void fork_device(const quash_config *its)
{
	device = fork();
	assert_true(device >= 0);
	if (device == 0)
		live(its);
}

static void start_with(const quash_config *its)
{
	prepare();
	fork_device(its);
	close_one(&diary[1]);
}

static void start(void)
{
	start_with(&config);
}

/* By a process that waits; we take over what it leaves. */
static void start_below_another(void)
{
	int pids[2];
	prepare();
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe2(pids, O_CLOEXEC), 0);
	between = fork();
	assert_true(between >= 0);
	if (between == 0) {
		fork_device(&config);
		if (write(pids[1], &device, sizeof device) != sizeof device)
			_exit(99);
		for (;;)
			pause();
	}
	assert_int_equal(read(pids[0], &device, sizeof device), sizeof device);
	close(pids[0]);
	close(pids[1]);
	close_one(&diary[1]);
}

static void end_the_other(void)
{
	assert_int_equal(kill(between, SIGKILL), 0);
	assert_int_equal(waitpid(between, NULL, 0), between);
	between = -1;
}

static void wait_for_log(const char *words)
{
	read_until(words, diary[0], logged, sizeof logged);
}

static void wait_for_answer(const char *words)
{
	read_until(words, from, said, sizeof said);
}

static void ask(const char *id, const char *method)
{
	char line[128];
	const int n = snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\"}\n", id, method);
	assert_int_equal(write(to, line, (size_t)n), n);
}

static void read_rest(void)
{
	size_t before = SIZE_MAX;
	while (from >= 0 && strlen(said) != before) {
		before = strlen(said);
		read_on(from, said, sizeof said);
	}
}

/* Its exit code. All that it has logged is in `logged`. */
static int ended(void)
{
	int status = 0;
	for (;;) {
		if (waitpid(device, &status, WNOHANG) == device) {
			device = -1;
			read_on(diary[0], logged, sizeof logged);
			read_rest();
			assert_true(WIFEXITED(status));
			return WEXITSTATUS(status);
		}
		if (from >= 0 && strlen(said) < sizeof said - 1)
			read_on(from, said, sizeof said);
		else
			poll(NULL, 0, LOOK_MS);
	}
}

/* It ends with this code, and has done that. */
static void assert_ended(int code, const char *expected)
{
	assert_int_equal(ended(), code);
	assert_string_equal(logged, expected);
}

/* Over pipes it is asked, for two things or for one, until it has logged that. */
static void begin(const char *method, const char *other, const char *log)
{
	open_pipes();
	start();
	ask("1", method);
	if (other != NULL)
		ask("2", other);
	wait_for_log(log);
}

/* The same below another process. */
static void begin_below_another(const char *method, const char *log)
{
	open_pipes();
	start_below_another();
	ask("1", method);
	wait_for_log(log);
}

static int set_up(void **state)
{
	(void)state;
	how = posix_serve_usual;
	nohup = no_stdin = false;
	signal(SIGINT, SIG_DFL); /* a shell without job control ignores it in the background */
	return 0;
}

static int tear_down(void **state)
{
	int *const all[] = { &in, &out, &to, &from, &diary[0], &diary[1] };
	(void)state;
	if (between > 0)
		end_the_other();
	if (device > 0) {
		kill(device, SIGKILL);
		waitpid(device, NULL, 0);
	}
	device = -1;
	for (size_t i = 0; i < COUNT_OF(all); i++)
		close_one(all[i]);
	return 0;
}

/* --- Every way out */

static void end_input(void)
{
	if (isatty(in)) {
		assert_int_equal(write(to, "\004", 1), 1); /* Ctrl-D */
		return;
	}
	close_one(&to);
}

static void terminate(void) { kill(device, SIGTERM); }
static void interrupt(void) { kill(device, SIGINT); }
static void hang_up(void) { kill(device, SIGHUP); }

static void vanish(void)
{
	close_one(&to);
	close_one(&from);
}

static void assert_blocks(int fd)
{
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
}

static void leave_by(void (*open_link)(void), void (*way)(void), int code)
{
	open_link();
	start();
	ask("1", "turn");
	wait_for_log("on ");
	way();
	assert_ended(code, "on off left");
	assert_blocks(in);
	assert_blocks(out);
	(void)tear_down(NULL);
}

static void test_every_way_out(void **state)
{
	static const struct {
		void (*way)(void);
		int code;
	} ways[] = { { end_input, 0 }, { terminate, 128 + SIGTERM }, { interrupt, 128 + SIGINT }, { hang_up, 128 + SIGHUP }, { vanish, 0 } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		leave_by(open_pipes, ways[i].way, ways[i].code);
		leave_by(open_terminal, ways[i].way, ways[i].code);
	}
}

/* Nobody ends the input. */
static void test_whoever_started_it_has_ended(void **state)
{
	static const char *const methods_that_move[] = { "turn", "stay" }, *const logs[] = { "on ", "inside " };
	static const char *const ends[] = { "on off left", "inside left" };
	(void)state;
	how.grace = UINT32_MAX;
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		begin_below_another(methods_that_move[i], logs[i]);
		end_the_other();
		assert_ended(POSIX_SERVED, ends[i]);
		assert_non_null(strstr(said, "-32800")); /* the client may still be there */
		(void)tear_down(NULL);
	}
}

/* It is asked whether it goes on once it has had time to look. */
static void assert_goes_on(void)
{
	begin_below_another("turn", "on ");
	end_the_other();
	poll(NULL, 0, 2 * POSIX_PARENT_LOOK_MS);
	ask("2", "nap");
	wait_for_answer("\"id\":2,\"result\"");
	assert_null(strstr(said, "-32800"));
	end_input();
	assert_ended(POSIX_SERVED, "on off left");
	(void)tear_down(NULL);
}

static void test_whoever_started_it_has_ended_and_is_not_watched(void **state)
{
	(void)state;
	how.no_watch_parent = true;
	assert_goes_on();
	how.no_watch_parent = false;
	nohup = true;
	assert_goes_on();
}

/* The reader of stdout alone is gone; stdin stands open. */
static void test_output_is_gone(void **state)
{
	(void)state;
	how.grace = UINT32_MAX;
	begin("turn", "wait", "on ");
	close_one(&from);
	assert_ended(0, "on off left");
}

static void test_refused(void **state)
{
	quash_config bad = config;
	int errors[2];
	char line[200] = "";
	(void)state;
	bad.slot_count = 0;
	open_pipes();
	assert_int_equal(pipe2(errors, O_CLOEXEC), 0);
	const int terminal = dup(STDERR_FILENO);
	dup2(errors[1], STDERR_FILENO);
	start_with(&bad);
	dup2(terminal, STDERR_FILENO);
	close(terminal);
	close(errors[1]);
	assert_ended(POSIX_SERVE_REFUSED, "left");
	read_on(errors[0], line, sizeof line);
	close(errors[0]);
	assert_memory_equal(line, "quash: bad config: config", 25);
	assert_blocks(in);
	assert_blocks(out);
}

static void test_refused_in_this_process(void **state)
{
	quash_config bad = config;
	quash_fault fault;
	struct posix_serve here = posix_serve_usual;
	(void)state;
	bad.slot_count = 0;
	here.fault = &fault;
	assert_int_equal(posix_stdio_serve_as(&bad, &here), POSIX_SERVE_REFUSED);
	assert_string_equal(fault.member, "slot_count");
	assert_int_equal(fault.reason, QUASH_FAULT_SMALL);
}

/* It is served all the same, until the input ends. */
static void test_a_refused_config_is_served(void **state)
{
	static const char asked[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n";
	quash_config bad = config;
	struct posix_serve here = posix_serve_usual;
	int asking[2], answering[2];
	char heard[200] = "";
	(void)state;
	bad.methods = NULL;
	assert_int_equal(pipe(asking), 0);
	assert_int_equal(pipe(answering), 0);
	assert_int_equal(write(asking[1], asked, sizeof asked - 1), sizeof asked - 1);
	close(asking[1]);
	here.in = asking[0];
	here.out = answering[1];
	assert_int_equal(posix_stdio_serve_as(&bad, &here), POSIX_SERVE_REFUSED);
	assert_true(read(answering[0], heard, sizeof heard - 1) > 0);
	assert_string_equal(heard, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"config: methods is missing\"}}\n");
	close(asking[0]);
	close(answering[0]);
	close(answering[1]);
}

/* What was found non-blocking is left so. */
static void test_leaves_what_it_found(void **state)
{
	(void)state;
	open_pipes();
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	start();
	end_input();
	assert_int_equal(ended(), 0);
	assert_int_equal(fcntl(in, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	assert_blocks(out);
}

/* --- The end of input */

/* All of it is there before it is served: what moves and has not begun does not begin. */
static void test_nothing_begins_to_move(void **state)
{
	(void)state;
	how.grace = UINT32_MAX;
	open_pipes();
	ask("1", "turn");
	ask("2", "nap");
	end_input();
	start();
	assert_ended(0, "left");
	assert_non_null(strstr(said, "\"id\":1,\"error\":{\"code\":-32800"));
	assert_non_null(strstr(said, "\"id\":2,\"result\":null"));
}

/* What moves does not wait for what does not. */
static void test_motion_has_no_grace(void **state)
{
	(void)state;
	how.grace = UINT32_MAX;
	begin("turn", "wait", "on ");
	end_input();
	wait_for_answer("\"id\":1,\"error\":{\"code\":-32800");
	wait_for_log("off ");
	assert_null(strstr(said, "\"id\":2"));
	terminate();
	assert_int_equal(ended(), 128 + SIGTERM);
	assert_non_null(strstr(said, "\"id\":2,\"error\":{\"code\":-32800"));
}

static void test_grace_is_over(void **state)
{
	(void)state;
	how.grace = 20;
	open_pipes();
	start();
	ask("1", "wait");
	end_input();
	assert_int_equal(ended(), 0);
	assert_non_null(strstr(said, "\"id\":1,\"error\":{\"code\":-32800"));
}

/* A client that has ended and reads nothing, and a handler that hears nothing, are waited for so long. */
static void test_rest_is_over(void **state)
{
	(void)state;
	how.grace = how.rest = 20;
	begin("shout", "turn", "on ");
	end_input();
	memset(said, 'x', sizeof said - 1);
	said[sizeof said - 1] = '\0'; /* we read nothing */
	assert_ended(POSIX_SERVED, "on off left");
}

static void test_a_deaf_handler_is_left(void **state)
{
	(void)state;
	how.grace = how.rest = 20;
	begin("deaf", NULL, "deaf ");
	end_input();
	assert_ended(POSIX_SERVE_ABANDONED, "deaf left");
}

static void call_tool(const char *name)
{
	char line[400];
	const int n = snprintf(line, sizeof line,
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}\n", name);
	assert_int_equal(write(to, line, (size_t)n), n);
}

static void begin_tool(const char *name, const char *log)
{
	open_pipes();
	start_with(&mcp_config);
	call_tool(name);
	wait_for_log(log);
}

static void test_a_deaf_tool_is_left(void **state)
{
	(void)state;
	how.grace = how.rest = 20;
	begin_tool("deaf", "deaf ");
	end_input();
	assert_ended(POSIX_SERVE_ABANDONED, "deaf left");
}

static void test_a_deaf_tool_is_left_by_a_signal(void **state)
{
	(void)state;
	how.rest = 20;
	begin_tool("deaf", "deaf ");
	terminate();
	assert_ended(128 + SIGTERM, "deaf left");
}

static void test_a_tool_that_moves_is_waited_for(void **state)
{
	(void)state;
	how.rest = 20;
	begin_tool("late", "on ");
	terminate();
	assert_ended(128 + SIGTERM, "on off left");
}

static long processor_ms(void)
{
	struct rusage used;
	assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* What still comes, after the last that is read. */
static void test_it_sleeps_through_a_long_ramp(void **state)
{
	(void)state;
	how.rest = 20;
	begin("long", NULL, "on ");
	const long before = processor_ms();
	terminate();
	wait_for_answer("\"id\":1,\"error\":{\"code\":-32800");
	poll(NULL, 0, 200); /* after `rest`; before it, the line is read, and nothing is shown */
	ask("2", "nap");
	assert_ended(128 + SIGTERM, "on off left");
	assert_true((processor_ms() - before) * BUSY_PART < LONG_MS);
}

/* A stdin that was closed before the program began is no pipe of its own. */
static void test_closed_stdin(void **state)
{
	(void)state;
	open_pipes();
	close_one(&in);
	in = STDIN_FILENO;
	no_stdin = true;
	start();
	in = -1;
	assert_int_equal(ended(), 0);
}

/* --- Signals */

static void test_an_ignored_signal_stays_so(void **state)
{
	(void)state;
	nohup = true;
	begin("turn", NULL, "on ");
	hang_up();
	ask("2", "nap");
	wait_for_answer("\"id\":2,\"result\":null");
	assert_null(strstr(logged, "off"));
	terminate();
	assert_ended(128 + SIGTERM, "on off left");
}

static void test_a_busy_handler_hears_a_signal(void **state)
{
	(void)state;
	begin("stay", NULL, "inside ");
	terminate();
	assert_int_equal(ended(), 128 + SIGTERM);
	assert_non_null(strstr(said, "\"id\":1,\"error\":{\"code\":-32800"));
}

static void test_a_busy_handler_hears_that_its_client_is_gone(void **state)
{
	(void)state;
	begin("stay", NULL, "inside ");
	vanish();
	assert_int_equal(ended(), 0);
}

/* One that comes between the question and the sleep ends the sleep. */
static void test_signals_of_a_loop(void **state)
{
	(void)state;
	assert_int_equal(posix_signals_catch(), 0);
	assert_int_equal(posix_signals_caught(), 0);
	raise(SIGHUP);
	struct pollfd fd = posix_signals_poll();
	assert_int_equal(poll(&fd, 1, 0), 1);
	assert_int_equal(posix_signals_caught(), SIGHUP);
	assert_int_equal(posix_signals_exit_code(), 128 + SIGHUP);
	assert_int_equal(posix_signals_poll().fd, -1);
	posix_signals_give_back();
	posix_signals_give_back();
	assert_int_equal(posix_signals_caught(), 0);
	assert_true(is_as_found(SIGHUP));
	assert_int_equal(posix_signals_catch(), 0);
	fd = posix_signals_poll();
	assert_int_equal(poll(&fd, 1, 0), 0);
	posix_signals_give_back();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_way_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_output_is_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_whoever_started_it_has_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_whoever_started_it_has_ended_and_is_not_watched, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused_in_this_process, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_refused_config_is_served, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_leaves_what_it_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_begins_to_move, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_motion_has_no_grace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_grace_is_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rest_is_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_deaf_handler_is_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_deaf_tool_is_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_deaf_tool_is_left_by_a_signal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_tool_that_moves_is_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_it_sleeps_through_a_long_ramp, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_closed_stdin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_an_ignored_signal_stays_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_busy_handler_hears_a_signal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_busy_handler_hears_that_its_client_is_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_signals_of_a_loop, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
