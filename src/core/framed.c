/* SPDX-License-Identifier: MIT
 * Messages that have their length in front of them. What is here, a dialect of lines does not link. */
#include "../wire/content_length.h"
#include "feed.h"
#include "ring.h"
#include "session.h"

/* A body, or what of it may be received now: the message whose body ends is not put off until more bytes come. */
static size_t receive_body(quash_peer *peer, const uint8_t *data, size_t from, size_t to)
{
	const size_t at = quash_receive(peer, data, from, to);
	if (quash_frame_took(&peer->frame, at - from))
		quash_body_ended(peer);
	return at;
}

static size_t feed_framed(quash_peer *peer, const uint8_t *data, size_t n)
{
	size_t at = 0;
	while (at < n && peer->pause == PAUSE_NONE) {
		size_t to = n;
		switch (quash_frame_length(&peer->frame, data, n, &at, &to)) {
		case FRAME_BODY: at = receive_body(peer, data, at, to); break;
		case FRAME_END: quash_body_ended(peer); break;
		case FRAME_EMPTY: quash_note_life_sign(peer); break;
		case FRAME_BAD: quash_count_up(peer, offsetof(quash_counters, bad_headers)); break;
		default: break;
		}
	}
	return at;
}

const struct quash_framing_code quash_content_length = {
	feed_framed, quash_frame_lost,
	quash_content_open, quash_content_close, quash_content_close_whole, quash_content_rest, quash_content_most
};
