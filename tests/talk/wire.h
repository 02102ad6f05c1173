/* SPDX-License-Identifier: MIT
 * How a scene is played with a peer on a board, byte by byte over its UART: the host sends a command and waits for
 * WIRE_DONE; what happens meanwhile comes first. A number is 7 bits a byte, the lowest first, the highest bit set in all
 * bytes but the last; a text is its length, as a number, and its bytes. When it starts a board sends WIRE_GREETING. */
#ifndef TALK_WIRE_H
#define TALK_WIRE_H

#define WIRE_GREETING "a peer for quash's scenes\n"

/* Commands. */
enum {
	WIRE_SIZES = '?', /* sends three numbers as texts' lengths are sent: see WIRE_ROOM */
	WIRE_OPEN = 'o', /* mode, its value, dialect, watched + 2 * asking, slots, arena, tx; WIRE_TEXT is what is wrong */
	WIRE_INPUT = 'i', /* a text, no longer than there is room for */
	WIRE_PUMP = 'p',
	WIRE_SETTLE = 's',  /* patience, whether taken is enough */
	WIRE_WATCH = 'w',   /* wake */
	WIRE_BEFALL = 'b',  /* verb, value, text; done with 1 or 0 */
	WIRE_VALUE = 'v',   /* verb, place; done with the value */
	WIRE_REASON = 'r',  /* WIRE_TEXT is the reason */
	WIRE_IS_OVER = 'e', /* done with 1 or 0 */
	WIRE_GO = 'g'       /* wake: on with the turn; not answered */
};

/* What is answered. */
enum {
	WIRE_ROOM = 'R',  /* bytes of memory, of these for each slot, of input */
	WIRE_SENT = 'S',  /* a text */
	WIRE_TAKEN = 'H', /* before, after, waiting: see struct end_events */
	WIRE_TURN = 'T',  /* turns: other commands may follow, then WIRE_GO */
	WIRE_TEXT = 't',  /* a text */
	WIRE_DONE = '.'   /* a number */
};

#endif
