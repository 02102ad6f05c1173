/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "rig.h"

#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 40, BOARD_MOTOR = 3, ASK_MS = 50, TURN_NS = 1000000, WORDS = 64 };

/* --- The device */

bool rig_is_board(const struct rig *rig)
{
	return rig->bench->defect == NULL;
}

/* Its arguments: the command, and for a program of the host its log and its defect. */
static void device_arguments(const struct rig *rig, char **argv, size_t most)
{
	size_t n = 0;
	for (char *const *word = rig->bench->device; *word != NULL && n + 3 < most; word++)
		argv[n++] = *word;
	if (!rig_is_board(rig)) {
		argv[n++] = (char *)rig->log_path;
		argv[n++] = (char *)rig->bench->defect;
	}
	argv[n] = NULL;
}

/* The next line. NULL when nothing more of it comes soon. */
static const char *next_line(int line)
{
	static char text[4 * WORDS];
	static size_t length;
	struct pollfd fd = { .fd = line, .events = POLLIN };
	char byte;
	while (poll(&fd, 1, ASK_MS) > 0 && read(line, &byte, 1) == 1) {
		if (byte != '\n') {
			text[length] = byte;
			length += length < sizeof text - 1;
			continue;
		}
		text[length] = '\0';
		length = 0;
		return text;
	}
	return NULL;
}

static void ping(struct rig *rig, const char *id)
{
	char text[2 * WORDS];
	const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}\n", id);
	cable_inject(&rig->cable, text, (size_t)n);
}

/* A board takes a while to start, and what it receives before is lost: it is asked until it answers. Of so many questions it may
 * refuse some. Behind its result for the last one nothing more comes. */
static void wait_for_board(struct rig *rig)
{
	static const char first[] = "\"first\"", last[] = "\"last\"";
	const char *text = "";
	while (text == NULL || strstr(text, first) == NULL) {
		if (text == NULL)
			ping(rig, first);
		text = next_line(rig->line);
	}
	ping(rig, last);
	while (text == NULL || strstr(text, last) == NULL || strstr(text, "result") == NULL) {
		if (text != NULL && strstr(text, last) != NULL)
			ping(rig, last);
		text = next_line(rig->line);
	}
}

/* In the child. Its line is out of the way of the descriptor for the motor. */
static void become_device(const struct rig *rig, int end, int motor)
{
	char *argv[MOST_ARGUMENTS];
	const int line = fcntl(end, F_DUPFD_CLOEXEC, BOARD_MOTOR + 1);
	device_arguments(rig, argv, MOST_ARGUMENTS);
	if (motor >= 0)
		process_put(motor, BOARD_MOTOR);
	process_become(argv, line, line, false);
}

static bool make_line(struct rig *rig, int ends[2], int motor[2])
{
	if (!process_pair(ends) || (rig_is_board(rig) && pipe2(motor, O_CLOEXEC) != 0))
		return false;
	rig->line = rig->cable.device = ends[1];
	rig->motor = motor[0];
	process_keep_asking(rig->line);
	if (rig_is_board(rig))
		process_keep_asking(rig->motor);
	else
		process_keep_little(ends[0]);
	return true;
}

static bool start_device(struct rig *rig)
{
	int ends[2], motor[2] = { -1, -1 };
	if (!make_line(rig, ends, motor))
		return false;
	rig->device = process_fork();
	if (rig->device == 0)
		become_device(rig, ends[0], motor[1]);
	process_drop(&ends[0]);
	process_drop(&motor[1]);
	if (rig->device > 0 && rig_is_board(rig))
		wait_for_board(rig);
	return rig->device > 0;
}

/* A board's line about its motor: a letter and its milliseconds as hexadecimal digits. */
static void note_line(struct rig *rig, char byte)
{
	if (byte != '\n') {
		if (rig->length < sizeof rig->text - 1)
			rig->text[rig->length++] = byte;
		return;
	}
	rig->text[rig->length] = '\0';
	log_add(rig->log, (uint32_t)rig->text[0], (uint32_t)strtoul(rig->text + 1, NULL, 16));
	rig->length = 0;
}

