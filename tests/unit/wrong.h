/* SPDX-License-Identifier: MIT
 * Handlers and put functions that do what they must not. */
#ifndef WRONG_H
#define WRONG_H

#include "quash/peer.h"

static inline void put_two(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_int(w, 1);
	quash_put_int(w, 2);
}

static inline int32_t unbalanced(quash_request *request)
{
	return quash_reply(request, put_two);
}

static inline void put_deep(quash_writer *w, const quash_request *request)
{
	(void)request;
	for (unsigned i = 0; i <= QUASH_DEPTH; i++)
		quash_put_array(w);
}

static inline int32_t deep(quash_request *request)
{
	return quash_reply(request, put_deep);
}

/* Longer than TX, so it runs again. */
static inline void put_changing(quash_writer *w, const quash_request *request)
{
	static uint32_t runs;
	(void)request;
	quash_put_array(w);
	quash_put_uint(w, runs++);
	for (unsigned i = 0; i < 20; i++)
		quash_put_text(w, "0123456789");
}

static inline int32_t changing(quash_request *request)
{
	return quash_reply(request, put_changing);
}

static inline int32_t twice(quash_request *request)
{
	(void)quash_reply_null(request);
	return quash_reply_null(request);
}

#endif
