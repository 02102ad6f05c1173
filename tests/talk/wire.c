/* SPDX-License-Identifier: MIT
 * The peer elsewhere: on a board whose UART is on a command's stdin and stdout. See wire.h. */
#define _GNU_SOURCE 1
#include "wire.h"
#include "talk.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined __linux__
#include <sys/prctl.h>
#endif

enum { PATIENCE = 60 }; /* in seconds of the emulator's processor: a slow machine takes none of them */

/* There is one board. */
static struct {
	pid_t pid;
	int to, from;
	bool dead;
	uint8_t bytes[4096]; /* that came */
	size_t at, length;
	struct text commands, text; /* to be sent; that came */
	unsigned open;              /* commands that are not done yet */
	uint32_t result;            /* of the last one that was */
	bool turns;                 /* a handler's turn may have to be announced */
	struct room room;
	size_t pushed; /* of the input */
	time_t heard;  /* what its emulator had taken by then */
} board;

/* --- Bytes */

static void die(const char *why)
{
	if (!board.dead)
		printf("FAILED the board %s\n", why);
	board.dead = true;
}

static time_t processor(void)
{
	clockid_t clock;
	struct timespec taken;
	return clock_getcpuclockid(board.pid, &clock) == 0 && clock_gettime(clock, &taken) == 0 ? taken.tv_sec : board.heard;
}

/* False if it works on and on without a byte. */
static bool has_sent(void)
{
	struct pollfd line = { .fd = board.from, .events = POLLIN };
	while (poll(&line, 1, 1000) <= 0)
		if (processor() - board.heard > PATIENCE)
			return false;
	board.heard = processor();
	return true;
}

/* Zeros once it is dead. */
static uint8_t get(void)
{
	if (board.at == board.length && !board.dead) {
		if (!has_sent()) {
			die("sends nothing any more");
			return 0;
		}
		const ssize_t n = read(board.from, board.bytes, sizeof board.bytes);
		if (n <= 0)
			die("has ended");
		board.at = 0;
		board.length = n > 0 ? (size_t)n : 0;
	}
	return board.dead ? 0 : board.bytes[board.at++];
}

static uint32_t get_number(void)
{
	uint32_t number = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		const uint8_t byte = get();
		number |= (uint32_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			break;
	}
	return number;
}

static void get_text(struct text *text)
{
	text_clear(text);
	for (uint32_t n = get_number(); n > 0 && !board.dead; n--) {
		const char c = (char)get();
		text_add(text, &c, 1);
	}
}

static void put(uint8_t byte)
{
	text_add(&board.commands, (const char *)&byte, 1);
}

static void put_number(uint32_t number)
{
	for (; number >= 0x80; number >>= 7)
		put((uint8_t)(number | 0x80));
	put((uint8_t)number);
}

static void put_text(const char *text, size_t length)
{
	put_number((uint32_t)length);
	text_add(&board.commands, text, length);
}

/* A command that will be done. */
static void begin(uint8_t command)
{
	put(command);
	board.open++;
}

static void send_commands(void)
{
	for (size_t at = 0; at < board.commands.length && !board.dead;) {
		const ssize_t n = write(board.to, board.commands.data + at, board.commands.length - at);
		if (n <= 0)
			die("does not listen");
		else
			at += (size_t)n;
	}
	text_clear(&board.commands);
}

/* --- Commands */

static void push(struct play *p);
static void sync_board(struct play *p);

/* Commands within a turn come before those that stand after its step. */
static void take_turn(struct play *p, uint32_t turns)
{
	const unsigned open = board.open;
	board.open = 0;
	uint32_t wake = play_turn(p, turns);
	push(p);
	sync_board(p);
	if (board.pushed < p->input.length)
		wake = turns + 1;
	board.turns = wake < TURNS_AT_MOST;
	put(WIRE_GO);
	put_number(wake);
	send_commands();
	board.open = open;
}

static void take(struct play *p)
{
	const uint32_t n = get_number();
	play_takes(p, n, get_number());
}

static void get_room(void)
{
	board.room.memory = get_number();
	board.room.slot = get_number();
	board.room.input = get_number();
}

static void finish_one(void)
{
	board.result = get_number();
	if (board.open == 0)
		die("has done what nobody asked for");
	else
		board.open--;
}

/* Takes one thing that the board sends. */
static void take_one(struct play *p)
{
	struct text sent = { 0 };
	switch (get()) {
	case WIRE_SENT:
		get_text(&sent);
		play_sends(p, (const uint8_t *)sent.data, sent.length);
		break;
	case WIRE_TAKEN: take(p); break;
	case WIRE_TURN: take_turn(p, get_number()); break;
	case WIRE_TEXT: get_text(&board.text); break;
	case WIRE_ROOM: get_room(); break;
	case WIRE_DONE: finish_one(); break;
	default: die("sends what nobody understands"); break;
	}
	text_free(&sent);
}

