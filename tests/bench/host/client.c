/* SPDX-License-Identifier: MIT
 * client ANSWERS PHASE... -- COMMAND...
 *
 * Starts a server and talks to it over pipes, as little as can be between it and the clock. A phase is `turns:FILE`, whose
 * blank lines part it into turns: each is written at once and waits for one answer; or `burst:N:FILE`, which is written as fast
 * as the server takes it and waits for N answers; or `under:N:FILE`, whose lines are requests, of which N are under way at any
 * time. Prints a line for each phase: its name, and nanoseconds of each turn, or of all; the first turn begins with the start of the
 * server. A line behind it has the nanoseconds of the server's processor. Then a line `memory` with the server's resident kilobytes
 * now and at most. ANSWERS gets all that the server wrote. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 65536 };

static struct server {
	pid_t pid;
	int in, out;
	char *text; /* all that it wrote */
	size_t length, room;
	size_t line; /* where its open line begins */
	unsigned answers;
} server;

static void end_server(void)
{
	if (server.pid > 0) {
		kill(server.pid, SIGKILL);
		waitpid(server.pid, NULL, 0);
	}
	server.pid = 0;
}

static _Noreturn void fail(const char *what, const char *detail)
{
	fprintf(stderr, "client: %s: %s\n", what, detail);
	end_server();
	exit(1);
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec t;
	if (clock_gettime(clock, &t) != 0)
		fail("no clock", strerror(errno));
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return nanoseconds(CLOCK_MONOTONIC);
}

static uint64_t processor(void)
{
	clockid_t clock;
	if (clock_getcpuclockid(server.pid, &clock) != 0)
		fail("no clock", "of the server's processor");
	return nanoseconds(clock);
}

/* --- The server */

static void start_server(char *const command[])
{
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		fail("no pipe", strerror(errno));
	server.pid = fork();
	if (server.pid < 0)
		fail("no process", strerror(errno));
	if (server.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		execvp(command[0], command);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	server.in = to[1];
	server.out = from[0];
	fcntl(server.in, F_SETFL, O_NONBLOCK);
	fcntl(server.out, F_SETFL, O_NONBLOCK);
}

/* What has come may end lines; those with an id are answers. */
static void count_answers(size_t from)
{
	const char *end;
	while ((end = memchr(server.text + from, '\n', server.length - from)) != NULL) {
		const size_t next = (size_t)(end - server.text) + 1;
		server.answers += memmem(server.text + server.line, next - server.line, "\"id\":", 5) != NULL;
		server.line = from = next;
	}
}

static void receive(void)
{
	if (server.room - server.length < PIECE) {
		server.room = 2 * server.room + PIECE;
		server.text = realloc(server.text, server.room);
		if (server.text == NULL)
			fail("no memory", "for the answers");
	}
	const ssize_t n = read(server.out, server.text + server.length, PIECE);
	if (n == 0)
		fail("the server has ended", "while answers were awaited");
	if (n < 0)
		return;
	server.length += (size_t)n;
	count_answers(server.length - (size_t)n);
}

static size_t transmit(const char *text, size_t n)
{
	const ssize_t written = write(server.in, text, n < PIECE ? n : PIECE);
	if (written < 0 && errno != EAGAIN)
		fail("the server takes no bytes", strerror(errno));
	return written < 0 ? 0 : (size_t)written;
}

/* Waits until something has come, or some of the `n` bytes can be written. Returns how many were. */
static size_t move(const char *text, size_t n)
{
	struct pollfd fds[2] = { { .fd = server.out, .events = POLLIN }, { .fd = n > 0 ? server.in : -1, .events = POLLOUT } };
	if (poll(fds, 2, -1) <= 0)
		fail("no answer", strerror(errno));
	if (fds[0].revents != 0)
		receive();
	return fds[1].revents != 0 ? transmit(text, n) : 0;
}

/* Until all is written and so many more answers have come. */
static void exchange(const char *text, size_t n, unsigned answers)
{
	const unsigned wanted = server.answers + answers;
	size_t sent = transmit(text, n);
	while (sent < n || server.answers < wanted)
		sent += move(text + sent, n - sent);
}

/* --- Phases */

/* While they take turns, client and server have the same processor: else each turn is the time that another one takes to
 * wake up. */
static void share_processor(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0 || sched_setaffinity(server.pid, sizeof one, &one) != 0)
		fail("no processor", strerror(errno));
}

