/* SPDX-License-Identifier: MIT
 * The agent: a device that is prompted over ACP. The words of a prompt choose what it does.
 *
 * A board with less memory defines the sizes below for itself. */
#ifndef AGENT_H
#define AGENT_H

#include "quash/acp_client.h"

#ifndef AGENT_SLOTS
#define AGENT_SLOTS 8
#endif
#ifndef AGENT_SESSIONS
#define AGENT_SESSIONS 4
#endif
#ifndef AGENT_ID_SIZE
#define AGENT_ID_SIZE 64
#endif
#ifndef AGENT_NAME_SIZE
#define AGENT_NAME_SIZE 128 /* of a path or a command in a prompt, with its NUL */
#endif
#ifndef AGENT_ARENA
#define AGENT_ARENA 4096
#endif
#ifndef AGENT_TX
#define AGENT_TX 1024 /* at least 320: the plan must fit */
#endif
#ifdef AGENT_MUTE /* where RAM has no room for the words */
#define AGENT_FAULTS NULL
#else
#define AGENT_FAULTS &quash_faults
#endif

extern const quash_config agent_config;
extern const char *const agent_name;

/* Forgets the connection and its sessions: before another quash_init, and with quash_reopen. */
void agent_reset(void);

/* What is asked of the client, one at a time. */
union agent_question {
	struct {
		quash_acp_terminal terminal;
		quash_acp_look look;
	} run;
	quash_acp_permission permission;
	quash_acp_read read;
	quash_acp_write write;
	quash_acp_question any;
};

/* What a turn keeps. */
struct agent_turn {
	uint16_t wanted;  /* the stages that the prompt asks for, a bit for each */
	uint16_t part;    /* of the stage */
	uint8_t stage;
	bool begun;
	bool too_long;    /* the name in the prompt was */
	uint32_t start;
	size_t sent;      /* of a long message */
	const char *note; /* to be reported before the turn goes on */
	union agent_question ask;
	char name[AGENT_NAME_SIZE];
};

/* A stage of a turn: QUASH_DONE when it is over, else what the turn returns. */
typedef int32_t agent_stage(quash_request *request, struct agent_turn *turn);

/* What a question that has failed means for the turn: QUASH_DONE, with a note, when it goes on. */
int32_t agent_failed(struct agent_turn *turn, int32_t code);

agent_stage agent_permission, agent_read, agent_write, agent_run; /* what asks the client: agent_client.c */

/* Makes place for the next question. */
void agent_forget(struct agent_turn *turn);

/* Leaves no terminal open. To be called until it is not QUASH_PENDING. */
int32_t agent_tidy(quash_request *request, struct agent_turn *turn);

#endif
