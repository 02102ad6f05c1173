/* SPDX-License-Identifier: MIT
 * Several devices: what is changed on the way. */
#include "bridge_many.h"

#include "bridge_forward.h"
#include "bridge_mcp.h"

static void put_own_name(quash_writer *w, const quash_request *request, quash_value value)
{
	const struct own *const own = wire_const_own(request);
	(void)value;
	quash_put_text(w, own->name != NULL ? own->name : "");
}

static void put_own_uri(quash_writer *w, const quash_request *request, quash_value value)
{
	const struct own *const own = wire_const_own(request);
	const size_t skip = own->skip < quash_length(value) ? own->skip : quash_length(value);
	quash_put_string(w, quash_text(value) + skip, quash_length(value) - skip);
}

static void put_own_reference(quash_writer *w, const quash_request *request, quash_value reference)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(reference, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (quash_is(key, "name"))
			put_own_name(w, request, value);
		else if (quash_is(key, "uri"))
			put_own_uri(w, request, value);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

/* URIs wherever they stand, but in what the tool's own schema describes. As deep as messages may nest. */
static void put_with_uris(quash_writer *w, const struct device *d, quash_value value)
{
	quash_value cursor = { NULL, 0, 0 }, key, member;
	const quash_kind kind = quash_kind_of(value);
	if (kind != QUASH_OBJECT && kind != QUASH_ARRAY) {
		quash_put_value(w, value);
		return;
	}
	if (kind == QUASH_OBJECT)
		quash_put_object(w);
	else
		quash_put_array(w);
	while (quash_next(value, &cursor, &key, &member)) {
		if (kind == QUASH_OBJECT)
			quash_put_key_value(w, key);
		if (kind == QUASH_OBJECT && quash_is(key, "uri") && quash_kind_of(member) == QUASH_STRING)
			many_put_uri(w, d, member);
		else if (kind == QUASH_OBJECT && quash_is(key, "structuredContent"))
			quash_put_value(w, member);
		else
			put_with_uris(w, d, member);
	}
	quash_put_end(w);
}

static void many_put_result(quash_writer *w, const quash_request *request, quash_value result)
{
	const struct own *const own = wire_const_own(request);
	put_with_uris(w, own->device, result);
}

static const quash_rewrite by_name = { "name", put_own_name, many_put_result, MCP_HOP };
static const quash_rewrite by_uri = { "uri", put_own_uri, many_put_result, MCP_HOP };
static const quash_rewrite by_reference = { "ref", put_own_reference, NULL, MCP_HOP };

void many_routes(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (!b->options.many_devices)
		return;
	d->named.rewrite = &by_name;
	d->resource.rewrite = &by_uri;
	d->reference.rewrite = &by_reference;
}

bool many_all_ready(struct bridge *b)
{
	bool all = true;
	for (unsigned i = 0; i < b->device_count; i++) {
		const struct device *const d = b->devices[i];
		const bool fetched = d->refused != NULL || ((!d->stale || d->rests) && d->fetching == LIST_KINDS); /* without a session it is not asked */
		all = all && (d->given_up || (d->phase == DEVICE_READY && (fetched || d->missing != 0)));
	}
	return all;
}