static void part_processors(const cpu_set_t *all)
{
	if (sched_setaffinity(0, sizeof *all, all) != 0 || sched_setaffinity(server.pid, sizeof *all, all) != 0)
		fail("no processors", strerror(errno));
}

static char *file_text(const char *path, size_t *n)
{
	FILE *const file = fopen(path, "rb");
	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		fail(path, strerror(errno));
	*n = (size_t)ftell(file);
	char *const text = calloc(*n + 1, 1);
	rewind(file);
	if (text == NULL || fread(text, 1, *n, file) != *n)
		fail(path, "cannot be read");
	fclose(file);
	return text;
}

static void run_turns(const char *path, uint64_t start)
{
	size_t n;
	char *const text = file_text(path, &n);
	for (const char *turn = text, *end; *turn != '\0'; turn = end) {
		const char *const gap = strstr(turn, "\n\n");
		const size_t length = gap != NULL ? (size_t)(gap - turn) + 1 : strlen(turn);
		const uint64_t from = start != 0 ? start : now();
		exchange(turn, length, 1);
		printf(" %llu", (unsigned long long)(now() - from));
		end = turn + length + (gap != NULL);
		start = 0;
	}
	free(text);
}

static void run_burst(const char *path, unsigned answers)
{
	size_t n;
	char *const text = file_text(path, &n);
	const uint64_t from = now();
	exchange(text, n, answers);
	printf(" %llu", (unsigned long long)(now() - from));
	free(text);
}

static void run_under_way(const char *path, unsigned most)
{
	size_t n, sent = 0, due = 0; /* how far it was written, and may be */
	char *const text = file_text(path, &n);
	const unsigned before = server.answers;
	unsigned asked = 0;
	const uint64_t from = now();
	do {
		while (due < n && asked - (server.answers - before) < most) {
			due = (size_t)(strchr(text + due, '\n') - text) + 1;
			asked++;
		}
		sent += move(text + sent, due - sent);
	} while (sent < n || server.answers - before < asked);
	printf(" %llu", (unsigned long long)(now() - from));
	free(text);
}

/* The turns or the burst are printed after the processor's time, which is known later: so they are kept back. */
static void run_phase(const char *phase, uint64_t start)
{
	const uint64_t before = processor();
	cpu_set_t all;
	char *path;
	if (sched_getaffinity(0, sizeof all, &all) != 0)
		fail("no processors", strerror(errno));
	printf("%.5s", phase);
	if (strncmp(phase, "turns:", 6) == 0) {
		if (start == 0)
			share_processor();
		run_turns(phase + 6, start);
		part_processors(&all);
	} else if (strncmp(phase, "burst:", 6) == 0) {
		const unsigned long answers = strtoul(phase + 6, &path, 10);
		run_burst(path + 1, (unsigned)answers);
	} else if (strncmp(phase, "under:", 6) == 0) {
		const unsigned long most = strtoul(phase + 6, &path, 10);
		run_under_way(path + 1, (unsigned)most);
	} else
		fail("no such phase", phase);
	printf("\nprocessor %llu\n", (unsigned long long)(processor() - before));
}

/* --- The end */

static void print_memory(void)
{
	char path[64], line[256];
	unsigned long now_kb = 0, most_kb = 0;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)server.pid);
	FILE *const file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		(void)(sscanf(line, "VmRSS: %lu", &now_kb) + sscanf(line, "VmHWM: %lu", &most_kb));
	}
	if (file != NULL)
		fclose(file);
	printf("memory %lu %lu\n", now_kb, most_kb);
}

static void keep_answers(const char *path)
{
	FILE *const file = fopen(path, "wb");
	if (file == NULL || fwrite(server.text, 1, server.length, file) != server.length || fclose(file) != 0)
		fail(path, "cannot be written");
}

int main(int argc, char **argv)
{
	int phases = 2;
	while (phases < argc && strcmp(argv[phases], "--") != 0)
		phases++;
	if (phases + 1 >= argc)
		fail("usage", "client ANSWERS PHASE... -- COMMAND...");
	signal(SIGPIPE, SIG_IGN);
	const uint64_t start = now();
	start_server(argv + phases + 1);
	for (int i = 2; i < phases; i++)
		run_phase(argv[i], i == 2 ? start : 0);
	print_memory();
	keep_answers(argv[1]);
	end_server();
	return 0;
}