static void watch_motor(struct rig *rig)
{
	char bytes[512];
	const ssize_t n = rig->motor < 0 ? 0 : read(rig->motor, bytes, sizeof bytes);
	for (ssize_t i = 0; i < n; i++)
		note_line(rig, bytes[i]);
}

/* --- The line on the host's side */

bool rig_plug(struct rig *rig)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	struct termios raw;
	char name[64];
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ptsname_r(master, name, sizeof name) != 0)
		return false;
	rig->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC); /* held, or a master without a bridge hangs up */
	if (rig->slave < 0 || tcgetattr(rig->slave, &raw) != 0)
		return false;
	cfmakeraw(&raw);
	tcsetattr(rig->slave, TCSANOW, &raw);
	unlink(rig->tty);
	rig->host = rig->cable.host = master;
	return symlink(name, rig->tty) == 0;
}

void rig_unplug(struct rig *rig)
{
	unlink(rig->tty);
	process_drop(&rig->host);
	process_drop(&rig->slave);
	rig->cable.host = -1;
	cable_lose(&rig->cable);
}

static bool wait_for_bridge(struct rig *rig)
{
	const struct sockaddr_un address = process_address(rig->socket);
	rig->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return bind(rig->listener, (const struct sockaddr *)&address, sizeof address) == 0 && listen(rig->listener, 4) == 0;
}

