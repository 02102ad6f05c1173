/* SPDX-License-Identifier: MIT
 * A stand-in for TinyUSB: a device with one CDC interface over the USB registers of the RP2040 (its datasheet, 4.1), as far as
 * the package calls it. For the emulated chip: USB's own clock is not started. As TinyUSB does, the interrupt only notes what
 * has happened, and `tud_task` acts on it. */
#include "stand_in.h"

#include "tusb.h"

#include <stddef.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RESETS_CLEAR   REGISTER(0x4000F000)
#define NVIC_ENABLE    REGISTER(0xE000E100)
#define NVIC_DISABLE   REGISTER(0xE000E180)
#define MEMORY         0x50100000u
#define ENDPOINT_IN(n) REGISTER(MEMORY + 8u * (n))      /* control, from endpoint 1 on */
#define ENDPOINT_OUT(n) REGISTER(MEMORY + 8u * (n) + 4)
#define BUFFER_IN(n)   REGISTER(MEMORY + 0x80 + 8u * (n))
#define BUFFER_OUT(n)  REGISTER(MEMORY + 0x84 + 8u * (n))
#define ADDRESS        REGISTER(0x50110000)
#define MAIN           REGISTER(0x50110040)
#define SIE            REGISTER(0x5011004C)
#define SIE_STATUS     REGISTER(0x50110050)
#define BUFFERS_DONE   REGISTER(0x50110058)
#define MUXING         REGISTER(0x50110074)
#define POWER          REGISTER(0x50110078)
#define RAISED         REGISTER(0x5011008C)
#define ENABLED        REGISTER(0x50110090)

enum { USB_BLOCK = 1 << 24, PULLUP = 1 << 16, EACH_BUFFER = 1 << 29 };
enum { BUFFER_FULL = 1 << 15, DATA_1 = 1 << 13, STALL = 1 << 11, AVAILABLE = 1 << 10, LENGTH = 0x3ff };
enum { ENDPOINT_EACH_BUFFER = 1 << 29, BULK = 2 << 26 };
#define ENDPOINT_ON 0x80000000u
enum { BUS_RESET = 1 << 12, SETUP = 1 << 16, SUSPEND = 1 << 14, RESUME = 1 << 15, BUFFERS = 1 << 4 };
enum { STATUS_RESET = 1 << 19, STATUS_SETUP = 1 << 17, STATUS_RESUME = 1 << 11, STATUS_SUSPENDED = 1 << 4 };
enum { PACKET = 64, CDC_OUT = 2, CDC_IN = 2, AT_0 = 0x100, AT_OUT = 0x180, AT_IN = 0x1c0 };
enum { DTR = 1 << 0, RTS = 1 << 1 };

static struct {
	uint8_t bytes[CFG_TUD_CDC_RX_BUFSIZE];
	uint32_t head, count;
} received, sent; /* as TinyUSB's, both of the same size */

static struct {
	uint8_t configuration, line, address;
	bool suspended, may_wake;
	bool sends, receives; /* a packet of CDC_IN is under way; CDC_OUT waits for one */
	uint32_t toggle_in, toggle_out, toggle_0;
	const uint8_t *answer; /* what is left of it, to the host on endpoint 0 */
	uint32_t answer_left;
	bool answer_short; /* less than was asked for: a packet that is not full ends it */
} usb;

static volatile bool has_news;

void device_stack_interrupt(void)
{
	NVIC_DISABLE = 1u << USB_INTERRUPT;
	has_news = true;
}

/* --- FIFOs */

static uint32_t room_in(uint32_t count)
{
	return CFG_TUD_CDC_RX_BUFSIZE - count;
}

static void put(uint8_t *fifo, uint32_t head, uint32_t *count, uint8_t byte)
{
	fifo[(head + *count) % CFG_TUD_CDC_RX_BUFSIZE] = byte;
	++*count;
}

static uint8_t get(const uint8_t *fifo, uint32_t *head, uint32_t *count)
{
	const uint8_t byte = fifo[*head];
	*head = (*head + 1) % CFG_TUD_CDC_RX_BUFSIZE;
	--*count;
	return byte;
}

/* --- Endpoints */

static volatile uint8_t *memory_at(uint32_t offset)
{
	return (volatile uint8_t *)(uintptr_t)(MEMORY + offset);
}

