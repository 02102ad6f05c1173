/* SPDX-License-Identifier: MIT
 * Which of several devices a request is for: the one that has listed the name in its params, or whose URI it is. */
#include "bridge_forward.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "builder.h"
#include "text.h"

#include <string.h>

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
static const char *find_listed(const struct device *d, enum list_kind kind, quash_value shown)
{
	const char *const name = find_name(&d->list[kind], shown);
	return name != NULL ? name : find_name(&d->fresh[kind], shown);
}

static bool may_have(const struct device *d, const char *shown)
{
	const size_t n = strlen(d->wire.name);
	return strncmp(shown, d->wire.name, n) == 0 && shown[n] == '_';
}

static bool is_missing(const struct device *d, enum list_kind kind)
{
	return d->phase == DEVICE_READY && (d->missing >> kind & 1) != 0;
}

static char *words_of_missing(const struct device *d, enum list_kind kind)
{
	struct builder made = build_begin(&d->wire.bridge->heap), *const to = &made;
	build_text(to, "{\"code\":-32603,\"message\":\"");
	build_text(to, d->wire.name);
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
	for (unsigned i = 0; i < b->device_count; i++) {
		struct device *const d = b->devices[i];
		const char *const listed = find_listed(d, kind, name);
		if (listed != NULL) {
			text_replace(&b->heap, &own->name, text_copy(&b->heap, listed));
			*verdict = QUASH_INTERNAL_ERROR;
			return own->name != NULL ? forward_when_ready(request, d, &d->named, verdict) : NULL;
		}
		const bool unknown = d->list[kind].print == 0 && (d->phase != DEVICE_READY || (d->lists[kind] && d->refused == NULL));
		if (may_have(d, quash_text(name)) && unknown && !is_missing(d, kind)) {
			if (forward_when_ready(request, d, &d->named, verdict) != NULL)
				*verdict = quash_wait(request, LOOK_AGAIN_MS);
			return NULL;
		}
		if (may_have(d, quash_text(name)) && is_missing(d, kind)) {
			*verdict = forward_fail_text(request, words_of_missing(d, kind));
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
	for (unsigned i = 0; i < b->device_count; i++) {
		struct device *const d = b->devices[i];
		const char *const rest = many_own_uri(d, quash_text(uri));
		if (rest == NULL)
			continue;
		own->skip = (uint16_t)(rest - quash_text(uri));
		return forward_when_ready(request, d, reference ? &d->reference : &d->resource, verdict);
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
	for (unsigned i = 0; route != NULL && i < b->device_count; i++) {
		if (route == &b->devices[i]->named && own->name != NULL)
			return &b->devices[i]->reference;
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