static void accept_bridge(struct rig *rig)
{
	if (rig->listener < 0 || rig->host >= 0)
		return;
	rig->host = rig->cable.host = accept4(rig->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* --- The bridge */

static size_t bridge_options(const struct rig *rig, char **argv)
{
	static char limit[16];
	size_t n = 0;
	snprintf(limit, sizeof limit, "%d", LIMIT_MS);
	argv[n++] = (char *)rig->bench->bridge;
	if (rig->limit != NULL) {
		argv[n++] = (char *)rig->limit;
		argv[n++] = limit;
	}
	if (rig->way == WAY_LISTEN) {
		argv[n++] = "--listen-unix";
		argv[n++] = (char *)rig->clients_path;
	}
	return n;
}

static void bridge_arguments(const struct rig *rig, char **argv)
{
	size_t n = bridge_options(rig, argv);
	if (rig->way == WAY_COMMAND) {
		argv[n++] = "--";
		device_arguments(rig, argv + n, MOST_ARGUMENTS - n);
		return;
	}
	argv[n++] = rig->way == WAY_SOCKET ? "--unix" : "--tty";
	argv[n++] = (char *)(rig->way == WAY_SOCKET ? rig->socket : rig->tty);
	argv[n] = NULL;
}

static void start_bridge(struct rig *rig, int in, int out)
{
	char *argv[MOST_ARGUMENTS];
	bridge_arguments(rig, argv);
	rig->bridge = process_fork();
	if (rig->bridge == 0)
		process_become(argv, in, out, rig->bench->loud);
}

/* --- Clients */

/* In a process of its own: nothing but its own descriptors is open there. */
static pid_t start_client(const struct rig *rig, int in, int out, unsigned habits)
{
	const pid_t pid = process_fork();
	if (pid != 0)
		return pid;
	const struct client client = { .in = in, .out = out, .habits = habits, .log = rig->log };
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++) {
		if (fd != in && fd != out)
			close(fd);
	}
	client_run(&client);
	_exit(0);
}

/* Until the bridge listens. */
static int connect_to(const char *path)
{
	const struct sockaddr_un address = process_address(path);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	while (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
		usleep(2000);
	return fd;
}

static pid_t start_guest(const struct rig *rig, unsigned habits)
{
	const pid_t pid = process_fork();
	if (pid != 0)
		return pid;
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		close(fd);
	const int fd = connect_to(rig->clients_path);
	client_run(&(struct client){ .in = fd, .out = fd, .habits = habits, .log = rig->log });
	_exit(0);
}

void rig_join(struct rig *rig, unsigned habits)
{
	rig->clients[1] = start_guest(rig, habits);
}

static bool start_piped(struct rig *rig)
{
	int down[2], up[2];
	if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0)
		return false;
	start_bridge(rig, down[0], up[1]);
	rig->clients[0] = start_client(rig, up[0], down[1], rig->habits);
	for (int i = 0; i < 2; i++) {
		close(down[i]);
		close(up[i]);
	}
	return true;
}

static bool start_listening(struct rig *rig)
{
	start_bridge(rig, -1, -1);
	rig->clients[0] = start_guest(rig, rig->habits);
	return true;
}

static bool start_direct(struct rig *rig)
{
	int ends[2];
	if (!process_pair(ends))
		return false;
	process_keep_little(ends[0]);
	const unsigned signs = (rig->habits & CLIENT_MUTE) != 0 ? 0 : CLIENT_SIGNS;
	rig->clients[0] = start_client(rig, ends[0], ends[0], rig->habits | signs);
	close(ends[0]);
	process_keep_asking(ends[1]);
	rig->host = rig->cable.host = ends[1];
	return true;
}

/* --- Start and end */

static void name_files(struct rig *rig, unsigned number)
{
	snprintf(rig->folder, sizeof rig->folder, "%s/%u", rig->bench->folder, number);
	mkdir(rig->folder, 0700);
	snprintf(rig->log_path, sizeof rig->log_path, "%s/log", rig->folder);
	snprintf(rig->tty, sizeof rig->tty, "%s/tty", rig->folder);
	snprintf(rig->socket, sizeof rig->socket, "%s/line", rig->folder);
	snprintf(rig->clients_path, sizeof rig->clients_path, "%s/host", rig->folder);
}

static bool start_line(struct rig *rig)
{
	switch (rig->way) {
	case WAY_TTY:
	case WAY_LISTEN: return start_device(rig) && rig_plug(rig);
	case WAY_SOCKET: return start_device(rig) && wait_for_bridge(rig);
	case WAY_DIRECT: return start_device(rig);
	default: return true;
	}
}

bool rig_start(struct rig *rig, unsigned number)
{
	rig->line = rig->host = rig->slave = rig->listener = rig->motor = -1;
	rig->cable.device = rig->cable.host = -1;
	rig->cable.seed = rig->seed;
	rig->cable.lossy = rig_is_board(rig); /* its emulator stops its processor, and the motor with it, while its UART finds no room */
	name_files(rig, number);
	rig->log = log_make(rig->log_path);
	if (rig->log == NULL || !start_line(rig))
		return false;
	if (rig->way == WAY_DIRECT)
		return start_direct(rig);
	return rig->way == WAY_LISTEN ? start_listening(rig) : start_piped(rig);
}

static void note_turn(struct rig *rig)
{
	const int64_t now = log_now(), taken = rig->turned == 0 ? 0 : now - rig->turned;
	rig->late += taken > 2 * TURN_NS ? taken - TURN_NS : 0;
	rig->turned = now;
}

bool rig_lives(const struct rig *rig)
{
	siginfo_t ended = { 0 };
	if (rig->device > 0)
		return waitid(P_PID, (id_t)rig->device, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
	return rig->log->pid > 0 && kill(rig->log->pid, 0) == 0;
}

void rig_run(struct rig *rig, int64_t end, bool (*until)(const struct rig *rig))
{
	while (log_now() < end && (until == NULL || !until(rig))) {
		note_turn(rig);
		accept_bridge(rig);
		cable_turn(&rig->cable);
		watch_motor(rig);
	}
}

/* The device that a bridge has started is no child of ours. */
static void end_command(const struct rig *rig)
{
	const pid_t pid = rig->log == NULL ? 0 : rig->log->pid;
	if (rig->way == WAY_COMMAND && pid > 0)
		kill(pid, SIGKILL);
}

void rig_end(struct rig *rig)
{
	for (int i = 0; i < RIG_CLIENTS; i++)
		process_end(&rig->clients[i], SIGKILL);
	process_end(&rig->bridge, SIGKILL);
	process_end(&rig->device, SIGKILL);
	end_command(rig);
	process_drop(&rig->line);
	process_drop(&rig->host);
	process_drop(&rig->slave);
	process_drop(&rig->listener);
	process_drop(&rig->motor);
	unlink(rig->log_path);
	unlink(rig->tty);
	unlink(rig->socket);
	unlink(rig->clients_path);
	rmdir(rig->folder);
}