static void send_packet(void)
{
	uint32_t n = 0;
	if (usb.sends || usb.configuration == 0 || sent.count == 0)
		return;
	for (; n < PACKET && sent.count > 0; n++)
		memory_at(AT_IN)[n] = get(sent.bytes, &sent.head, &sent.count);
	usb.sends = true;
	BUFFER_IN(CDC_IN) = BUFFER_FULL | usb.toggle_in | n;
	BUFFER_IN(CDC_IN) = BUFFER_FULL | usb.toggle_in | n | AVAILABLE;
	usb.toggle_in ^= DATA_1;
}

/* Only when a whole packet finds room: until then the host gets NAK. */
static void receive_packet(void)
{
	if (usb.receives || usb.configuration == 0 || room_in(received.count) < PACKET)
		return;
	usb.receives = true;
	BUFFER_OUT(CDC_OUT) = usb.toggle_out | PACKET;
	BUFFER_OUT(CDC_OUT) = usb.toggle_out | PACKET | AVAILABLE;
	usb.toggle_out ^= DATA_1;
}

static void packet_received(void)
{
	const uint32_t n = BUFFER_OUT(CDC_OUT) & LENGTH;
	for (uint32_t i = 0; i < n && i < PACKET; i++)
		put(received.bytes, received.head, &received.count, memory_at(AT_OUT)[i]);
	usb.receives = false;
	receive_packet();
}

/* --- Endpoint 0 */

static void send_0(void)
{
	const uint32_t n = usb.answer_left < PACKET ? usb.answer_left : PACKET;
	for (uint32_t i = 0; i < n; i++)
		memory_at(AT_0)[i] = usb.answer[i];
	usb.answer += n;
	usb.answer_left -= n;
	BUFFER_IN(0) = BUFFER_FULL | usb.toggle_0 | n;
	BUFFER_IN(0) = BUFFER_FULL | usb.toggle_0 | n | AVAILABLE;
	usb.toggle_0 ^= DATA_1;
}

static void answer(const uint8_t *bytes, uint32_t size, uint32_t wanted)
{
	usb.answer = bytes;
	usb.answer_left = size < wanted ? size : wanted;
	usb.answer_short = size < wanted;
	send_0();
}

static void refuse(void)
{
	BUFFER_IN(0) = STALL | AVAILABLE;
}

static void send_descriptor(uint8_t kind, uint8_t index, uint16_t language, uint32_t wanted)
{
	enum { DEVICE = 1, CONFIGURATION = 2, STRING = 3 };
	const uint8_t *bytes = NULL;
	if (kind == DEVICE)
		bytes = tud_descriptor_device_cb();
	else if (kind == CONFIGURATION)
		bytes = tud_descriptor_configuration_cb(index);
	else if (kind == STRING)
		bytes = (const uint8_t *)tud_descriptor_string_cb(index, language);
	if (bytes == NULL)
		refuse();
	else
		answer(bytes, kind == CONFIGURATION ? bytes[2] | (uint32_t)bytes[3] << 8 : bytes[0], wanted);
}

static void configure(uint8_t number)
{
	usb.configuration = number;
	ENDPOINT_IN(CDC_IN) = ENDPOINT_ON | ENDPOINT_EACH_BUFFER | BULK | AT_IN;
	ENDPOINT_OUT(CDC_OUT) = ENDPOINT_ON | ENDPOINT_EACH_BUFFER | BULK | AT_OUT;
	receive_packet();
}

static void setup_received(void)
{
	enum { SET_FEATURE = 3, SET_ADDRESS = 5, GET_DESCRIPTOR = 6, SET_CONFIGURATION = 9, SET_LINE_CODING = 0x20, SET_LINE_STATE = 0x22 };
	enum { CLASS = 0x20 };
	const volatile uint8_t *const s = memory_at(0);
	const uint8_t low = s[2], high = s[3];
	usb.toggle_0 = DATA_1;
	if ((s[0] & CLASS) != 0 && s[1] == SET_LINE_STATE) {
		usb.line = low;
		answer(NULL, 0, 0);
		tud_cdc_line_state_cb(0, (low & DTR) != 0, (low & RTS) != 0);
	} else if (s[1] == GET_DESCRIPTOR) {
		send_descriptor(high, low, (uint16_t)(s[4] | s[5] << 8), s[6] | (uint32_t)s[7] << 8);
	} else if (s[1] == SET_ADDRESS) {
		usb.address = low;
		answer(NULL, 0, 0);
	} else if (s[1] == SET_FEATURE) {
		usb.may_wake = true;
		answer(NULL, 0, 0);
	} else if (s[1] == SET_CONFIGURATION) {
		configure(low);
		answer(NULL, 0, 0);
	} else {
		refuse();
	}
}

