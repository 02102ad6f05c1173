/* SPDX-License-Identifier: MIT
 * The cable between a device and whoever speaks with it, with all that may befall a cable. */
#ifndef SAFE_CABLE_H
#define SAFE_CABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CABLE_BUFFER = 1 << 12, CABLE_BYTE_NS = 86806 /* of a slow cable */ };

/* What is on its way. */
struct cable_way {
	size_t from, to;
	char bytes[CABLE_BUFFER];
};

/** A cable. The caller sets `device`, `host` and `seed`, all else zero. Descriptors do not block; it closes none. */
struct cable {
	int device, host; /* -1: nothing is plugged in there */
	bool cut_down;    /* nothing reaches the device: what the host transmits is lost */
	bool cut_up;      /* nothing reaches the host */
	bool blocked;     /* nobody takes what the device transmits */
	bool lossy;       /* a UART: what the host has no room for is lost, and holds the device back no more */
	bool noisy;       /* the device receives noise all the time */
	bool slow;        /* as a serial line of 115,200 bits a second, towards the device */
	unsigned lines;   /* it is cut after so many line ends towards the device; 0: never */
	bool garbles;     /* a cancel loses some of its bytes, once */
	bool garbled;     /* that has happened */
	int64_t last;     /* when the device was given a byte last */
	int64_t busy;     /* until when the bytes in a slow wire take */
	uint64_t seed;
	struct cable_way down, up;
};

/** Waits for at most a millisecond and carries what there is. Called all the time. */
void cable_turn(struct cable *cable);

/** Gives the device some bytes that nobody sent. */
void cable_inject(struct cable *cable, const char *bytes, size_t n);

/** True if the device has taken all that has entered the wire. A wire keeps no bytes: more enter it only then. */
bool cable_wire_is_free(const struct cable *cable);

/** True if nothing is on its way down in the cable. */
bool cable_is_empty(const struct cable *cable);

/** True if nothing is on its way down: neither in the wire nor at its host's end. */
bool cable_is_drained(const struct cable *cable);

/** Loses what is on its way. */
void cable_lose(struct cable *cable);

/** Random numbers for everything here: the next of a seed. */
uint64_t cable_random(uint64_t *seed);

#endif
