/* SPDX-License-Identifier: MIT
 * The hardware of the examples, simulated: on your board these functions read and write registers. All of them return at once.
 * The peer's thread. */
#ifndef PINS_H
#define PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the examples have wired. An input is read, an output written; an output can be read back. */
enum pin {
	PIN_RELAY,  /**< output: the load is on */
	PIN_ENABLE, /**< output: the stepper's driver is on */
	PIN_DIR,    /**< output: the stepper goes away from the end switch */
	PIN_STEP,   /**< output: each rising edge is a step */
	PIN_SWITCH, /**< input: the end switch is pressed */
	PIN_GATE,   /**< output: the gate below the magazine is open */
	PIN_BEAM,   /**< input: a pill is between gate and tray */
	PINS
};

void pin_write(enum pin pin, bool on);
bool pin_read(enum pin pin);

/** The millivolts of a TMP36: 500 at 0 degrees Celsius, 10 for each degree. */
int32_t pins_thermometer(void);

/** Pills in the magazine, as its scale has them. */
int32_t pins_scale(void);

/** From now on each press of the button calls `pressed`, in its interrupt. */
void pins_on_button(void (*pressed)(void));

/** That interrupt. On the host it is SIGUSR1. */
void pins_button(void);

/** Bytes from the random number generator of the chip. Simulated: they are the same at each start, unless `pins_seed` is called first with
 * another number. Then they are not secret either. */
void pins_random(uint8_t *bytes, size_t count);
void pins_seed(uint32_t seed);

/** The pixels of the LED strip. */
enum { PIXELS = 16 };

/** A pixel's colour: 8 bits each of red, green and blue. */
void pins_pixel(uint8_t index, uint32_t colour);

#ifdef __cplusplus
}
#endif

#endif
