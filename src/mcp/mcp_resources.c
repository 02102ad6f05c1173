/* SPDX-License-Identifier: MIT
 * Resources: lists and reading. */
#include "../../include/quash/mcp_resources.h"

#include "mcp_inner.h"
#include "mcp_uri.h"

static const quash_mcp_resources *resources_of(const quash_request *request)
{
	const void *const part = quash_mcp_part_of(quash_mcp_server_of(request), &quash_mcp_resources_kind);
	return part;
}

/* --- The part */

static void offer_resources(quash_writer *w, const quash_mcp_server *server)
{
	quash_mcp_put_capability(w, server, "resources", QUASH_MCP_RESOURCES_CHANGE);
	if (server->watches != NULL) {
		quash_put_key(w, "subscribe");
		quash_put_bool(w, true);
	}
	quash_put_end(w);
}

static const quash_mcp_resource *find_listed(const quash_mcp_resources *r, quash_value uri)
{
	for (uint8_t i = 0; i < r->count; i++) {
		if (quash_is(uri, r->list[i].uri))
			return &r->list[i];
	}
	return NULL;
}

static const quash_mcp_resource *find_template(const quash_mcp_resources *r, quash_value uri)
{
	for (uint8_t i = 0; i < r->template_count; i++) {
		if (quash_mcp_fits(r->templates[i].uri, quash_text(uri), quash_length(uri), NULL, NULL))
			return &r->templates[i];
	}
	return NULL;
}

static bool holds(const quash_mcp_part *part, quash_value uri)
{
	const quash_mcp_resources *const r = (const void *)part;
	return find_listed(r, uri) != NULL || find_template(r, uri) != NULL;
}

static bool knows_resource(const quash_mcp_part *part, quash_value ref)
{
	const quash_mcp_resources *const r = (const void *)part;
	const quash_value uri = quash_member(ref, "uri");
	if (!quash_is(quash_member(ref, "type"), "ref/resource"))
		return false;
	for (uint8_t i = 0; i < r->template_count; i++) {
		if (quash_is(uri, r->templates[i].uri))
			return true;
	}
	return holds(part, uri);
}

const struct quash_mcp_kind quash_mcp_resources_kind = { .machine = &quash_mcp_machine,
	.handler = quash_mcp_list_resources,
	.offer = offer_resources,
	.knows = knows_resource,
	.holds = holds };

/* --- resources/list, resources/templates/list */

static void put_resource(quash_writer *w, const quash_mcp_resource *r, const char *key)
{
	quash_put_object(w);
	quash_mcp_put_member(w, key, r->uri);
	quash_mcp_put_member(w, "name", r->name);
	quash_mcp_put_optional(w, "title", r->title);
	quash_mcp_put_optional(w, "description", r->description);
	quash_mcp_put_optional(w, "mimeType", r->mime_type);
	if (r->size != 0) {
		quash_put_key(w, "size");
		quash_put_uint(w, r->size);
	}
	quash_put_end(w);
}

/* What the two lists differ in. */
struct listing {
	const char *key, *uri_key;
	const quash_mcp_resource *list;
	uint8_t count;
};

static int32_t send_list(quash_request *request, quash_value params, const struct listing *listing)
{
	struct quash_mcp_page page;
	int32_t code;
	if (!quash_mcp_open_page(request, params, listing->count, &page, &code))
		return code;
	quash_writer *const w = quash_mcp_begin_page(request, listing->key);
	for (uint8_t i = page.first; i < page.end; i++)
		put_resource(w, &listing->list[i], listing->uri_key);
	return quash_mcp_send_page(request, w, &page);
}

int32_t quash_mcp_list_resources(quash_request *request, quash_value params)
{
	const quash_mcp_resources *const r = resources_of(request);
	if (r == NULL)
		return QUASH_METHOD_NOT_FOUND;
	const struct listing listing = { "resources", "uri", r->list, r->count };
	return send_list(request, params, &listing);
}

int32_t quash_mcp_list_templates(quash_request *request, quash_value params)
{
	const quash_mcp_resources *const r = resources_of(request);
	if (r == NULL)
		return QUASH_METHOD_NOT_FOUND;
	const struct listing listing = { "resourceTemplates", "uriTemplate", r->templates, r->template_count };
	return send_list(request, params, &listing);
}

