/* SPDX-License-Identifier: MIT
 * Progress of forwarded requests, sent on with the token that each came with. */
#include "forward_inner.h"

/* Reads a token of this hop: which of them, and the call's id; 0 if it is none. */
static uint32_t read_token(quash_value token, uint8_t *index)
{
	const char *const text = quash_text(token);
	uint32_t id = 0;
	if (quash_kind_of(token) != QUASH_STRING || quash_length(token) < 2 || quash_length(token) > 10 + 1)
		return 0;
	*index = text[0] == quash_forwarded_letter(0) ? 0 : 1;
	if (text[0] != quash_forwarded_letter(*index))
		return 0;
	for (size_t i = 1; i < quash_length(token); i++) {
		if (text[i] < '0' || text[i] > '9' || id > INT32_MAX / 10)
			return 0;
		id = id * 10 + (uint32_t)(text[i] - '0');
	}
	return id;
}

static void put_progress_params(
	quash_writer *w, const quash_request *request, uint8_t index, const quash_progress_form *form, quash_value params)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(params, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (quash_is(key, form->token))
			quash_forwarded_put_token(w, request, index);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

/* Of the token that it carries: which one, and the call's id. */
static uint32_t read_progress(const quash_request *progress, uint8_t *index)
{
	const quash_route *const route = quash_data(progress);
	return read_token(quash_get(quash_params_of(progress), route->progress->token), index);
}

quash_request *quash_forward_of_progress(const quash_request *progress)
{
	uint8_t index = 0;
	const uint32_t id = read_progress(progress, &index);
	quash_request *const asked = id != 0 ? quash_forward_find(quash_peer_of(progress), id) : NULL;
	return asked != NULL && quash_may_report(asked) && quash_forwarded_has_token(asked, index) ? asked : NULL;
}

int32_t quash_forward_progress(quash_request *request)
{
	const quash_route *const route = quash_data(request);
	quash_request *const asked = quash_forward_of_progress(request);
	uint8_t index = 0;
	if (asked == NULL || read_progress(request, &index) == 0)
		return QUASH_DONE;
	quash_writer *const w = quash_notify(quash_peer_of(asked), route->progress->method);
	put_progress_params(w, asked, index, route->progress, quash_params_of(request));
	(void)quash_notify_send(quash_peer_of(asked));
	return QUASH_DONE;
}
