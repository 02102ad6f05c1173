/* SPDX-License-Identifier: MIT
 * What QuashStream does with a stream. Prints the first check that fails, and returns 1. */
#include <quash_stream.h>

#include <stdio.h>
#include <string.h>

static unsigned long time_ms = 4294967295UL;

unsigned long millis()
{
	return time_ms;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	puts(what);
	exit(1);
}

/* Has `in` to read, room for `room` bytes, and keeps what is written. */
class Fake : public Stream {
public:
	const char *in = "";
	int room = 0;
	int promised = 0; /* bytes that are announced, and cannot be read */
	char out[200] = "";
	int writes = 0;

	int available() override { return (int)strlen(in) + promised; }
	int read() override { return *in != '\0' ? (uint8_t)*in++ : -1; }
	int availableForWrite() override { return room; }
	size_t write(const uint8_t *bytes, size_t n) override
	{
		strncat(out, (const char *)bytes, n);
		writes++;
		return n;
	}
};

static const quash_port *port;

static bool shows(const char *text)
{
	const uint8_t *bytes;
	const int n = port->peek(port->device, &bytes);
	return n == (int)strlen(text) && memcmp(bytes, text, (size_t)n) == 0;
}

static int peeked()
{
	const uint8_t *bytes;
	return port->peek(port->device, &bytes);
}

static void take(size_t n)
{
	port->take(port->device, n);
}

static int write(const char *text)
{
	return port->write(port->device, (const uint8_t *)text, strlen(text));
}

static void reading(Fake &stream)
{
	check(peeked() == 0, "nothing to show");
	stream.in = "abcdef";
	check(shows("abcdef") && shows("abcdef"), "it shows what is there, again and again");
	take(2);
	stream.in = "gh";
	check(shows("cdef"), "what was not taken stays in one piece");
	take(4);
	check(shows("gh"), "then what came next");
	take(2);
	static char many[QUASH_STREAM_BYTES + 8];
	memset(many, 'x', sizeof many - 1);
	stream.in = many;
	check(peeked() == QUASH_STREAM_BYTES, "no more than it has room for");
	take(QUASH_STREAM_BYTES);
	check(shows("xxxxxxx"), "and the rest");
	take(7);
	stream.promised = 3;
	check(peeked() == 0, "what was announced and cannot be read is no byte");
	stream.promised = 0;
}

static void writing(Fake &stream)
{
	check(write("abc") == 0 && stream.writes == 0, "without room nothing is written");
	stream.room = 2;
	check(write("abc") == 2 && strcmp(stream.out, "ab") == 0, "as much as there is room for");
	stream.room = 100;
	check(write("cde") == 3 && strcmp(stream.out, "abcde") == 0, "all");
}

static void closing(QuashStream &s, Fake &stream, Fake &next)
{
	stream.in = "last";
	s.close();
	check(shows("last"), "what was received is shown behind the end");
	take(4);
	check(peeked() == QUASH_GONE && write("x") == QUASH_GONE, "then it is gone");
	next.in = "new";
	s.open(next);
	check(shows("new"), "a new stream");
}

int main()
{
	Fake stream, next, blind;
	QuashStream s(stream);
	port = s.port();
	reading(stream);
	writing(stream);
	closing(s, stream, next);
	check(port->now(port->device) == 4294967295u, "milliseconds");

	QuashStream unasked(blind, 8);
	port = unasked.port();
	check(write("0123456789") == 8 && strcmp(blind.out, "01234567") == 0, "a stream without availableForWrite gets so many");
	return 0;
}
