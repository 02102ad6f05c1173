/* SPDX-License-Identifier: MIT
 * The gallery: an MCP server that has something of everything, for tests with real clients and without. */
#ifndef QUASH_TESTS_GALLERY_H
#define QUASH_TESTS_GALLERY_H

#include "quash/peer.h"

enum {
	GALLERY_METHODS = 15,
	GALLERY_TOKEN = 40,
	GALLERY_URI = 60,
	GALLERY_WATCHES = 3,
	GALLERY_STATE = 360
};

extern const quash_method gallery_methods[GALLERY_METHODS];
extern const quash_config gallery_config;

/* How often a reading or prompt that waits has been begun and has come to its end. */
extern unsigned gallery_begun, gallery_ended;

/* Logs an emergency that belongs to no request. */
bool gallery_fire(quash_peer *peer);

/* Forgets everything: before another quash_init. */
void gallery_reset(void);

#endif
