/* SPDX-License-Identifier: MIT */
#include "bridge_http_time.h"

#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_http_stream.h"
#include "bridge_log.h"
#include "format.h"
#include "least.h"

#include <string.h>

/* --- Requests that end without an answer, since they were cancelled */

static bool find_live(const struct client *client, uint32_t id, quash_live *live)
{
	char text[12];
	const size_t n = format_text(text, sizeof text, "%u", (unsigned)id);
	while (quash_next_live(&client->wire.peer, live)) {
		if (live->id != NULL && live->id_is_number && live->id_length == n && memcmp(live->id, text, n) == 0)
			return true;
	}
	return false;
}

/* True if one had ended, with which streams may be gone. `*again`: one is stopped, and has not ended. */
static bool unask_one(struct session *s, bool *again)
{
	*again = false;
	for (struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		for (unsigned i = 0; i < stream->count; i++) {
			struct asked *const asked = &stream->asked[i];
			quash_live live = { .request = NULL };
			const bool lives = asked->id != 0 && find_live(stream->client, asked->id, &live);
			*again = *again || (lives && (asked->stopped || live.cause != QUASH_NOT_CANCELLED));
			if (asked->id == 0 || lives)
				continue;
			stream_unask(stream, asked);
			return true;
		}
	}
	return false;
}

static void look_for_ended(struct session *s)
{
	if (!s->looks || !client_is_quiet(s->client))
		return;
	while (unask_one(s, &s->looks))
		;
	session_forget_streams(s);
}

/* --- Who is there */

static bool is_attended(const struct session *s)
{
	for (const struct stream *stream = s->streams; stream != NULL; stream = stream->next) {
		if (stream->connection != NULL)
			return true;
	}
	return false;
}

/* How long a request goes on whose stream nobody has: for the lease of its device. */
static uint32_t patience_of(const quash_live *live)
{
	enum { NO_LEASE_MS = 30000 };
	const struct own *const own = forward_of(live->request);
	const uint32_t lease = own != NULL && own->device != NULL ? own->device->lease : 0;
	return lease != 0 ? lease : NO_LEASE_MS;
}

/* Milliseconds until a request of a stream is cancelled, since nobody has the stream. UINT32_MAX: it is not. */
static uint32_t left_alone_in(const struct stream *stream, const struct asked *asked, quash_live *live)
{
	struct bridge *const b = stream->client->wire.bridge;
	const uint32_t passed = b->now - stream->left;
	*live = (quash_live){ .request = NULL };
	if (asked->id == 0 || asked->stopped || asked->left_alone != 0 || !find_live(stream->client, asked->id, live))
		return UINT32_MAX;
	if (live->ended || live->cause != QUASH_NOT_CANCELLED)
		return UINT32_MAX;
	const uint32_t patience = patience_of(live);
	return passed < patience ? patience - passed : 0;
}

static bool is_left(const struct stream *stream)
{
	return !stream->standing && stream->connection == NULL && stream->open > 0;
}

static void cancel_left_alone(struct stream *stream)
{
	struct bridge *const b = stream->client->wire.bridge;
	for (unsigned i = 0; is_left(stream) && i < stream->count; i++) {
		struct asked *const asked = &stream->asked[i];
		quash_live live;
		if (left_alone_in(stream, asked, &live) > 0)
			continue;
		asked->left_alone = patience_of(&live);
		quash_cancel((quash_request *)(uintptr_t)live.request);
		log_line(b, LOG_INFO, "client %u: nobody has asked for a stream again in %u ms, its request is cancelled", stream->client->number,
			(unsigned)asked->left_alone);
	}
}

static uint32_t until_cancelled(const struct stream *stream)
{
	uint32_t rest = UINT32_MAX;
	for (unsigned i = 0; is_left(stream) && i < stream->count; i++) {
		quash_live live;
		const uint32_t one = left_alone_in(stream, &stream->asked[i], &live);
		rest = one < rest ? one : rest;
	}
	return rest;
}

/* How long until something is due; 0: now. */
static uint32_t due_in(const struct session *s, uint32_t limit)
{
	struct bridge *const b = s->client->wire.bridge;
	const uint32_t passed = b->now - s->seen;
	return limit == 0 || is_attended(s) ? UINT32_MAX : passed < limit ? limit - passed : 0;
}

static void session_turn(struct session *s)
{
	struct bridge *const b = s->client->wire.bridge;
	if (is_attended(s))
		s->seen = b->now;
	look_for_ended(s);
	for (struct stream *stream = s->streams; stream != NULL; stream = stream->next)
		cancel_left_alone(stream);
	if (due_in(s, b->options.session_idle) == 0)
		session_end(s, "idle");
}

/* --- Streams that open late */

/* A request that goes on becomes a stream: proxies wait for a head only so long. */
static void open_late(struct stream *stream)
{
	struct bridge *const b = stream->client->wire.bridge;
	const struct connection *const c = stream->connection;
	if (c != NULL && c->phase == CONNECTION_ANSWERS && b->now - stream->since >= HTTP_OPEN_MS)
		stream_begin(stream);
}

void sessions_turn(struct bridge *b)
{
	struct session *next = NULL;
	for (struct session *s = session_first(b); s != NULL; s = next) {
		next = s->next;
		for (struct stream *stream = s->streams; stream != NULL; stream = stream->next)
			open_late(stream);
		session_turn(s);
	}
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && b->clients[i]->stream != NULL)
			open_late(b->clients[i]->stream);
	}
}

static uint32_t until_open(const struct stream *stream)
{
	struct bridge *const b = stream->client->wire.bridge;
	const uint32_t passed = b->now - stream->since;
	if (stream->connection == NULL || stream->connection->phase != CONNECTION_ANSWERS)
		return UINT32_MAX;
	return passed < HTTP_OPEN_MS ? HTTP_OPEN_MS - passed : 0;
}

uint32_t sessions_rest(struct bridge *b)
{
	enum { LOOK_MS = 5 };
	uint32_t rest = UINT32_MAX;
	for (const struct session *s = session_first(b); s != NULL; s = s->next) {
		rest = less(rest, due_in(s, b->options.session_idle));
		rest = s->looks ? less(rest, LOOK_MS) : rest;
		for (const struct stream *stream = s->streams; stream != NULL; stream = stream->next)
			rest = less(rest, less(until_open(stream), until_cancelled(stream)));
	}
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && b->clients[i]->stream != NULL)
			rest = less(rest, until_open(b->clients[i]->stream));
	}
	return rest;
}