/* --- resources/read */

static void *resource_state(quash_mcp_slot *slot)
{
	return slot + 1;
}

/* The URI that fits a template stands in front of the token. */
static char *kept_uri(quash_request *request)
{
	const quash_size size = quash_peer_of(request)->config->state_size;
	const quash_size token = (quash_size)(quash_mcp_server_of(request)->token_size + 1);
	const quash_size room = (quash_size)(resources_of(request)->uri_size + 1);
	return (char *)quash_state(request) + (size - token - room);
}

static void keep_uri(quash_request *request, quash_value uri)
{
	const char *const text = quash_text(uri);
	const size_t length = quash_length(uri);
	char *const to = kept_uri(request);
	for (size_t i = 0; i < length; i++)
		to[i] = text[i];
	to[length] = '\0';
}

const quash_mcp_resource *quash_mcp_resource_of(quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const quash_method *const method = quash_method_of(request);
	return slot != NULL && method != NULL && method->handler == quash_mcp_read ? slot->call.target : NULL;
}

const char *quash_mcp_uri(quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	if (resource == NULL)
		return "";
	const char *const kept = kept_uri(request);
	return kept[0] != '\0' ? kept : resource->uri;
}

static int32_t refuse_uri(quash_request *request, const char *uri, size_t length)
{
	const bool modern = quash_mcp_slot_of(request)->call.modern;
	quash_writer *const w = quash_error_reply(
		request, modern ? QUASH_INVALID_PARAMS : QUASH_MCP_NO_RESOURCE, "Resource not found");
	quash_put_object(w);
	quash_put_key(w, "uri");
	quash_put_string(w, uri, length);
	return quash_send(request);
}

int32_t quash_mcp_no_resource(quash_request *request)
{
	const char *const uri = quash_mcp_uri(request);
	size_t length = 0;
	while (uri[length] != '\0')
		length++;
	return refuse_uri(request, uri, length);
}

static int32_t check_uri(quash_request *request, const quash_mcp_resources *r, quash_value uri)
{
	if (quash_kind_of(uri) != QUASH_STRING)
		return quash_fail(request, QUASH_INVALID_PARAMS, "uri must be a string");
	const quash_mcp_resource *const listed = find_listed(r, uri);
	const quash_mcp_resource *const found = listed != NULL ? listed : find_template(r, uri);
	if (found == NULL)
		return refuse_uri(request, quash_text(uri), quash_length(uri));
	if (listed == NULL && quash_length(uri) > r->uri_size)
		return quash_fail(request, QUASH_INVALID_PARAMS, "uri is too long");
	if (!quash_mcp_has_room(request, (uint32_t)found->state_size + r->uri_size + 1))
		return QUASH_INTERNAL_ERROR;
	if (listed == NULL)
		keep_uri(request, uri);
	quash_mcp_slot_of(request)->call.target = found;
	return QUASH_PENDING;
}

/* The first call. QUASH_PENDING: it goes on. */
static int32_t prepare_read(quash_request *request, quash_value params)
{
	const quash_mcp_resources *const r = resources_of(request);
	int32_t code;
	if (r == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (!quash_mcp_open(request, params, &code))
		return code;
	code = check_uri(request, r, quash_member(params, "uri"));
	if (code != QUASH_PENDING)
		return code;
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	quash_mcp_keep_token(request, params);
	if (resource->deadline != 0)
		quash_deadline(request, resource->deadline);
	return QUASH_PENDING;
}

int32_t quash_mcp_read(quash_request *request, quash_value params)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot == NULL)
		return QUASH_INTERNAL_ERROR;
	if (slot->call.target == NULL) {
		const int32_t code = prepare_read(request, params);
		if (code != QUASH_PENDING)
			return code;
	}
	const quash_mcp_resource *const resource = slot->call.target;
	if ((resource->marks & QUASH_DROPS) != 0 && quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	const int32_t code = resource->read(request, resource_state(slot));
	slot->call.again = code == QUASH_RETRY;
	return code;
}

void quash_mcp_read_end(quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	if (resource != NULL && resource->end != NULL)
		resource->end(request, resource_state(quash_mcp_slot_of(request)));
}