/* A packet to the host has left; the host says with an empty one that it has all. */
static void sent_0(void)
{
	if (usb.address != 0)
		ADDRESS = usb.address;
	if (usb.answer_left > 0) {
		send_0();
	} else if (usb.answer != NULL) {
		usb.answer = NULL;
		BUFFER_OUT(0) = DATA_1;
		BUFFER_OUT(0) = DATA_1 | AVAILABLE;
	}
}

/* --- The bus */

static void was_reset(void)
{
	usb.configuration = usb.line = usb.address = 0;
	usb.suspended = usb.may_wake = usb.sends = usb.receives = false;
	usb.toggle_in = usb.toggle_out = 0;
	received.count = sent.count = 0;
	ADDRESS = 0;
}

static void buffers_done(void)
{
	const uint32_t done = BUFFERS_DONE;
	BUFFERS_DONE = done;
	if ((done & 1u) != 0)
		sent_0();
	if ((done & 1u << (2 * CDC_IN)) != 0) {
		usb.sends = false;
		send_packet();
	}
	if ((done & 1u << (2 * CDC_OUT + 1)) != 0)
		packet_received();
}

bool tusb_init(void)
{
	RESETS_CLEAR = USB_BLOCK;
	for (uint32_t i = 0; i < 0x100; i += 4)
		REGISTER(MEMORY + i) = 0;
	MUXING = 1 << 0 | 1 << 3;
	POWER = 1 << 2 | 1 << 3;
	SIE = EACH_BUFFER;
	ENABLED = BUS_RESET | SETUP | SUSPEND | RESUME | BUFFERS;
	MAIN = 1;
	SIE = EACH_BUFFER | PULLUP;
	NVIC_ENABLE = 1u << USB_INTERRUPT;
	return true;
}

void tud_task(void)
{
	if (!has_news)
		return;
	has_news = false;
	const uint32_t raised = RAISED;
	if ((raised & BUS_RESET) != 0) {
		was_reset();
		SIE_STATUS = STATUS_RESET;
	}
	if ((raised & SUSPEND) != 0)
		usb.suspended = true;
	if ((raised & RESUME) != 0) {
		usb.suspended = false;
		SIE_STATUS = STATUS_RESUME;
	}
	if ((raised & SETUP) != 0) {
		SIE_STATUS = STATUS_SETUP;
		setup_received();
	}
	if ((raised & BUFFERS) != 0)
		buffers_done();
	NVIC_ENABLE = 1u << USB_INTERRUPT;
}

bool tud_mounted(void)
{
	return usb.configuration != 0;
}

bool tud_suspended(void)
{
	return usb.suspended;
}

/* The host, played by the emulator, watches this bit. */
bool tud_remote_wakeup(void)
{
	if (usb.suspended && usb.may_wake)
		SIE = EACH_BUFFER | PULLUP | 1 << 12;
	return usb.suspended && usb.may_wake;
}

/* --- The CDC interface */

uint8_t tud_cdc_n_get_line_state(uint8_t itf)
{
	(void)itf;
	return usb.line;
}

uint32_t tud_cdc_n_read(uint8_t itf, void *buffer, uint32_t size)
{
	uint8_t *const to = buffer;
	uint32_t n = 0;
	(void)itf;
	for (; n < size && received.count > 0; n++)
		to[n] = get(received.bytes, &received.head, &received.count);
	receive_packet();
	return n;
}

uint32_t tud_cdc_n_write(uint8_t itf, const void *buffer, uint32_t size)
{
	const uint8_t *const from = buffer;
	uint32_t n = 0;
	(void)itf;
	for (; n < size && room_in(sent.count) > 0; n++)
		put(sent.bytes, sent.head, &sent.count, from[n]);
	return n;
}

uint32_t tud_cdc_n_write_flush(uint8_t itf)
{
	(void)itf;
	send_packet();
	return 0;
}

uint32_t tud_cdc_n_write_available(uint8_t itf)
{
	(void)itf;
	return room_in(sent.count);
}

bool tud_cdc_n_write_clear(uint8_t itf)
{
	(void)itf;
	sent.count = 0;
	return true;
}
