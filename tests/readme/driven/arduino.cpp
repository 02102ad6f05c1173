/* SPDX-License-Identifier: MIT
 * Sketches of pages, over the model of a UART. A header's example has neither `setup` nor a tool. */
#include <Arduino.h>

#include "quash_stream.h"
#include "quash_usb.h"

#include <new>

enum { LOOP_MS = 20000 };

DrivenSerial Serial;

void DrivenSerial::begin(unsigned long)
{
	come_ = taken_ = put_ = sent_ = 0;
	model_switch(MODEL_RX_ON, 0);
	model_enable();
}

int DrivenSerial::available()
{
	model_at();
	return (int)(come_ - taken_);
}

int DrivenSerial::read()
{
	return come_ == taken_ ? -1 : in_[taken_++ % RING];
}

int DrivenSerial::availableForWrite()
{
	model_at();
	return (int)(RING - (put_ - sent_));
}

size_t DrivenSerial::write(const uint8_t *bytes, size_t n)
{
	size_t count = 0;
	for (; count < n && put_ - sent_ < RING; count++)
		out_[put_++ % RING] = bytes[count];
	model_switch(MODEL_TX_ON, 0);
	return count;
}

void DrivenSerial::receive()
{
	while (model_has_byte()) {
		const uint8_t byte = model_read();
		if (come_ - taken_ < RING)
			in_[come_++ % RING] = byte;
	}
}

void DrivenSerial::transmit()
{
	while (model_has_room()) {
		if (put_ == sent_) {
			model_switch(0, MODEL_TX_ON);
			return;
		}
		model_write(out_[sent_++ % RING]);
	}
}

class Sensors {
public:
	void requestTemperatures() { delay(750); }
	float getTempCByIndex(uint8_t) { return 20; }
};
static Sensors sensors;

#include PAGE

#if defined(NO_SETUP)
static void setup()
{
	Serial.begin(115200);
	(void)quash_init(&peer, &model_config, NULL);
}
#endif
#if defined(NO_YIELD)
void yield(void) {}
#endif

/* A sketch begins with a board. */
static void start()
{
#if defined(USB)
	port.~QuashUsb();
	new (&port) QuashUsb(Serial, is_open);
#else
	port.open(Serial);
#endif
	setup();
	for (;;) {
		loop();
		(void)model_sleep(LOOP_MS);
	}
}

static void receive() { Serial.receive(); }
static void transmit() { Serial.transmit(); }

int main()
{
	static const model_code code = { start, receive, transmit, true, true, true };
	return model_drive(&code);
}
