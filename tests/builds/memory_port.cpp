/* SPDX-License-Identifier: MIT
 * A port in C++, of stdin and stdout: it reads everything first, shows little at once, and writes little at once. What
 * stands before it is a program with a `config`. */
#include <cstdio>

namespace {

struct Link {
	uint8_t bytes[2048];
	size_t from, to;
};

int peek(void *device, const uint8_t **bytes)
{
	Link *link = static_cast<Link *>(device);
	const size_t left = link->to - link->from;
	*bytes = link->bytes + link->from;
	if (left == 0)
		return QUASH_END;
	return left < 7 ? static_cast<int>(left) : 7;
}

void take(void *device, size_t n)
{
	static_cast<Link *>(device)->from += n;
}

int write_some(void *, const uint8_t *bytes, size_t n)
{
	return static_cast<int>(std::fwrite(bytes, 1, n < 5 ? n : 5, stdout));
}

uint32_t now(void *)
{
	static uint32_t ms;
	return ms++;
}

}

int main()
{
	static Link link;
	static quash_peer peer;
	const quash_port port = { peek, take, write_some, now, &link };
	quash_fault fault;
	link.to = std::fread(link.bytes, 1, sizeof link.bytes, stdin);
	if (!quash_init(&peer, &config, &fault))
		return 1;
	do {
		quash_pump(&peer, &port);
		quash_step(&peer);
	} while (link.from < link.to || !quash_is_at_rest(&peer));
	return 0;
}
