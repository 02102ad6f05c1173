/* SPDX-License-Identifier: MIT
 * board MCU PROGRAM UART PIN REPORT
 *
 * An Arduino board in simavr, at 16 MHz and not faster than real time. The UART with that number is on stdin and stdout, a
 * byte in 87 us each way, from 50 ms after the reset; what other UARTs write goes to the file REPORT.console. Ends 100 ms after the end of stdin.
 *
 * The file REPORT is written anew every 20 ms: `free N toggles N ms N level N resets N rises N asleep N`. `free` are the bytes of
 * RAM between variables and stack that were never touched, `toggles` the changes of PIN (such as B5), `ms` the time on the board,
 * `level` that of PIN as the port drives it now, `rises` how often it has risen since the last of `resets`, `asleep` the
 * milliseconds that the processor has slept.
 *
 * PROGRAM is an ELF or, as simavr loads not each section of one, a .hex; `free` means nothing then.
 *
 * SIGUSR1 resets the board. SIGUSR2 is a brown-out: besides, all of its RAM holds noise, and MCUSR says so. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>

enum { HZ = 16000000, BYTE_CYCLES = HZ / 11520, SLICE_CYCLES = HZ / 1000, END_MS = 100, START_MS = 50, REPORT_MS = 20 };
enum { PAINT = 0xA5, ALL_UARTS = 4, PATIENCE_MS = 600000 };

struct board {
	avr_t *avr;
	avr_irq_t *input;
	const char *report;
	unsigned heap; /* the first address after the variables */
	uint32_t level; /* of the pin */
	unsigned long toggles, rises, resets;
	char port; /* of the pin */
	unsigned bit;
	avr_cycle_count_t asleep;
	int line, console; /* what the UARTs' output is written to */
	long ended;    /* ms when stdin ended; -1: it has not */
	bool held;     /* simavr's queue in front of the UART is full: it is late for the wire by the time of each interrupt */
};

/* --- The lines */

static void on_output(avr_irq_t *irq, uint32_t value, void *to)
{
	const uint8_t byte = (uint8_t)value;
	(void)irq;
	if (write(*(int *)to, &byte, 1) != 1)
		exit(1);
}

static void on_pin(avr_irq_t *irq, uint32_t value, void *board)
{
	struct board *const b = board;
	(void)irq;
	b->toggles += value != b->level;
	b->rises += value != 0 && b->level == 0;
	b->level = value;
}

static long now_ms(const struct board *b)
{
	return (long)(b->avr->cycle / SLICE_CYCLES);
}

static void on_full(avr_irq_t *irq, uint32_t value, void *board)
{
	struct board *const b = board;
	(void)irq;
	(void)value;
	b->held = true;
}

static void on_room(avr_irq_t *irq, uint32_t value, void *board)
{
	struct board *const b = board;
	(void)irq;
	(void)value;
	b->held = false;
}

/* One byte after the other, as a wire gives them. */
static avr_cycle_count_t on_byte_time(avr_t *avr, avr_cycle_count_t when, void *board)
{
	struct board *const b = board;
	uint8_t byte;
	const ssize_t n = b->held ? -1 : read(STDIN_FILENO, &byte, 1);
	(void)avr;
	if (n == 1)
		avr_raise_irq(b->input, byte);
	if (n == 0 && b->ended < 0)
		b->ended = now_ms(b);
	return when + BYTE_CYCLES;
}

static void connect_uart(struct board *b, char name, bool ours)
{
	uint32_t flags = 0;
	avr_irq_t *const irqs = avr_io_getirq(b->avr, AVR_IOCTL_UART_GETIRQ(name), 0);
	if (irqs == NULL)
		return;
	avr_ioctl(b->avr, AVR_IOCTL_UART_GET_FLAGS(name), &flags);
	flags &= (uint32_t) ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
	avr_ioctl(b->avr, AVR_IOCTL_UART_SET_FLAGS(name), &flags);
	avr_irq_register_notify(irqs + UART_IRQ_OUTPUT, on_output, ours ? &b->line : &b->console);
	if (!ours)
		return;
	b->input = irqs + UART_IRQ_INPUT;
	avr_irq_register_notify(irqs + UART_IRQ_OUT_XOFF, on_full, b);
	avr_irq_register_notify(irqs + UART_IRQ_OUT_XON, on_room, b);
}

/* --- The report */

static unsigned untouched(const struct board *b)
{
	unsigned at = b->heap;
	while (at <= b->avr->ramend && b->avr->data[at] == PAINT)
		at++;
	return at - b->heap;
}

/* What the port itself puts on the pin: what resets it tells no listener. */
static unsigned driven(const struct board *b)
{
	avr_ioport_state_t state = { 0 };
	avr_ioctl(b->avr, AVR_IOCTL_IOPORT_GETSTATE(b->port), &state);
	return state.port >> b->bit & state.ddr >> b->bit & 1;
}

