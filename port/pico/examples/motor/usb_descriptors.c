/* SPDX-License-Identifier: MIT
 * How the device describes itself to the host: one serial port, CDC-ACM (USB 2.0, chapter 9.6; CDC 1.2, 5.2). The numbers of maker and
 * product are those of a Pico whose SDK makes a serial port; a product of yours has its own. */
#include <pico/unique_id.h>
#include <tusb.h>

#include <stddef.h>

#define LOW(n)  ((n) & 0xff)
#define HIGH(n) ((n) >> 8)

enum { MAKER = 0x2e8a, PRODUCT = 0x000a, RELEASE = 0x0100 };
enum { TEXT_MAKER = 1, TEXT_PRODUCT, TEXT_SERIAL };
enum { NOTIFY = 0x81, OUT = 0x02, IN = 0x82, PACKET = 64, CONFIGURATION_SIZE = 75 };

static const uint8_t device[] = {
	18, 1, LOW(0x0200), HIGH(0x0200), /* USB 2.0 */
	0xef, 2, 1,                       /* interfaces that belong together are marked so */
	PACKET, LOW(MAKER), HIGH(MAKER), LOW(PRODUCT), HIGH(PRODUCT), LOW(RELEASE), HIGH(RELEASE),
	TEXT_MAKER, TEXT_PRODUCT, TEXT_SERIAL, 1,
};

static const uint8_t configuration[CONFIGURATION_SIZE] = {
	9, 2, CONFIGURATION_SIZE, 0, 2, 1, 0, 0xa0, 125, /* two interfaces; may wake the host; 250 mA */
	8, 11, 0, 2, 2, 2, 0, 0,                         /* both are one function */
	9, 4, 0, 0, 1, 2, 2, 0, 0,                       /* interface 0: CDC, abstract control model */
	5, 36, 0, LOW(0x0120), HIGH(0x0120),
	5, 36, 1, 0, 1,                                  /* no call management */
	4, 36, 2, 2,                                     /* line coding and line state */
	5, 36, 6, 0, 1,
	7, 5, NOTIFY, 3, 8, 0, 16,
	9, 4, 1, 0, 2, 10, 0, 0, 0,                      /* interface 1: the bytes */
	7, 5, OUT, 2, PACKET, 0, 0,
	7, 5, IN, 2, PACKET, 0, 0,
};

uint8_t const *tud_descriptor_device_cb(void)
{
	return device;
}

uint8_t const *tud_descriptor_configuration_cb(uint8_t index)
{
	(void)index;
	return configuration;
}

/* Stands until the next call. */
static const char *text_of(uint8_t index)
{
	static char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];
	switch (index) {
	case TEXT_MAKER: return "quash";
	case TEXT_PRODUCT: return "motor";
	case TEXT_SERIAL: pico_get_unique_board_id_string(serial, sizeof serial); return serial;
	default: return NULL;
	}
}

/* In UTF-16, after its length and kind; 0 is the list of languages. */
uint16_t const *tud_descriptor_string_cb(uint8_t index, uint16_t language)
{
	enum { MOST = 32, STRING = 3, ENGLISH = 0x0409 };
	static uint16_t units[1 + MOST];
	const char *const text = text_of(index);
	uint8_t n = 0;
	(void)language;
	if (index == 0)
		units[1 + n++] = ENGLISH;
	else if (text == NULL)
		return NULL;
	else
		for (; n < MOST && text[n] != '\0'; n++)
			units[1 + n] = (uint8_t)text[n];
	units[0] = (uint16_t)(STRING << 8 | (2 + 2 * n));
	return units;
}
