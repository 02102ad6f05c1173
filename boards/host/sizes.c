/* SPDX-License-Identifier: MIT */
#include "sizes.h"

#include "main.h"

#include <stdlib.h>
#include <string.h>

static bool parse_number(const char *text, uint32_t *number)
{
	const uint32_t limit = 1000000000;
	uint32_t value = 0;
	if (*text == '\0')
		return false;
	for (; *text >= '0' && *text <= '9' && value < limit / 10; text++)
		value = value * 10 + (uint32_t)(*text - '0');
	*number = value;
	return *text == '\0';
}

struct sizes sizes_of(const quash_config *config)
{
	const struct sizes sizes = { config->slot_count, config->arena_size, config->tx_size };
	return sizes;
}

bool sizes_option(struct sizes *sizes, const char *option, const char *argument)
{
	if (strcmp(option, "--slots") == 0)
		return parse_number(argument, &sizes->slots) && sizes->slots <= UINT8_MAX;
	if (strcmp(option, "--arena") == 0)
		return parse_number(argument, &sizes->arena);
	if (strcmp(option, "--tx") == 0)
		return parse_number(argument, &sizes->tx);
	return false;
}

static void *provide(const char *program, size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
	if (memory == NULL)
		exit(host_bad_option(program, "out of memory", "choose smaller sizes"));
	return memory;
}

/* One id and one tag more than slots: of the message that is being received. */
void sizes_provide(const char *program, const struct sizes *sizes, quash_config *config)
{
	config->slot_count = (uint8_t)sizes->slots;
	config->arena_size = (quash_size)sizes->arena;
	config->tx_size = (quash_size)sizes->tx;
	config->slots = provide(program, sizes->slots, sizeof(quash_request));
	config->ids = provide(program, sizes->slots + 1, config->id_size);
	config->states = provide(program, sizes->slots, config->state_size);
	config->tags = provide(program, sizes->slots + 1, config->tag_size);
	config->arena = provide(program, sizes->arena, 1);
	config->tx = provide(program, sizes->tx, 1);
}
