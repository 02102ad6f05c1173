/* SPDX-License-Identifier: MIT
 * What QuashStream does with a stream, and QuashUsb with a host. Prints the first check that fails, and returns 1. */
#include <quash_stream.h>
#include <quash_usb.h>

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

/* As of cores that leave `availableForWrite` to `Print`: it says 0, and `write` waits until the byte has left. */
class Blind : public Fake {
public:
	int longest = 0, run = 0; /* bytes written while nobody looked for received ones */

	int available() override
	{
		run = 0;
		return Fake::available();
	}
	int availableForWrite() override { return Stream::availableForWrite(); }
	size_t write(const uint8_t *bytes, size_t n) override
	{
		run += (int)n;
		longest = run > longest ? run : longest;
		return Fake::write(bytes, n);
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
	static char many[QUASH_STREAM_BYTES_ + 8];
	memset(many, 'x', sizeof many - 1);
	stream.in = many;
	check(peeked() == QUASH_STREAM_BYTES_, "no more than it has room for");
	take(QUASH_STREAM_BYTES_);
	check(shows("xxxxxxx"), "and the rest");
	take(7);
	stream.promised = 3;
	check(peeked() == 0, "what was announced and cannot be read is no byte");
	stream.promised = 0;
}

static void writing(Fake &stream)
{
	stream.room = 2;
	check(write("abc") == 2 && strcmp(stream.out, "ab") == 0, "as much as there is room for");
	stream.room = 0;
	check(write("abc") == 0 && stream.writes == 1, "without room nothing is written");
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

/* --- Streams that say 0 */

static int32_t ping(quash_request *request)
{
	return quash_reply_text(request, "pong");
}

static constexpr quash_method methods[] = { quash::method("ping", ping) };
QUASH_STORAGE(store, 2, 17, 0, 128, 128);
static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
static quash_peer peer;

static const char question[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"pong\"}\n";

static void serve(QuashStream &s)
{
	for (int i = 0; i < 100; i++)
		s.serve(&peer);
}

/* It has no function that says more: it gets a byte at a time, and what is received does not wait for longer. */
static void blind_stream()
{
	Blind blind;
	QuashStream s(blind);
	port = s.port();
	check(quash_init(&peer, &config, NULL), "the config is right");
	check(peeked() == 0 && write("x") == 0, "nothing is written to who has not spoken");
	blind.in = question;
	serve(s);
	check(strcmp(blind.out, answer) == 0, "a stream that always says 0 gets its answer");
	check(blind.longest == 1, "a byte at a time");
}

/* It says 0 because nobody is there: what would be written waits, and is whole when somebody comes. */
static void empty_stream()
{
	Fake usb;
	QuashStream s(usb);
	port = s.port();
	check(quash_init(&peer, &config, NULL), "the config is right");
	serve(s);
	check(peeked() == 0 && write("x") == 0 && usb.writes == 0, "nobody is there, and nothing is written");
	usb.in = question;
	usb.room = 64;
	serve(s);
	check(strcmp(usb.out, answer) == 0, "somebody is there");
	usb.out[0] = '\0';
	usb.writes = 0;
	usb.in = question;
	usb.room = 0;
	serve(s);
	check(usb.writes == 0 && usb.out[0] == '\0', "nobody is there any more, and no write is tried");
	usb.room = 7;
	serve(s);
	check(strcmp(usb.out, answer) == 0, "the answer waits for the next one");
	s.open(usb);
	usb.room = 0;
	usb.writes = 0;
	check(peeked() == 0 && write("x") == 0 && usb.writes == 0, "a new stream is not asked what the last one said");
}

/* --- Native USB */

static bool host_is_there;
static int ends;

static bool is_open()
{
	return host_is_there;
}

static int32_t wait_long(quash_request *request)
{
	return quash_wait(request, 60000);
}

static int32_t count_end(quash_request *)
{
	ends++;
	return QUASH_DONE;
}

static constexpr quash_method moving(const char *name)
{
	return quash::method(name, wait_long).moves(count_end, QUASH_NO_LIMIT, 0, nullptr);
}

static constexpr quash_method usb_methods[] = { moving("move"), quash::method("ping", ping) };
static const quash_config usb_config = { QUASH_CONFIG(store, &quash_jsonrpc, usb_methods) };
static const char move[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"move\"}\n";

static void serve(QuashUsb &u)
{
	for (int i = 0; i < 100; i++)
		u.serve(&peer);
}

/* A host that closes stops what it has begun, and leaves nothing to the next one. */
static void native_usb()
{
	Fake usb;
	QuashUsb u(usb, is_open);
	check(quash_init(&peer, &usb_config, NULL), "the config is right");
	usb.room = 20;
	usb.in = question;
	serve(u);
	check(usb.writes == 0 && *usb.in == '\0', "what came before the port was opened is dropped");
	host_is_there = true;
	serve(u);
	usb.in = move;
	serve(u);
	check(quash_live_count(&peer) == 1 && ends == 0, "it moves");
	u.pump();
	check(ends == 0, "a pump runs no hook");
	host_is_there = false;
	usb.in = question;
	serve(u);
	check(ends == 1 && quash_is_gone(&peer) && *usb.in == '\0', "the host has closed: it stands");
	host_is_there = true;
	usb.in = question;
	serve(u);
	check(strcmp(usb.out, answer) == 0 && ends == 1, "the next client has its answer, and nothing else");
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
	check(write("89") == 0 && peeked() == 0 && write("89") == 2, "and is looked at before it gets more");
	blind_stream();
	empty_stream();
	native_usb();
	return 0;
}
