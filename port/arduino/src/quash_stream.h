/* SPDX-License-Identifier: MIT
 * The transport contract over any `Stream` of Arduino: HardwareSerial, USB serial, SoftwareSerial, WiFiClient.
 *
 *     static quash_peer peer;
 *     static QuashStream port(Serial);
 *
 *     void loop() { port.serve(&peer); }
 *
 * It reads what `available()` has, writes what `availableForWrite()` allows, and takes its time from `millis()`. So it
 * never blocks, but on streams that do not know what they allow: `Print` of Arduino returns 0 for them, for ever. A
 * stream that has never returned more than 0 gets one byte each time that it was looked at, once something was received
 * on it. Its `write` may wait for that byte, as long as one takes. One that has returned more, and returns 0 now, is full
 * or has no client, and gets nothing. What is for it stays in TX, which refuses and counts what finds no room. Calling context: `setup`, `loop` and what they call,
 * handlers too; not from interrupts.
 *
 * A HardwareSerial loses silently what arrives when its buffer is full (64 bytes on AVRs: 5.5 ms at 115,200 baud). So call
 * `serve` more often than that, and no `delay` beside it. README.md has a `yield` for libraries that call it. */
#ifndef QUASH_STREAM_H
#define QUASH_STREAM_H

#include <Arduino.h>

#include "quash_tools.h"
#include "quash_texts.h"

#if defined __AVR__ && RAMEND < 0x1000
#define QUASH_STREAM_BYTES_ 8
#else
#define QUASH_STREAM_BYTES_ 64
#endif

class QuashStream {
public:
	/** A port over `stream`, which must live as long as it.
	 *
	 * @param unasked  how many bytes to write at once when `availableForWrite()` is 0, instead of the one; also before
	 *                 anything was received. Faster on streams that have nothing else (SoftwareSerial, a UART of some
	 *                 cores); their `write` may block for that long. 0: see above */
	explicit QuashStream(Stream &stream, uint8_t unasked = 0);

	/** It stays where it is: the port has its address. */
	QuashStream(const QuashStream &) = delete;
	QuashStream &operator=(const QuashStream &) = delete;

	/** For `loop`: `quash_pump`, then `quash_step`. Returns whether a handler or hook was called. */
	bool serve(quash_peer *peer);

	/** The port itself: for `quash_pump` in a handler that stays busy. Valid as long as this object. */
	const quash_port *port() const;

	/** The other side has gone, such as a client that is no longer connected. What was received is still shown, then
	 * the peer gets QUASH_GONE. It gets that at once, if it has something to write. Streams that cannot know it never
	 * need this. */
	void close();

	/** A new stream in place of the last one. Call `quash_reopen` and `quash_new_session` too. */
	void open(Stream &stream);

private:
	static int peek(void *device, const uint8_t **bytes);
	static void take(void *device, size_t n);
	static int write(void *device, const uint8_t *bytes, size_t n);
	static uint32_t now(void *device);
	uint8_t unasked();

	quash_port port_;
	Stream *stream_;
	uint8_t unasked_;
	bool gone_;
	bool heard_, asked_; /* of this stream: something was received; it has had room */
	bool looked_;        /* for received bytes, since the last write that it did not ask for */
	uint8_t first_, count_; /* of what was read and not taken */
	uint8_t bytes_[QUASH_STREAM_BYTES_];
};

/** A text for a table of tools or arguments, which an AVR with at most 32 KB of flash keeps there and not in RAM:
 *
 *     QUASH_FLASH_TEXT(about_lamp, "Switches the lamp on or off");
 *     static constexpr quash_mcp_tool tools[] = { quash::mcp_tool("lamp", QUASH_FLASH_AT(about_lamp), lamp) };
 *
 * Only the library may read it there: it is no text for `Serial.print`. Not for resources, prompts, completion and logging.
 * On other boards it is a constant like any other. */
#ifdef QUASH_TEXTS_FAR_
#define QUASH_FLASH_TEXT(name, text) static const char name[] PROGMEM = text
/* A compiler takes the sum for a constant where it is asked whether it is one: `constexpr` tables need that. */
#define QUASH_FLASH_AT(name) (__builtin_constant_p(QUASH_FLASH_SUM_(name)) ? QUASH_FLASH_SUM_(name) : QUASH_FLASH_SUM_(name))
#define QUASH_FLASH_SUM_(name) ((const char *)((uintptr_t)(name) + QUASH_TEXTS_FAR_))
/* What handlers answer with, a literal only, stays in flash as well. */
#define QUASH_FLASH_LITERAL_(literal) QUASH_FLASH_SUM_(PSTR("" literal ""))
#undef quash_reply_text
#define quash_reply_text(request, literal) quash_reply_text_((request), QUASH_FLASH_LITERAL_(literal))
#undef quash_reply_json
#define quash_reply_json(request, literal) quash_reply_json_((request), QUASH_FLASH_LITERAL_(literal))
#undef quash_fail
#define quash_fail(request, code, literal) quash_fail_literal((request), (code), QUASH_FLASH_LITERAL_(literal))
#undef quash_mcp_text
#define quash_mcp_text(request, literal) quash_mcp_text_((request), QUASH_FLASH_LITERAL_(literal))
#undef quash_mcp_failure
#define quash_mcp_failure(request, literal) quash_mcp_failure_((request), QUASH_FLASH_LITERAL_(literal))
#else
#define QUASH_FLASH_TEXT(name, text) static const char name[] = text
#define QUASH_FLASH_AT(name) (name)
#endif

#endif
