/* SPDX-License-Identifier: MIT
 * What sketches of pages use of Arduino's core, over the model of a UART (../model.h): a serial port with a ring of 64 bytes each way,
 * which loses in silence what finds no room, as that of the AVRs does. */
#ifndef DRIVEN_ARDUINO_H
#define DRIVEN_ARDUINO_H

#include "../model.h"

#include <stddef.h>
#include <stdint.h>

class Stream {
public:
	virtual int available() = 0;
	virtual int read() = 0;
	virtual int availableForWrite() { return 0; }
	virtual size_t write(const uint8_t *bytes, size_t n) = 0;
	virtual ~Stream() {}
};

class DrivenSerial : public Stream {
public:
	void begin(unsigned long);
	operator bool() { return true; }
	int available() override;
	int read() override;
	int availableForWrite() override;
	size_t write(const uint8_t *bytes, size_t n) override;
	void println(const char *) {}
	void receive();
	void transmit();

private:
	enum { RING = 64 };
	uint8_t in_[RING], out_[RING];
	unsigned come_, taken_, put_, sent_;
};

extern DrivenSerial Serial;

enum { LOW, HIGH, OUTPUT, LED_BUILTIN = 13 };

extern "C" void yield(void);
inline unsigned long millis() { return model_ms(); }
inline void pinMode(uint8_t, uint8_t) {}
inline void digitalWrite(uint8_t, uint8_t) {}

inline void delay(unsigned long ms)
{
	for (; ms > 0; ms--) {
		yield();
		(void)model_sleep(1);
	}
}

#endif
