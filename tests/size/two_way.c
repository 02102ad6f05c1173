/* SPDX-License-Identifier: MIT
 * A program of one method, which answers its params: one-way. With ASKS it asks the other side and answers what that answered:
 * two-way. */
#include "quash.h"

#ifdef ASKS
struct ask {
	quash_call call;
};
enum { STATE_SIZE = sizeof(struct ask) };
#define CALLS &quash_calls

static void put_answer(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_call_answer(&QUASH_CONST_STATE(struct ask, request)->call));
}

static int32_t handler(quash_request *request)
{
	struct ask *const s = QUASH_STATE(struct ask, request);
	if (s->call.method == NULL) {
		s->call.method = "ask";
		quash_call_start_for(request, quash_peer_of(request), &s->call);
	}
	if (!quash_call_has_ended(&s->call))
		return QUASH_PENDING;
	if (quash_call_outcome(&s->call) != QUASH_CALL_RESULT)
		return QUASH_INTERNAL_ERROR;
	return quash_reply(request, put_answer);
}
#else
enum { STATE_SIZE = 0 };
#define CALLS NULL

static void put_same(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t handler(quash_request *request)
{
	return quash_reply(request, put_same);
}
#endif

static const quash_method methods[] = { { .name = "method", .handler = handler, .state_size = STATE_SIZE } };
QUASH_STORAGE(store, 4, 40, STATE_SIZE, 512, 128);
const quash_config device = { QUASH_STORED(store), .dialect = &quash_acp, .methods = methods, .method_count = 1,
	.calls = CALLS };

#include "endless.h"
