/* SPDX-License-Identifier: MIT
 * Arduino Uno: 16 MHz, the USART to the USB chip at 115,200, timer 1 as the clock, LED on port B 5. */
#include "avr.h"
#include "board.h"
#include "uart/uart_avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>

enum { DIVIDER = 16, LED = 1 << PB5 };

static port_uart console;
static uint8_t in[64], out[16];

void board_led(bool on)
{
	PORTB = on ? LED : 0;
}

ISR(USART_RX_vect)
{
	port_uart_avr_receive(&console);
}

ISR(USART_UDRE_vect)
{
	port_uart_avr_transmit(&console);
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	DDRB = LED;
	avr_start_clock();
	port_uart_avr_start(&console, DIVIDER, &buffers, avr_now);
	sei();
	return port_uart_port(&console);
}

/* Stays awake: avr_sleep does not fit into the flash beside the toolbox. */
void board_sleep(uint32_t ms)
{
	(void)ms;
}