static void report(const struct board *b)
{
	char name[1024];
	snprintf(name, sizeof name, "%s.new", b->report);
	FILE *const file = fopen(name, "w");
	if (file == NULL)
		exit(1);
	fprintf(file, "free %u toggles %lu ms %ld level %u resets %lu rises %lu asleep %llu\n", untouched(b), b->toggles, now_ms(b),
		driven(b), b->resets, b->rises, (unsigned long long)(b->asleep / SLICE_CYCLES));
	fclose(file);
	rename(name, b->report);
}

/* --- The run */

/* What simavr prints would stand among the output of the UART. */
static void be_silent(avr_t *avr, const int level, const char *format, va_list words)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)words;
}

/* --- Resets and sleep */

static struct board *sleeper;
static volatile sig_atomic_t wanted;

static void note_signal(int signal)
{
	wanted = signal;
}

static void fill_with_noise(uint8_t *bytes, size_t n)
{
	uint32_t state = 0x2545F491;
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(state >> 24);
	}
}

/* The runner's clock goes on; simavr forgets its timers. */
static void reset(struct board *b, bool brown_out)
{
	avr_reset(b->avr);
	if (brown_out) {
		fill_with_noise(b->avr->data + 0x100, b->avr->ramend + 1u - 0x100);
		avr_regbit_set(b->avr, b->avr->reset_flags.borf);
	}
	avr_cycle_timer_register(b->avr, BYTE_CYCLES, on_byte_time, b);
	b->held = false;
	b->resets++;
	b->level = driven(b);
	b->rises = b->level; /* 0 */
}

static void on_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	sleeper->asleep += cycles;
}

static bool read_program(const char *name, elf_firmware_t *firmware)
{
	const size_t length = strlen(name);
	if (length < 4 || strcmp(name + length - 4, ".hex") != 0)
		return elf_read_firmware(name, firmware) == 0;
	firmware->flash = read_ihex_file(name, &firmware->flashsize, &firmware->flashbase);
	return firmware->flash != NULL;
}

static void set_up(struct board *b, char **words)
{
	char name[1024];
	elf_firmware_t firmware = { 0 };
	avr_global_logger_set(be_silent);
	b->avr = avr_make_mcu_by_name(words[1]);
	if (b->avr == NULL || !read_program(words[2], &firmware))
		exit(1);
	firmware.frequency = HZ;
	avr_init(b->avr);
	avr_load_firmware(b->avr, &firmware);
	memset(b->avr->data + 0x100, PAINT, b->avr->ramend + 1u - 0x100);
	b->heap = 0x100 + firmware.datasize + firmware.bsssize;
	if (b->avr->ramend > 0x1000)
		b->heap += 0x100; /* the Mega's RAM begins at 0x200 */
	snprintf(name, sizeof name, "%s.console", words[5]);
	b->line = STDOUT_FILENO;
	b->console = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	for (int i = 0; i < ALL_UARTS; i++)
		connect_uart(b, (char)('0' + i), words[3][0] == '0' + i);
	b->port = words[4][0];
	b->bit = (unsigned)(words[4][1] - '0');
	sleeper = b;
	b->avr->sleep = on_sleep;
	avr_irq_register_notify(avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ(words[4][0]), words[4][1] - '0'), on_pin, b);
	avr_cycle_timer_register(b->avr, START_MS * SLICE_CYCLES, on_byte_time, b);
	b->report = words[5];
	b->ended = -1;
}

/* Waits until as much time has passed as on the board. */
static void keep_pace(const struct board *b, const struct timespec *start)
{
	const long ms = now_ms(b);
	const struct timespec due = { start->tv_sec + ms / 1000 + (start->tv_nsec + ms % 1000 * 1000000) / 1000000000,
		(start->tv_nsec + ms % 1000 * 1000000) % 1000000000 };
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

static bool run_slice(const struct board *b)
{
	const avr_cycle_count_t end = b->avr->cycle + SLICE_CYCLES;
	int state = cpu_Running;
	while (b->avr->cycle < end && state != cpu_Done && state != cpu_Crashed)
		state = avr_run(b->avr);
	return b->avr->cycle >= end;
}

int main(int argc, char **argv)
{
	static struct board b;
	struct timespec start;
	if (argc != 6)
		return 2;
	set_up(&b, argv);
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	signal(SIGUSR1, note_signal);
	signal(SIGUSR2, note_signal);
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (now_ms(&b) < PATIENCE_MS && (b.ended < 0 || now_ms(&b) < b.ended + END_MS)) {
		if (wanted != 0)
			reset(&b, wanted == SIGUSR2);
		wanted = 0;
		if (!run_slice(&b))
			return 1;
		if (now_ms(&b) % REPORT_MS == 0)
			report(&b);
		keep_pace(&b, &start);
	}
	report(&b);
	return 0;
}
