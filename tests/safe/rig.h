/* SPDX-License-Identifier: MIT
 * One run: a device, a cable, a bridge or none, and clients, all of them processes; one fault; and what becomes of the
 * motor. The process that calls this is the cable. */
#ifndef SAFE_RIG_H
#define SAFE_RIG_H

#include "cable.h"
#include "client.h"
#include "log.h"

#include <sys/types.h>

/** How the client reaches the device. */
enum way {
	WAY_DIRECT = 1 << 0,  /* over the cable, and gives signs of life itself, if anyone does */
	WAY_TTY = 1 << 1,     /* quash-bridge --tty, the cable */
	WAY_SOCKET = 1 << 2,  /* quash-bridge --unix, the cable */
	WAY_COMMAND = 1 << 3, /* quash-bridge -- mover: there is no cable */
	WAY_LISTEN = 1 << 4,  /* quash-bridge --listen-unix --tty, the cable */
	WAYS_CABLE = WAY_TTY | WAY_SOCKET | WAY_LISTEN,
	WAYS_BRIDGE = WAYS_CABLE | WAY_COMMAND
};

/** What all runs have in common. */
struct bench {
	const char *bridge;      /* the program */
	char *const *device;     /* the command of the device, without its log and its defect */
	const char *defect;      /* its number; or NULL: the device is a board, whose motor is seen on descriptor 3 */
	const char *folder;      /* for files */
	struct promise promise;
	bool loud;               /* what the bridge logs is shown */
};

enum { RIG_CLIENTS = 2, RIG_PATH = 88 };

struct rig {
	const struct bench *bench;
	enum way way;
	unsigned habits;         /* of the first client */
	const char *limit;       /* an option of the bridge with a time of LIMIT_MS, or NULL */
	uint64_t seed;
	struct log *log;
	struct cable cable;
	pid_t device, bridge, clients[RIG_CLIENTS];
	int line, host, slave, listener, motor; /* descriptors of ours, or -1 */
	size_t length;            /* of a line about the motor that a board has begun */
	char text[32];
	int64_t allowed;         /* the bound is so much later, for bytes that pass after the fault by rights */
	int64_t turned, late;    /* its last turn; by how much turns were late, together */
	uint32_t struck;         /* entries that the log had when the fault had been made */
	bool timed;              /* the device's own clock ends the motion: nothing that arrives later is an excuse */
	bool mute;               /* who gives the device anything is dead or stands still */
	unsigned settle;         /* milliseconds for which the motor is watched longer than usual, when it rests */
	char folder[RIG_PATH], log_path[RIG_PATH + 8], tty[RIG_PATH + 8], socket[RIG_PATH + 8], clients_path[RIG_PATH + 8];
};

enum { LIMIT_MS = 150 };

/** Starts all. False when something could not be started; `rig_end` is to be called in any case. The caller has set
 * `bench`, `way`, `habits`, `limit` and `seed`, all else zero. */
bool rig_start(struct rig *rig, unsigned number);

/** True if the device is the firmware of a board, in an emulator. */
bool rig_is_board(const struct rig *rig);

/** False when the device was started and runs no more. */
bool rig_lives(const struct rig *rig);

/** Lets the cable work until that time, or until `until` is true, which is asked after each turn; NULL: never. */
void rig_run(struct rig *rig, int64_t end, bool (*until)(const struct rig *rig));

/** Starts the second client; it has these habits. Only by WAY_LISTEN. */
void rig_join(struct rig *rig, unsigned habits);

/** The line is closed on the host's side and is there again at once, or after a while. */
void rig_unplug(struct rig *rig);
bool rig_plug(struct rig *rig);

/** Ends everything, also what was started in vain. */
void rig_end(struct rig *rig);

#endif
