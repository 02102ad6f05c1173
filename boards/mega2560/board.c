/* SPDX-License-Identifier: MIT
 * Arduino Mega 2560: 16 MHz, USART 0 to the USB chip at 115,200, timer 1 as the clock, LED on port B 7. */
#include "board.h"
#include "avr.h"
#include "uart_avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { DIVIDER = 16, LED = 1 << PB7 };

#define AWAKE GPIOR0

static uart console;
static uint8_t in[255], out[64];

void board_led(bool on)
{
	PORTB = on ? LED : 0;
}

ISR(USART0_RX_vect)
{
	uart_avr_receive(&console);
	AWAKE = 1;
}

ISR(USART0_UDRE_vect)
{
	uart_avr_transmit(&console);
	AWAKE = 1;
}

quash_port board_start(quash_peer *peer)
{
	static const uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	DDRB = LED;
	avr_start_clock();
	uart_avr_start(&console, DIVIDER, peer, &buffers, avr_now);
	sei();
	return uart_port(&console);
}

/* A flag that one instruction tests: interrupts set it, and the sleep is skipped over while it is set. QEMU goes on
 * in front of that instruction when an interrupt has ended the sleep, hardware behind the sleep. The clock ends each
 * sleep within a millisecond. */
void board_sleep(uint32_t ms)
{
	AWAKE = 0;
	if (ms == 0 || uart_has_news(&console))
		return;
	sleep_enable();
	__asm__ volatile("1: sbis %0, 0\n"
			 "sleep\n"
			 "sbis %0, 0\n"
			 "rjmp 1b\n" ::"I"(_SFR_IO_ADDR(AWAKE)));
	sleep_disable();
}
