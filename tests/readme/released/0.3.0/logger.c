/* SPDX-License-Identifier: MIT
 * A logger: samples go to the client as log messages until it cancels. A sample that finds no room is dropped and counted, and
 * never sent late. Nothing moves, so there is neither lease nor longest time. */
#include "pins.h"
#include "program.h"
#include "quash.h"

static struct {
	int32_t samples, dropped; /* since the start */
	bool runs;
} counted;

/* --- stream */

struct stream {
	int32_t ms;
	uint32_t next;
	bool begun;
};

static const quash_param stream_list[] = {
	QUASH_ARG_INT(struct stream, ms, 5, 60000, "from one sample to the next, in milliseconds"),
};
static const quash_params stream_params = QUASH_PARAMS(struct stream, stream_list);

struct sample {
	uint32_t ms;
	int32_t millivolts;
};

static void put_sample(quash_writer *w, const void *data)
{
	const struct sample *const s = data;
	quash_put_object(w);
	quash_put_key(w, "ms");
	quash_put_uint(w, s->ms);
	quash_put_key(w, "millivolts");
	quash_put_int(w, s->millivolts);
	quash_put_end(w);
}

static void take_sample(quash_request *request, uint32_t now)
{
	const struct sample s = { now, pins_thermometer() };
	counted.samples++;
	if (!quash_mcp_log_json(request, QUASH_MCP_INFO, "thermometer", put_sample, &s))
		counted.dropped++;
}

/* A sample is due at fixed times, so a late call delays no further one. */
static int32_t stream(quash_request *request)
{
	struct stream *const s = QUASH_TOOL(struct stream, request);
	const uint32_t now = quash_now(quash_peer_of(request)), ms = (uint32_t)s->ms;
	if (!s->begun)
		s->next = now;
	s->begun = counted.runs = true;
	if ((int32_t)(now - s->next) >= 0) {
		take_sample(request, now);
		s->next += (now - s->next) / ms * ms + ms;
	}
	return quash_wait(request, s->next - now);
}

static int32_t stream_end(quash_request *request)
{
	(void)request;
	counted.runs = false;
	return QUASH_DONE;
}

/* --- count */

struct count {
	int32_t samples, dropped;
	bool runs;
};

static const quash_param count_list[] = {
	QUASH_ARG_INT(struct count, samples, 0, INT32_MAX, "samples since the start"),
	QUASH_ARG_INT(struct count, dropped, 0, INT32_MAX, "of these, those that were not sent"),
	QUASH_ARG_BOOL(struct count, runs, "whether a stream runs"),
};
static const quash_params count_result = QUASH_PARAMS(struct count, count_list);
static const quash_params count_params = QUASH_NO_PARAMS(struct count);

static int32_t count(quash_request *request)
{
	struct count *const c = QUASH_TOOL(struct count, request);
	c->samples = counted.samples;
	c->dropped = counted.dropped;
	c->runs = counted.runs;
	return quash_mcp_struct(request);
}

/* --- The server: with a part for log messages, so it is written out */

enum { SLOTS = 4, ID = 40, TOKEN = 40, ARENA = 256, TX = 256 };

static quash_group one_stream;
static const quash_mcp_tool tools[] = {
	{ .name = "stream",
	  .description = "Sends samples as log messages until it is cancelled",
	  .args = &stream_params,
	  .call = stream,
	  .end = stream_end,
	  .busy = "a stream runs",
	  .group = &one_stream,
	  .hints = QUASH_MCP_READ_ONLY,
	  .marks = QUASH_DROPS },
	{ .name = "count",
	  .description = "How many samples there were, and how many were dropped",
	  .args = &count_params,
	  .output = &count_result,
	  .call = count,
	  .hints = QUASH_MCP_READ_ONLY },
};
union state {
	struct stream stream;
	struct count count;
};

static const quash_mcp_logging logging = { .part = { &quash_mcp_logging_kind }, .level = QUASH_MCP_INFO };
static const quash_mcp_part *const parts[] = { &logging.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "logger",
	.version = "1.0",
	.session = &session,
	.tools = tools,
	.tool_count = sizeof tools / sizeof tools[0],
	.parts = parts,
	.token_size = TOKEN,
	.modern = &quash_mcp_modern,
};
static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_LOGGING(&server) };
QUASH_STORAGE(store, SLOTS, ID, QUASH_MCP_STATE(TOKEN, sizeof(union state)), ARENA, TX);
static const quash_config config = { QUASH_MCP_CONFIG(store, methods) };

const quash_config *const firmware_config = &config;
