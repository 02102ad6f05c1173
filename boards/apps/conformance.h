/* SPDX-License-Identifier: MIT
 * The conformance server: what the suite @modelcontextprotocol/conformance looks for at a server, under the names that it gives. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "quash.h"

enum { CONFORMANCE_TEXT = 48, CONFORMANCE_ASKS = 3 };

/* What tools and prompts remember. The number is the first, so that it is aligned for all. */
struct conformance_state {
	double score;
	quash_call asks[CONFORMANCE_ASKS];
	uint32_t since;
	uint32_t several, titled_several;
	int32_t age;
	char name[CONFORMANCE_TEXT], text[CONFORMANCE_TEXT];
	uint8_t choice, titled, old;
	uint8_t step;
	bool flag;
};

extern const quash_config conformance_config;
extern const quash_mcp_server conformance_server;

/* Those that ask stand in conformance_asks.c, all others in conformance_tools.c. */
extern const quash_mcp_tool conformance_tools[];
enum { CONFORMANCE_PLAIN = 17, CONFORMANCE_ASKING = 12, CONFORMANCE_TOOLS = CONFORMANCE_PLAIN + CONFORMANCE_ASKING };
quash_handler conformance_ask_sampling, conformance_ask_elicitation, conformance_ask_defaults, conformance_ask_enums, conformance_ask_name,
	conformance_ask_capital, conformance_ask_roots, conformance_ask_confirm, conformance_ask_several, conformance_ask_rounds,
	conformance_ask_what_can_be, conformance_ask_context;

/* A base64 string of the smallest PNG, and of the smallest WAV. */
void conformance_put_png(quash_writer *w);
void conformance_put_wav(quash_writer *w);
extern const uint8_t conformance_png[];
enum { CONFORMANCE_PNG = 69 };

extern const quash_mcp_resources conformance_resources;
extern const quash_mcp_prompts conformance_prompts;

/* Forgets the session: before another quash_init. */
void conformance_reset(void);

#endif
