/* SPDX-License-Identifier: MIT
 * A carriage on a rail, a magazine of pills, a thermometer: as far as the examples can see them. */
#include "pins.h"

/* Steps from the end switch to where the carriage stands at the start. A rail without a switch: more than it is looked for. */
#ifndef PINS_START
#define PINS_START 120
#endif

enum { MAGAZINE = 80, COLD = 720, COLDEST = 20 };

static bool level[PINS];
static int32_t carriage = PINS_START;
static int32_t pills = MAGAZINE;
static uint8_t measured;
static uint32_t pixels[PIXELS];
static uint32_t chance = 1;
static void (*on_button)(void);

static void step(void)
{
	if (level[PIN_ENABLE])
		carriage += level[PIN_DIR] ? 1 : -1;
}

static void open_gate(void)
{
	if (pills > 0) {
		pills--;
		level[PIN_BEAM] = true;
	}
}

void pin_write(enum pin pin, bool on)
{
	const bool rises = on && !level[pin];
	level[pin] = on;
	if (pin == PIN_STEP && rises)
		step();
	if (pin == PIN_GATE && rises)
		open_gate();
	if (pin == PIN_GATE && !on)
		level[PIN_BEAM] = false;
}

bool pin_read(enum pin pin)
{
	return pin == PIN_SWITCH ? carriage <= 0 : level[pin];
}

/* It gets warmer from one reading to the next. */
int32_t pins_thermometer(void)
{
	measured = (uint8_t)((measured + 1) % COLDEST);
	return COLD + measured;
}

int32_t pins_scale(void)
{
	return pills;
}

void pins_on_button(void (*pressed)(void))
{
	on_button = pressed;
}

void pins_button(void)
{
	if (on_button != NULL)
		on_button();
}

/* A device has a generator for that: from this one anybody can know the bytes. */
void pins_random(uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		chance = chance * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(chance >> 24);
	}
}

void pins_seed(uint32_t seed)
{
	chance = seed;
}

void pins_pixel(uint8_t index, uint32_t colour)
{
	if (index < PIXELS)
		pixels[index] = colour;
}
