/* SPDX-License-Identifier: MIT
 * What adapter.c and tasks.c share: the peers, and the functions of their methods. */
#ifndef SIM_TASKS_H
#define SIM_TASKS_H

#include "quash.h"
#include "quash/forward.h"
#include "sim.h"

enum { STATE = 1400, ARENA = 2048, TX = 1024, CHILDREN = 3, FREE_CALLS = 2, TOKEN = 12, IDS = 64 };

struct device {
	quash_peer peer;
	quash_config config;
	quash_counters counters;
	quash_word word;
	quash_request slots[SLOTS];
	uint8_t ids[(SLOTS + 1) * IDS];
	uint8_t tags[(SLOTS + 1) * IDS];
	union {
		uint64_t aligned;
		uint8_t bytes[SLOTS * STATE];
	} states;
	uint8_t arena[ARENA], tx[TX];
	char reason[8];
	quash_call calls[FREE_CALLS];
	quash_handle handles[4]; /* as an interrupt may still hold them */
	struct record *held[4];
	bool linked;
	quash_method methods[METHODS + 3];
};

extern struct device devices[LINKS];

uint8_t link_of(const quash_peer *peer);

/* adapter.c: the group with that number, from 1. The peers share them. */
quash_group *adapter_group(uint8_t group);

/* tasks.c */
extern quash_handler task_handler, bridged_handler;
int32_t task_end(quash_request *request);
void task_released(quash_request *request);
int32_t bridged_end(quash_request *request);
void bridged_released(quash_request *request);
quash_size task_state_size(void);
void tasks_begin(void);
void task_news(quash_peer *peer);
void task_prepare_call(quash_call *call, bool child);

#endif
