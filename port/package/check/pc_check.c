/* SPDX-License-Identifier: MIT
 * Runs quash_init on the config of a device, and the check of its profile, and says what is wrong as a compiler would. */
#include "pc_check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const quash_config *const quash_pc_config; /* check.sh names it */
extern const char *const quash_pc_place;          /* the file and the config, in front of each message */
long quash_pc_stub(const char *name);

static void refuse(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s%s\n", quash_pc_place, what, why);
	exit(1);
}

/* For a function that stands in no table file. quash_init calls none of a program's but those of tables. */
long quash_pc_stub(const char *name)
{
	refuse(name, " is called by the check: the file with it must be named too");
	return 0;
}

static void on_signal(int number)
{
	(void)number;
	refuse("what a table points to", " stands elsewhere: the file with it must be named too");
}

/* It is drawn at each start of the device. */
static void draw_keys(const quash_mcp_server *server)
{
	const quash_mcp_part *const *part = server->parts;
	for (; part != NULL && *part != NULL; part++) {
		if ((*part)->kind == &quash_mcp_input_kind) {
			const uint8_t *const key = ((const quash_mcp_input *)(const void *)*part)->key;
			if (key != NULL)
				memset((uint8_t *)(uintptr_t)key, 1, QUASH_MCP_KEY);
		}
	}
}

static void draw_all_keys(const quash_config *config)
{
	for (uint8_t i = 0; config->methods != NULL && i < config->method_count; i++) {
		if (config->methods[i].handler == quash_mcp_initialize_ && config->methods[i].data != NULL)
			draw_keys(config->methods[i].data);
	}
}

static bool serves(const quash_config *config, quash_handler *handler)
{
	uint8_t i = 0;
	while (i < config->method_count && config->methods[i].handler != handler)
		i++;
	return i < config->method_count;
}

/* The check that a device leaves out, because its config names none. */
static bool check_profile(const quash_config *config, quash_fault *fault)
{
	if (config->check != NULL)
		return true;
	*fault = (quash_fault){ .table = "config", .member = "config" };
	if (serves(config, quash_mcp_initialize_) || serves(config, quash_mcp_server_discover_))
		return quash_mcp_check(config, fault);
	if (serves(config, quash_lsp_initialize_))
		return quash_lsp_check(config, fault);
	return !serves(config, quash_acp_initialize_) || quash_acp_check(config, fault);
}

int main(void)
{
	static quash_peer peer;
	quash_fault fault;
	char line[400];
	signal(SIGSEGV, on_signal);
	draw_all_keys(quash_pc_config);
	if (!quash_init(&peer, quash_pc_config, &fault) || !check_profile(quash_pc_config, &fault)) {
		quash_fault_line(&fault, line, sizeof line);
		refuse(line, "");
	}
	quash_pc_numbers(quash_pc_config);
	return 0;
}
