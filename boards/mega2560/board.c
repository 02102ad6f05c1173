/* SPDX-License-Identifier: MIT
 * Arduino Mega 2560: 16 MHz, USART 0 to the USB chip at 115,200, timer 1 as the clock, LED on port B 7. */
#include "avr.h"
#include "board.h"
#include "uart/uart_avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>

enum { DIVIDER = 16, LED = 1 << PB7 };

static port_uart console;
static uint8_t in[255], out[64];

void board_led(bool on)
{
	PORTB = on ? LED : 0;
}

ISR(USART0_RX_vect)
{
	port_uart_avr_receive(&console);
	avr_stir();
}

ISR(USART0_UDRE_vect)
{
	port_uart_avr_transmit(&console);
	avr_stir();
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	DDRB = LED;
	avr_start_clock();
	port_uart_avr_start(&console, DIVIDER, &buffers, avr_now);
	sei();
	return port_uart_port(&console);
}

void board_sleep(uint32_t ms)
{
	avr_sleep(ms);
}
