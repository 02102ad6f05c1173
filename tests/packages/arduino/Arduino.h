/* SPDX-License-Identifier: MIT
 * What sketches and the port use of Arduino's core, as a stub: to compile them with compilers that are stricter than the
 * core's of AVRs, and to see what the port does with a stream. */
#ifndef ARDUINO_STUB_H
#define ARDUINO_STUB_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

class Stream {
public:
	virtual int available() = 0;
	virtual int read() = 0;
	virtual int availableForWrite() { return 0; }
	virtual size_t write(const uint8_t *bytes, size_t n) = 0;
	virtual ~Stream() {}
};

class SerialStub : public Stream {
public:
	void begin(unsigned long) {}
	operator bool() { return true; } /* native USB: whether the host has opened it */
	int available() override { return 0; }
	int read() override { return -1; }
	size_t write(const uint8_t *, size_t n) override { return n; }
	void print(const char *) {}
	void print(char) {}
	void print(long) {}
	void print(int) {}
	void println(const char *) {}
};

extern SerialStub Serial, Serial1;

enum { LOW, HIGH, INPUT = 0, OUTPUT, LED_BUILTIN = 13, A0 = 14 };

extern "C" void yield(void);
unsigned long millis();
void delay(unsigned long ms);
void delayMicroseconds(unsigned int us);
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int digitalRead(uint8_t pin);
int analogRead(uint8_t pin);

#endif
