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

static void put_params(quash_writer *w, const quash_request *request)
{
	const quash_value params = quash_params_of(request);
	if (quash_kind_of(params) == QUASH_NONE)
		quash_put_null(w);
	else
		quash_put_value(w, params);
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

static const quash_lsp_method echo_method = QUASH_LSP_HANDLER(&server, echo, NULL, 0);

/* --- test/slow */

enum { SLOW_REPORT_MS = 20 };

struct slow {
	int32_t ms;
	uint32_t start;
	uint32_t due;      /* what is to be reported */
	uint32_t reported;
	bool begun;
};

static const quash_param slow_list[] = { QUASH_ARG_INT(struct slow, ms, 0, INT32_MAX, NULL) };
static const quash_params slow_params = QUASH_PARAMS(struct slow, slow_list);

static void put_slept(quash_writer *w, uint32_t ms)
{
	quash_put_object(w);
	quash_put_key(w, "slept");
	quash_put_uint(w, ms);
	quash_put_end(w);
}

static void put_due(quash_writer *w, const quash_request *request)
{
	put_slept(w, QUASH_CONST_STATE(struct slow, request)->due);
}

static void put_all(quash_writer *w, const quash_request *request)
{
	put_slept(w, (uint32_t)QUASH_CONST_STATE(struct slow, request)->ms);
}

static int32_t percentage(const struct slow *s)
{
	return (int32_t)((uint64_t)s->due * 100 / (uint32_t)s->ms);
}

/* Reports that it slept until `due`, in both ways that LSP has. QUASH_DONE, or QUASH_PENDING without room. */
static int32_t report(quash_request *request, struct slow *s)
{
	if (quash_lsp_wants_parts(request) && quash_lsp_part(request, put_due) == QUASH_PENDING)
		return QUASH_PENDING;
	s->reported = s->due;
	(void)quash_lsp_report(request, NULL, percentage(s));
	return QUASH_DONE;
}

static int32_t answer(quash_request *request)
{
	if (quash_lsp_finish(request, NULL) == QUASH_PENDING)
		return QUASH_PENDING;
	return quash_reply(request, put_all);
}

/* The time that has passed, in whole reports. */
static uint32_t elapsed_of(const quash_request *request, struct slow *s)
{
	const uint32_t elapsed = quash_now(quash_peer_of(request)) - s->start;
	s->due = elapsed - elapsed % SLOW_REPORT_MS;
	return elapsed;
}

static int32_t slow(quash_request *request)
{
	struct slow *const s = QUASH_STATE(struct slow, request);
	if (!s->begun) {
		if (!quash_read_params(&slow_params, quash_params_of(request), s, NULL))
			return QUASH_INVALID_PARAMS;
		s->begun = true;
		s->start = quash_now(quash_peer_of(request));
	}
	const uint32_t ms = (uint32_t)s->ms, elapsed = elapsed_of(request, s);
	if (elapsed >= ms)
		return answer(request);
	if (quash_lsp_begin(request, "Sleeping", NULL, 0) == QUASH_PENDING)
		return QUASH_PENDING;
	if (s->due > s->reported && report(request, s) == QUASH_PENDING)
		return QUASH_PENDING;
	const uint32_t next = s->due + SLOW_REPORT_MS - elapsed;
	return quash_wait(request, next < ms - elapsed ? next : ms - elapsed);
}

static const quash_lsp_method slow_method = QUASH_LSP_HANDLER(&server, slow, NULL, sizeof(struct slow));

/* --- The server */

static const quash_method methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_WORK(&server),
	QUASH_LSP_REQUEST("test/echo", &echo_method),
	QUASH_LSP_ENTRY("test/slow", &slow_method, QUASH_NO_LIMIT, 0, 0, NULL),
};

enum { STATE_SIZE = QUASH_LSP_STATE(LANGSERVER_TOKEN_SIZE, sizeof(struct slow)) };

QUASH_STORAGE(store, LANGSERVER_SLOTS, LANGSERVER_ID_SIZE, STATE_SIZE, LANGSERVER_ARENA, LANGSERVER_TX);

const quash_config langserver_config = {
	QUASH_STORED(store),
	.dialect = &quash_lsp,
	.methods = methods,
	.method_count = COUNT(methods),
	.check = quash_lsp_check,
	.faults = &quash_faults,
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
