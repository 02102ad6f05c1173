/* SPDX-License-Identifier: MIT
 * Several devices: whose a name is, and what is changed on the way. */
#include "bridge_many.h"

#include "bridge_forward.h"
#include "bridge_mcp.h"
#include "text.h"

#include <string.h>

/* --- What is changed on the way */

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
static void put_with_uris(quash_writer *w, const struct server *s, quash_value value)
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
			many_put_uri(w, s, member);
		else if (kind == QUASH_OBJECT && quash_is(key, "structuredContent"))
			quash_put_value(w, member);
		else
			put_with_uris(w, s, member);
	}
	quash_put_end(w);
}

static void many_put_result(quash_writer *w, const quash_request *request, quash_value result)
{
	const struct own *const own = wire_const_own(request);
	put_with_uris(w, own->server, result);
}

static const quash_rewrite by_name = { "name", put_own_name, many_put_result, MCP_HOP };
static const quash_rewrite by_uri = { "uri", put_own_uri, many_put_result, MCP_HOP };
static const quash_rewrite by_reference = { "ref", put_own_reference, NULL, MCP_HOP };

void many_routes(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (!b->options.many_servers)
		return;
	s->named.rewrite = &by_name;
	s->resource.rewrite = &by_uri;
	s->reference.rewrite = &by_reference;
}

/* --- Whose it is */

/* Of a list that is not complete also one that another tool may have: that is none. */
static const char *find_name(const struct list *list, quash_value shown)
{
	const char *name = NULL;
	for (size_t i = 0; i < list->count; i++) {
		const struct list_item *const item = &list->items[i];
		if (item->shown == NULL || !quash_is(shown, item->shown))
			continue;
		if (name != NULL && strcmp(name, item->name) != 0)
			return NULL;
		name = item->name;
	}
	return name;
}

/* The pages that have come are enough. */
static const char *find_listed(const struct server *s, enum list_kind kind, quash_value shown)
{
	const char *const name = find_name(&s->list[kind], shown);
	return name != NULL ? name : find_name(&s->fresh[kind], shown);
}

static bool may_have(const struct server *s, const char *shown)
{
	const size_t n = strlen(s->wire.name);
	return strncmp(shown, s->wire.name, n) == 0 && shown[n] == '_';
}

static bool is_missing(const struct server *s, enum list_kind kind)
{
	return s->phase == SERVER_READY && (s->missing >> kind & 1) != 0;
}

static char *words_of_missing(const struct server *s, enum list_kind kind)
{
	struct builder made = build_begin(&s->wire.bridge->heap), *const to = &made;
	build_text(to, "{\"code\":-32603,\"message\":\"");
	build_text(to, s->wire.name);
	build_text(to, kind == LIST_TOOLS ? " has not answered tools/list with its tools" : " has not answered prompts/list with its prompts");
	build_text(to, ", so they are not known\"}");
	return build_end(to);
}

static bool asks(const quash_request *request, const char *method)
{
	return strcmp(quash_method_of(request)->name, method) == 0;
}

static int32_t many_refuse(quash_request *request, const char *words)
{
	return quash_fail_literal(request, QUASH_INVALID_PARAMS, words);
}

static const quash_route *route_by_name(quash_request *request, enum list_kind kind, quash_value name, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	for (unsigned i = 0; i < b->server_count; i++) {
		struct server *const s = b->servers[i];
		const char *const listed = find_listed(s, kind, name);
		if (listed != NULL) {
			text_replace(&b->heap, &own->name, text_copy(&b->heap, listed));
			*verdict = QUASH_INTERNAL_ERROR;
			return own->name != NULL ? forward_when_ready(request, s, &s->named, verdict) : NULL;
		}
		const bool unknown = s->list[kind].print == 0 && (s->phase != SERVER_READY || (s->lists[kind] && s->refused == NULL));
		if (may_have(s, quash_text(name)) && unknown && !is_missing(s, kind)) {
			if (forward_when_ready(request, s, &s->named, verdict) != NULL)
				*verdict = quash_wait(request, LOOK_AGAIN_MS);
			return NULL;
		}
		if (may_have(s, quash_text(name)) && is_missing(s, kind)) {
			*verdict = forward_fail_text(request, words_of_missing(s, kind));
			return NULL;
		}
	}
	*verdict = many_refuse(request, kind == LIST_TOOLS ? "Unknown tool" : asks(request, "prompts/get") ? "Unknown prompt" : "Unknown ref");
	return NULL;
}

static const quash_route *route_by_uri(quash_request *request, quash_value uri, bool reference, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	for (unsigned i = 0; i < b->server_count; i++) {
		struct server *const s = b->servers[i];
		const char *const rest = many_own_uri(s, quash_text(uri));
		if (rest == NULL)
			continue;
		own->skip = (uint16_t)(rest - quash_text(uri));
		return forward_when_ready(request, s, reference ? &s->reference : &s->resource, verdict);
	}
	*verdict = reference ? many_refuse(request, "Unknown ref") : mcp_no_resource(request);
	return NULL;
}

static const quash_route *route_by_reference(quash_request *request, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_value reference = quash_get(quash_params_of(request), "ref");
	const quash_value uri = quash_get(reference, "uri");
	if (quash_kind_of(uri) == QUASH_STRING)
		return route_by_uri(request, uri, true, verdict);
	const quash_route *const route = route_by_name(request, LIST_PROMPTS, quash_get(reference, "name"), verdict);
	const struct own *const own = wire_const_own(request);
	for (unsigned i = 0; route != NULL && i < b->server_count; i++) {
		if (route == &b->servers[i]->named && own->name != NULL)
			return &b->servers[i]->reference;
	}
	return NULL;
}

/* The member that says whose it is. */
static const quash_route *route_by_member(quash_request *request, const char *member, int32_t *verdict)
{
	const quash_value value = quash_get(quash_params_of(request), member);
	const bool uri = strcmp(member, "uri") == 0;
	if (quash_kind_of(value) == QUASH_STRING && uri)
		return route_by_uri(request, value, false, verdict);
	if (quash_kind_of(value) == QUASH_STRING)
		return route_by_name(request, asks(request, "tools/call") ? LIST_TOOLS : LIST_PROMPTS, value, verdict);
	*verdict = many_refuse(request, uri ? "uri must be a string" : "name must be a string");
	return NULL;
}

const quash_route *many_choose(quash_request *request, int32_t *verdict)
{
	if (asks(request, "tools/call") || asks(request, "prompts/get"))
		return route_by_member(request, "name", verdict);
	if (asks(request, "resources/read") || asks(request, "resources/subscribe"))
		return route_by_member(request, "uri", verdict);
	if (asks(request, "completion/complete"))
		return route_by_reference(request, verdict);
	*verdict = QUASH_METHOD_NOT_FOUND;
	return NULL;
}

bool many_all_ready(struct bridge *b)
{
	bool all = true;
	for (unsigned i = 0; i < b->server_count; i++) {
		const struct server *const s = b->servers[i];
		const bool fetched = s->refused != NULL || ((!s->stale || s->rests) && s->fetching == LIST_KINDS); /* without a session it is not asked */
		all = all && (s->given_up || (s->phase == SERVER_READY && (fetched || s->missing != 0)));
	}
	return all;
}
