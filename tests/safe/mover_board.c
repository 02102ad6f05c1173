/* SPDX-License-Identifier: MIT
 * The motor in firmware: what it does leaves over a second UART, a letter and the milliseconds as hexadecimal digits in a
 * line. The line to the client is the first one. */
#include "board.h"
#include "firmware.h"
#include "mover.h"
#include "second.h"

const quash_config *const firmware_config = &mover_config;

static void put_digits(uint32_t n)
{
	for (int shift = 28; shift >= 0; shift -= 4)
		second_put("0123456789abcdef"[n >> shift & 15]);
}

void mover_note(enum mover_note what, uint32_t now)
{
	static bool started;
	if (!started)
		second_start();
	started = true;
	second_put((char)what);
	put_digits(now);
	second_put('\n');
}

/* The linker puts it in the place of board_start. */
quash_port __real_board_start(void);
quash_port __wrap_board_start(void);

quash_port __wrap_board_start(void)
{
	return mover_watch(__real_board_start());
}
