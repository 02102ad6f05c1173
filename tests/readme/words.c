/* SPDX-License-Identifier: MIT
 * The text of each code that it is given, for docs/codes.md: `lsp` or `jsonrpc`, then codes. A handler returns them. */
#include "quash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t code;

static int32_t fail(quash_request *request)
{
	(void)request;
	return code;
}

static const quash_method methods[] = { { .name = "fail", .handler = fail } };
QUASH_STORAGE(store, 1, 24, 0, 64, 256);
static quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };

static void feed(quash_peer *peer, bool headers)
{
	static const char request[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\"}\n";
	char header[40];
	const int length = snprintf(header, sizeof header, "Content-Length: %u\r\n\r\n", (unsigned)sizeof request - 1);
	if (headers && length > 0)
		(void)quash_feed(peer, (const uint8_t *)header, (size_t)length);
	(void)quash_feed(peer, (const uint8_t *)request, sizeof request - 1);
}

static void show(bool lsp)
{
	static quash_peer peer;
	size_t n;
	config.dialect = lsp ? &quash_lsp : &quash_jsonrpc;
	if (!quash_init(&peer, &config, NULL))
		return;
	feed(&peer, lsp);
	(void)quash_step(&peer);
	const char *const answer = (const char *)quash_out(&peer, &n);
	const char *const error = n > 0 ? strstr(answer, "\"code\":") : NULL;
	int written;
	char text[100];
	if (error != NULL && sscanf(error, "\"code\":%d,\"message\":\"%99[^\"]\"", &written, text) == 2)
		printf("%d\t%s\n", written, text);
}

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		code = (int32_t)strtol(argv[i], NULL, 10);
		show(strcmp(argv[1], "lsp") == 0);
	}
	return 0;
}
