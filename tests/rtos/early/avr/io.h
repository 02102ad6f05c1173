/* SPDX-License-Identifier: MIT
 * No header of avr-libc: it states what port/uart/uart_avr.c uses of one. The bits are those of the ATmega328P; the places are
 * the test's. */
#ifndef AVR_STATED_IO_H
#define AVR_STATED_IO_H

#include <stdint.h>

#define STATED_AVR(offset) (0x20000000u + (offset))
#define UCSR0A (*(volatile uint8_t *)(uintptr_t)STATED_AVR(0))
#define UCSR0B (*(volatile uint8_t *)(uintptr_t)STATED_AVR(1))
#define UCSR0C (*(volatile uint8_t *)(uintptr_t)STATED_AVR(2))
#define UDR0   (*(volatile uint8_t *)(uintptr_t)STATED_AVR(3))
#define UBRR0  (*(volatile uint16_t *)(uintptr_t)STATED_AVR(4))

enum { U2X0 = 1, DOR0 = 3, UDRE0 = 5, RXC0 = 7 };
enum { TXEN0 = 3, RXEN0 = 4, UDRIE0 = 5, RXCIE0 = 7 };
enum { UCSZ00 = 1, UCSZ01 = 2 };

#endif
