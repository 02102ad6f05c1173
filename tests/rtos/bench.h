/* SPDX-License-Identifier: MIT
 * A port as test_ports.c drives it: each port has a file that fills this in. */
#ifndef TESTS_RTOS_BENCH_H
#define TESTS_RTOS_BENCH_H

#include "quash/port.h"

enum { BENCH_RING = 128, BENCH_REST = 2 };

typedef struct bench {
	const char *name;
	void (*run)(quash_peer *peer);       /* the owner's thread: attaches the UART, never returns */
	void (*cancel)(quash_handle handle); /* from another thread */
	void (*wake)(quash_request *request);
	void (*cancel_from_isr)(quash_handle handle);
	void (*wake_from_isr)(quash_request *request);
	void (*deaf)(bool on); /* a UART that cannot hold a byte back; or NULL */
} bench;

extern const bench the_bench;

#endif
