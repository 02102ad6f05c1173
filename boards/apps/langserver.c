/* SPDX-License-Identifier: MIT */
#include "langserver.h"

#include "quash.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static quash_lsp_session session;

static const quash_lsp_server server = {
	.name = "quash-langserver",
	.version = QUASH_VERSION,
	.session = &session,
	.token_size = LANGSERVER_TOKEN_SIZE,
};

/* --- test/echo */

static int32_t echo(quash_request *request, quash_value params, void *state)
{
	quash_writer *const w = quash_reply(request);
	(void)state;
	if (quash_kind_of(params) == QUASH_NONE)
		quash_put_null(w);
	else
		quash_put_value(w, params);
	return quash_send(request);
}

static const quash_lsp_method echo_method = { .server = &server, .call = echo };

/* --- test/slow */

enum { SLOW_REPORT_MS = 20 };

struct slow {
	int32_t ms;
	uint32_t start;
	uint32_t told; /* until when */
	bool begun;
};

static const quash_param slow_list[] = { QUASH_ARG_INT(struct slow, ms, 0, INT32_MAX, NULL) };
static const quash_params slow_params = QUASH_PARAMS(struct slow, slow_list);

static void put_slept(quash_writer *w, const void *data)
{
	const uint32_t *const ms = data;
	quash_put_object(w);
	quash_put_key(w, "slept");
	quash_put_uint(w, *ms);
	quash_put_end(w);
}

static int32_t percentage(const struct slow *s, uint32_t elapsed)
{
	return (int32_t)((uint64_t)elapsed * 100 / (uint32_t)s->ms);
}

/* Tells that it slept until `due`, in both ways that LSP has. QUASH_DONE, or QUASH_RETRY without room. */
static int32_t tell(quash_request *request, struct slow *s, uint32_t due)
{
	if (quash_lsp_wants_parts(request) && quash_lsp_part(request, put_slept, &due) == QUASH_RETRY)
		return QUASH_RETRY;
	s->told = due;
	(void)quash_lsp_report(request, NULL, percentage(s, due));
	return QUASH_DONE;
}

static int32_t answer(quash_request *request, const struct slow *s)
{
	const uint32_t ms = (uint32_t)s->ms;
	if (quash_lsp_finish(request, NULL) == QUASH_RETRY)
		return QUASH_RETRY;
	put_slept(quash_reply(request), &ms);
	return quash_send(request);
}

static int32_t slow(quash_request *request, quash_value params, void *state)
{
	struct slow *const s = state;
	const uint32_t now = quash_now(quash_peer_of(request));
	if (!s->begun) {
		if (!quash_read_params(&slow_params, params, s, NULL))
			return QUASH_INVALID_PARAMS;
		s->begun = true;
		s->start = now;
	}
	const uint32_t ms = (uint32_t)s->ms;
	const uint32_t elapsed = now - s->start;
	const uint32_t due = elapsed - elapsed % SLOW_REPORT_MS;
	if (elapsed >= ms)
		return answer(request, s);
	if (quash_lsp_begin(request, "Sleeping", NULL, 0) == QUASH_RETRY)
		return QUASH_RETRY;
	if (due > s->told && tell(request, s, due) == QUASH_RETRY)
		return QUASH_RETRY;
	const uint32_t next = due + SLOW_REPORT_MS - elapsed;
	return quash_wait(request, next < ms - elapsed ? next : ms - elapsed);
}

static const quash_lsp_method slow_method = {
	.server = &server, .call = slow, .size = sizeof(struct slow), .marks = QUASH_DROPS };

/* --- The server */

static const quash_method methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_WORK(&server),
	QUASH_LSP_REQUEST("test/echo", &echo_method),
	QUASH_LSP_REQUEST("test/slow", &slow_method),
};

enum { STATE_SIZE = QUASH_LSP_STATE(LANGSERVER_TOKEN_SIZE, sizeof(struct slow)) };

QUASH_STORAGE(store, LANGSERVER_SLOTS, LANGSERVER_ID_SIZE, STATE_SIZE, LANGSERVER_ARENA, LANGSERVER_TX);

const quash_config langserver_config = {
	QUASH_STORED(store),
	.dialect = &quash_lsp,
	.methods = methods,
	.method_count = COUNT(methods),
};

const char *const langserver_name = "langserver";

bool langserver_exited(void)
{
	return session.exited;
}

int langserver_exit_code(void)
{
	return quash_lsp_exit_code(&session);
}

void langserver_reset(void)
{
	static const quash_lsp_session fresh = { QUASH_LSP_CLOSED, false, false, 0 };
	session = fresh;
}
