/* SPDX-License-Identifier: MIT
 * The host of the engine in a scene: clients and devices are texts, time is a number, memory is counted. It alone calls the engine. */
#ifndef BRIDGE_SCENE_HOST_H
#define BRIDGE_SCENE_HOST_H

#include "bridge.h"
#include "words.h"

enum { HOST_ENDS = 80, HOST_NEVER = 0 };

/* What becomes of a device that the bridge wants to open. */
enum host_state { HOST_THERE, HOST_AWAY, HOST_IN_USE, HOST_SLOW };

/* Happens to an end behind so many bytes of `out`. */
struct host_event {
	size_t at;
	bool closed; /* else hung up */
};

/* A client or a device, and what passes between it and the bridge. */
struct host_end {
	struct text name;
	struct bridge_line *line; /* NULL: it is not connected */
	bool is_device, due, stalled, answers; /* the latter: whatever it is asked */
	enum host_state state;
	struct text words; /* why it is away, or who has it */
	uint32_t tried;    /* how often it was to be opened */
	struct text in;    /* that the bridge has not taken yet */
	struct text out;   /* all that it has got */
	struct host_event *events;
	size_t event_count;
};

/* How bytes pass, and which allocation fails. */
struct host_mode {
	bool bytes;        /* one by one */
	size_t cut;        /* the first read of the input ends behind so many bytes of it; HOST_NEVER */
	unsigned long fail; /* the number of the allocation that fails; HOST_NEVER */
	uint32_t start;    /* the time at the start */
};

struct host {
	struct bridge *bridge;
	struct bridge_options options;
	struct bridge_host of_bridge;
	struct host_mode mode;
	uint32_t now;
	struct host_end ends[HOST_ENDS];
	size_t end_count;
	unsigned long asked, blocks; /* allocations so far; that are not given back */
	bool failed, over, restless;
	size_t fed;
	int code;
	uint8_t random;
	struct text log, record; /* a line each */
	void (*heard)(void *context, struct host_end *end); /* it has got something, or is connected anew; may call host_say */
	void *context;
};

/* Starts the bridge with the words of its command line. False: there is no memory, or the words are wrong. */
bool host_start(struct host *host, struct text *words, char *token);
/* The device of that name, or a client. */
struct host_end *host_end(struct host *host, const char *name);
/* A client comes. False: there is no place. */
bool host_come(struct host *host, struct host_end *end, enum bridge_way way);
void host_say(struct host_end *end, const char *bytes, size_t n);
void host_ends_input(struct host_end *end, bool unread);
void host_loses(struct host_end *end, const char *words);
/* A device that is slow is there now. */
void host_opens(struct host *host, struct host_end *end);
/* Or it is away. */
void host_fails(struct host_end *end);
bool host_reads(const struct host_end *end);
bool host_takes(struct host *host, enum bridge_way way);
void host_ends(struct host *host);
uint32_t host_idle(const struct host *host);
/* Until nothing moves any more. */
void host_turn(struct host *host);
void host_pass(struct host *host, uint32_t ms);
/* Gives all back; `blocks` has what was not. */
void host_stop(struct host *host);
void host_free(struct host *host);

#endif