/* Says the commands and goes on until they are done. */
static void sync_board(struct play *p)
{
	send_commands();
	while (board.open > 0 && !board.dead)
		take_one(p);
	if (board.dead && p != NULL)
		play_fail(p, p->scene->number, "the board is lost");
}

static uint32_t result(struct play *p)
{
	sync_board(p);
	return board.result;
}

/* As much of the input as there is room for. */
static void push(struct play *p)
{
	const size_t left = p->input.length - board.pushed;
	if (left > board.room.input - (board.pushed - p->given))
		sync_board(p);
	const size_t room = board.room.input - (board.pushed - p->given), n = left < room ? left : room;
	if (n == 0)
		return;
	begin(WIRE_INPUT);
	put_text(p->input.data + board.pushed, n);
	board.pushed += n;
}

static const char *open_wire(struct play *p, const struct setup *setup)
{
	board.pushed = 0;
	begin(WIRE_OPEN);
	put_number(setup->mode.kind);
	put_number(setup->mode.value);
	put_number(setup->dialect);
	put_number((uint32_t)(setup->watched + 2 * setup->asking));
	put_number(setup->slots);
	put_number(setup->arena);
	put_number(setup->tx);
	board.turns = false;
	sync_board(p);
	return board.dead ? "board" : board.text.length > 0 ? board.text.data : NULL;
}

static void close_wire(struct play *p)
{
	(void)p;
}

static void pump(struct play *p)
{
	push(p);
	begin(WIRE_PUMP);
}

/* Again, as long as there is more to be read than the board has room for. */
static void settle(struct play *p, unsigned patience, bool taken_is_enough)
{
	for (;;) {
		push(p);
		begin(WIRE_SETTLE);
		put_number(patience);
		put_number(taken_is_enough);
		if (board.pushed == p->input.length)
			return;
		const size_t before = p->given;
		sync_board(p);
		if (p->given == before || board.dead)
			return;
	}
}

static void watch(struct play *p, uint32_t wake)
{
	(void)p;
	board.turns = wake < TURNS_AT_MOST;
	begin(WIRE_WATCH);
	put_number(wake);
}

static bool befall(struct play *p, enum verb verb, uint32_t value, const char *text)
{
	const bool may_fail = verb == LOCAL || verb == ASYNC || verb == CALL;
	push(p);
	begin(WIRE_BEFALL);
	put_number(verb);
	put_number(value);
	put_text(text, strlen(text));
	if (verb == REOPEN) {
		sync_board(p);
		board.pushed = p->input.length;
	}
	if (verb == STEP && board.turns)
		sync_board(p);
	return !may_fail || result(p) != 0;
}

static uint32_t value(struct play *p, enum verb verb, uint8_t place)
{
	begin(WIRE_VALUE);
	put_number(verb);
	put_number(place);
	return result(p);
}

static const char *reason(struct play *p)
{
	begin(WIRE_REASON);
	sync_board(p);
	return board.text.data != NULL ? board.text.data : "";
}

static bool is_over(struct play *p)
{
	begin(WIRE_IS_OVER);
	return result(p) != 0 && (board.pushed == p->input.length || p->gone);
}

const struct side wire = {
	.open = open_wire,
	.close = close_wire,
	.sync = sync_board,
	.pump = pump,
	.settle = settle,
	.watch = watch,
	.befall = befall,
	.value = value,
	.reason = reason,
	.is_over = is_over,
};

/* --- The board */

/* In the child: becomes the command, which ends with us. */
static void become(char **command, const int down[2], const int up[2])
{
#if defined __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (dup2(down[0], STDIN_FILENO) < 0 || dup2(up[1], STDOUT_FILENO) < 0)
		_exit(2);
	close(down[0]);
	close(down[1]);
	close(up[0]);
	close(up[1]);
	execvp(command[0], command);
	_exit(2);
}

static bool greeted(void)
{
	const char *at = WIRE_GREETING;
	while (*at != '\0' && !board.dead)
		at = (char)get() == *at ? at + 1 : WIRE_GREETING;
	return !board.dead;
}

bool wire_start(char **command)
{
	int down[2], up[2];
	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	if (pipe(down) != 0 || pipe(up) != 0 || (board.pid = fork()) < 0)
		return false;
	if (board.pid == 0)
		become(command, down, up);
	close(down[0]);
	close(up[1]);
	board.to = down[1];
	board.from = up[0];
	if (!greeted())
		return false;
	begin(WIRE_SIZES);
	sync_board(NULL);
	return !board.dead;
}

void wire_stop(void)
{
	if (board.pid <= 0)
		return;
	kill(board.pid, SIGKILL);
	waitpid(board.pid, NULL, 0);
	text_free(&board.commands);
	text_free(&board.text);
}

const struct room *wire_room(void)
{
	return &board.room;
}

bool wire_is_dead(void)
{
	return board.dead;
}
